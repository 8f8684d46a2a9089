# Checks the module ompp of examples/python against what ompp itself writes in other formats, and against the published schema.
# Usage: python_check.py SCHEMA CONSTRUCTS, in a folder with KIND.ompp and KIND.folded
import collections, decimal, json, math, os, re, sys

import ompp

schema = json.load(open(sys.argv[1], encoding="utf-8"))
constructs = open(sys.argv[2], encoding="utf-8").read()
BIG = 2**53 - 1


def kind_of(schema):
    if "$ref" in schema:
        return schema["$ref"].split("/")[-1]
    types = schema.get("type", "")
    return "text" if "string" in types else "flag" if "boolean" in types else "real" if "number" in types else str(types)


# What the module knows of columns beyond the document is what the schema says, which may have more by now.
plain = ompp.load("plain.ompp")
bare = set()
for table in plain.tables():
    for column, values in schema["properties"][table]["properties"].items():
        if kind_of(values["items"]) in ("count", "number") and column not in plain.units[table]:
            bare.add("%s.%s" % (table, column))
assert ompp.NUMBERS <= bare, ompp.NUMBERS - bare
texts = {m for m, s in schema["properties"]["run"]["properties"].items() if kind_of(s) == "text"}
assert ompp.RUN_TEXTS <= texts, ompp.RUN_TEXTS - texts
waits = set(re.findall(r'^CONSTRUCT\(\w+, *"([A-Z ]+)",.*, *SYNCH,', constructs, re.M)) | {"TASKWAIT"}
assert waits == ompp.stacks.WAITS, waits ^ ompp.stacks.WAITS

for kind in "plain", "counters", "samples", "hostile", "visits":
    p = ompp.load(kind + ".ompp")
    raw = json.load(open(kind + ".json", encoding="utf-8"))

    # Tables: each value is that of the document; numbers are whole, missing is None, and no text became a number.
    for table in p.tables():
        rows = p.table(table)
        for column, values in raw[table].items():
            what = kind_of(schema["properties"][table]["properties"][column]["items"])
            assert [str(v) for v in values] == [str(r[column]) for r in rows], (table, column)
            for r in rows:
                v = r[column]
                assert v is None or type(v) in {"count": (int,), "number": (int,), "index": (int,), "text": (str,), "flag": (bool,),
                                                "real": (int, float), "certainty": (str,)}[what], (table, column, v)
    assert p.run["start_unix_ns"] == int(raw["run"]["start_unix_ns"]) and p.run["start_unix_ns"] > BIG
    for table, member in ("cells", "values"), ("flat", "flat_values"):
        for c in raw["counters"]:
            assert [r[c["name"]] for r in p.table(table)] == [None if v is None else int(v) for v in c[member]]

    # Times: by call path those of the folded lines, where waiting and management are frames of their own.
    want, got = collections.Counter(), collections.Counter()
    for line in open(kind + ".folded", encoding="utf-8"):
        stack, ns = line.rstrip("\n").rsplit(" ", 1)
        frames = stack.split(";")
        part = {"[waiting]": "waiting", "[management]": "management"}.get(frames[-1], "work")
        frames = [f for i, f in enumerate(frames) if not i or re.match("|".join(re.findall(r'^CONSTRUCT\(\w+, *"([A-Z -]+)"', constructs, re.M)), f)]
        if part == "work" and any(frames[-1].startswith(w + " ") for w in waits):
            part = "waiting"
        want[";".join(frames).replace(" ~", ""), part] += int(ns)
    for row in p.stacks():
        path, names = row["path"], []
        while path is not None:
            names.insert(0, p.path_title(path).replace(";", ":"))
            path = raw["paths"]["parent"][path]
        for part in "work", "waiting", "management":
            got[";".join(names), part] += row[part + "_ns"]
    got = collections.Counter({k: n for k, n in got.items() if n})
    if kind == "hostile":
        assert sorted(want.values()) == sorted(got.values())
    else:
        assert want == got, list((want - got).items())[:3] + list((got - want).items())[:3]
    total = sum(r["work_ns"] + r["waiting_ns"] + r["management_ns"] for r in p.regions())
    assert total == sum(want.values()) and (kind == "visits" or total == 21200000000), total

    # The tree: as Hatchet reads it.  Its first node says which metrics there are, and all have the numbers of the tables.
    tree = ompp.calltree.literal(p)
    assert len(tree) == 1 and json.loads(json.dumps(tree)) == tree
    seen = []

    def walk(node, parent):
        assert set(node) == {"frame", "metrics", "children"} and set(node["metrics"]) == set(tree[0]["metrics"])
        assert node["frame"]["name"] and node["frame"]["type"] in ("program", "region")
        assert all(isinstance(v, (str, int)) for v in node["frame"].values())
        seen.append((node, parent))
        assert sorted(tuple(sorted(c["frame"].items())) for c in node["children"]) or not node["children"]
        assert len({tuple(sorted(c["frame"].items())) for c in node["children"]}) == len(node["children"]), "two nodes alike"
        for child in node["children"]:
            walk(child, node)

    walk(tree[0], None)
    paths = p.table("paths")
    assert len(seen) == len(paths)
    assert collections.Counter((n["metrics"]["time"], n["metrics"]["time (inc)"], n["frame"].get("region")) for n, _ in seen) == \
        collections.Counter((r["exclusive_wall_ns"], r["wall_ns"], r["region"]) for r in paths)
    assert sum(n["metrics"]["executions"] or 0 for n, _ in seen) == sum(r["executions"] for r in p.table("cells") if r["path"])
    for c in raw["counters"]:
        of = collections.defaultdict(list)
        for path, v in zip(raw["cells"]["path"], c["values"]):
            of[path].append(v)
        want = collections.Counter(None if None in v else sum(map(int, v)) for path, v in of.items() if path)
        got = collections.Counter(n["metrics"][c["name"] + " (inc)"] for n, parent in seen if parent)
        assert want == got, (c["name"], want, got)
    data = ompp.calltree.metadata(p)
    assert data["threads"] == p.run["threads"] and all(c["label"] in data for c in raw["conditions"])
    try:
        import hatchet
    except ImportError:
        pass
    else:
        frame = hatchet.GraphFrame.from_literal(tree).dataframe
        assert len(frame) == len(paths) and frame["time"].sum() == sum(r["exclusive_wall_ns"] for r in paths)

    # Data frames, where pandas is there: nothing is rounded, and what is missing stays so.
    try:
        import pandas
    except ImportError:
        pass
    else:
        for table in p.tables():
            frame, rows = p.frame(table), p.table(table)
            assert len(frame) == len(rows) and (not rows or list(frame.columns) == list(rows[0])), table
            for column in frame.columns:
                for value, row in zip(frame[column], rows):
                    v = row[column]
                    assert pandas.isna(value) if v is None else value == v and int(value) == v if isinstance(v, int) else value == v or math.isclose(value, v), (table, column, value, v)
        flat = p.frame("flat")
        by_region = flat.groupby("region").exec_ns.sum()
        for region, ns in by_region.items():
            assert ns == sum(r["exec_ns"] or 0 for r in p.table("flat") if r["region"] == region)
        os.environ["SEEN_PANDAS"] = "1"

# What is missing stays missing: in no sum, tree or text is it 0.
raw = json.load(open("plain.json", encoding="utf-8"))
loop = next(i for i, c in enumerate(raw["paths"]["construct"]) if c == "LOOP")
cell = raw["cells"]["path"].index(loop)
raw["cells"]["incl_ns"][cell] = None
raw["counters"][0]["values"][cell] = None
raw["paths"]["wall_ns"][loop] = None
p = ompp.Profile(raw)
whose = [r for r in p.stacks() if r["path"] == loop and r["thread"] == raw["cells"]["thread"][cell]]
assert len(whose) == 1 and {whose[0][k] for k in ("work_ns", "waiting_ns", "management_ns")} == {None}
title = p.path_title(loop)
assert [r["work_ns"] for r in p.regions() if r["title"] == title] == [None]
node = next(n for n in ompp.calltree.literal(p)[0]["children"][0]["children"] if n["frame"]["name"] == title)
assert node["metrics"]["time (inc)"] is None and node["metrics"][raw["counters"][0]["name"] + " (inc)"] is None
text = ompp.extrap.text([p])
assert not re.search("METRIC time\n.*REGION [^\n]*%s\n.*METRIC exclusive_time" % re.escape(title), text, re.S), text[:600]
assert re.search("# left out, as not all points have it: program->.*%s\n" % re.escape(title), text)

# Times below 0 keep their value, and names of strangers nothing that a terminal obeys.
for ns in (-1, -10**9, -1500000000, 0, 1, 2500000000):
    assert decimal.Decimal(ompp.extrap._seconds(ns)) * 10**9 == ns, (ns, ompp.extrap._seconds(ns))
assert re.fullmatch("[ -~\n]*", ompp.extrap.text([ompp.load("plain.ompp")], parameters=["a\x1b[31m\u202eb"]))
assert ompp.extrap._word("a\x1b[2J  b->c") == "a\\x1b[2J b- >c"

# What a later ompp adds is passed over, or is there as it is.
raw = json.load(open("plain.json", encoding="utf-8"))
raw["run"].update(later="text", more_ns=str(2**60), less_ns=None)
raw["later"] = {"column": [1, "text", None]}
raw["units"]["later"] = {"column": {"unit": "1", "certainty": "exact"}}
p = ompp.Profile(raw)
assert (p.run["later"], p.run["more_ns"], p.run["less_ns"]) == ("text", 2**60, None)
assert p.table("later") == [{"column": 1}, {"column": "text"}, {"column": None}]

# What cannot be read is told.
for wrong, said in (({}, "not a profile"), ({"format": "ompp-profile", "version": 2}, "this module reads 1")):
    try:
        ompp.Profile(wrong)
        raise SystemExit("it reads %s" % wrong)
    except ompp.Error as e:
        assert said in str(e), e
for call, said in ((lambda: ompp.load("none.ompp"), "none.ompp"), (lambda: ompp.load("plain.ompp", command="./no ompp"), "cannot be started"),
                   (lambda: plain.table("flats"), "there are: regions"), (lambda: ompp.load("-x.ompp"), "-x.ompp")):
    try:
        call()
        raise SystemExit("no error: " + said)
    except ompp.Error as e:
        assert said in str(e), e
print("with pandas" if "SEEN_PANDAS" in os.environ else "without pandas")
