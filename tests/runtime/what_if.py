#!/usr/bin/env python3
"""Programs that sleep, and the same ones changed by hand: what the change gains is measured, and must lie in the interval
that the unchanged program's report has for it; where it gains nothing, nothing may be said.

Each program is generated: how long it sleeps is drawn from its seed.  CHANGED is the macro of the change, and the line
with /*X*/ that of the region whose change it is.

what_if.py FOLDER COMPILER N/M SEED...     the Nth of M parts of the programs; for each the share of pairs that is right
"""
import csv
import json
import math
import os
import random
import re
import subprocess
import sys

HEAD = r'''
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#ifndef CHANGED
#define CHANGED 0
#endif
static void nap(int us)
{
	struct timespec t = { 0, us * 1000L };
	nanosleep(&t, NULL);
}
/* The naps of what is twice as fast in the changed program. */
static void half(int us)
{
	nap(CHANGED ? us / 2 : us);
}
'''

MAIN = '''
int main(void)
{
	double start = omp_get_wtime();
	omp_set_max_active_levels(3);
%s
	fprintf(stderr, "%%.6f\\n", omp_get_wtime() - start);
	return 0;
}
'''

# Each program: a function of a source of random numbers of microseconds, which returns the text behind HEAD, and the
# body of main(); the change as the report calls it; whether it gains something; further options of kinst.
PROGRAMS = {}

def program(change, gains=True, options=()):
    def add(make):
        PROGRAMS[make.__name__] = (make, change, gains, list(options))
        return make
    return add

UNKNOWN = 'the machine is too busy'

FASTER, UNLOCKED, LOCK, NOWAIT, BARRIER, UNJOINED, ON_DEMAND, COARSER = (
    'twice as fast', 'critical section removed', 'lock removed', 'nowait', 'barrier removed', 'no wait; taskgroup around',
    'schedule(dynamic, 1)', 'grainsize x 8')

# ---- twice as fast ----

@program(FASTER)
def loop(us):
    return '', '''
	#pragma omp parallel num_threads(4)
	{
		#pragma omp for schedule(static) /*X*/
		for (int i = 0; i < 16; i++)
			half(%d);
		nap(%d);
	}
''' % (us(3000, 6000), us(3000, 9000))

@program(FASTER)
def loop_on_demand(us):
    return '', '''
	#pragma omp parallel num_threads(3)
	{
		#pragma omp for schedule(dynamic, 1) /*X*/
		for (int i = 0; i < 30; i++)
			half(%d + i %% 3 * 500);
	}
	nap(%d);
''' % (us(2500, 4000), us(8000, 15000))

@program(FASTER)
def partly_hidden(us):
    """One thread in the region, and the other ones at work for nearly as long beside it."""
    return '', '''
	#pragma omp parallel num_threads(4)
	{
		#pragma omp master /*X*/
		half(%d);
		if (omp_get_thread_num())
			nap(%d);
	}
	nap(5000);
''' % (us(38000, 45000), us(24000, 30000))

@program(FASTER, gains=False)
def hidden(us):
    return '', '''
	#pragma omp parallel num_threads(4)
	{
		#pragma omp master /*X*/
		half(%d);
		if (omp_get_thread_num())
			nap(%d);
	}
''' % (us(20000, 30000), us(38000, 45000))

@program(FASTER)
def serial(us):
    return '', '''
	half(%d); /*X*/
	#pragma omp parallel num_threads(4)
	nap(%d);
''' % (us(30000, 40000), us(20000, 30000))

@program(FASTER)
def tasks(us):
    return '', '''
	#pragma omp parallel num_threads(4)
	#pragma omp single
	for (int i = 0; i < 40; i++)
		#pragma omp task /*X*/
		half(%d);
	nap(%d);
''' % (us(3000, 5000), us(3000, 9000))

@program(FASTER)
def pipeline(us):
    return 'static int stage[3], item[12];\n', '''
	#pragma omp parallel num_threads(4)
	#pragma omp single
	for (int i = 0; i < 12; i++) {
		#pragma omp task depend(inout: stage[0], item[i])
		nap(%d);
		#pragma omp task depend(inout: stage[1], item[i]) /*X*/
		half(%d);
		#pragma omp task depend(inout: stage[2], item[i])
		nap(%d);
	}
''' % (us(1500, 2000), us(5000, 7000), us(1500, 2000))

@program(FASTER)
def recursion(us):
    return '''
static void tree(int depth)
{
	if (depth < 3)
		half(%d);
	if (!depth)
		return;
	for (int i = 0; i < 2; i++)
		#pragma omp task /*X*/
		tree(depth - 1);
	#pragma omp taskwait
}
''' % us(12000, 16000), '''
	#pragma omp parallel num_threads(8)
	#pragma omp single
	tree(3);
'''

@program(FASTER)
def nested(us):
    return '', '''
	#pragma omp parallel num_threads(2)
	{
		nap(%d);
		#pragma omp parallel num_threads(3) /*X*/
		half(%d);
	}
''' % (us(6000, 9000), us(30000, 40000))

@program(FASTER)
def critical_body(us):
    return '', '''
	#pragma omp parallel num_threads(4)
	for (int i = 0; i < 3; i++) {
		nap(1000);
		#pragma omp critical /*X*/
		half(%d);
	}
	nap(%d);
''' % (us(3500, 5500), us(5000, 9000))

# ---- without waiting for a lock ----

@program(UNLOCKED)
def critical(us):
    return '', '''
	#pragma omp parallel num_threads(4)
	for (int i = 0; i < 4; i++) {
		nap(%d);
		if (CHANGED) {
			nap(%d);
		} else {
			#pragma omp critical /*X*/
			nap(%d);
		}
	}
''' % (lambda a, b: (a, b, b))(us(1000, 3000), us(3000, 5000))

@program(UNLOCKED, gains=False)
def critical_hidden(us):
    """Three threads wait for each other, and the first one works for longer than that takes."""
    return '', '''
	#pragma omp parallel num_threads(4)
	for (int i = 0; i < 4; i++)
		if (!omp_get_thread_num()) {
			nap(%d);
		} else if (CHANGED) {
			nap(2000);
		} else {
			#pragma omp critical /*X*/
			nap(2000);
		}
''' % us(11000, 14000)

@program(UNLOCKED, gains=False)
def critical_harmless(us):
    """Two wait for each other, and then for the first one, which has most to do."""
    return '', '''
	#pragma omp parallel num_threads(3)
	{
		int r = omp_get_thread_num();
		nap(r == 0 ? 500 : 4000);
		if (CHANGED) {
			nap(%d);
		} else {
			#pragma omp critical(a) /*X*/
			nap(%d);
		}
		nap(r == 0 ? 30000 : 1000);
		#pragma omp barrier
		#pragma omp master
		nap(%d);
	}
	(void)0;
''' % (2000, 2000, us(15000, 20000))

@program(UNLOCKED)
def critical_in_tasks(us):
    return '', '''
	#pragma omp parallel num_threads(4)
	#pragma omp single
	for (int i = 0; i < 12; i++)
		#pragma omp task
		{
			nap(%d);
			if (CHANGED) {
				nap(%d);
			} else {
				#pragma omp critical(sum) /*X*/
				nap(%d);
			}
		}
''' % (lambda a, b: (a, b, b))(us(1500, 2500), us(4000, 6000))

@program(UNLOCKED)
def two_sections(us):
    """The other section limits what the removal of this one gains."""
    return '', '''
	#pragma omp parallel num_threads(4)
	for (int i = 0; i < 3; i++) {
		if (CHANGED) {
			nap(%d);
		} else {
			#pragma omp critical(a) /*X*/
			nap(%d);
		}
		#pragma omp critical(b)
		nap(%d);
	}
''' % (lambda a, b: (a, a, b))(us(6000, 8000), us(2000, 3000))

@program(LOCK)
def lock(us):
    return 'static omp_lock_t l;\n', '''
	omp_init_lock(&l); /*X*/
	#pragma omp parallel num_threads(4)
	for (int i = 0; i < 4; i++) {
		nap(%d);
		if (!CHANGED)
			omp_set_lock(&l);
		nap(%d);
		if (!CHANGED)
			omp_unset_lock(&l);
	}
''' % (us(1000, 2000), us(3000, 5000))

# ---- without a barrier ----

@program(NOWAIT)
def nowait(us):
    return '''
#if CHANGED
#define NOWAIT nowait
#else
#define NOWAIT
#endif
''', '''
	#pragma omp parallel num_threads(4)
	{
		int r = omp_get_thread_num();
		#pragma omp for schedule(static) NOWAIT /*X*/
		for (int i = 0; i < 4; i++)
			nap(i == 0 ? %d : 3000);
		nap(r == 3 ? %d : 3000);
	}
''' % (us(20000, 25000), us(20000, 25000))

@program(NOWAIT, gains=False)
def nowait_for_nothing(us):
    """The thread that comes last has most to do behind the loop, too."""
    return '''
#if CHANGED
#define NOWAIT nowait
#else
#define NOWAIT
#endif
''', '''
	#pragma omp parallel num_threads(4)
	{
		int r = omp_get_thread_num();
		#pragma omp for schedule(static) NOWAIT /*X*/
		for (int i = 0; i < 4; i++)
			nap(i == 0 ? %d : 3000);
		nap(r == 0 ? %d : 3000);
	}
''' % (us(20000, 25000), us(20000, 25000))

@program(NOWAIT)
def single(us):
    return '''
#if CHANGED
#define NOWAIT nowait
#else
#define NOWAIT
#endif
''', '''
	#pragma omp parallel num_threads(4)
	{
		#pragma omp single NOWAIT /*X*/
		nap(%d);
		#pragma omp for schedule(dynamic, 1)
		for (int i = 0; i < 24; i++)
			nap(%d);
	}
''' % (us(20000, 24000), us(3500, 4500))

@program(BARRIER)
def barrier(us):
    return '', '''
	#pragma omp parallel num_threads(4)
	for (int i = 0; i < 4; i++) {
		nap(omp_get_thread_num() == i ? %d : %d);
		if (!CHANGED) {
			#pragma omp barrier /*X*/
		}
	}
''' % (us(9000, 12000), us(2000, 3000))

# ---- without a taskwait ----

@program(UNJOINED)
def taskwait(us):
    return '', '''
	#pragma omp parallel num_threads(4)
	#pragma omp single
	for (int k = 0; k < 3; k++) {
		for (int i = 0; i < 4; i++)
			#pragma omp task
			nap(i == k ? %d : %d);
		if (!CHANGED) {
			#pragma omp taskwait /*X*/
		}
		nap(500);
	}
''' % (us(15000, 18000), us(2000, 3000))

# ---- iterations handed out on demand ----

def loop_of(lengths, threads, schedule='static', serial=0):
    """A loop with iterations of these lengths, and what one thread does behind it."""
    return '''
static const int length[] = { %s };
#if CHANGED
#define SCHEDULE schedule(dynamic, 1)
#else
#define SCHEDULE schedule(%s)
#endif
''' % (', '.join(str(x) for x in lengths), schedule), '''
	#pragma omp parallel for num_threads(%d) SCHEDULE /*X*/
	for (int i = 0; i < %d; i++)
		nap(length[i]);
	nap(%d);
''' % (threads, len(lengths), serial)

@program(ON_DEMAND, options=['--iterations'])
def growing(us):
    threads, many, most = us(2, 17), us(4, 7), us(15000, 25000)
    n = threads * many
    return loop_of([2000 + most * i // n for i in range(n)], threads)

@program(ON_DEMAND, options=['--iterations'])
def exponential(us):
    """Most are short, few are long."""
    threads = us(2, 17)
    return loop_of([1000 + int(-8000 * math.log(us(1, 1000) / 1000)) for _ in range(threads * us(4, 9))], threads,
                   serial=us(1000, 5000))

@program(ON_DEMAND, options=['--iterations'])
def heavy_tail(us):
    threads = us(3, 17)
    return loop_of([int(2000 * (us(5, 1000) / 1000) ** -0.7) for _ in range(threads * us(4, 9))], threads)

@program(ON_DEMAND, options=['--iterations'])
def two_kinds(us):
    """The long ones stand together."""
    threads = us(2, 17)
    n = threads * us(4, 7)
    first = us(0, n - n // threads)
    return loop_of([us(15000, 18000) if first <= i < first + n // threads else us(3000, 4000) for i in range(n)], threads)

@program(ON_DEMAND, options=['--iterations'])
def one_long(us):
    threads, many = us(2, 17), us(4, 8)
    lengths = [us(40000, 60000)] + [8000] * (threads * many - 1)
    return loop_of(lengths, threads)

@program(ON_DEMAND, options=['--iterations'])
def several_times(us):
    """A region with a loop that is executed a few times, and one that is even."""
    head, _ = loop_of([us(2000, 3000) * (1 + 4 * (i < 8)) for i in range(24)], 0)
    return head, '''
	#pragma omp parallel num_threads(%d)
	for (int k = 0; k < 3; k++) {
		#pragma omp for SCHEDULE /*X*/
		for (int i = 0; i < 24; i++)
			nap(length[i]);
		#pragma omp for schedule(static)
		for (int i = 0; i < 16; i++)
			nap(1000);
	}
''' % us(3, 9)

@program(ON_DEMAND, options=['--iterations'])
def cyclic(us):
    """Each thread has every eighth iteration, and those of some of them are long; the order is not known."""
    return loop_of([us(2000, 2500) * (6 if i % 8 < 2 else 1) for i in range(64)], 8, 'static, 1')

@program(ON_DEMAND, gains=False, options=['--iterations'])
def long_last(us):
    """Whoever gets the longest one gets it last."""
    threads = us(2, 9)
    n = threads * us(3, 5)
    return loop_of([us(2000, 2100)] * (n - 1) + [us(20000, 30000)], threads)

@program(ON_DEMAND, gains=False, options=['--iterations'])
def even(us):
    threads = us(2, 17)
    return loop_of([us(3000, 3100)] * (threads * us(3, 6)), threads)

# ---- fewer tasks of a taskloop ----

@program(COARSER)
def taskloop(us):
    """More tasks than GCC's library makes: one thread executes them all."""
    threads = us(2, 17)
    return '', '''
	#pragma omp parallel num_threads(%d)
	#pragma omp single
	{
		#pragma omp taskloop grainsize(CHANGED ? 8 : 1) /*X*/
		for (int i = 0; i < %d; i++)
			nap(i %% 10 ? 100 : %d);
	}
	nap(%d);
''' % (threads, threads * us(70, 100), us(200, 900), us(5000, 9000))

@program(COARSER, gains=False)
def taskloop_of_few(us):
    """Eight of its tasks together are one thread's."""
    return '', '''
	#pragma omp parallel num_threads(4)
	#pragma omp single
	{
		#pragma omp taskloop grainsize(CHANGED ? 8 : 1) /*X*/
		for (int i = 0; i < %d; i++)
			nap(%d);
	}
''' % (us(8, 40), us(2000, 3000))


def write(name, seed, folder):
    """Writes a program.  Returns its file and the lines of its region."""
    draw = random.Random('%s %s' % (name, seed))
    head, body = PROGRAMS[name][0](lambda a, b: draw.randrange(a, b))
    path = os.path.join(folder, '%s%s.c' % (name, seed))
    text = HEAD + head + MAIN % body
    with open(path, 'w', encoding='ascii') as out:
        out.write(text)
    return path, {n for n, line in enumerate(text.splitlines(), 1) if '/*X*/' in line}


def build(words, path, out, changed):
    subprocess.run([*words, '-fopenmp', '-O1', '-DCHANGED=%d' % changed, path, '-o', out], check=True)


def took(program):
    """Runs a program.  Returns its own time."""
    out = subprocess.run([program], check=True, capture_output=True, text=True, env=dict(os.environ, KINST='off'))
    return float(out.stderr.split()[-1])


def rows(folder, program):
    """Runs the instrumented program.  Returns the lines of the report's table; None where the report says that it cannot
    tell, as what threads waited for processors, and what is not seen, is half of the run.
    """
    report = os.path.join(folder, 'report')
    env = dict(os.environ, OMPP_WHAT_IF='1', OMPP_QUIET='1', OMPP_REPORTFILE=report)
    subprocess.run([program], check=True, capture_output=True, env=env)
    text = subprocess.run([os.environ['OMPP'], 'report', '--view=span', '--format=csv-raw', report + '.ompp'], check=True,
                          capture_output=True, text=True).stdout
    profile = json.loads(subprocess.run([os.environ['OMPP'], 'report', '--format=json', report + '.ompp'], check=True,
                                        capture_output=True, text=True).stdout)
    run = profile['run']
    if run['duration_ns'] - run['executed_ns'] + run['queued_ns'] / 2 > run['duration_ns'] / 2:
        return None
    table = re.search('^##BEG what if\n(.*?)^##END', text, re.M | re.S)
    return list(csv.DictReader(table.group(1).splitlines())) if table else []


def is_region(row, name, lines):
    if name == 'serial':
        return row['region'] == 'serial part' or row.get('type') == '' or 'serial' in str(row.values())
    return int(row['begin'] or 0) in lines or (PROGRAMS[name][1] == LOCK and row['type'] == 'LOCK')


def judge(name, seed, folder, compiler):
    """Returns what is wrong with a pair; None for nothing, UNKNOWN where the machine was too busy to tell.  What the change
    gains lies between what the best runs and the medians differ by.
    """
    _, change, gains, options = PROGRAMS[name]
    path, lines = write(name, seed, folder)
    before, after, measured = (os.path.join(folder, name + end) for end in ('_before', '_after', '_measured'))
    build([compiler], path, before, 0)
    build([compiler], path, after, 1)
    build([os.environ['KINST_PROGRAM'], *options, compiler], path, measured, 0)
    said = None
    for _ in range(3):
        times = [(took(before), took(after)) for _ in range(5)]
        befores, afters = (sorted(x) for x in zip(*times))
        low, gain = sorted((befores[0] - afters[0], befores[2] - afters[2]))
        table = rows(folder, measured)
        if table is None or (gains and low <= 0):
            said = said or UNKNOWN
            continue
        found = [r for r in table if r['change'] == change and is_region(r, name, lines)]
        if not gains:
            said = 'gains %.1f ms, and the report says %s' % (gain * 1e3, found[0]) if found else None
        elif not found:
            said = 'gains %.1f ms, and the report says nothing' % (gain * 1e3)
        else:
            least, most = float(found[0]['gain at least']), float(found[0]['at most'])
            said = None if least <= gain and low <= most else 'gains %.1f to %.1f ms, not %.1f to %.1f' % (
                low * 1e3, gain * 1e3, least * 1e3, most * 1e3)
        if os.environ.get('VERBOSE') and found:
            print(name, seed, 'gains %.1f to %.1f ms: %s to %s' % (
                low * 1e3, gain * 1e3, found[0]['gain at least'], found[0]['at most']))
        if not said:
            return None
    return said


def main():
    folder, compiler, part, seeds = sys.argv[1], sys.argv[2], sys.argv[3], sys.argv[4:]
    k, n = (int(x) for x in part.split('/'))
    names = [name for name in PROGRAMS if not (name == 'taskloop' and 'clang' in compiler)]
    pairs = [(name, seed) for seed in seeds for name in names][k - 1::n]
    bad = unknown = 0
    for name, seed in pairs:
        said = judge(name, seed, folder, compiler)
        if said:
            print('%s, %s, seed %s: %s' % (compiler, name, seed, said))
        unknown += said == UNKNOWN
        bad += bool(said) and said != UNKNOWN
    told = len(pairs) - unknown
    print('%d of %d pairs are right, of %d' % (told - bad, told, len(pairs)))
    if told * 2 < len(pairs):
        sys.exit(77)
    sys.exit(bad > max(1, told // 10))


main()
