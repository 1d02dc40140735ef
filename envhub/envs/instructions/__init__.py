"""Following instructions: texts under constraints, structured documents, exact edits."""
