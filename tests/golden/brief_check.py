#!/usr/bin/env python3
"""brief_check.py SCHEMA BRIEF.json BRIEF.md [WHOLE.json]: the brief form of a report keeps its schema and its bound, is
whole UTF-8, counts what it leaves out, and has the numbers and, by its own computation, the ids of the whole profile."""
import json
import re
import sys

import jsonschema

MASK = (1 << 64) - 1


def fnv(data, start=0xCBF29CE484222325):
    for byte in data:
        start = (start ^ byte) * 0x100000001B3 & MASK
    return start


def base(path):
    return path[path.rfind("/") + 1:]


def identity(finding, thing, regions, before):
    """The id, by what finding_id.h says that it is made of."""
    words = [finding["name"]]
    if finding["region"] is None:
        words.append("program")
    else:
        columns = [regions["construct"], [base(f) for f in regions["file"]], regions["name"], regions["instantiation"]]
        keys, lines = list(zip(*columns)), list(zip(regions["begin_line"], regions["end_line"]))
        own = finding["region"]
        above = sum(k == keys[own] and (a or 0, b or 0) < (lines[own][0] or 0, lines[own][1] or 0) for k, (a, b) in zip(keys, lines))
        if regions["number"][own] is not None:
            above = regions["number"][own] - 1
        words += [*keys[own], str(above)]
    words.append(re.sub(":[0-9]+", ":", thing or ""))
    if before:
        words.append(str(before))
    return f"F{fnv(b''.join(w.encode() + bytes(1) for w in words)) & (1 << 48) - 1:012x}"


schema, brief_name, markdown_name = sys.argv[1:4]
for name in (brief_name, markdown_name):
    data = open(name, "rb").read()
    assert 0 < len(data) <= 4096, (name, len(data))
    text = data.decode("utf-8")  # no character is cut
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", text), name
    assert text.endswith("\n"), name
brief = json.load(open(brief_name, encoding="utf-8"))
jsonschema.Draft202012Validator(json.load(open(schema))).validate(brief)
ids = [f["id"] for f in brief["findings"]]
assert len(set(ids)) == len(ids), ids
left = brief["left_out"]
shortened = sum(isinstance(v, str) and v.endswith("\u2026") for f in brief["findings"] for v in f.values())
shortened += 2 * sum("evidence" not in f for f in brief["findings"])
shortened += sum(isinstance(v, str) and v.endswith("\u2026") for m in ("run", "machine") for v in brief[m].values())
assert left["texts"] == shortened, (left, shortened)
shares = [row["share"] for row in brief["time"] if row["share"] is not None]
assert not shares or abs(sum(shares) - 1) < 0.001, shares
markdown = open(markdown_name, encoding="utf-8").read()
shown = re.findall("^- `(F[0-9a-f]{12})`", markdown, re.M)
assert shown == ids[:len(shown)] or ids == shown[:len(ids)], (shown, ids)
assert f"findings {len(ids) + left['findings'] - len(shown)}, findings below the threshold {left['findings_below']}" in markdown
seen = {}
if len(sys.argv) > 4:
    whole = json.load(open(sys.argv[4], encoding="utf-8"))
    found = whole["findings"]["list"]
    assert len(found) == len(ids) + left["findings"], (len(found), len(ids), left)
    assert left["findings_below"] == whole["findings"]["below"]
    for one, f in zip(brief["findings"], found):
        # findings of which all that an id is made of is the same, whatever else is not, are told apart by their order
        key = identity(f, one.get("object"), whole["regions"], 0)
        want = identity(f, one.get("object"), whole["regions"], seen.get(key, 0))
        seen[key] = seen.get(key, 0) + 1
        told = [one.get("object") or ""]
        if f["region"] is not None:
            told += [whole["regions"][c][f["region"]] for c in ("file", "name", "instantiation")]
        # what is cut, cleaned or no UTF-8 cannot be computed from what exports show
        if not told[0].endswith("\u2026") and "\\" not in told[0] and not any("\ufffd" in t for t in told):
            assert one["id"] == want, (one, want)
        assert one["name"] == f["name"] and one["saves_to_ns"] == f["gain_ns"], (one, f)
    # The certainty is that of the region's own times and of those directly below, of which some visits were not timed.
    cells, paths = whole["cells"], whole["paths"]
    untimed = {path for path, n in zip(cells["path"], cells["untimed"]) if n}
    untimed |= {paths["parent"][path] for path in untimed}
    sampled = {paths["region"][path] for path in untimed if path}
    for one, f in zip(brief["findings"], found):
        is_sampled = bool(untimed) if f["region"] is None else f["region"] in sampled
        want = "counted" if one["severity"] is None else "sampled" if is_sampled else "measured"
        assert one["certainty"] == want, (one, f)
    for id, word in re.findall(r"^- `(F[0-9a-f]+)`.*? \((counted|sampled|measured)\)\.", markdown, re.M):
        assert all(one["certainty"] == word for one in brief["findings"] if one["id"] == id), (id, word)
    for key in ("wall_ns", "threads"):
        assert brief["run"][key] == whole["run"]["duration_ns" if key == "wall_ns" else key]
print(len(ids), left["findings"], left["texts"], sum(n > 1 for n in seen.values()), *{f["certainty"] for f in brief["findings"]})
