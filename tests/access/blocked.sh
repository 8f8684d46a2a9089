# blocked: a program that blocks or handles SIGTRAP while breakpoints count does what it does without kinst; where a virtual
# machine may lose a trap, which the kernel would then end it for, nothing is counted from then on, and the report says so.
. "$srcdir/tests/lib.sh"

printf '#include <signal.h>\nvoid block_in_library(const sigset_t *s) { sigprocmask(SIG_SETMASK, s, 0); }\n' >library.c
"$CC" -O1 -shared -fPIC library.c -o libblock.so || fail "the library"
kinst "$CC" -O1 -fopenmp "$srcdir/tests/access/blocked.c" ./libblock.so -o measured || fail "kinst"
"$CC" -O1 -fopenmp -DPLAIN "$srcdir/tests/access/blocked.c" ./libblock.so -o plain || fail "plain"

virtual=
! grep -q '^flags.* hypervisor' /proc/cpuinfo || virtual=1
export OMPP_DATA_METHOD=breakpoint OMPP_OUTFORMAT=CSV OMPP_REPORTFILE=report.csv

accesses() {
	awk -F, '/^##BEG data objects$/ { on = 1; getline; for (i = 1; i <= NF; i++) at[$i] = i } /^##END/ { on = 0 }
		on && $1 == "counter" { print $at["accesses"] }' report.csv
}

says() {
	tr -s ' \n' ' ' <report.csv | grep -q "$1"
}

# as_plain PROGRAM HOW: both print and end alike; a run that has lost a trap before it came to what is tested is repeated
as_plain() {
	want=0
	./plain "$2" 1000 >expected 2>messages || want=$?
	for try in 1 2 3 4 5 6 7 8 9; do
		got=0
		timeout 60 "./$1" "$2" 1000 >printed 2>messages || got=$?
		[ $got -eq $want ] || fail "$1 $2: ends with $got, without kinst with $want"
		[ "$(cat printed)" = "$(cat expected)" ] || fail "$1 $2: prints $(cat printed) instead of $(cat expected)"
		says 'the virtual machine lost a trap' || break
	done
	reason=$(tr -s ' \n' ' ' <report.csv | grep -o 'perf_event_open is not permitted[^;]*\|no hardware breakpoints' | head -1)
	[ -z "$reason" ] || skip "$reason"
}

# counts PROGRAM HOW: all are counted
counts() {
	as_plain "$1" "$2"
	[ "$(accesses)" = 1011 ] || fail "$1 $2: $(accesses) accesses, expected 1011"
}

# stops PROGRAM HOW: nothing is said of the count where a trap may be lost
stops() {
	[ -n "$virtual" ] || { counts "$1" "$2"; return; }
	as_plain "$1" "$2"
	[ "$(accesses)" = - ] || fail "$1 $2: $(accesses) accesses, though SIGTRAP was blocked or handled"
	says 'blocks or handles SIGTRAP' || fail "$1 $2: the report does not say why there is no number"
}

for how in thread process library handler wait action; do
	stops measured $how
done
counts measured other
counts measured unblock
as_plain measured reset

# static programs have no words of the dynamic linker's for these calls
if kinst "$CC" -O1 -fopenmp -static -DALONE "$srcdir/tests/access/blocked.c" -o still 2>messages; then
	for how in thread process handler wait; do
		stops still $how
	done
	counts still other
fi
