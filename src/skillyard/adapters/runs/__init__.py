"""The directories that runs stand on, and the programs that are started in them."""
