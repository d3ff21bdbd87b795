"""How Alembic runs: always on a connection that `Database.migrate` hands over."""

from alembic import context

from maumau.storage.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    render_as_batch=True,
    user_module_prefix="types.",
)
with context.begin_transaction():
    context.run_migrations()
