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

# the words on stderr, which are one line
says() {
	words=$1
	shift
	"$@" >out 2>err </dev/null || :
	[ "$(wc -l <err)" -eq 1 ] && grep -qF -- "$words" err || { cat err; fail "$*: does not say alone: $words"; }
}

# what kinst did not build is measured, too; without a profile the reason is said
"$CC" -fopenmp p.c -o plain
ompp run --quiet --view=overview ./plain >out 2>err </dev/null || :
grep -q '^PARALLEL' out && [ ! -s err ] || { cat out err; fail 'a program that kinst did not build'; }
for program in './serial' 'sh -c :'; do
	kinst "$CC" -fno-openmp p.c -o serial
	ompp run --quiet --view=general $program >out 2>err </dev/null || :
	grep -q '^Start Date' out && [ ! -s err ] || { cat out err; fail "$program"; }
done
"$CC" -static -fopenmp p.c -o fixed
says './fixed: left no profile in .: it is static, so that nothing can be loaded into it; build it by' ompp run ./fixed
says './p: left no profile to show: OMPP_PROFILE is off; its report, if any, is in .' ompp run --quiet --profile=0 ./p
# a folder that is missing is made; where it cannot be, the report is in the folder of the start, and is shown
ompp run --quiet --outdir=new/folder/ --view=general ./p >out 2>err </dev/null || :
grep -q '^Start Date' out && [ ! -s err ] && [ -s new/folder/p.2-0.ompp ] || { cat out err; fail 'a folder that is missing'; }
OMPP_APPNAME=here ompp run --outdir=p.c/folder --view=general ./p >out 2>err </dev/null || :
grep -q '^Start Date' out && [ -s here.2-0.ompp ] && grep -q 'p.c/folder/here.2: report not written: no such folder' err ||
	{ cat out err; fail 'a folder that cannot be made'; }
sed 's/raise(SIGTERM)/raise(SIGKILL)/' p.c >killed.c
kinst "$CC" -fopenmp killed.c -o killed
{ ompp run ./killed s >out 2>err </dev/null; } 2>/dev/null || :         # the shell tells of the signal, too
grep -qF './killed: left no profile: signal 9 (Killed) ended it at once' err || { cat err; fail 'SIGKILL'; }

# two MPI runs started by one script: the ranks of the first are added up, the others are named
kinst "$CC" -fopenmp p.c -o rank
cat >launch <<'SH'
for run in 1 2; do
	for rank in 0 1; do
		PMI_RANK=$rank PMI_SIZE=2 ./rank </dev/null
	done
done
SH
# also where who starts them has a profile of its own, with no regions
cat >starter.c <<'C'
#include <stdlib.h>
#include <time.h>
int main(void) {
	while (clock() < CLOCKS_PER_SEC)
		;
	return system("sh ./launch") != 0;
}
C
gcc -O1 starter.c -o starter
for starter in 'sh launch' ./starter; do
	rm -f ./*.ompp*
	ompp run --view=general $starter >out 2>err || :
	grep -q '^MPI Ranks  *: 2$' out || { cat out err; fail "ranks of two runs: $starter"; }
	[ "$(grep -c 'the profile of process .* it started' err)" -eq 2 ] || { cat err; fail 'the second run is not named'; }
done
[ ! "$(ls starter*.ompp 2>/dev/null)" ] || grep -q 'starter.* no regions' err || { cat err; fail 'the profile of the starter is not named'; }
