# compare: the pages of ompp diff and ompp scaling in a browser: what was planted is in the first screen; sorting, searching,
# choosing, keys, dark and light, a telephone; names of strangers do nothing; nothing is asked for, and the console is empty
. "$srcdir/tests/lib.sh"
make=$builddir/tests/compare/runs_make
"$make" . a 5 11 && "$make" . b 5 12 planted moved
ompp diff --format=HTML a?.ompp -- b?.ompp >diff.html || fail "diff: $?"
ompp diff --format=html a1.ompp b1.ompp >one.html || fail "diff of one run a side: $?"
ompp diff --format=html a1.ompp a1.ompp >same.html || fail "diff of one run: $?"
ompp diff --format=csv a?.ompp -- b?.ompp >diff.csv
"$builddir/tests/golden/example_main" profile hostile >hostile.ompp
"$builddir/tests/golden/example_main" profile samples >samples.ompp
ompp diff --format=html hostile.ompp samples.ompp >hostile.html || fail "hostile names: $?"
for threads in 1 2 4 8; do
	"$make" . "l$threads-" 3 $threads threads=$threads serial=2 limited
done
ompp scaling --format=html l?-?.ompp >scaling.html || fail "scaling: $?"
ompp scaling --format=html l2-1.ompp l4-1.ompp >two.html || fail "scaling of two runs: $?"
ompp scaling --format=json l?-?.ompp >scaling.json
for size in 1000 2000 4000 8000; do
	"$make" . "s$size-" 3 "$size" size=$size serial=5
done
for format in html json; do
	ompp scaling --format=$format --size=1000 s1000-?.ompp --size=2000 s2000-?.ompp --size=4000 s4000-?.ompp --size=8000 s8000-?.ompp >sizes.$format || fail "scaling by size: $?"
done
ompp scaling --format=html --size=1000 s1000-1.ompp --size=1100 s2000-1.ompp >twosizes.html || fail "scaling of two sizes: $?"
for threads in 1 2 4; do
	"$make" . "w$threads-" 2 $threads threads=$threads size=$((1000 * threads * threads)) serial=5
done
ompp scaling --format=html w?-?.ompp >worse.html || fail "more threads are slower: $?"
# The same program, whose names are a stranger's: the data of the page have it as JSON has texts.
name='\\u003c/script>\\u003cimg src=x onerror=alert(1)>\\\\x1b[31m\\"'
sed "s|PARALLEL solve.c|$name|g; s|\"app\":\"solve\"|\"app\":\"$name\"|" scaling.html >strange.html
! cmp -s scaling.html strange.html || fail 'no name is a stranger'
# exit statuses are those of the other formats
status=0
ompp diff --format=html --fail-over=5% a?.ompp -- b?.ompp >out 2>err || status=$?
[ $status -eq 3 ] && cmp -s out diff.html && grep -q 'execT is ' err || fail "--fail-over: $status, $(cat err)"
! grep -l 'http' diff.html scaling.html sizes.html | grep . || [ "$(cat diff.html scaling.html sizes.html | grep -o 'https\?://[^"]*' | sort -u)" = http://www.w3.org/2000/svg ] ||
	fail 'an address'

. "$srcdir/tests/browser/browser.sh"
browse "$srcdir/tests/browser/compare.py" diff.html diff.csv one.html same.html hostile.html scaling.html scaling.json two.html strange.html \
	sizes.html sizes.json twosizes.html worse.html
