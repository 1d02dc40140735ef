"""Host side of slots: scheduling, requests and answers."""
