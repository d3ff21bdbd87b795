"""A file per resource: routes and schemas side by side."""
