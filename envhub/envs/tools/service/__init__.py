"""customer-service-v0: serve a simulated user by a policy document."""
