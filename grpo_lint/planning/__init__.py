"""From what somebody wants to configs that hold: proposals, found on whole numbers and proven by linting what is written."""
