"""One file per walk: submit a bot, schedule, play a chunk, read standings."""
