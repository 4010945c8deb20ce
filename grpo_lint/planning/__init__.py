"""From a wish to configs that hold: proposals, searched on whole numbers and proven by linting the resulting text."""
