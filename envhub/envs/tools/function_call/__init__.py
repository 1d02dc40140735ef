"""function-call-v0: call the right tools with the right arguments."""
