"""The system of record in a database: SQLite, or PostgreSQL."""
