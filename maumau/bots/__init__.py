"""What a bot is: contract, observation, plugin hooks, check."""
