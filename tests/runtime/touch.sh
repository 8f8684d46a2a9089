# touch: the first touches of pages are those that the program's own arithmetic says, by object, thread, region and line
. "$srcdir/tests/lib.sh"

export OMPP_OVERWRITE=1 OMPP_SAMPLE=touch
src=$srcdir/tests/runtime

# Huge pages are off in the programs, whatever the system's setting is.
cat >small.c <<'C'
#include <sys/prctl.h>
#include <unistd.h>
int main(int argc, char **argv)
{
	prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
	return argc < 2 || execv(argv[1], argv + 1);
}
C
"$CC" -o small small.c
"$CC" -o forbid "$src/counters_forbid.c"

# touches FILE: object, thread, pages, first line of the region and line of a CSV report, as the programs print them.
touches() {
	awk -F, '
		/^##BEG first touches$/ { inside = 1; getline; next }
		/^##END/ { inside = 0 }
		inside && $1 !~ /^\(/ { pages[$1 "," $2 "\t" $9 "," $(NF - 1)] += $4 } # by node
		END { for (key in pages) { split(key, part, "\t"); print part[1] "," pages[key] "," part[2] } }' "$1" | sort
}

check() {
	how="$*"
	"$@" -g -fopenmp -o touch || fail "$how: does not build"
	./small ./touch 2>messages | sort >expected || fail "$how: ends with $?"
	! grep -q 'source touch is off' messages || skip "$(cat messages)"
	ompp report --format=csv touch.*.ompp >report.csv || fail "$how: report"
	touches report.csv >found
	! grep faults expected || fail "$how: the kernel counts otherwise"
	# Only who may see the kernel's samples is told what system calls touch; the report says so.
	if ompp report --view=touch touch.*.ompp | grep -q 'also in system calls'; then
		seen=$how
	else
		sed -i '/^e,/d' expected
	fi
	same "$how: first touches" expected found
	! grep -q 'page faults were lost' report.csv || fail "$how: faults were lost"
	rm -f touch.*
}

seen=
check kinst "$CC" -O0 "$src/touch.c"
[ "$seen" ] || [ "$(cat /proc/sys/kernel/perf_event_paranoid)" -gt 1 ] || fail "touches in system calls are not told"
check kinst "$CC" -O2 "$src/touch.c"
# Without hooks nobody sees that named memory is given back.
check kinst --no-access "$CC" -O2 -DNAMES_STAY "$src/touch.c"
[ -z "$CLANG" ] || check kinst "$CLANG" -O1 "$src/touch.c"
[ -z "$GFORTRAN" ] || check kinst "$GFORTRAN" -O1 "$src/touch.f90"

# An ordinary user is told those of the program's own instructions where root sees all, and the report says no more.
if [ "$(id -u)" = 0 ] && [ "$(cat /proc/sys/kernel/perf_event_paranoid)" = 2 ] && command -v setpriv >/dev/null; then
	kinst "$CC" -O1 -g -fopenmp -o touch "$src/touch.c"
	chmod 777 .
	OMPP_QUIET=1 setpriv --reuid=65534 --regid=65534 --clear-groups ./small ./touch | sed '/^e,/d' | sort >expected
	[ "$(wc -l <expected)" -gt 5 ] || fail "an ordinary user's run"
	ompp report --view=touch touch.*.ompp | grep -q 'also in system calls' && fail 'a user sees what system calls touch'
	ompp report --format=csv touch.*.ompp >report.csv
	touches report.csv >found
	same "an ordinary user's first touches" expected found
	rm -f touch.*
fi

# A system that forbids the event is told in one line, and the program runs as before.
kinst "$CC" -O2 -g -fopenmp -o touch "$src/touch.c"
./small ./touch 2>/dev/null | sort >expected
status=0
./forbid ./small ./touch 2>messages >output || status=$?
if [ $status != 77 ]; then
	[ $status = 0 ] || fail "forbidden: ends with $status"
	sort output >found
	same forbidden expected found
	[ "$(grep -c 'source touch is off: .*perf_event_open' messages)" = 1 ] || fail "forbidden: $(cat messages)"
	ompp report touch.*.ompp | grep -q 'source touch is off' || fail "forbidden: no note"
fi
