"""formulas: compares the section Roofline of a report (CSV) with the formulas of the kernels.  Usage:
formulas.py KERNELS.c REPORT.csv COMPILER [emulated]

The caches are L1 of 32 KiB and L2 of 256 KiB a thread, lines of 64 bytes; each array but those of dot, axpy and x is
larger than L2.  Operations and bytes of the program are to be exact; those below caches within 5 %.  An array that is
stored to whole is fetched and written back: 16 bytes an element.

An emulated region has the accesses of libgomp and of the stack, too, so there the bytes are those of the arrays by name.
"""

import csv
import re
import sys

N, VISITS, D, BLOCK, M, C, GRID = 65536, 3, 224, 16, 512, 64, 128
ROWS = GRID * GRID
NONZEROS = 5 * ROWS - 4 * GRID  # the border lacks a neighbour
CUBE, SQUARE = (C - 2) ** 3, (M - 2) ** 2
Q = 16 * C * (C - 2) ** 2  # the rows of q, whole
n3, n2 = D ** 3, D ** 2

# name: flops, bytes, bytes below L1, bytes below L2 of a visit; None: not told by a short formula
FORMULAS = {
    "copy": (0, 16 * N, 24 * N, 24 * N),
    "scale": (N, 16 * N, 24 * N, 24 * N),
    "add": (N, 24 * N, 32 * N, 32 * N),
    "triad": (2 * N, 24 * N, 32 * N, 32 * N),
    # all of y comes anew for each row of x; the lines of a column stay in L1 for the 7 columns beside it
    "naive": (2 * n3, 16 * n3 + 8 * n2, 8 * n3 + 24 * n2, 8 * n3 + 24 * n2),
    # two blocks come anew for each pair of blocks, those of x from L2
    "blocked": (2 * n3, 16 * n3 + 16 * n3 / BLOCK, 16 * n3 / BLOCK + 16 * n2, 8 * n3 / BLOCK + 24 * n2),
    "stencil5": (4 * SQUARE, 40 * SQUARE, 24 * SQUARE, 24 * SQUARE),
    # three planes of p are in L2, of which both threads read two; in L1 there are three rows of each; q is written
    "stencil7": (8 * CUBE, 64 * CUBE, 8 * C * (C - 2) * (3 * C - 4) + Q, 8 * C * C * (C + 2) + Q),
    # of d and w, which the steps between leave in L2, most is there
    "spmv": (2 * NONZEROS, 20 * NONZEROS + 16 * ROWS, None, 12 * NONZEROS + (4 + 8 + 16) * ROWS),
    "dot": (2 * ROWS, 16 * ROWS, None, None),
    "axpy": (2 * ROWS, 24 * ROWS, None, None),
    "aypx": (2 * ROWS, 24 * ROWS, None, None),
    "reciprocals": (N, 8 * N, 8 * N, 8 * N),
}
# What compilers make of the program's bytes besides: they keep p[i][j][k] for the next iteration (GCC without hooks, clang),
# the end of a row for the start of the next (clang), and store the sum in each iteration (clang).
OTHER_BYTES = {"stencil7": (56 * CUBE, 56 * CUBE + 8 * (C - 2) ** 2), "spmv": (20 * NONZEROS + 12 * ROWS,), "dot": (24 * ROWS,)}
ARRAYS = {*"abcxyzuvpqfrdw", "value", "column", "first", "solution"}
COUNTS = {"spmv": 2 * VISITS, "axpy": 2 * VISITS, "aypx": 2 * VISITS, "dot": 1 + 4 * VISITS}


def rows(path):
    text = re.split("(?m)^##BEG roofline by region\n", open(path).read())[1].split("\n##END")[0]
    return list(csv.DictReader(text.split("\n")))


source = open(sys.argv[1]).read().split("\n")
emulated = sys.argv[4:] == ["emulated"]
seen, lines = {}, rows(sys.argv[2])


def column_of(row, column):
    """What a region has in a column; where it is emulated, what its arrays have."""
    if not emulated:
        return int(row[column])
    return sum(int(line[column]) for line in lines if line["region"] == row["region"] and line["object"] in ARRAYS)


for row in lines:
    if row["object"]:
        continue
    kernel = re.search(r"/\* (\w+) \*/", source[int(row["begin"]) - 1])[1]
    flops, bytes_, l1, l2 = FORMULAS[kernel]
    visits = COUNTS.get(kernel, VISITS)
    seen[kernel] = seen.get(kernel, 0) + 1
    below = [column_of(row, "fetched below %s (modelled)" % level) + column_of(row, "written below %s (modelled)" % level)
             for level in ("L1", "L2")]
    # each thread adds its sum to the other's, once more when the other was quicker
    assert 0 <= int(row["flops"]) - flops * visits <= (20 * visits if kernel == "dot" else 0), (kernel, "flops", row["flops"])
    # beside the kernel a thread reads its bounds, and shared variables; of the matrix GCC may keep where the last row ended
    most = 0.04 if kernel == "spmv" and sys.argv[3] == "gcc" else 0.001
    ways = (bytes_,) + (OTHER_BYTES.get(kernel, ()) if emulated or sys.argv[3] != "gcc" else ())
    got = column_of(row, "bytes")
    assert any(abs(got / (way * visits) - 1) < most for way in ways), (kernel, "bytes", got, [way * visits for way in ways])
    for level, got, want in zip(("L1", "L2"), below, (l1, l2)):
        assert want is None or abs(got / (want * visits) - 1) < 0.05, (kernel, level, got, want * visits)
    for name, amount in (("flop/byte", int(row["bytes"])), ("flop/byte below L2 (modelled)", below[1])) if not emulated else ():
        assert row[name] == "-" if not amount else abs(float(row[name]) - int(row["flops"]) / amount) < 2e-6, (kernel, name, row[name])
assert seen.keys() == FORMULAS.keys() and seen["axpy"] == 2, seen
