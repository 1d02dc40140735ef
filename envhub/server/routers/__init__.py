"""One router per resource; each route reads a request, calls the service and answers."""
