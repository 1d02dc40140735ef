"""Problems from a user's own files: questions, corpora, programming problems and theorems."""
