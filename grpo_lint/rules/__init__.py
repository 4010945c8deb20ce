"""What a rule is, and the rules that frameworks share. `Rule` is public: a file of rules of a team's own makes them."""

from .base import Rule as Rule
