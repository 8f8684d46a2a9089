# tui_widths.py OMPP: what stands on the screen of ompp tui at many widths (tui_widths.sh).
import json
import os
import random
import re
import sys

from terminal import Terminal, check

OMPP = sys.argv[1]
ROWS, WIDE = 400, 500
SEED = int(os.environ.get("SEED", random.randrange(1 << 16)))
random.seed(SEED)
WIDTHS = sorted({40, 80, 200} | set(random.sample(range(41, 80), 3)) | {random.randrange(81, 200)})


def columns_of(name, lines):
    """Returns where a name stands whole: its words one after another, those of a line behind each other, and the next
    line's in the same column or, below the branch of a tree, near it."""
    words = name.split()
    for y, line in enumerate(lines):
        for start in [m.start() for m in re.finditer(re.escape(words[0]) + r"(?=\s|$)", line)]:
            x, at, left = start, y, list(words)
            while left and at < len(lines):
                n = 0
                while left:
                    end = x + len(left[0])
                    if lines[at][x:end] != left[0] or lines[at][end:end + 1] not in ("", " ", ">", "…"):
                        break
                    left.pop(0)
                    x, n = end + 1, n + 1
                at += 1
                if n == 0 or not left or at >= len(lines):
                    break
                [x] = [k for k in range(max(0, start - 30), start + 1) if lines[at][k:].startswith(left[0]) and not lines[at][max(0, k - 1):k].strip()][-1:] or [-1]
                if x < 0:
                    break
            if not left:
                return y, start
    return None


def tokens(lines):
    """Words and numbers, without what marks columns and cuts of lines of help."""
    return {token.rstrip("…") for line in lines for token in re.split(r"[\s<>]+", line)} - {""}


for kind in ("names", "samples", "visits"):
    profile = json.load(open(kind + ".json"))
    objects = [name for name in profile["objects"]["name"]]
    found = re.findall(r"^ +[0-9.]+ +\( *[0-9.]+%\) (\S.*: .*)$", open(kind + ".txt").read().split("saves up to")[-1], re.M)
    check(found, f"{kind}: no findings in the summary")
    wide = Terminal([OMPP, "tui", kind + ".ompp"], ROWS, WIDE)
    t = Terminal([OMPP, "tui", kind + ".ompp"], ROWS, 80)
    wide.has("q quit")
    t.has("q quit")
    wide.quiet()
    n_sections = len(re.findall(r"(?:^| )\d+ [a-z]+", wide.lines()[0]))
    for section in range(n_sections):
        # what is above and below the page is said in fewer words where there is less room
        all_lines = [line for line in wide.lines()[1:-2]]
        all_tokens = tokens(all_lines)
        title = re.findall(r"(?:^| )\d+ ([a-z]+)", wide.lines()[0])[section]
        shown = [name for name in objects if columns_of(name, all_lines)] if title in ("objects", "memory", "touch", "numa") else []
        shown += found if title == "summary" else []
        if title in ("tree", "regions"):
            shown += re.findall(r"(R\d{5} .*?) *$", "\n".join(all_lines), re.M) if title == "tree" else []
        if title == "durations":
            shown += [line[1:].split("  ")[0] for line in all_lines[1:4]]
        check(title not in ("summary", "tree", "durations", "objects") or shown or (title == "objects" and not objects), f"{kind}, {title}: no names")
        for width in WIDTHS:
            t.resize(ROWS, width)
            t.quiet(0.1)
            page = [line.ljust(width) for line in t.lines()[1:-2]]
            where = f"SEED={SEED}: {kind}, {title}, {width} columns"
            for name in shown:
                check(columns_of(name, page), f"{where}: '{name}' is not whole:\n" + "\n".join(t.lines()[:60]))
            if width < 80 and title != "pages":
                longer = [word for word in all_tokens if len(word) >= width]
                broken = {word for word in tokens(page) - all_tokens if not any(word in long for long in longer)}
                check(not broken, f"{where}: words that there are not: {sorted(broken)[:8]}\n" + "\n".join(t.lines()[:60]))
        wide.press("tab")
        t.press("tab")
        wide.quiet()
        t.quiet()
    for terminal in (wide, t):
        terminal.press("q")
        check(terminal.end() == 0, "q ends with another status than 0")
