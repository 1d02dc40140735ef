"""The application: requests in, responses out, over HTTP and WebSockets."""
