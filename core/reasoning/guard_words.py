"""The guard's words, as the rooms know them; they live with the grammar, so that agents can use them too."""

from core.language.guard_words import CLAIMED, MOST_TALK, breaks_the_rules, harmless, is_hidden, plain, without_links

__all__ = ["CLAIMED", "MOST_TALK", "breaks_the_rules", "harmless", "is_hidden", "plain", "without_links"]
