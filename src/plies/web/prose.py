"""What the prose of a game says in short: the game in a sentence, an option in a sentence."""

import re

ASIDE = "Where sources differ: "


def sentences(text: str) -> list[str]:
    """The sentences of a text, without what is set off as a picture."""
    paragraphs = [part for part in text.split("\n\n") if part.strip() and not part.startswith("  ")]
    return [
        sentence.removeprefix(ASIDE)
        for paragraph in paragraphs
        for sentence in re.split(r"(?<=[.!?])\s+", " ".join(paragraph.split()))
    ]


def summary(title: str, rules: str) -> str:
    """What a game is about: its first sentence, or the next where that is no more than its name."""
    for sentence in sentences(rules)[:2]:
        told = re.sub(rf"^{re.escape(title)}\w*(: *|\.$)", "", sentence, flags=re.IGNORECASE)
        if told:
            return _capital(told)
    return ""


def about_option(name: str, *texts: str) -> str:
    """The first sentence that names an option, as `name` or as `name=value`."""
    named = re.compile(rf"`{re.escape(name)}(=[^`]*)?`")
    found = (sentence for text in texts for sentence in sentences(text) if named.search(sentence))
    return _capital(next(found, ""))


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
