"""The pages: server-rendered, in three languages, readable without JavaScript (docs/pages.md)."""
