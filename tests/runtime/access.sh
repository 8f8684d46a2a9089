# access: exact counts from wherever code of a program runs, shared and static, PIE and not, and the plain behaviour
. "$srcdir/tests/lib.sh"

# object REPORT NAME: "loads stores" in the whole program
object() {
	awk -F, -v name="$2" '
		/^##BEG data objects$/ { inside = 1; getline; for (i = 1; i <= NF; i++) col[$i] = i; next }
		/^##END/ { inside = 0 }
		inside && $1 == name { print $col["loads"], $col["stores"]; exit }' "$1"
}

expect() {
	[ "$(object "$1" "$2")" = "$3" ] || fail "$how: $2: $(object "$1" "$2"), expected $3"
}

check() {
	how="$*"
	rm -f ./*.csv ticks
	kinst "$@" -O2 -fopenmp -pthread "$srcdir/tests/runtime/access.c" -o ours 2>build.err ||
		{ cat build.err; fail "$how: does not build"; }
	OMPP_OUTFORMAT=CSV OMPP_PROFILE=0 OMPP_QUIET=1 ./ours >got.out 2>got.err || fail "$how: ends with $?"
	same "$how: stdout" want.out got.out
	same "$how: stderr" want.err got.err
	ticks=$(cat ticks)
	child=$(ls | grep 'ours\.2\.[0-9]*-0\.ompp\.csv') || fail "$how: no report of the child"
	report=ours.2-0.ompp.csv
	expect $report early "0 16"
	expect $report handled "$ticks $ticks"
	[ "$(object $report work | cut -d' ' -f1)" -ge 3000000 ] || fail "$how: work: $(object $report work)"
	[ "$(object $report work | cut -d' ' -f1)" = "$(object $report work | cut -d' ' -f2)" ] ||
		fail "$how: work: $(object $report work), as many loads as stores expected"
	[ $(($(object $report work | cut -d' ' -f1) % 1000)) = 0 ] || fail "$how: work: no whole rounds"
	expect $report jumped "0 3"
	expect $report own "64 64"
	expect $report block "0 60"
	expect $report local "0 6"
	expect $report shared "0 1000"
	expect $report half "500 1000"
	expect "$child" work "2 12"
	expect "$child" jumped "0 0"
}

cat >stub.c <<STUB
void ompp_off(void) {}
void ompp_on(void) {}
STUB
$CC -O2 -fopenmp -pthread -w -I"$srcdir/runtime" "$srcdir/tests/runtime/access.c" stub.c -o plain
./plain >want.out 2>want.err || fail "plain ends with $?"
check $CC
check $CC -static
check $CC -no-pie -fno-pie
check $CC -O0
check $CC -O3 -march=native
if [ -n "$CLANG" ]; then
	check $CLANG
	check $CLANG -O3
fi
