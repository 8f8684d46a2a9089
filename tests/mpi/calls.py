# calls.py make SEED c|large|f90|f08: prints a program of random calls of MPI, each at a line of its own, in which each rank adds
# up by arithmetic how often it made each call, and how many bytes that takes from it and brings to it (-1: not said by the
# call).  The program prints it: "rank function line calls sent received" after the word "told".
# calls.py compare LINES RANK PROFILE.json: compares the lines of a rank with its profile.
# calls.py late PROFILE.json LATE.json: has a rank waited in MPI_Barrier for one that came 0.3 s late, and is its
# MPI_Allreduce within its SINGLE?
import json, random, sys

rng = random.Random()
N_CALLS, MOST = 24, 60
# datatypes with the bytes that the standard and all of today's processors give them
TYPES = {"c": [("MPI_DOUBLE", 8), ("MPI_FLOAT", 4), ("MPI_INT", 4), ("MPI_CHAR", 1)],
         "f": [("MPI_DOUBLE_PRECISION", 8), ("MPI_REAL", 4), ("MPI_INTEGER", 4)]}


# What a call is: its function, its arguments (without a communicator's, request's, status's and Fortran's ierr, which
# writers add), and the bytes sent and received by a rank, as expressions of `rank` and `n` that both languages have.
def calls(types):
    kind, size = rng.choice(types)
    count, root = rng.randrange(1, MOST), "0"
    b, all_b = count * size, "n * %d" % (count * size)
    # (what only the root says, what only others say)
    yield "Send-Recv", (count, kind), b
    yield "Isend-Irecv", (count, kind), b
    yield "Sendrecv", (count, kind), b
    yield "Barrier", (), ("0", "0")
    yield "Bcast", ("x", count, kind, root), ("at_root(rank, %d, 0)" % b, "at_root(rank, 0, %d)" % b)
    yield "Allreduce", ("x", "y", count, kind, "MPI_SUM"), (str(b), str(b))
    yield "Reduce", ("x", "y", count, kind, "MPI_SUM", root), (str(b), "at_root(rank, %d, 0)" % b)
    yield "Scan", ("x", "y", count, kind, "MPI_SUM"), (str(b), str(b))
    yield "Gather", ("x", count, kind, "y", count, kind, root), (str(b), "at_root(rank, %s, 0)" % all_b)
    yield "Scatter", ("y", count, kind, "x", count, kind, root), ("at_root(rank, %s, 0)" % all_b, str(b))
    yield "Allgather", ("x", count, kind, "y", count, kind), (str(b), all_b)
    yield "Alltoall", ("y", count, kind, "z", count, kind), (all_b, all_b)
    yield "Reduce_scatter_block", ("y", "x", count, kind, "MPI_SUM"), (all_b, str(b))


def choose(types):
    choices = [c for c in calls(types) if c[1] == () or not (c[0] in ("Allreduce", "Reduce", "Scan", "Reduce_scatter_block") and
                                                            "MPI_CHAR" in c[1])]
    return rng.choice(choices)


class Writer:
    """The lines of a program, and what is told of each call."""

    def __init__(self, fortran, has_large=False):
        self.fortran, self.lines, self.told = fortran, [], []
        self.has_large = has_large  # functions with counts of 64 bits

    def line(self, text):
        self.lines += text.split("\n")

    def call(self, function, arguments, sent, received):
        """A call at a line of its own."""
        which = len(self.told)
        if self.has_large and function not in ("Barrier", "Waitall") and rng.random() < 0.5:
            function += "_c"
        if self.fortran:
            self.line("  call mpi_%s(%s, ierr)" % (function.lower(), ", ".join(map(str, arguments))))
            line = len(self.lines)
            self.line("  call did(%d, int(%s), int(%s))" % (which, sent, received))
        else:
            self.line("\tMPI_%s(%s);" % (function, ", ".join(map(str, arguments))))
            line = len(self.lines)
            self.line("\tdid(%d, %s, %s);" % (which, sent, received))
        self.told.append(("MPI_" + function, line))

    def when(self, condition):
        self.line("  if (%s) then" % condition.replace("%", "mod") if self.fortran else "\tif (%s) {" % condition)

    def end(self):
        self.line("  end if" if self.fortran else "\t}")


def write_call(w, name, arguments, b):
    world, ignored = "MPI_COMM_WORLD", "MPI_STATUS_IGNORE"
    to = "modulo(rank + 1, n)" if w.fortran else "(rank + 1) % n"
    of = "modulo(rank - 1, n)" if w.fortran else "(rank + n - 1) % n"
    if name == "Send-Recv":  # rank 1 sends to rank 0, which may have room for more
        count, kind = arguments
        w.when("rank == 1")
        w.call(rng.choice(["Send", "Ssend"]), ("x", count, kind, 0, 3, world), str(b), "0")
        w.end()
        w.when("rank == 0")
        w.call("Recv", ("y", count + rng.randrange(3), kind, 1, 3, world, ignored), "0", str(b))
        w.end()
    elif name == "Isend-Irecv":
        count, kind = arguments
        request = ("requests(1)", "requests(2)") if w.fortran else ("&requests[0]", "&requests[1]")
        w.call("Isend", ("x", count, kind, to, 4, world, request[0]), str(b), "0")
        w.call("Irecv", ("y", count, kind, of, 4, world, request[1]), "0", "0")
        w.call("Waitall", (2, "requests", "MPI_STATUSES_IGNORE"), "0", str(b))
    elif name == "Sendrecv":
        count, kind = arguments
        w.call(name, ("x", count, kind, to, 5, "y", count, kind, of, 5, world, ignored), str(b), str(b))
    else:
        w.call(name, (*arguments, world), *b)


def write_body(w, types):
    for _ in range(N_CALLS):
        name, arguments, b = choose(types)
        write_call(w, name, arguments, b)


def write_c(has_large):
    w = Writer(False, has_large)
    w.line("""#include <mpi.h>
#include <stdio.h>
enum { MOST_RANKS = 16, MOST_CALLS = 1000 };
static double x[100], y[100 * MOST_RANKS], z[100 * MOST_RANKS];
static long told[MOST_CALLS][3];
static void did(int which, long sent, long received)
{
	long *t = told[which];
	t[0]++;
	t[1] = sent < 0 || t[1] < 0 ? -1 : t[1] + sent;
	t[2] = received < 0 || t[2] < 0 ? -1 : t[2] + received;
}
static long at_root(int rank, long there, long elsewhere) { return rank ? elsewhere : there; }
static int rank, n;
static void __attribute__((noinline)) work(void)
{
	MPI_Request requests[2];""")
    write_body(w, TYPES["c"])
    w.line("}\nint main(int argc, char **argv)\n{\n\tMPI_Init(&argc, &argv);\n\tMPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
           "\tMPI_Comm_size(MPI_COMM_WORLD, &n);\n#pragma omp parallel\n\t{ }\n\tfor (int i = 0; i < %d; i++)\n\t\twork();" % rng.randrange(1, 4))
    for i, (name, line) in enumerate(w.told):
        w.line('\tif (told[%d][0]) printf("told %%d %s %d %%ld %%ld %%ld\\n", rank, told[%d][0], told[%d][1], told[%d][2]);'
               % (i, name, line, i, i, i))
    w.line("\tMPI_Finalize();\n\treturn 0;\n}")
    return w.lines


def write_fortran(f08):
    w = Writer(True)
    w.line("""module told_of
  implicit none
  integer :: told(0:999, 3) = 0
contains
  subroutine did(which, sent, received)
    integer, intent(in) :: which, sent, received
    told(which, 1) = told(which, 1) + 1
    told(which, 2) = merge(-1, told(which, 2) + sent, sent < 0 .or. told(which, 2) < 0)
    told(which, 3) = merge(-1, told(which, 3) + received, received < 0 .or. told(which, 3) < 0)
  end subroutine
  integer function at_root(rank, there, elsewhere)
    integer, intent(in) :: rank, there, elsewhere
    at_root = merge(there, elsewhere, rank == 0)
  end function
end module
subroutine work(rank, n, x, y, z)
  use %s
  use told_of
  implicit none
  integer, intent(in) :: rank, n
  double precision :: x(100), y(1600), z(1600)
  integer :: ierr
  %s :: requests(2)""" % (("mpi_f08", "type(MPI_Request)") if f08 else ("mpi", "integer")))
    write_body(w, TYPES["f"])
    w.line("""end subroutine
program calls
  use %s
  use told_of
  implicit none
  double precision :: x(100), y(1600), z(1600)
  integer :: rank, n, ierr, i
  x = 1
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, n, ierr)
  do i = 1, %d
    call work(rank, n, x, y, z)
  end do""" % ("mpi_f08" if f08 else "mpi", rng.randrange(1, 4)))
    for i, (name, line) in enumerate(w.told):
        w.line("  if (told(%d, 1) > 0) print '(a, i0, a, 3(1x, i0))', 'told ', rank, ' %s %d', told(%d, :)" % (i, name, line, i))
    w.line("  call mpi_finalize(ierr)\nend program")
    return w.lines


def compare(lines, rank, path):
    want, got, profile = {}, {}, json.load(open(path))
    for line in open(lines):
        words = line.split()
        if words[:2] == ["told", rank]:
            want[words[2], int(words[3])] = [None if int(word) < 0 else int(word) for word in words[4:]]
    regions, paths, cells = profile["regions"], profile["paths"], profile["cells"]
    for path_of, *values in zip(cells["path"], cells["executions"], cells["sent_bytes"], cells["received_bytes"]):
        region = paths["region"][path_of]
        if region is not None and regions["construct"][region].startswith("MPI"):
            name = regions["name"][region], regions["begin_line"][region]
            if name[0] not in ("MPI_Init", "MPI_Finalize"):
                got[name] = values
    for name in sorted(set(want) | set(got)):
        if want.get(name) != got.get(name):
            print("rank %s: %s at line %d: calls, bytes sent and received %s, not %s" % (rank, *name, got.get(name), want.get(name)))
    sys.exit(want != got or not want)


def late(path, path_of_late):
    profiles = [json.load(open(path)), json.load(open(path_of_late))]

    def visits(p, function):
        regions, paths = p["regions"], p["paths"]
        at = next(i for i, r in enumerate(paths["region"]) if r is not None and regions["name"][r] == function)
        around = paths["parent"][at]
        ns = sum(t for i, t in zip(p["cells"]["path"], p["cells"]["exec_ns"]) if i == at)
        return ns, paths["region"][around] is not None and regions["construct"][paths["region"][around]]

    waited, own = (visits(p, "MPI_Barrier")[0] for p in profiles)
    # whoever is first in the single makes the call
    inside = {visits(p, "MPI_Allreduce")[1] for p in profiles}
    print("waited %d ns, the late rank %d ns; within %s" % (waited, own, inside))
    sys.exit(not (waited > 200e6 > own and inside == {"SINGLE"}))


if sys.argv[1] == "make":
    rng.seed(int(sys.argv[2]))
    print("\n".join(write_c(sys.argv[3] == "large") if sys.argv[3] in ("c", "large") else write_fortran(sys.argv[3] == "f08")))
else:
    {"compare": compare, "late": late}[sys.argv[1]](*sys.argv[2:])
