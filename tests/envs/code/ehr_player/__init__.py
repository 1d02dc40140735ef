"""A second implementation of the questions of ehr-v0, without SQL."""
