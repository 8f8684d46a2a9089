# ends: however a program ends, its status and its output are those of the plain build, and the report is there; also where
# kinst did not build it, and libompp is only loaded into it
. "$srcdir/tests/lib.sh"

$CC -fopenmp -O1 -w "$srcdir/tests/runtime/ends.c" -o plain
kinst $CC -fopenmp -O1 -w "$srcdir/tests/runtime/ends.c" -o ours

# The program that kinst did not build, as ompp run starts it.
cat >loaded <<SH
#!/bin/sh
LD_PRELOAD=$builddir/.libs/libompp.so exec ./plain "\$@"
SH
chmod +x loaded

# how: run both; ours must end as plain does.  The shell's words about signals go to its own stderr.
both() {
	status=0 want=0
	{ ./plain "$1" >want.out 2>want.err || want=$?; } 2>/dev/null
	{ OMPP_REPORTFILE="$PWD/report" OMPP_OUTFORMAT=CSV $ours "$1" >got.out 2>got.err || status=$?; } 2>/dev/null
	[ $status = $want ] || fail "$1: status $status, plain $want"
	same "$1: stdout" want.out got.out
	grep -v '^ompp:' got.err >rest.err || :
	same "$1: stderr without our lines" want.err rest.err
}

for ours in ./ours ./loaded; do
	for how in return exit _exit _Exit quick_exit abort crash overflow zero-divide term alarm handler-raises handler-jumps \
		exit-inside crash-inside; do
		rm -f report
		both $how
		[ -s report ] || fail "$how: no report"
		case $how in
		*-inside)       # the other thread may have come to anything
			[ "$(csv_field report PARALLEL 1 execC)" = 1 ] || fail "$how: the open region is not in the report"
			continue ;;
		esac
		[ "$(csv_field report PARALLEL SUM execC)" = 2 ] && [ "$(csv_field report BARRIER SUM execC)" = 2 ] ||
			fail "$how: wrong counts"
	done
done

# What cannot be caught leaves no report, and no harm.
for ours in ./ours ./loaded; do
	rm -f report
	both kill
	[ ! -e report ] || fail "a report of a killed program?"
done

# An ignored signal stays ignored.
(trap '' INT; exec sh -c './plain int >want.out; echo $? >want.status')
(trap '' INT; exec sh -c 'OMPP_REPORTFILE="$PWD/report" OMPP_QUIET=1 ./ours int >got.out; echo $? >got.status')
same "ignored signal: stdout" want.out got.out
same "ignored signal: status" want.status got.status
grep -q end got.out || fail "the signal was not ignored"
