#!/usr/bin/env python3
"""Programs that sleep, whose times with other numbers of threads one run predicts, and other runs measure.

Threads that sleep need no processor, so 32 of them scale on two.  The programs are generated: forks and joins, recursion,
pipelines and wavefronts by depend, loops with each schedule, nested teams, critical sections.  One run with 4 threads
predicts; `ompp scaling` sets what it says beside the runs with 2, 8, 16 and 32 threads.  A sleep takes longer than it was
asked for, on a busy machine by much: each program says by how much its sleeps did, and times are compared without that.
Where sleeps still took more than a twentieth longer in all tries, threads waited for processors, and what is no sleep took
longer, too: then nothing is said of likely times, but that no run is shorter than the least still holds.

Where the system allows it, threads of GCC's library that wake up go before those of all other programs, so that the machine
is a quiet one for them; those of LLVM's do not only sleep while they wait, and would stop all others.  Without that it is
chance who takes a child of a recursion first, its creator or an idle thread, and another one in each run; then of recursions
only the bounds are judged, and that the likely time explains the run that predicts.

LLVM's library deals loops out in ways of its own (runtime/span/deal.h), so there are some further loops for it; these and
all others are predicted for one thread, too.

predict.py FOLDER COMPILER PART [MOST [NAMES]]     PART is 3/10; MOST is how far off a likely time may be (default 0.1); NAMES
is a regular expression of programs
"""
import csv
import io
import os
import re
import subprocess
import sys

HEAD = r'''
#include <omp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static _Atomic long slept, asked;
static long now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000 + t.tv_nsec;
}
/* Sleeps for so many halves of a millisecond. */
static void nap(int halves)
{
	long start = now();
	struct timespec t = { 0, halves * 500000L };
	nanosleep(&t, NULL);
	asked += halves * 500000L;
	slept += now() - start;
}
/* A number from 0 to n - 1 that i decides. */
static int any(int i, int n)
{
	unsigned x = (unsigned)i * 2654435761u + 12345;
	x ^= x >> 15;
	x *= 2246822519u;
	x ^= x >> 13;
	return (int)(x % (unsigned)n);
}
static char cell[80][80];
'''

MAIN = '''
int main(void)
{
	long start = now();
%s
	printf("%%.6f %%.6f %%.6f\\n", (double)(now() - start) / 1e9, (double)slept / (double)asked,
	       (double)(slept - asked) / 1e9);
	return (int)cell[0][0];
}
'''

SINGLE = MAIN.replace('%s', '''	#pragma omp parallel
	#pragma omp single
	{
%s
	}''')

PROGRAMS = {}


def tasks(name, *phases):
    """Phases of n tasks, each of which takes what an expression of i says, with a serial part behind each."""
    text = ''
    for n, length, serial in phases:
        text += '''		for (int i = 0; i < %d; i++)
			#pragma omp task
			nap(%s);
		#pragma omp taskwait
		nap(%d);
''' % (n, length, serial)
    PROGRAMS['tasks-' + name] = SINGLE % text


tasks('equal', (64, '40', 5))
tasks('random', (96, '10 + any(i, 60)', 5))
tasks('phases', (32, '40', 300), (8, '200', 1), (64, '15', 50))
tasks('one-long', (64, '20', 1), (16, 'i ? 20 : 400', 1))
tasks('few', (12, '200', 1))
tasks('serial', (64, '20', 600))
tasks('two-kinds', (80, 'i % 5 ? 10 : 80', 20))


def tree(name, depth, body, own, after):
    """A recursion: own time, children, a taskwait, time after it."""
    PROGRAMS['tree-' + name] = '''
static void tree(int i, int depth)
{
	nap(%s);
	if (!depth)
		return;
%s
	#pragma omp taskwait
	nap(%s);
}
''' % (own, body, after) + SINGLE % ('		tree(1, %d);' % depth)


CHILD = '''	#pragma omp task
	tree(%s, depth - 1);
'''
tree('binary', 6, CHILD % '2 * i' + CHILD % '2 * i + 1', '10 + any(i, 20)', '5')
tree('wide', 3, '	for (int k = 0; k < 5; k++)\n' + CHILD % '5 * i + k', '20', '10')
tree('uneven', 6, CHILD % '2 * i' + '	if (any(i, 3))\n' + CHILD % '2 * i + 1', '10 + any(i, 40)', '1')
tree('merge', 6, CHILD % '2 * i' + CHILD % '2 * i + 1', 'depth ? 1 : 20', '1 << depth')
tree('deep', 12, CHILD % '2 * i' + '	if (!(depth % 3))\n' + CHILD % '2 * i + 1', '6 + any(i, 9)', '3')
tree('late', 5, CHILD % '2 * i' + '	nap(8);\n' + CHILD % '2 * i + 1', '6 + any(i, 10)', '4')
tree('twice', 4, CHILD % '2 * i' + CHILD % '2 * i + 1' + '	#pragma omp taskwait\n' + CHILD % '3 * i', '8', '4')
tree('uneven-merge', 7, CHILD % '2 * i' + '	if (any(i, 4))\n' + CHILD % '2 * i + 1', 'depth ? 2 : 12', 'any(i, 30)')
tree('half', 7, CHILD % '2 * i' + '	tree(2 * i + 1, depth - 1);', '10', '1')
PROGRAMS['tree-forest'] = PROGRAMS['tree-merge'].replace('		tree(1, 6);', '''		for (int i = 0; i < 6; i++)
			#pragma omp task
			tree(i, 2 + i % 3);''')


def pipeline(name, items, stages, length):
    PROGRAMS['pipeline-' + name] = SINGLE % ('''		for (int i = 0; i < %d; i++)
			for (int k = 0; k < %d; k++)
				#pragma omp task depend(inout: cell[0][k + 1], cell[i + 1][0])
				nap(%s);
''' % (items, stages, length))


pipeline('even', 24, 6, '20')
pipeline('slow-stage', 24, 6, 'k == 3 ? 60 : 15')
pipeline('random', 30, 8, '5 + any(10 * i + k, 30)')
pipeline('long', 40, 3, '30')


def wavefront(name, n, length):
    PROGRAMS['wavefront-' + name] = SINGLE % ('''		for (int i = 1; i <= %d; i++)
			for (int j = 1; j <= %d; j++)
				#pragma omp task depend(in: cell[i - 1][j], cell[i][j - 1]) depend(out: cell[i][j])
				nap(%s);
''' % (n, n, length))


wavefront('small', 8, '40')
wavefront('large', 14, '15')
wavefront('random', 12, '10 + any(12 * i + j, 30)')
wavefront('growing', 12, '5 + 2 * (i + j)')


def loops(name, *each):
    """Loops of n iterations with a schedule, one after another in one region."""
    text = '	#pragma omp parallel\n	{\n'
    for n, schedule, length in each:
        text += '''		#pragma omp for schedule(%s)
		for (int i = 0; i < %d; i++)
			nap(%s);
''' % (schedule, n, length)
    PROGRAMS['loop-' + name] = MAIN % (text + '	}')


loops('static', (256, 'static', '15'))
loops('static-growing', (256, 'static', '2 + i / 6'))
loops('static-shrinking', (256, 'static', '2 + (255 - i) / 6'))
loops('cyclic', (256, 'static, 1', '2 + i / 8'))
loops('dynamic', (256, 'dynamic', '5 + any(i, 20)'))
loops('dynamic-chunks', (256, 'dynamic, 8', '10'))
loops('dynamic-last-long', (64, 'dynamic', 'i == 63 ? 300 : 30'))
loops('guided', (512, 'guided', '5 + any(i, 10)'))
loops('several', (128, 'static', '10'), (128, 'dynamic', '5 + any(i, 30)'), (64, 'static', '20'))
PROGRAMS['loop-single'] = MAIN % '''	#pragma omp parallel
	for (int k = 0; k < 4; k++) {
		#pragma omp for
		for (int i = 0; i < 128; i++)
			nap(10);
		#pragma omp single
		nap(100);
	}'''
PROGRAMS['loop-regions'] = MAIN % '''	for (int k = 0; k < 5; k++) {
		#pragma omp parallel for
		for (int i = 0; i < 128; i++)
			nap(10);
		nap(60);
	}'''


def nested(name, n, inner, length):
    PROGRAMS['nested-' + name] = MAIN % ('''	omp_set_max_active_levels(2);
	#pragma omp parallel for schedule(dynamic)
	for (int k = 0; k < %d; k++) {
		nap(20);
		#pragma omp parallel for num_threads(%d)
		for (int i = 0; i < 8; i++)
			nap(%s);
	}''' % (n, inner, length))


nested('even', 32, 2, '40')
nested('growing', 64, 2, '5 + 5 * i')


def critical(name, n, outside, inside):
    PROGRAMS['critical-' + name] = MAIN % ('''	#pragma omp parallel for schedule(dynamic)
	for (int i = 0; i < %d; i++) {
		nap(%s);
		#pragma omp critical
		nap(%s);
	}''' % (n, outside, inside))


critical('some', 64, '90', '6')
critical('much', 64, '30', '30')
critical('all', 48, '2', '40')
PROGRAMS['critical-tasks'] = SINGLE % '''		for (int i = 0; i < 64; i++)
			#pragma omp task
			{
				nap(60);
				#pragma omp critical
				nap(15);
			}
'''

PROGRAMS['taskloop'] = SINGLE % '''		#pragma omp taskloop grainsize(2)
		for (int i = 0; i < 128; i++)
			nap(10 + i / 8);
		nap(50);
'''
PROGRAMS['sections'] = MAIN % '''	#pragma omp parallel
	{
		#pragma omp sections
		{
			#pragma omp section
			nap(100);
			#pragma omp section
			nap(400);
			#pragma omp section
			nap(100);
		}
		#pragma omp for
		for (int i = 0; i < 128; i++)
			nap(20);
	}'''
PROGRAMS['own-code'] = MAIN % '''	#pragma omp parallel
	{
		nap(300);
		#pragma omp for
		for (int i = 0; i < 128; i++)
			nap(20);
	}'''

LLVM_PROGRAMS = dict(PROGRAMS)
GNU_PROGRAMS, PROGRAMS = PROGRAMS, LLVM_PROGRAMS
loops('first-long', (64, 'dynamic', 'i ? 30 : 300'))
loops('middle-long', (96, 'dynamic, 2', 'i == 50 ? 200 : 20'))
loops('late', (128, 'dynamic', 'i < 96 ? 4 : 60'))
loops('growing', (256, 'dynamic, 4', '2 + i / 8'))
loops('shrinking', (200, 'nonmonotonic:dynamic, 3', '2 + (199 - i) / 8'))
loops('monotonic', (64, 'monotonic:dynamic', 'i == 63 ? 300 : 30'))
loops('guided-growing', (512, 'guided, 4', '2 + i / 16'))
loops('guided-late', (512, 'guided', 'i < 400 ? 3 : 20'))
loops('auto', (256, 'auto', '5 + any(i, 20)'))
loops('auto-growing', (256, 'auto', '2 + i / 10'))
loops('runtime', (254, 'runtime', '2 + i / 8')) # parts of 64 and 63: no other schedule makes them
loops('two-dynamic', (64, 'dynamic', '20 + any(i, 30)'), (60, 'dynamic, 2', 'i % 7 ? 10 : 40'))
PROGRAMS['loop-dynamic-regions'] = MAIN % '''	for (int k = 0; k < 3; k++) {
		#pragma omp parallel for schedule(dynamic)
		for (long i = 100; i > 0; i -= 2)
			nap(i == 60 ? 100 : 20);
		nap(20);
	}'''
PROGRAMS['loop-dynamic-own'] = MAIN % '''	#pragma omp parallel
	{
		nap(100);
		#pragma omp for schedule(dynamic)
		for (unsigned long i = 7; i < 135; i++)
			nap(i % 16 ? 10 : 80);
	}'''

START = 0.0002  # seconds that a thread takes to start, which is in no prediction
TREE = 0.35  # how far off recursions of LLVM's library may be, whose schedule is not known
BASE, TRIES = 4, 4
OTHERS = {'gnu': (2, 8, 16, 32), 'llvm': (1, 2, 8, 16, 32)}
BUSY = 1.05  # how many times as long as asked for sleeps are where other programs use the processors


def go_first():
    """Lets this process go before those of other programs."""
    os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(1))


def may_go_first(compiler):
    """Returns whether the system allows that, and threads that wait only sleep."""
    if 'clang' in compiler:
        return False
    try:
        go_first()
        os.sched_setscheduler(0, os.SCHED_OTHER, os.sched_param(0))
    except OSError:
        return False
    return True


def execute(name, folder, n, turn, is_quiet):
    """Runs a program.  Returns how long it took, how many times as long as asked for its sleeps were and by how many
    seconds all of them together were longer, and its profile's name."""
    file = '%s.%d.%d.txt' % (name, n, turn)
    env = dict(os.environ, OMP_NUM_THREADS=str(n), OMP_WAIT_POLICY='passive', OMP_DYNAMIC='false', OMPP_QUIET='1',
               OMPP_SPAN='1' if n == BASE else '0', OMPP_REPORTFILE=file)
    out = subprocess.run(['./' + name], cwd=folder, env=env, check=True, capture_output=True, text=True,
                         preexec_fn=go_first if is_quiet else None).stdout
    seconds, longer, over = (float(x) for x in out.split())
    return seconds, longer, over, file + '.ompp'


def predicted(folder, files):
    """Returns by threads what was predicted and measured, in the columns of ompp scaling."""
    out = subprocess.run([os.environ['OMPP'], 'scaling', '--format=csv'] + files, cwd=folder, check=True,
                         capture_output=True, text=True).stdout
    rows, head = {}, None
    for row in csv.reader(io.StringIO(out)):
        if 'likely' in row:
            head = row
        elif head and (not row or len(row) != len(head)):
            head = None
        elif head:
            values = dict(zip(head, row))
            rows[int(values['threads'])] = values
    return rows


def judge(folder, runs, most, is_chance, is_explained):
    """Returns by threads how far off the likely time is; what is wrong; and what may be the machine's fault.

    By how much sleeps take longer differs from thread to thread, and on the longest path it may be nothing: a run may
    have taken anything from its time without that to its time.  No run is shorter than what was asked for.
    is_chance: what is likely of other runs is not judged
    is_explained: what is likely of the run that predicts is what it took"""
    rows = predicted(folder, [file for _, _, _, file in runs.values()])
    off, bad, busy = {}, [], []
    longer = {n: run[1] for n, run in runs.items()}
    over = runs[BASE][2]
    if is_explained:
        likely, measured = (float(rows[BASE][k]) for k in ('likely', 'measured'))
        off[BASE] = (likely - measured) / measured
        if abs(off[BASE]) > 0.1:
            (busy if longer[BASE] > BUSY else bad).append(
                '%d threads: %.4f s, and not %.4f, in the run that predicts' % (BASE, measured, likely))
    for n in sorted(runs):
        if n == BASE:
            continue
        least, likely, measured = (float(rows[n][k]) for k in ('at least', 'likely', 'measured'))
        start = START * n
        timed = busy if max(longer[BASE], longer[n]) > BUSY else bad
        low, high = sorted((measured, measured * longer[BASE] / longer[n]))
        off[n] = (likely - high) / high if likely > high else min(likely - low, 0) / low
        if measured < 0.99 * (least - over):
            bad.append('%d threads: %.4f s, less than %.4f, which is the least' % (n, measured, least))
        if high < 0.99 * least / longer[BASE]:
            timed.append('%d threads: %.4f s, less than %.4f, which is the least' % (n, measured, least))
        upper = rows[n]['at most']
        if low > (1 + most) * float(upper) + start:
            timed.append('%d threads: %.4f s, more than %s, which is the most' % (n, measured, upper))
        if not is_chance and (likely > (1 + most) * high or likely < (1 - most) * low - start):
            timed.append('%d threads: %.4f s, and not %.4f' % (n, measured, likely))
    return off, bad, busy


def judge_program(name, folder, compiler, most):
    """Waiting for processors makes runs longer: of some tries the shortest one of each number of threads counts."""
    is_tree, is_gnu, is_quiet, runs = name.startswith('tree-'), 'clang' not in compiler, may_go_first(compiler), {}
    most = max(most, TREE) if is_tree and not is_gnu else most
    for turn in range(TRIES):
        for n in (BASE,) + OTHERS['gnu' if is_gnu else 'llvm']:
            run = execute(name, folder, n, turn, is_quiet)
            runs[n] = min(runs.get(n, run), run)
        off, bad, busy = judge(folder, runs, most, is_tree and is_gnu and not is_quiet, is_tree and is_gnu)
        if not bad and not busy:
            break
    return off, bad, busy


def main():
    folder, compiler, part = sys.argv[1:4]
    most = float(sys.argv[4]) if len(sys.argv) > 4 else 0.1
    names = sys.argv[5] if len(sys.argv) > 5 else ''
    number, parts = (int(x) for x in part.split('/'))
    n_bad = 0
    programs = LLVM_PROGRAMS if 'clang' in compiler else GNU_PROGRAMS
    for i, (name, text) in enumerate(sorted(x for x in programs.items() if re.search(names, x[0]))):
        if i % parts != number % parts:
            continue
        with open(os.path.join(folder, name + '.c'), 'w', encoding='ascii') as out:
            out.write(HEAD + text)
        subprocess.run([os.environ['KINST_PROGRAM'], compiler, '-fopenmp', '-O1', name + '.c', '-o', name],
                       cwd=folder, check=True)
        off, bad, busy = judge_program(name, folder, compiler, most)
        print('%-22s %s' % (name, '  '.join('%d: %+5.1f %%' % (n, 100 * o) for n, o in off.items())), flush=True)
        for line in busy:
            print('%s, %s, not judged beside other programs, %s' % (compiler, name, line))
        for line in bad:
            print('%s, %s, %s' % (compiler, name, line))
        n_bad += bool(bad)
    sys.exit(n_bad != 0)


main()
