# rows: --rows cuts what has most rows in text, keeps what takes most time as it is, and says what it left out; other formats
# have everything
. "$srcdir/tests/lib.sh"
need python3
"$builddir/tests/browser/profiles" big 200 20 >some.ompp
ompp report some.ompp >usual || fail 'a report'
ompp report --rows=all some.ompp >all || fail '--rows=all'
cmp usual all || fail 'a report of few rows is cut'
ompp report --rows=100 some.ompp >cut || fail '--rows=100'
ompp report --rows 1 some.ompp >least || fail '--rows 1'
ompp report --format=csv --view=flat some.ompp >flat.csv
ompp report --format=json some.ompp >some.json
python3 - <<'P' || fail 'what is cut'
import csv, json, re
def sections(path):
    found, name = {}, None
    for line in open(path):
        if line.startswith("----     ompP "):
            name = line[14:].split("  ")[0].strip(" -\n")
            found[name] = ""
        elif name and not line.startswith("------"):
            found[name] += line
    return {name: text.strip("\n").split("\n\n") for name, text in found.items()}
def words(text):
    return " ".join(text.split())
full, cut, least = sections("all"), sections("cut"), sections("least")
flat, paths = "Flat Region Profile (inclusive data)", "Callgraph Region Profiles (incl./excl. data)"
assert list(full) == list(cut) == list(least)
for name in full: # all else is as it was
    assert name in (flat, paths) or full[name] == cut[name], name
data = json.load(open("some.json"))
of_region, of_path = {}, {}
for line in csv.reader(open("flat.csv")):
    if line and re.match("R[0-9]{5}$", line[0]):
        region = line[0]
    elif line and line[0] == "SUM":
        of_region[region] = float(line[1])
for path, ns in zip(data["cells"]["path"], data["cells"]["incl_ns"]):
    of_path[path] = of_path.get(path, 0) + ns / 1e9
n_rows = 21 # of 20 threads, and SUM
for name, times, what in ((flat, of_region, "regions"), (paths, of_path, "call paths")):
    blocks = [b for b in full[name] if "SUM" in b]
    assert len(blocks) == len(times) and all(len(re.findall(r"^ *\d+ ", b, re.M)) == 20 for b in blocks), (name, len(blocks), len(times))
    assert not any("Left out" in b for b in full[name])
    for report, rows in ((cut, 100), (least, 1)):
        kept = [b for b in report[name] if "SUM" in b]
        assert len(kept) == max(1, rows // n_rows), (name, len(kept))
        at = iter(blocks) # the same ones in the same order
        assert all(b in at for b in kept), name
        longest = sorted(times.values(), reverse=True)
        said = [words(b) for b in report[name] if "Left out" in b]
        assert len(said) == 1, said
        match = re.fullmatch(r"Left out: (\d+) of (\d+) %s, those of least time: the longest of them took ([\d.]+) (m?)s of all threads' time\. "
                             r"A section of text has at most %d rows? of threads; --rows=all shows all of them\." % (what, rows), said[0])
        assert match and (int(match[1]), int(match[2])) == (len(times) - len(kept), len(times)), said
        next_s = longest[len(kept)]
        assert abs(float(match[3]) / (1000 if match[4] else 1) / next_s - 1) < 0.006, (said, next_s)
    if name == flat:
        assert {b.split()[0] for b in cut[name] if "SUM" in b} == set(sorted(times, key=times.get, reverse=True)[:4])
P
for format in csv csv-raw; do # what programs read is never cut
	ompp report --format=$format --view=callpath some.ompp >out.$format
	[ "$(grep -c '^##BEG R.* callgraph profile' out.$format)" -eq 200 ] || fail "$format is cut"
done
for wrong in --rows=0 --rows=-1 --rows=few '--rows=5 --format=csv' '--rows=5 --format=html' '--rows=all --format=json'; do
	status=0
	ompp report $wrong some.ompp >out 2>err || status=$?
	[ $status -eq 2 ] && [ ! -s out ] && grep -q '^ompp: --rows: ' err || { cat err; fail "$wrong: $status"; }
done
