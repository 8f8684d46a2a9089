# tui_widths: at any width of the terminal the names of findings, regions and data objects are whole in ompp tui, on as many lines
# as they take; below 80 columns no word is broken, and no number is cut.
. "$srcdir/tests/lib.sh"
for python in python3 /usr/bin/python3; do # where another python3 comes first in PATH, Debian's has Debian's packages
	"$python" -c 'import pyte' 2>/dev/null && break
	python=
done
[ -n "$python" ] || skip 'python3-pyte is not installed'
grep -q '^#define HAVE_NCURSES 1' "$builddir/config.h" || skip 'ncurses is not installed'

"$builddir/tests/browser/profiles" names >names.ompp
"$builddir/tests/golden/example_main" profile samples >samples.ompp
"$builddir/tests/golden/example_main" profile visits >visits.ompp
for kind in names samples visits; do
	ompp report --format=json $kind.ompp >$kind.json
	ompp report --view=summary,properties $kind.ompp >$kind.txt
done
PYTHONPATH=$srcdir/tests/runtime timeout 300 "$python" "$srcdir/tests/runtime/tui_widths.py" "$builddir/ompp" ||
	fail "the terminal"
