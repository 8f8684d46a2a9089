# unchanged: of 200 pairs of sides of an unchanged program, with five runs each, at most 5 % have any row that is sure, also
# beside a busy process that comes and goes, which short runs feel most.
. "$srcdir/tests/lib.sh"
need python3
has_sample_clock || skip "this processor has no clock for it"
export OMPP_QUIET=1 OMP_NUM_THREADS=2 OMPP_SAMPLE=hook OMPP_SAMPLE_PERIOD=1009 OMPP_OUTFORMAT=text
cp "$srcdir/tests/compare/twins.c" .
kinst --access gcc -O1 -g -fopenmp twins.c -o one || fail "kinst"

# Runs that come one after the other are a side, and so are those after them: a machine changes from one to the other.
pairs() {
	name=$1
	python3 -c "
import random
random.seed(5)
for i in range(100):
    a = random.randrange(1, 111)
    print(' '.join(f'$name{k}.ompp' for k in range(a, a + 5)), '--', ' '.join(f'$name{k}.ompp' for k in range(a + 5, a + 10)))" |
		while read -r files; do
			n=$((${n:-0} + 1))
			# shellcheck disable=SC2086
			ompp diff --format=json $files >$name$n.json || fail "ompp diff $files"
		done
}
for i in $(seq 1 120); do
	OMPP_REPORTFILE=quiet$i ./one >/dev/null || fail "ends with $?"
done
(while :; do timeout 0.3 sh -c 'while :; do :; done' || :; sleep 0.2; done) &
busy=$!
for i in $(seq 1 120); do
	OMPP_REPORTFILE=busy$i ./one >/dev/null || fail "ends with $?"
done
kill $busy
pairs quiet
pairs busy
python3 "$srcdir/tests/compare/twins_judge.py" quiet*.json busy*.json >judged || fail "twins_judge.py"
echo "comparisons, sure ones, intervals without a width: $(cat judged)"
read -r n sure narrow <judged
[ "$n" = 200 ] && [ "$sure" -le 10 ] && [ "$narrow" = 0 ] || fail "of $n, $sure are sure, $narrow intervals have no width"
