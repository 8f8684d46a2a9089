# all_cases: what takes a part of its cases each time (in_part in tests/lib.sh) passes with all of them.
# PART=3/6 takes the third of 6 parts of these tests (tests/slices); by itself it takes all.
. "$srcdir/tests/lib.sh"
part=${PART:-1/1}
unset PART
export CASES=all

(cd "$srcdir" && grep -lE '(^|[^#].*)\bin_part [0-9]' tests/*/*.sh) >sampled || fail 'no test takes a part of its cases'
awk -v part="$part" 'BEGIN { split(part, of, "/") } NR % of[2] == of[1] % of[2]' sampled >mine
[ -s mine ] || fail "part $part has no test"
failed=
while read -r test; do
	status=0
	sh "$srcdir/$test" >"${test##*/}.log" 2>&1 </dev/null || status=$?
	echo "$test: $status"
	case $status in
	0 | 77) ;;
	*)
		tail -n 20 "${test##*/}.log"
		failed="$failed $test"
		;;
	esac
done <mine
[ ! "$failed" ] || fail "with all cases:$failed"
