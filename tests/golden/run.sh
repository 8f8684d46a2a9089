#!/bin/sh
# ompp run: the program's input, output and end are its own; then comes the report of the profile it left.
. "$srcdir/tests/lib.sh"

cat >p.c <<'C'
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static void enter(int n)
{
#pragma omp parallel num_threads(n)
	{
	}
}

int main(int argc, char **argv)
{
	int c;

	enter(2);
	while ((c = getchar()) != EOF)
		putchar(c);
	fflush(stdout);
	if (argc > 1 && *argv[1] == 's')
		raise(SIGTERM);
	if (argc > 1 && *argv[1] == 'f' && !fork()) {
		enter(1);
		_exit(0);
	}
	wait(NULL);
	return 42;
}
C
kinst "$CC" -fopenmp p.c -o p

status=0
echo input | ompp run --view=flat --quiet ./p >out 2>err || status=$?
[ $status -eq 42 ] || fail "exit status $status, not 42"
[ "$(head -n 1 out)" = input ] || fail 'its output is not first'
grep -q 'p.c (8-10) PARALLEL' out || { cat out err; fail 'no report'; }
[ ! -s err ] || { cat err; fail 'stderr is not quiet'; }

status=0
sh -c 'ompp run --view=general ./p s >out 2>err </dev/null; exit $?' || status=$?
[ $status -eq 143 ] || fail "status $status, not that of SIGTERM"
grep -q 'ended by signal 15' out || fail 'no report after a signal'

mkdir reports
ompp run --outdir=reports --outformat=csv ./p f >out 2>err </dev/null || :
grep -q '^##BEG header separator=,$' out || fail '--outformat=csv'
[ "$(ls reports/*.ompp | wc -l)" -eq 2 ] || fail 'the profiles of parent and child are not kept'
grep -q 'the profile of process' err || fail "the child's profile is not named"

ompp run --reportfile=none ./p >out 2>err </dev/null || :
[ ! -s out ] || fail 'a report in spite of --reportfile=none'
