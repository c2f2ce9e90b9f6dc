"""How the schema came to be, step by step; Alembic runs these, and nothing else imports them."""
