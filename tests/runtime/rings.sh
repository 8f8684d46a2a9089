# rings: 256 threads of an ordinary user have rings for their page faults within what the user may lock, or the report says
# that some have none; what those that have one touch is told to the page
. "$srcdir/tests/lib.sh"

paranoid=$(cat /proc/sys/kernel/perf_event_paranoid 2>/dev/null || echo none)
case $paranoid in
none | [3-9]*) skip "an ordinary user may not sample here: kernel.perf_event_paranoid is $paranoid" ;;
esac
as_user=
if [ "$(id -u)" = 0 ]; then
	need setpriv
	as_user='setpriv --reuid=65534 --regid=65534 --clear-groups'
	$as_user test -x "$builddir/.libs/libompp.so" || skip "an ordinary user cannot read the build folder"
fi
kinst --no-access "$CC" -O1 -fopenmp "$srcdir/tests/runtime/rings.c" -o rings
chmod 755 .
mkdir out
chmod 777 out
export OMPP_SAMPLE=touch OMPP_QUIET=1 OMPP_OVERWRITE=1 OMPP_OUTFORMAT=CSV OMPP_PROFILE=0 OMPP_REPORTFILE="$PWD/out/report.csv"
export OMP_WAIT_POLICY=passive OMP_STACKSIZE=256K

# run KB: with so much locked memory beside what perf_event_mlock_kb allows; prints "threads pages"
run() {
	rm -f out/*
	(ulimit -l "$1" && $as_user ./rings) >result 2>err || fail "$1: status $?: $(cat err)"
	[ "$(cat result)" = 5120 ] || fail "$1: wrong result: $(cat result)"
	[ -s out/report.csv ] || fail "$1: no report: $(cat err)"
	! grep 'source touch is off' out/report.csv || skip 'page faults cannot be sampled here'
	awk -F, '
		/^##BEG first touches$/ { inside = 1; getline; next }
		/^##END/ { inside = 0 }
		inside && $1 == "a" { pages[$2] += $4 }
		END { for (row in pages) { n++; sum += pages[row]; if (pages[row] != 20) print row ": " pages[row] > "bad" }
			print n + 0, sum + 0 }' out/report.csv
}
told='First touches of some threads are missing: \|page faults were lost'

# All have one where there is room: a page of data and one of the kernel's, for each.
[ "$(ulimit -H -l)" = unlimited ] || [ "$(ulimit -H -l)" -ge 4096 ] || skip "ulimit -l is $(ulimit -H -l)"
room=$(run 4096)
! grep "$told" out/report.csv || fail "with 4 MiB: something is missing"
[ "$room" = '256 5120' ] || fail "with 4 MiB: threads and pages: $room"
[ ! -e bad ] || fail "with 4 MiB: $(head -3 bad)"

# Where there is little, those without one are missing as a whole, and a note says so.
mlock=$(cat /proc/sys/kernel/perf_event_mlock_kb)
little=$(run 0)
echo "ulimit -l 0, $(getconf _NPROCESSORS_ONLN) x $mlock KiB: threads and pages: $little"
[ ! -e bad ] || fail "with little: $(head -3 bad)"
[ "$little" = '256 5120' ] || grep -q "First touches of some threads are missing: .*; " out/report.csv ||
	fail "with little: no note: $little"
[ $((mlock * $(getconf _NPROCESSORS_ONLN))) -ge 2048 ] || [ "$little" != '256 5120' ] || fail "256 rings in less than 2 MiB"
