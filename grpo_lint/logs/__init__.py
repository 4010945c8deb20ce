"""What a run has written, and what it says beside the plan of the run."""
