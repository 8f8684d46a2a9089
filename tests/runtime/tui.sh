# tui: ompp tui in a pseudo-terminal: its numbers are the report's; sections, sorting, search, filter, folding, regions, objects,
# source, resizing, small terminals, names of strangers; the terminal is given back however it ends.
. "$srcdir/tests/lib.sh"
for python in python3 /usr/bin/python3; do # where another python3 comes first in PATH, Debian's has Debian's packages
	"$python" -c 'import pyte' 2>/dev/null && break
	python=
done
[ -n "$python" ] || skip 'python3-pyte is not installed'
if ! grep -q '^#define HAVE_NCURSES 1' "$builddir/config.h"; then
	! ompp tui nothing.ompp 2>said || fail 'without ncurses'
	skip 'ncurses is not installed'
fi

# ---- what is no terminal, or no profile ----

for kind in plain data samples visits hostile; do
	"$builddir/tests/golden/example_main" profile $kind >$kind.ompp
done
says() { # says STATUS WORDS OPTION...: what comes on stderr where nothing is a terminal
	want=$1 words=$2 status=0
	shift 2
	ompp tui "$@" >out 2>said </dev/null || status=$?
	[ $status -eq "$want" ] && [ ! -s out ] && grep -qF -- "ompp: $words" said || fail "'$*': status $status: $(cat said)"
}
says 2 'tui: standard output is no terminal; ' plain.ompp
mkdir empty
(cd empty && says 2 'tui: no file, and no profile here; give a saved profile')
touch -d '2030-01-01' plain.ompp
says 2 'tui: plain.ompp, the newest profile here'
says 2 "--colum: unknown option; did you mean --columns" --colum plain.ompp
says 2 "--region: no region 'zebra'" --region=zebra plain.ompp
says 2 "--object: no data object 'zebra'" --object=zebra data.ompp
says 2 "tui: plain.ompp, data.ompp: not added up" plain.ompp data.ompp
says 1 'nothing.ompp: cannot be opened' nothing.ompp
printf '{"ompp":"recording","version":1}\n' >a.recording
says 1 'a.recording: a recording of ompp record: ' a.recording
echo text >text
says 1 'text: not a saved profile' text
head -c 60 plain.ompp >cut.ompp
says 1 'cut.ompp: damaged at its beginning' cut.ompp
head -c $(($(wc -c <plain.ompp) * 2 / 3)) plain.ompp >damaged.ompp

# ---- a run with its source ----

cp "$srcdir/examples/imbalance.c" "$srcdir/examples/spin.h" .
OMP_NUM_THREADS=2 OMPP_QUIET=1 OMPP_OVERWRITE=1
export OMP_NUM_THREADS OMPP_QUIET OMPP_OVERWRITE
kinst $CC -O1 -g -fopenmp imbalance.c -o imbalance && ./imbalance >printed
ompp report --view=callgraph samples.ompp >callgraph.txt
printf '%s\n' 'void step(double *x)' '{' '	read(x);' '	for (int i = 0; i < 100; i++)' '		x[i] = inner(x[i]) +' \
	'		       sin(x[i]) *' '		       cos(x[i]);' '}' >tick.c
ompp report --view=durations,hot visits.ompp >visits.txt
ompp report --view=flat --region=R00002 samples.ompp >flat.txt
"$builddir/tests/golden/example_main" profile plain 0 >rank0.ompp
"$builddir/tests/golden/example_main" profile plain 1 >rank1.ompp
PYTHONPATH=$srcdir/tests/runtime timeout 300 "$python" "$srcdir/tests/runtime/tui.py" "$builddir/ompp" ||
	fail "the terminal"
