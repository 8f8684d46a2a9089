# untimed: of times of which not all visits were timed ompp diff takes no change for sure that their errors may be, and
# ompp scaling has the errors
. "$srcdir/tests/lib.sh"
make=$builddir/tests/compare/runs_make

# An atomic of 5 ms in each of two threads takes 40 % more, 4 ms, in all runs of B.  By errors of 3 ms a thread that has a
# standard error of sqrt(2 threads * 2 sides / 5 runs) * 3 = 2.7 ms; by errors of 0.03 ms, of 0.03 ms.
for error in 3000 30; do
	"$make" . "a$error-" 5 1 untimed=$error calm && "$make" . "b$error-" 5 2 untimed=$error calm slower=40 || fail 'no profiles'
	ompp diff --format=csv "a$error"-?.ompp -- "b$error"-?.ompp >$error.csv || fail "diff: $?"
	ompp diff --top=0 "a$error"-?.ompp -- "b$error"-?.ompp >$error.out || fail "diff: $?"
done

# of FILE COLUMN: of the atomic's execT
of() {
	awk -F, -v name="$2" '!n { for (i = 1; i <= NF; i++) col[$i] = i; n = "measure" in col } /ATOMIC/ && $col["measure"] == "execT" { print $col[name] }' "$1"
}
[ "$(of 3000.csv sure)" = no ] || fail "a change that its errors may be: $(of 3000.csv sure)"
[ "$(of 30.csv sure)" = yes ] || fail "a change of many errors: $(of 30.csv sure)"
[ "$(of 30.csv certainty)" = sampled ] || fail "certainty: $(of 30.csv certainty)"
grep -q ' yes  *execT~ *ATOMIC' 30.out || fail "no mark: $(grep ATOMIC 30.out)"
# the other times are measured: the loop's around it, and those of another
! grep -q 'execT~ .*LOOP' 30.out || fail "too many marks: $(grep LOOP 30.out)"
grep -q 'synchronisation~' 30.out || fail "the class of the atomic: $(grep synchron 30.out)"

# Of two runs with 4 threads the mean of the overheads has sqrt(4 / 2) * 0.3 ms, of the region's time.
for threads in 1 4; do
	"$make" . "s$threads-" 2 $threads threads=$threads serial=2 untimed=300 || fail 'no profiles'
done
ompp scaling --format=csv s?-?.ompp >scaling.csv || fail "scaling: $?"
# of_class COLUMN: of the region with the atomic, with 4 threads
of_class() {
	awk -F, -v name="$1" '/^##BEG classes/ { getline; for (i = 1; i <= NF; i++) col[$i] = i; on = 1; next } /^##END/ { on = 0 }
		on && $1 == 4 && /solve.c \(20-29\)/ && col[name] { print $col[name] }' scaling.csv
}
want=$(awk -v total="$(of_class Total)" 'BEGIN { print 100 * sqrt(4 / 2) * 0.0003 / total }')
for class in Ovhds Synch; do
	near "the error of $class" "$(of_class "$class +-")" "$want" 1 || fail scaling
done
[ -z "$(of_class 'Imbal +-')" ] || fail "an error of what was measured: $(of_class 'Imbal +-')"
