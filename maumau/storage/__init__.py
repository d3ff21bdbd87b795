"""Keep: schema, migrations, one repository file per aggregate."""
