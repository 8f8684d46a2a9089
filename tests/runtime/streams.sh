# streams: whatever stderr and stdout are, the program neither waits for them nor gets a signal because of a report
. "$srcdir/tests/lib.sh"

kinst $CC -fopenmp "$srcdir/tests/runtime/work.c" -o prog -lm
$CC "$srcdir/tests/runtime/streams.c" -o streams -lutil
stderr=2

# run WHAT DESCRIPTOR: the program's status and output are what they are always.
run() {
	status=0
	./streams "$1" "$2" ./prog >out 2>err || status=$?
	[ $status = 5 ] || fail "$1 as $2: status $status: $(head -3 out)"
	[ "$(cat out)" = 2 ] || fail "$1 as $2: output is missing: $(cat out)"
}

# The line "ompp: report: …" is said, or not.
for kind in pipe socket terminal; do
	for what in gone full; do
		run $what-$kind $stderr
		[ -s prog.2-0.ompp.txt ] && [ -s prog.2-0.ompp ] || fail "$what-$kind: no report"
		rm -f prog.*
	done
	run slow-$kind $stderr
	grep -q '^ompp: report: .*/prog\.2-0\.ompp\.txt' read || fail "slow-$kind: no line: $(cat read)"
	rm -f prog.*
done
run stopped-terminal $stderr
[ -s prog.2-0.ompp.txt ] || fail "stopped-terminal: no report"
rm -f prog.*

# A signal that is pending already stays the program's.
cat >pending.c <<'END'
#include <signal.h>
#include <stdio.h>
#include <unistd.h>
#include <ompp.h>
int main(void)
{
	sigset_t set;
	int ends[2];

	sigemptyset(&set);
	sigaddset(&set, SIGPIPE);
	sigprocmask(SIG_BLOCK, &set, NULL);
	if (pipe(ends))
		return 1;
	close(ends[0]);
#pragma omp parallel
	;
	if (write(ends[1], "x", 1) != -1)
		return 2;
	ompp_dump();
	sigpending(&set);
	return sigismember(&set, SIGPIPE) ? 5 : 3;
}
END
kinst $CC -fopenmp pending.c -o pending
status=0
./streams gone-pipe $stderr ./pending >out 2>err || status=$?
[ $status = 5 ] || fail "a pending SIGPIPE is gone: status $status"
rm -f pending.*.ompp* prog.*

# A report to a stream is waited for while its reader goes on, and is then all there.
export OMPP_APPNAME=name
for kind in pipe socket terminal; do
	OMPP_REPORTFILE=stderr run slow-$kind $stderr
	ompp report name.2-0.ompp >want
	same "slow-$kind: the report" want read
	rm -f name.*
done

# Where nobody takes it, it goes into a file, after ten seconds without a byte.
for what in gone-socket full-pipe stopped-terminal; do
	mkdir $what
	(
		cd $what
		ln -s ../prog ../streams .
		OMPP_REPORTFILE=stderr run $what $stderr
	) &
done
wait
for what in gone-socket full-pipe stopped-terminal; do
	[ "$(head -1 $what/out)" = 2 ] && [ "$(cat $what/out | wc -l)" = 1 ] || fail "$what: $(cat $what/out)"
	ompp report $what/name.2-0.ompp >want || fail "$what: no profile"
	same "$what: the report" want $what/name.2-0.ompp.txt
done
