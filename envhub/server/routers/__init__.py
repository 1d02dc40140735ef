"""One router a resource; each route reads a request, calls the service and answers."""
