#!/usr/bin/env python3
"""Generated loops in C, C++ and Fortran, built plainly and by kinst --iterations: what they print is the same, and each
loop that can be told has one call for its iterations in the object, and others have none.

iterations.py FOLDER C_COMPILER CXX_COMPILER FORTRAN_COMPILER SEED...     a compiler may be '-', for none
"""
import os
import random
import subprocess
import sys

SCHEDULES = ['', 'schedule(static)', 'schedule(static, 2)', 'schedule(dynamic)', 'schedule(dynamic, 3)',
             'schedule(guided)', 'schedule(runtime)', 'schedule(auto)']
UNTOLD = ['nowait', 'ordered', 'cancel', 'simd']


class Loop:
    """A worksharing loop over one to three nested loops, and what it adds to a sum."""

    def __init__(self, draw, number):
        self.number = number
        self.depth = draw.choice([1, 1, 2, 3])
        self.bounds = [(draw.randrange(1, 4), draw.randrange(4, 9), draw.choice([1, 1, 2])) for _ in range(self.depth)]
        self.is_down = draw.random() < 0.2
        self.clauses = [draw.choice(SCHEDULES)] + (['collapse(%d)' % self.depth] if self.depth > 1 else [])
        self.untold = draw.choice(UNTOLD) if draw.random() < 0.25 else None
        self.is_combined = draw.random() < 0.4 and self.untold not in ('nowait', 'cancel')
        if self.untold == 'ordered':
            self.clauses.append('ordered')
        self.body = draw.randrange(6)
        self.skip = draw.randrange(2, 5)

    def n(self):
        """Returns how many iterations there are."""
        product = 1
        for low, high, step in self.bounds:
            product *= (high - low) // step + 1
        return product


# ---- C and C++ ----

def c_body(loop, depth, has_cancel):
    """Returns the innermost statement: an expression, or with continue, declarations, or a loop of its own."""
    index = ' * 31 + '.join('i%d' % k for k in range(depth))
    add = 'a[%d] += %s;' % (loop.number, index)
    if loop.untold == 'ordered':
        return '{\n#pragma omp ordered\n{ %s }\n}' % add
    if has_cancel:
        return '{ %s\n#pragma omp cancel for if (i0 < 0)\n}' % add
    return [add,
            '{ if (%s %% %d == 0) continue; %s }' % (index, loop.skip, add),
            '{ int t = %s; %s if (t %% %d) { continue; } a[%d]++; }' % (index, add, loop.skip, loop.number),
            'if (%s %% %d) %s else a[%d]--;' % (index, loop.skip, add, loop.number),
            'for (int k = 0; k < 3; k++) { if (k == 1) continue; %s }' % add,
            '{ int k = 0; while (1) { if (k++ == 2) break; %s } }' % add][loop.body]


def c_loop(loop):
    """Returns the text of a loop in a function that all threads of a team call, or that forks one."""
    head = ' '.join(['#pragma omp', 'parallel for' if loop.is_combined else 'for'] +
                    (['simd'] if loop.untold == 'simd' else []) + loop.clauses + ['reduction(+: a)'] +
                    (['nowait'] if loop.untold == 'nowait' else []))
    loops = ''
    for k, (low, high, step) in enumerate(loop.bounds):
        if loop.is_down:
            loops += 'for (int i%d = %d; i%d >= %d; i%d -= %d)\n' % (k, high, k, low, k, step)
        else:
            loops += 'for (int i%d = %d; i%d <= %d; i%d += %d)\n' % (k, low, k, high, k, step)
    text = head + '\n' + loops + c_body(loop, loop.depth, loop.untold == 'cancel')
    return text if loop.is_combined else '#pragma omp parallel\n{\n%s\n}' % text


def c_program(loops):
    """Returns a program that prints all sums."""
    return ('#include <stdio.h>\nenum { N = %d };\nstatic long a[N];\nint main(void)\n{\n%s\n'
            'for (int k = 0; k < N; k++) printf("%%ld\\n", a[k]);\nreturn (int)(a[0] & 63);\n}\n'
            % (len(loops), '\n'.join(c_loop(loop) for loop in loops)))


# ---- Fortran ----

def f_body(loop, depth, name):
    """Returns the lines of the innermost loop."""
    index = '+31*('.join('i%d' % k for k in range(depth)) + ')' * (depth - 1)
    add = 'a(%d)=a(%d)+%s' % (loop.number + 1, loop.number + 1, index)
    if loop.untold == 'ordered':
        return ['!$omp ordered', add, '!$omp end ordered']
    if loop.untold == 'cancel':
        return [add, '!$omp cancel do if(i0 < 0)']
    if loop.untold == 'simd':
        return [add]
    return [[add],
            ['if (mod(%s,%d)==0) cycle' % (index, loop.skip), add],
            ['if (mod(%s,%d)==0) then' % (index, loop.skip), 'cycle%s' % name, 'end if', add],
            ['a(%d)=a(%d)+1; %s' % (loop.number + 1, loop.number + 1, add)],
            ['do k=1,3', 'if (k==2) cycle', add, 'end do'],
            ['block', 'integer :: t', 't=%s' % index, 'if (t>%d) cycle' % loop.skip, add, 'end block']][loop.body]


def f_loop(loop, is_fixed):
    """Returns the lines of a loop; of a fixed form with labels, in some loops."""
    directive = ' '.join(['parallel do' if loop.is_combined else 'do'] + (['simd'] if loop.untold == 'simd' else []))
    # one thread's order of the sum is that of integers: any
    lines = ['!$omp %s %s &' % (directive, ' '.join(loop.clauses)), '!$omp& reduction(+: a) private(k)']
    label = 100 + loop.number
    is_labelled = loop.number % 3 == 0 and loop.untold != 'cancel'
    name = 'l%d' % loop.number if not is_labelled and loop.untold not in ('ordered', 'simd') else ''
    for k, (low, high, step) in enumerate(loop.bounds):
        first, last, by = (high, low, -step) if loop.is_down else (low, high, step)
        innermost = k == loop.depth - 1
        lines.append('%sdo %si%d=%d,%d,%d' % (name + ': ' if innermost and name else '',
                                              '%d ' % label if is_labelled else '', k, first, last, by))
    lines += f_body(loop, loop.depth, ' ' + name if name else '')
    if is_labelled:
        lines.append('%d continue' % label)
    else:
        lines += ['end do %s' % name] + ['end do'] * (loop.depth - 1)
    lines.append('!$omp end %s%s' % (directive, ' nowait' if loop.untold == 'nowait' else ''))
    if not loop.is_combined:
        lines = ['!$omp parallel'] + lines + ['!$omp end parallel']
    return lines


def fixed(line):
    """Returns a line in fixed form."""
    if line.startswith('!$omp& '):
        return '!$omp&' + line[6:]
    if line.startswith('!$omp'):
        return line[:-2] if line.endswith(' &') else line
    first = line.split(' ')[0]
    return '%-5s %s' % (first, line[len(first) + 1:]) if first.isdigit() else '      ' + line


def f_program(loops, is_fixed):
    lines = ['program p', 'implicit none', 'integer :: i0,i1,i2,k', 'integer :: a(%d)' % len(loops), 'a=0']
    for loop in loops:
        lines += f_loop(loop, is_fixed)
    lines += ['do k=1,%d' % len(loops), "print '(i0)', a(k)", 'end do', 'call exit(iand(a(1),63))', 'end program']
    return '\n'.join(fixed(line) if is_fixed else line for line in lines) + '\n'


# ---- judging ----

def build(command):
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode, done.stderr


def execute(file, **env):
    """Returns what a program prints, and how it ends."""
    done = subprocess.run([file], capture_output=True, text=True,
                          env=dict(os.environ, OMP_NUM_THREADS='3', OMP_CANCELLATION='true', OMPP_QUIET='1', **env))
    return done.returncode, done.stdout, done.stderr


def told(file):
    """Returns how often an object calls for an iteration."""
    text = subprocess.run(['objdump', '-dr', file], check=True, capture_output=True, text=True).stdout
    return sum('ompp_loop_iteration' in line or 'ompp_f_loop_iteration' in line for line in text.splitlines())


def judge(source, compiler, loops, name):
    """Returns what is wrong."""
    kinst = os.environ['KINST_PROGRAM']
    with open(name, 'w', encoding='ascii') as out:
        out.write(source)
    program = os.path.splitext(name)[0]
    flags = ['-fopenmp', '-O1', name, '-o']
    plain = build([compiler] + flags + [program + '.plain'])
    if plain[0]:
        return 'is no program: ' + plain[1]
    by_kinst = build([kinst, '--strict', '--iterations', compiler] + flags + [program + '.kinst'])
    if by_kinst[0]:
        return 'is rejected: ' + by_kinst[1]
    wanted = execute(program + '.plain')
    for what_if in '0', '1':
        got = execute(program + '.kinst', OMPP_WHAT_IF=what_if, OMPP_REPORTFILE=program + '.report')
        if got != wanted:
            return 'prints %s and not %s' % (got, wanted)
    build([kinst, '--iterations', compiler, '-c', '-fno-inline', '-fopenmp', '-O0', name, '-o', program + '.o'])
    n = told(program + '.o')
    expected = sum(not loop.untold for loop in loops)
    if n != expected:
        return 'tells of %d loops and not of %d' % (n, expected)
    return None


BROKEN = [
    '!$omp parallel do\ndo i=1,3\na(i)=i\n!$omp end parallel do\nend\n',
    '!$omp parallel do\na=1\n!$omp end parallel do\nend\n',
    '!$omp parallel do collapse(2)\ndo i=1,3\na(i)=1\ndo j=1,3\nend do\nend do\nend\n',
    '!$omp parallel do\ndo while (i<3)\ni=i+1\nend do\nend\n',
    '!$omp parallel do\ndo i=1,3\nexit\nend do\nend\n',
    '!$omp parallel do\ndo concurrent (i=1:3)\na(i)=1\nend do\nend\n',
    '!$omp parallel do schedule(static,0)\ndo i=1,3\na(i)=i\nend do\nend\n',
]


def judge_broken(folder, compiler):
    """Returns the programs that the compiler rejects, and kinst does not; and the other way round."""
    bad = []
    for i, text in enumerate(BROKEN):
        name = os.path.join(folder, 'broken%d.f90' % i)
        with open(name, 'w', encoding='ascii') as out:
            out.write('program p\ninteger :: i, j, a(9)\n' + text)
        plain, _ = build([compiler, '-fopenmp', '-c', name, '-o', name + '.o'])
        by_kinst, _ = build([os.environ['KINST_PROGRAM'], '--iterations', compiler, '-fopenmp', '-c', name, '-o',
                             name + '.o'])
        if bool(plain) != bool(by_kinst):
            bad.append('%s: %d and %d' % (name, plain, by_kinst))
    return bad


def main():
    folder, c, cxx, fortran = sys.argv[1:5]
    bad, n = [], 0
    for seed in sys.argv[5:]:
        draw = random.Random(seed)
        loops = [Loop(draw, i) for i in range(12)]
        programs = [(c, '.c', c_program(loops)), (cxx, '.cc', c_program(loops)),
                    (fortran, '.f90', f_program(loops, False)), (fortran, '.f', f_program(loops, True))]
        for compiler, ending, source in programs:
            if compiler == '-':
                continue
            said = judge(source, compiler, loops, os.path.join(folder, 'seed' + seed + ending))
            n += 1
            if said:
                bad.append('seed %s, %s: %s' % (seed, ending, said))
    if fortran != '-':
        bad += judge_broken(folder, fortran)
    print('\n'.join(bad))
    sys.exit(bool(bad) or not n)


main()
