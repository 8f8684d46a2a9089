# report: the page of a profile in a browser: summary, regions, threads; sorting, searching, filters, keys, dark and light, a
# telephone; names of strangers do nothing; the page asks for nothing and its console is empty.
. "$srcdir/tests/lib.sh"

# ---- what needs no browser ----

"$builddir/tests/golden/example_main" profile samples >samples.ompp
"$builddir/tests/browser/profiles" hostile >hostile.ompp
"$builddir/tests/golden/example_main" profile hostile >nasty.ompp
ompp report --format=html nasty.ompp >nasty.html || fail "status $?"
for rank in 0 1; do
	"$builddir/tests/golden/example_main" profile samples $rank >samples.r$rank.ompp
done
ompp report --format=html samples.r0.ompp samples.r1.ompp >ranks.html || fail "status $?"
ompp report --format=html "$srcdir/tests/fuzz/corpus_profile/example" >old.html || fail "a profile of an older version: $?"
ompp report --format=html samples.ompp >samples.html || fail "status $?"
ompp report --format=HTML hostile.ompp >hostile.html || fail "status $?"
! ompp report --format=html --view=flat samples.ompp >out 2>said || fail 'a page of one section'
grep -q '^ompp: --view: ' said || fail "said: $(cat said)"
! ompp report --source samples.ompp >out 2>said || fail 'sources in a text'
grep -q '^ompp: --source: ' said || fail "said: $(cat said)"
! ompp report --format=htm samples.ompp >out 2>said || fail 'an unknown format'
grep -q "did you mean 'html'" said || fail "said: $(cat said)"

# The policy forbids the page to ask for anything; no name ends its data, nor its scripts.
grep -q "Content-Security-Policy.*default-src 'none'" samples.html || fail 'no policy'
grep -o '</\?script' hostile.html | sort | uniq -c | tr -s ' ' >scripts
printf ' 7 </script\n 7 <script\n' >want # data, base, roofline, reuse, ranks, course, report
same 'script elements of hostile names' want scripts
! LC_ALL=C grep -n -a "$(printf '[\001-\010\013-\037]')" hostile.html || fail 'control characters'

# ompp run writes the page beside the profile, and the program gets the other formats alone
kinst $CC -O2 -g -fopenmp "$srcdir/examples/imbalance.c" -o imbalance
mkdir run
OMP_NUM_THREADS=2 ompp run --outdir=run --outformat=csv,html ./imbalance >out 2>said || fail "status $?"
ls run >files
printf '%s\n' imbalance.2-0.html imbalance.2-0.ompp imbalance.2-0.ompp.csv >want
same 'what ompp run leaves' want files
grep -q '^ompp: page: run/imbalance.2-0.html$' said && grep -q '^##BEG header' out || fail "said: $(cat said)"
OMP_NUM_THREADS=2 OMPP_OUTFORMAT=HTML ompp run --outdir=run --quiet ./imbalance >out 2>said || fail "status $?"
[ -s run/imbalance.2-1.html ] && [ -s run/imbalance.2-1.ompp.txt ] && [ ! -s said ] || fail "OMPP_OUTFORMAT: $(ls run; cat said)"
ompp report --format=html run/imbalance.2-1.ompp >page
same 'the page of ompp run' page run/imbalance.2-1.html
OMP_NUM_THREADS=2 ompp run --outformat=html --reportfile=stdout ./imbalance >out 2>said || fail "status $?"
grep -q '^ompp: --outformat: html: ' said || fail "no profile: $(cat said)"

# Durations of visits, and hot spots: what text has, with a source.
"$builddir/tests/golden/example_main" profile visits >visits.ompp
printf '%s\n' 'void step(double *x)' '{' '	read(x);' '	for (int i = 0; i < 100; i++)' '		x[i] = inner(x[i]) +' \
	'		       sin(x[i]) *' '		       cos(x[i]);' '}' >tick.c
ompp report --format=html --source visits.ompp >visits.html || fail "status $?"
ompp report --format=csv --view=durations,hot visits.ompp >visits.csv || fail "status $?"

# ---- in a browser ----

. "$srcdir/tests/browser/browser.sh"
# On a busy machine a thread may have lost its processor for longer than the planted imbalance lasts.
measure() {
	OMP_NUM_THREADS=2 OMPP_QUIET=1 OMPP_OVERWRITE=1 ./imbalance >printed
	ompp report --format=csv imbalance.2.ompp >imbalance.csv
	grep -q ',ImbalanceInParallelLoop,R[0-9]*,LOOP,.*/imbalance.c,29,' imbalance.csv
}
retry 10 measure || fail 'the planted imbalance is not found'
ompp report --format=html --source imbalance.2.ompp >imbalance.html
browse "$srcdir/tests/browser/report.py" imbalance.html imbalance.csv samples.html hostile.html nasty.html ranks.html old.html visits.html visits.csv
