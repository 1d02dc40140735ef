"""One router per resource.

Each route reads a request, calls the service and answers.
"""
