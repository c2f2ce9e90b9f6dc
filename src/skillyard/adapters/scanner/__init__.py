"""Those who look for dangers in packages."""
