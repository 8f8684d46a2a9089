# python: the module ompp of examples/python reads profiles as ompp writes them in other formats, writes what Hatchet and Extra-P
# read and a picture, and is installed by pip without a network.
. "$srcdir/tests/lib.sh"
need python3
module=$srcdir/examples/python
unset PYTHONPATH PYTHONHOME

for kind in plain counters samples hostile visits; do
	"$builddir/tests/golden/example_main" profile $kind >$kind.ompp
	for format in folded json; do
		ompp report --format=$format $kind.ompp >$kind.$format || fail "$kind, $format"
	done
done
# each Python that is there: one of them may have pandas
for python in python3 /usr/bin/python3; do
	command -v $python >/dev/null || continue
	PYTHONPATH=$module $python "$srcdir/tests/examples/python_check.py" "$builddir/env/ompp-profile-1.schema.json" \
		"$srcdir/runtime/terms/construct.def" || fail "$python"
done
export PYTHONPATH="$module"

# The commands, and what they say to mistakes.
python3 -m ompp regions plain.ompp >regions || fail regions
[ "$(awk 'NR > 1 { n += $1 } END { printf "%.4f", n }' regions)" = 21.2000 ] || { cat regions; fail 'regions: not 21.2 s together'; }
python3 -m ompp regions hostile.ompp >regions || fail 'hostile names'
! grep -qP '[\x00-\x1f\x7f]' regions || fail 'control characters'
python3 -m ompp hatchet plain.ompp >tree.json || fail hatchet
python3 -c '
import json, ompp
assert json.load(open("tree.json")) == ompp.calltree.literal(ompp.load("plain.json"))' || fail 'the tree as JSON'
! python3 -m ompp regions nothing.ompp >out 2>err || fail 'no such file'
grep -q '^ompp: nothing.ompp: cannot be opened' err || { cat err; fail 'no such file: what it says'; }
! grep -q Traceback err || fail 'a traceback'
! python3 -m ompp extrap --parameter=n=1,x plain.ompp 2>err || fail 'no number'
grep -q "^--parameter: '1,x' is no list of numbers" err || { cat err; fail 'no number: what it says'; }

# Runs of three sizes, twice each.
arguments= files=
for threads in 1 2 4; do
	"$builddir/tests/compare/runs_make" . s$threads- 2 $threads threads=$threads serial=5
	for i in 1 2; do
		ompp report --format=json s$threads-$i.ompp >s$threads-$i.json
		arguments="$arguments $threads=s$threads-$i.json" files="$files s$threads-$i.ompp"
	done
done
python3 -m ompp extrap $files >scaling.txt || fail extrap
python3 "$srcdir/tests/examples/python_extrap.py" scaling.txt $arguments || { head -40 scaling.txt; fail 'what Extra-P reads'; }
python3 -m ompp extrap --parameter=n=8,8,16,16,32,32 --parameter=p=1,1,1,1,2,2 $files >two.txt || fail 'two parameters'
grep -qx 'POINTS (8 1) (16 1) (32 2)' two.txt || { head -5 two.txt; fail 'points of two parameters'; }
grep -vE '^(PARAMETER|POINTS)' scaling.txt >one
grep -vE '^(PARAMETER|POINTS)' two.txt >two
same 'values of two parameters' one two
# A name with what the format would read as something else; a region that one size lacks.
python3 - "$srcdir/tests/examples" <<'P' || fail 'hostile names in the text'
import sys
sys.path.insert(0, sys.argv[1])
import ompp, python_extrap
open("hostile.txt", "w", encoding="utf-8").write(ompp.extrap.text([ompp.load("hostile.ompp")]))
parameters, points, data = python_extrap.read("hostile.txt")
assert len(data["time"]) > 10 and sum(v[points[0]][0] for v in data["executions"].values()) == sum(
    r["executions"] for r in ompp.load("hostile.ompp").table("cells") if r["path"])
a, b = ompp.load("s1-1.json"), ompp.load("s2-1.json")
arrow = b.document["regions"]["name"]
arrow[0] = "operator->  <int,\n\t\"é\">"
text = ompp.extrap.text([a, ompp.Profile(b.document)])
assert "operator- > <int, \"é\">" in "".join(line for line in text.split("\n") if line.startswith("# left out")), text
open("lacks.txt", "w", encoding="utf-8").write(text)
python_extrap.read("lacks.txt")
P

# The picture: what its bars say is the time of all threads, and their lengths are in proportion.
for kind in plain hostile; do
	python3 "$module/plot.py" $kind.ompp >$kind.svg || fail "plot: $kind"
done
python3 - <<'P' || fail 'the picture'
import re, xml.etree.ElementTree
SVG = "{http://www.w3.org/2000/svg}"
for kind in "plain", "hostile":
    text = open(kind + ".svg", encoding="utf-8").read()
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e]", text)
    bars = [(float(r.get("width")), r.find(SVG + "title").text) for r in xml.etree.ElementTree.fromstring(text).iter(SVG + "rect")
            if r.find(SVG + "title") is not None]
    seconds = [float(t.rsplit(", ", 1)[1][:-2]) for _, t in bars]
    assert 21 < sum(seconds) <= 21.2, sum(seconds)
    scale = sum(w for w, _ in bars) / sum(seconds)
    assert all(abs(w - s * scale) < 0.02 for (w, _), s in zip(bars, seconds))
P

# pip, without a network, from a copy: it writes beside the source.
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$module/pyproject.toml")
ompp --version | grep -qwF "$version" || fail "the module's version is $version: $(ompp --version | head -1)"
unset PYTHONPATH
for python in python3 /usr/bin/python3 ''; do
	[ ! "$python" ] || ! $python -c 'import setuptools, pip, venv, wheel' 2>/dev/null || break
done
if [ "$python" ]; then
	cp -r "$module" copy
	chmod -R u+w copy
	$python -m venv --without-pip --system-site-packages venv || fail venv
	(cd copy && PIP_CONFIG_FILE=/dev/null PIP_DISABLE_PIP_VERSION_CHECK=1 ../venv/bin/python -m pip install --no-index --no-build-isolation . >../pip.log 2>&1) ||
		{ tail -5 pip.log; fail 'pip install .'; }
	rm -r copy
	venv/bin/python -c '
import ompp, os, sys
assert ompp.__file__.startswith(os.path.realpath(sys.prefix) + "/") or ompp.__file__.startswith(sys.prefix + "/"), ompp.__file__
from importlib.metadata import version
assert version("ompp") == sys.argv[1]
assert sum(r["executions"] for r in ompp.load("plain.ompp").table("flat")) > 1000' "$version" || fail 'the installed module'
else
	echo 'without pip, setuptools and wheel'
fi
