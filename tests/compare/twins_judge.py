# Judges comparisons, in JSON, of programs that access their named data alike.
# Usage: twins_judge.py FILE.json…    prints: comparisons, those with a row that is sure, and sampled rows whose interval has no width
# A row of what has no name, (other) and (stack), is not judged, nor is one that is another program's region.
import json, sys

n = n_sure = n_narrow = 0
for path in sys.argv[1:]:
    d = json.load(open(path))
    rows = [r for r in d["rows"] if not r["name_b"].startswith("(")]
    sure = [(r["measure"], r["name_b"], r["relative"]) for r in rows if r["sure"] in ("yes", "exact")]
    narrow = [r for r in rows if r["certainty"] == "sampled" and r["from"] is not None and r["from"] == r["to"]]
    n += 1
    n_sure += bool(sure)
    n_narrow += len(narrow)
    if sure or narrow:
        print(path, sure[:4], len(narrow), file=sys.stderr)
print(n, n_sure, n_narrow)
