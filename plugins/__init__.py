"""The bots that come with the product, packaged as any third party would."""
