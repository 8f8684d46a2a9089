#!/usr/bin/env python3
"""Generated command lines of several sources, in any order of their modules, with options that name files or ask for
warnings: plainly and by kinst they have the same status, output, messages and files.

commands.py FOLDER C_COMPILER FORTRAN_COMPILER SEED...     a compiler may be '-', for none; prints what differs
"""
import difflib
import os
import random
import re
import shutil
import subprocess
import sys

KINST = os.environ['KINST_PROGRAM']
MODULES = ['one', 'two', 'three']


# ---- sources ----

def parallel(draw):
    """Returns lines with a construct, or with none."""
    return draw.choice([['!$omp parallel', 'n = n', '!$omp end parallel'],
                        ['!$omp parallel do', 'do i = 1, 3', 'n = i', 'end do'], ['n = n']])


def doubtful(draw):
    """Returns lines that gfortran warns of, or rejects, by their form or by what they say."""
    return draw.choice([[], [], [], [],
                        ['\tn = n'], ['n = n\t+ 1'], ['n = n ' + ' ' * 130 + '! far'], ['n = n + ' + ' ' * 130 + '1'],
                        ['! ' + 'long comment ' * 12], ['block', 'integer :: unused', 'end block'],
                        ['n = n + &', ' ', '1'], ['n = n + &', '  & ! none', '  1'], ['n = 3.7'],
                        ['print "(a)", "a', '& b"'], ['n = undeclared(n)'], ['print *, "a\tb"'],
                        ['n = n; ; n = n'], ['100 continue'], ['if (n .eq. 1) then; end if'],
                        ["print *, 'amp &", "  amp'"], ['n = 1_4; n = n;'], ['end'], ['n = (n'], ['\t'],
                        ['!$omp nonsense'], ['!$omp barrier ' + ' ' * 120 + 'nonsense'], ['!$\tn = n'],
                        ['n = ichar("' + '\\' + 'n")'], ['n = n**2.5'], ['n = 10/3'],
                        ['!$omp\tbarrier'], ['!$omp barrier ' + ' ' * 125 + '! far'], ['!$omp barrier\t! tab'],
                        ['!$omp parallel' + ' ' * 90 + '&', '!$omp' + ' ' * 120 + '&  default(shared)',
                         '!$omp end parallel'],
                        ['!$omp atomic', 'n = n +' + ' ' * 130 + '1'], ['!$omp atomic', '\tn = n + 1'],
                        ['!$omp taskloop', 'do i = 1, 2', '\tif (i == 1) cycle', '\tn = i', 'end do'],
                        ['!$omp parallel do', 'do i = 1, 2', 'n = i', '\tend do', '!$omp\tend parallel do'],
                        ['!$omp parallel', '!$omp single', 'n = ' + ' ' * 127 + '12', '!$omp end single',
                         '!$omp end parallel'],
                        ['!$omp parallel default(shared) ' + 'private(i) ' * 9 + '!' * 40, '!$omp end parallel'],
                        ['if (n == 1) n = 2 ! ' + 'x' * 120], ['n = 12345' + ' ' * 122 + '67'],
                        ['character(3) :: c = "abcd"'], ['do 10 i = 1, 2', '10 n = i'], ['goto 10', '10 continue']])


def fortran_lines(draw, defines, uses, is_main):
    """Returns the lines of a source that defines modules and uses others."""
    lines = []
    for k, name in enumerate(defines):
        lines += ['module ' + name]
        lines += ['use ' + other for other in uses if draw.random() < 0.7 and other not in defines[k:]]
        lines += ['implicit none', 'integer :: of_%s = %d' % (name, draw.randrange(1, 3)), 'contains',
                  'subroutine go_%s(n)' % name, 'integer, intent(inout) :: n', 'integer :: i']
        lines += doubtful(draw) + parallel(draw) + ['n = n + 1', 'end subroutine', 'end module']
    if is_main:
        lines += ['program p']
    elif not defines:
        lines += ['subroutine s_%d' % draw.randrange(10 ** 6)]
    if is_main or not defines:
        lines += ['use, intrinsic :: iso_c_binding'] * (draw.random() < 0.1)
        lines += [draw.choice(['use %s', 'Use :: %s', 'use %s, only: of_%s', '!$ use %s', 'use %s; use %s'])
                  .replace('%s', m) for m in uses]
        lines += ['implicit none', 'integer :: n, i', 'n = 0'] + parallel(draw) + doubtful(draw) + parallel(draw)
        lines += ['n = n + of_%s' % m for m in uses if m in defines or draw.random() < 0.7]
        lines += ['print *, n'] * is_main + ['end']
    return lines


def fixed(lines):
    """Returns lines in fixed form; those that begin in another column stay."""
    return [line if line[:1] in ('!', '\t', '1') else '      ' + line.replace(' ' * 130, ' ' * 60) for line in lines]


def fortran_sources(draw):
    """Returns names and texts of one to four sources, in which modules are mostly defined once."""
    n = draw.choice([1, 2, 2, 2, 3, 3, 4])
    owner = {name: draw.randrange(n) for name in MODULES[:draw.randrange(0, 4)]}
    result = []
    for k in range(n):
        suffix = draw.choice(['.f90', '.f90', '.F90', '.f', '.F', '.f08'])
        defines = [m for m in owner if owner[m] == k or draw.random() < 0.03]
        uses = [m for m in MODULES if (m in owner or draw.random() < 0.03) and draw.random() < 0.5]
        lines = fortran_lines(draw, defines, uses, k == n - 1)
        if suffix in ('.F90', '.F') and draw.random() < 0.5:
            lines = ['#ifndef ABSENT', '#define N n'] + lines + ['#endif']
        if suffix.lower() == '.f':
            lines = [line if line.startswith('#') else fixed([line])[0] for line in lines]
        result.append((draw.choice(['', '', 'sub/']) + 'abcd'[k] + suffix, '\n'.join(lines) + '\n'))
    draw.shuffle(result)
    return result


def c_sources(draw):
    """Returns names and texts of one to three sources in C."""
    result = []
    for k in range(draw.choice([1, 1, 2, 3])):
        body = draw.choice(['', '#pragma omp parallel\n', '#pragma omp parallel for\nfor (int i = 0; i < 9; i++)\n'])
        warns = draw.choice(['', '', 'int unused;\n', 'if (n)\n\tn++;\n\tn++;\n', 'int *q = 1.0;\n'])
        result.append((draw.choice(['', '', 'sub/']) + 'abcd'[k] + '.c',
                       'int %s(int n)\n{\n%s%sn++;\nreturn n - n;\n}\n'
                       % ('main' if k == 0 else 'f%d' % k, warns, body)))
    draw.shuffle(result)
    return result


# ---- commands ----

def options(draw, is_fortran, is_gcc):
    """Returns words that ask for warnings, or say where files go."""
    words = []
    for chance, choices in [
            (0.5, [['-Wall'], ['-Wall', '-Wextra'], ['-Wall', '-Werror'], ['-Wextra'], ['-w'], ['-pedantic']]),
            (0.2, [['-std=f2008'], ['-std=f95'], ['-fmax-errors=1'], ['-Wline-truncation'], ['-Wno-tabs'], ['-Wtabs'],
                   ['-ffree-line-length-none'], ['-ffixed-line-length-132'], ['-ffree-line-length-40'], ['-fbackslash'],
                   ['-cpp'], ['-Wcompare-reals', '-Wconversion'], ['-Wampersand'], ['-Wno-line-truncation'],
                   ['-Werror=line-truncation']] if is_fortran else [['-Wextra'], ['-Wshadow']]),
            (0.6, [['-c'], ['-c'], ['-S'], ['-c', '-o', 'out.o'], ['-o', 'out'], ['-o', 'obj/prog.x'],
                   ['-fsyntax-only']]),
            (0.2, [['-J', 'mods'], ['-Jmods', '-Imods'], ['-I', 'sub']] if is_fortran else [['-Isub']]),
            (0.2 if is_gcc else 0, [['-save-temps'], ['-save-temps=obj'], ['-save-temps=cwd']]),
            (0.2, [['-MD'], ['-MMD'], ['-MD', '-MF', 'x.d']]),
            (0.2, [['-O2'], ['-g'], ['-O1', '-g']]),
            (0.3 if is_gcc else 0, [['-fstack-usage'], ['-fdump-tree-original'], ['-fcallgraph-info'],
                                    ['-gsplit-dwarf'], ['-fdump-tree-original', '-fstack-usage'], ['--coverage']]),
            (0.3 if is_gcc else 0, [['-dumpbase', 'X'], ['-dumpbase', 'X.c'], ['-dumpbase', 'X.f90'], ['-dumpbase', ''],
                                    ['-dumpbase', 'obj/X.F90'], ['-dumpbase', 'X.y', '-dumpbase-ext', '.y'],
                                    ['-dumpbase-ext', '.c'], ['-dumpbase-ext', '.f90']]),
            (0.2 if is_gcc else 0, [['-dumpdir', 'obj/'], ['-dumpdir', 'pre-'], ['-dumpdir', 'obj/pre.'],
                                    ['-dumpdir', '']])]:
        if draw.random() < chance:
            words += draw.choice(choices)
    return words


def of_clang(seed):
    """Returns words of clang's alone.  They have draws of their own, so that a seed means the same without them."""
    return random.Random('clang %s' % seed).choice([[], [], ['-emit-llvm'], ['-emit-llvm', '-c'], ['-emit-llvm', '-S'],
                                                    ['-emit-llvm', '-S', '-flto', '-fno-lto'],
                                                    ['-emit-llvm', '-c', '-flto']])


def side(folder, sources, command, stale):
    """Runs a command in a new folder.  Returns its status, output and messages, and what files there are then."""
    shutil.rmtree(folder, ignore_errors=True)
    for name in ('sub', 'obj', 'mods'):
        os.makedirs(os.path.join(folder, name))
    for name, text in sources + stale:
        with open(os.path.join(folder, name), 'w') as file:
            file.write(text)
    for name, _ in stale:
        subprocess.run(['gfortran', '-c', name, '-o', 'old.o'], cwd=folder, capture_output=True)
        os.unlink(os.path.join(folder, name))
        if os.path.exists(os.path.join(folder, 'old.o')):
            os.unlink(os.path.join(folder, 'old.o'))
    run = subprocess.run(command, cwd=folder, capture_output=True, timeout=300, stdin=subprocess.DEVNULL)
    files = {}
    for where, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(where, name)
            files[os.path.relpath(path, folder)] = contents(path)
    error = run.stderr.decode(errors='replace')
    error = [re.sub(r'[^ ]*/(cc|kinst)[^ ]*', 'TEMPORARY', line) for line in error.splitlines()
             if not re.match(r'kinst: |.*/ld: |collect2: |.*[.]text[+]0x|.*multiple definition', line)]
    return run.returncode, run.stdout, error, files


def contents(path):
    """Returns what shall be the same in a file; None: only that it is there."""
    if path.endswith('.d'):
        with open(path, 'rb') as file:
            return file.read()
    return None


def differences(plain, kinst):
    """Returns sentences on what differs."""
    said = ['%s: %r, by kinst %r' % (what, a, b) for what, a, b in zip(('status', 'output'), plain, kinst) if a != b]
    said += difflib.unified_diff(plain[2], kinst[2], lineterm='', n=0)
    for name in sorted(set(plain[3]) | set(kinst[3])):
        if name not in kinst[3] or name not in plain[3]:
            said.append('%s: %s' % (name, 'missing' if name in plain[3] else 'too many'))
        elif plain[3][name] != kinst[3][name]:
            said.append('%s: another content' % name)
    return said


def main():
    """Compares one command for each seed."""
    folder, c_compiler, fortran = sys.argv[1:4]
    n_wrong = 0
    for seed in sys.argv[4:]:
        draw = random.Random(int(seed))
        is_fortran = fortran != '-' and (draw.random() < 0.75 or c_compiler == '-')
        compiler = fortran if is_fortran else c_compiler
        sources = fortran_sources(draw) if is_fortran else c_sources(draw)
        stale = []
        if is_fortran and draw.random() < 0.2:
            name = draw.choice(MODULES)
            stale = [('old.f90', 'module %s\ninteger :: of_%s, old\nend module\n' % (name, name))]
        words = options(draw, is_fortran, 'clang' not in compiler)
        words += of_clang(seed) if 'clang' in compiler else []
        places = words + [name for name, _ in sources] if draw.random() < 0.5 else [n for n, _ in sources] + words
        command = [compiler, '-fopenmp'] + places
        own = draw.choice([[], [], [], ['--access'], ['--functions=*']])
        said = differences(side(os.path.join(folder, 'plain'), sources, command, stale),
                           side(os.path.join(folder, 'plain'), sources, [KINST] + own + command, stale))
        if said:
            n_wrong += 1
            print('seed %s: %s\n  %s' % (seed, ' '.join(own + command), '\n  '.join(said)))
    return n_wrong != 0


sys.exit(main())
