"""The default backend: jails made of Linux namespaces, control groups and user ids."""
