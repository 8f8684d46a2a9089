# diff: ompp diff finds the changes that were planted and no others, at the level that it states, over 100 repetitions, of
# which each time a third are made; its exit
# statuses, its words about what does not fit, and two versions of a real program
. "$srcdir/tests/lib.sh"
need python3
make=$builddir/tests/compare/runs_make

# 100 pairs of 5 runs: times with 2 % of noise, counts with noise in every other pair; a new region, one that is gone, moved lines
n_pairs=0
for i in $(seq 1 100); do
	in_part 3 || continue
	n_pairs=$((n_pairs + 1))
	noisy=$([ $((i % 2)) = 0 ] || echo noisy)
	# shellcheck disable=SC2086
	{
		"$make" . a 5 $((3 * i)) $noisy && "$make" . b 5 $((3 * i + 1)) planted moved $noisy
		"$make" . c 5 $((3 * i + 2)) moved $noisy
	} || fail 'no profiles are made'
	ompp diff --format=json a?.ompp -- b?.ompp >"planted$i.json" || fail 'planted changes'
	ompp diff --format=json a?.ompp -- c?.ompp >"same$i.json" || fail 'no changes'
done
python3 "$srcdir/tests/compare/diff_judge.py" planted planted*.json >planted || fail 'JSON'
python3 "$srcdir/tests/compare/diff_judge.py" same same*.json >same || fail 'JSON'
# At the level of 5 % more than 10 of 100 is a chance of one in 90, and more than 5 of 34 one of 150.
most=5
[ $n_pairs -lt 100 ] || most=10
read -r n missed false <planted
[ "$n" = $n_pairs ] && [ "$missed" = 0 ] && [ "$false" -le $most ] || fail "planted: $missed of $n not found, $false with false alarms"
read -r n missed false <same
[ "$n" = $n_pairs ] && [ "$false" -le $most ] || fail "nothing planted: $false of $n with false alarms"
echo "false alarms in one table at the level of 5 %: $(cut -d' ' -f3 planted) and $(cut -d' ' -f3 same) of $n_pairs"

# says STATUS WORDS COMMAND…
says() {
	want=$1 words=$2
	shift 2
	status=0
	"$@" >out 2>err || status=$?
	[ $status -eq "$want" ] || { cat out err; fail "$*: status $status, not $want"; }
	[ -z "$words" ] || grep -qF -- "$words" err || { cat err; fail "$*: does not say: $words"; }
}

# exit statuses: 0, 1, 2, and 3 for what became worse by more than --fail-over
"$make" . a 5 11
"$make" . b 5 12 planted moved
says 0 '' ompp diff --fail-over=5% a?.ompp -- a?.ompp
says 0 '' ompp diff a1.ompp a1.ompp
grep -qx 'Nothing differs.' out || { cat out; fail 'the same run on both sides'; }
says 3 'LOOP solve.c (144-148): execT is ' ompp diff --fail-over=5% a?.ompp -- b?.ompp
! grep -q -v -e '(144-148)' -e '(142-151)' err || { cat err; fail 'it fails on something else, too'; }
says 0 '' ompp diff --fail-over=40% a?.ompp -- b?.ompp
says 0 '' ompp diff --fail-over=1% --fail-on=program a?.ompp -- b?.ompp
says 3 '(update): execC is 100.0 % more' ompp diff --fail-over=50 --fail-on=counts a?.ompp -- b?.ompp
says 3 'x: loads is 33.3 % more' ompp diff --fail-over=5 --fail-on=data a1.ompp b1.ompp
says 3 'in one run of a side, which may be chance' ompp diff --fail-over=15 a1.ompp b1.ompp
ompp diff a1.ompp b1.ompp >out
grep -q '^sure: exact for what was counted; of times one run of a side cannot tell' out || fail 'one run of a side'
! grep -q ' yes ' out || fail 'one run of a side is sure of a time'
# it ends with a verdict: the ratio of the means of the wall times, as JSON has them; of runs whose times are 8 % less, sure
grep -qx 'B is [01]\.[0-9][0-9] times as fast as A by the wall time; one run each has no error: give several' out &&
	[ "$(tail -n 1 out | cut -c -5)" = 'B is ' ] || { tail -3 out; fail 'the verdict of one run each'; }
"$make" . s 5 11 size=1000
"$make" . f 5 12 size=1080
ompp diff s?.ompp -- f?.ompp >out
tail -n 1 out | grep -qE '^B is 0\.9[0-9]+ \+- 0\.0[0-9]+ times as fast as A by the wall time \(95 % confidence\)$' || { tail -3 out; fail 'slower'; }
ompp diff --format=json s?.ompp -- f?.ompp |
	python3 -c 'import json, sys
row = [r for r in json.load(sys.stdin)["rows"] if r["measure"] == "wall time"][0]
ratio, error = [float(w) for w in sys.argv[1].split()[2:5:2]]
assert abs(ratio - row["mean_a"] / row["mean_b"]) < error / 9, (ratio, row)' "$(tail -n 1 out)" || fail 'the ratio'
ompp diff --level=0.01 s?.ompp -- s?.ompp >out
tail -n 1 out | grep -q '^B is 1\.0* +- .* (99 % confidence): no difference beyond chance$' || { tail -3 out; fail 'the same'; }
says 1 'gone.ompp: cannot be opened' ompp diff a1.ompp gone.ompp
says 2 'give the profiles of one version, --, and those of the other' ompp diff a1.ompp
says 2 'give the profiles of one version, --, and those of the other' ompp diff a1.ompp a2.ompp a3.ompp
says 2 'give the profiles of one version, --, and those of the other' ompp diff a1.ompp --
says 2 "'much' is not a share" ompp diff --fail-over=much a1.ompp b1.ompp
says 2 "did you mean 'times'" ompp diff --fail-on=time a1.ompp b1.ompp
says 2 'did you mean --fail-over' ompp diff --fail-ovr=3 a1.ompp b1.ompp
says 2 "did you mean 'json'" ompp diff --format=jsn a1.ompp b1.ompp
says 2 'is not a level of significance' ompp diff --level=7 a1.ompp b1.ompp
says 2 "a1.ompp, a1.ompp: they are one run" ompp diff a1.ompp a1.ompp -- b1.ompp
"$make" . t 1 1 threads=4
says 2 'they had 2 and 4 threads; give runs with as many threads on one side' ompp diff a1.ompp t1.ompp -- b1.ompp
"$builddir/tests/golden/example_main" profile data >example.ompp
says 2 'the times of one contain the cost of access hooks' ompp diff a1.ompp example.ompp
says 2 "they are of two programs, 'solve' and 'example'" ompp diff a1.ompp example.ompp -- b1.ompp

# CSV is one table a group, in which text of strangers is a cell
ompp diff --format=csv a?.ompp -- b?.ompp >csv
grep -q '^##BEG times$' csv && grep -q '^A,B,change,%,from %,to %,from,to,p %,sure,measure,region,group,' csv || { head -5 csv; fail 'CSV'; }
"$builddir/tests/golden/example_main" profile hostile >hostile.ompp
"$builddir/tests/golden/example_main" profile samples >samples.ompp
for format in text csv json; do
	ompp diff --format=$format --top=0 hostile.ompp samples.ompp >hostile.$format || fail "hostile names: $format"
	! grep -q "$(printf '[\001-\010\013-\037\177]')" hostile.$format || fail "a control character in $format"
done
python3 -c 'import json; json.load(open("hostile.json"))' || fail 'JSON of hostile names'
! grep -q '<' hostile.json || fail 'a tag in JSON'

# Two versions of a real program: the second has two lines more at its top, and a second thread with six times the work, not twice.
cp "$srcdir/examples/imbalance.c" "$srcdir/examples/spin.h" .
kinst gcc -O1 -fopenmp imbalance.c -o old || fail 'kinst'
{ echo; echo; sed 's/(i + 1) \* 0.010/(1 + 5 * i) * 0.010/' imbalance.c; } >new.c
! tail -n +3 new.c | cmp -s - imbalance.c || fail 'nothing is planted in the second version'
mkdir new && mv new.c new/imbalance.c && cp spin.h new
kinst gcc -O1 -fopenmp new/imbalance.c -o new/old || fail 'kinst, the second version'
judge() {
	rm -f ./*.real.ompp
	for i in 1 2 3 4 5; do
		OMP_NUM_THREADS=2 OMPP_REPORTFILE=o$i.real OMPP_QUIET=1 ./old >/dev/null &&
			OMP_NUM_THREADS=2 OMPP_REPORTFILE=n$i.real OMPP_QUIET=1 new/old >/dev/null || fail 'the program'
	done
	says 3 'LOOP imbalance.c (31-35): execT is ' ompp diff --fail-over=10% o?.real.ompp -- n?.real.ompp
	ompp diff --top=0 o?.real.ompp -- n?.real.ompp >real
	grep -q ' yes .* execT .* LOOP imbalance.c (31-35), was 29' real && grep -q ' yes .* imbalance ' real &&
		! grep -q 'execC' real
}
# While others have the processors no change of times is sure, and the report has to say so: a quieter moment is waited for,
# and without one nothing is judged.
quiet_judge() {
	judge || { sleep 5; return 1; }
}
retry 3 quiet_judge || {
	ompp diff o?.real.ompp -- n?.real.ompp >real || :
	grep -q '^The machine was too busy to compare times well' real || { cat real err; fail 'a real program'; }
	echo 'others had the processors: the two versions of a real program are not judged'
}
