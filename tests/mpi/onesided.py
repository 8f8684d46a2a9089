# onesided.py make SEED c|f08: prints a program of random calls that move data to and from the memory of other ranks, and files, each
# at a line of its own, between which ranks sleep.  Each rank adds up by arithmetic how often it made each call and how many bytes that
# takes from it and brings to it (-1: not said by the call), and by its own clock how long it was there, and writes it to the file
# said.RANK: "told FUNCTION LINE LINE_OR CALLS SENT RECEIVED NS".  gfortran 12 gives a call whose first argument is a variable of a derived type the line
# of the subroutine's end, LINE_OR.
# onesided.py compare LINES RANK PROFILE.json LEFT: compares the lines of a rank with its profile.  Status 3: only times are wrong, as
# others on the machine delay a call beside its stamps, and clocks are slewed; LEFT keeps those that were wrong in all runs so far.
import json, os, random, sys

MOST = 60
KINDS = ["fence", "fence", "lock", "lock_all", "post", "requests", "atomic", "write_at", "write_all", "short", "immediate", "write", "sync"]


class Writer:
    def __init__(self, fortran, rng):
        self.f, self.rng, self.lines, self.told = fortran, rng, [], []

    def line(self, text):
        self.lines += text.split("\n")

    def call(self, function, arguments, sent="0", received="0"):
        which = len(self.told)
        if self.f:
            self.line("  call system_clock(t)\n  call mpi_%s(%s, ierr)" % (function.lower(), ", ".join(map(str, arguments))))
            at = len(self.lines)
            self.line("  call did(%d, int(%s), int(%s), t)" % (which, sent, received))
        else:
            self.line("\tt = now();\n\tMPI_%s(%s);" % (function, ", ".join(map(str, arguments))))
            at = len(self.lines)
            self.line("\tdid(%d, %s, %s, t);" % (which, sent, received))
        self.told.append(("MPI_" + function, at))

    def end(self):
        """Ends the subroutine.  Returns its last line."""
        self.line("end subroutine" if self.f else "}")
        return len(self.lines)

    def sleep(self):
        who, ms = self.rng.randrange(3), self.rng.choice([60, 90, 120])
        self.line("  if (rank == %d) r = usleep(%d)" % (who, ms * 1000) if self.f else "\tif (rank == %d) usleep(%d);" % (who, ms * 1000))

    def reference(self, name):
        return name if self.f else "&" + name

    def wide(self, kind, expression):
        return "int(%s, %s)" % (expression, kind) if self.f else expression

    def to(self, by):
        return "modulo(rank + %d, n)" % by if self.f else "(rank + %d) %% n" % by

    # data of one type, and their bytes
    def data(self):
        kind, size = self.rng.choice([("MPI_DOUBLE_PRECISION", 8), ("MPI_INTEGER", 4)] if self.f else [("MPI_DOUBLE", 8), ("MPI_INT", 4)])
        count = self.rng.randrange(1, MOST)
        return count, kind, str(count * size)

    def move(self, to):
        """Moves data to or from a rank's memory, in a place that is this rank's alone."""
        count, kind, bytes_ = self.data()
        name = self.rng.choice(["Put", "Get", "Accumulate"])
        target = (to, self.wide("MPI_ADDRESS_KIND", "rank * 100"), count, kind)
        more = ("MPI_SUM",) if name == "Accumulate" else ()
        self.call(name, ("y" if name == "Get" else "x", count, kind, *target, *more, "win"), *(("0", bytes_) if name == "Get" else (bytes_, "0")))


def write_memory(w, kind):
    to = w.to(w.rng.randrange(1, 3))
    if kind == "fence":
        w.call("Win_fence", (0, "win"))
        for _ in range(w.rng.randrange(1, 4)):
            w.move(to)
        w.sleep()
        w.call("Win_fence", (0, "win"))
    elif kind == "lock":  # who has it sleeps, and others wait
        w.call("Win_lock", (w.rng.choice(["MPI_LOCK_EXCLUSIVE", "MPI_LOCK_SHARED"]), 0, 0, "win"))
        w.move("0")
        w.call("Win_flush", (0, "win"))
        w.sleep()
        w.move("0")
        w.call("Win_flush_local", (0, "win"))
        w.call("Win_unlock", (0, "win"))
    elif kind == "lock_all":
        w.call("Win_lock_all", (0, "win"))
        w.move(to)
        w.sleep()
        w.call("Win_flush_all", ("win",))
        w.call("Win_flush_local_all", ("win",))
        w.call("Win_unlock_all", ("win",))
    elif kind == "post":
        w.sleep()
        w.call("Win_post", ("group", 0, "win"))
        w.call("Win_start", ("group", 0, "win"))
        w.move(to)
        w.sleep()
        w.call("Win_complete", ("win",))
        w.call("Win_wait", ("win",))
    elif kind == "requests":
        count, type_, bytes_ = w.data()
        target = (to, w.wide("MPI_ADDRESS_KIND", "rank * 100"), count, type_, "win", w.reference("request"))
        w.call("Win_lock_all", (0, "win"))
        w.call("Rput", ("x", count, type_, *target), bytes_, "0")
        w.call("Wait", (w.reference("request"), "MPI_STATUS_IGNORE"))
        w.call("Rget", ("y", count, type_, *target), "0", bytes_)
        w.call("Wait", (w.reference("request"), "MPI_STATUS_IGNORE"))
        w.call("Win_unlock_all", ("win",))
    else:
        w.call("Win_lock_all", (0, "win"))
        w.call("Fetch_and_op", ("x", "y", "MPI_DOUBLE_PRECISION" if w.f else "MPI_DOUBLE", 0, w.wide("MPI_ADDRESS_KIND", "0"), "MPI_SUM", "win"), "-1", "-1")
        w.call("Win_unlock_all", ("win",))


def write_file(w, kind):
    count, type_, bytes_ = w.data()
    at = w.wide("MPI_OFFSET_KIND", "rank * 1000")
    data, ignored, request = ("x", count, type_), "MPI_STATUS_IGNORE", w.reference("request")
    if kind == "write_at":
        w.call("File_write_at", ("file", at, *data, ignored), bytes_, "0")
        w.call("File_read_at", ("file", at, "y", count, type_, ignored), "0", bytes_)
    elif kind == "write_all":
        w.sleep()
        w.call("File_write_at_all", ("file", at, *data, ignored), bytes_, "0")
        w.call("File_read_at_all", ("file", at, "y", count, type_, ignored), "0", bytes_)
    elif kind == "short":  # the file ends within what is read
        double, there = "MPI_DOUBLE_PRECISION" if w.f else "MPI_DOUBLE", w.rng.randrange(0, 20)
        w.call("File_set_size", ("file", w.wide("MPI_OFFSET_KIND", "8000")))
        w.call("File_read_at", ("file", w.wide("MPI_OFFSET_KIND", str(8000 - 8 * there)), "y", there + 5, double, ignored), "0", str(8 * there))
    elif kind == "immediate":
        w.call("File_iwrite_at", ("file", at, *data, request), bytes_, "0")
        w.call("Wait", (request, ignored))
        w.call("File_iread_at", ("file", at, "y", count, type_, request))
        w.call("Wait", (request, ignored), "0", bytes_)
    elif kind == "write":
        w.call("File_set_view", ("file", at, *["MPI_BYTE"] * 2, '"native"', "MPI_INFO_NULL"))
        w.call("File_write", ("file", *data, ignored), bytes_, "0")
        w.call("File_set_view", ("file", w.wide("MPI_OFFSET_KIND", "0"), *["MPI_BYTE"] * 2, '"native"', "MPI_INFO_NULL"))
    else:
        w.sleep()
        w.call("File_sync", ("file",))


def write_body(w):
    win_bytes = w.wide("MPI_ADDRESS_KIND", "12800")
    w.call("Win_create", ("memory", win_bytes, 8, "MPI_INFO_NULL", "MPI_COMM_WORLD", w.reference("win")))
    mode = "ior(MPI_MODE_CREATE, MPI_MODE_RDWR)" if w.f else "MPI_MODE_CREATE | MPI_MODE_RDWR"
    w.sleep()
    w.call("File_open", ("MPI_COMM_WORLD", '"./data"', mode, "MPI_INFO_NULL", w.reference("file")))
    kinds = list(KINDS)
    w.rng.shuffle(kinds)
    for kind in kinds:
        (write_memory if KINDS.index(kind) < KINDS.index("write_at") else write_file)(w, kind)
        w.call("Barrier", ("MPI_COMM_WORLD",))
    w.sleep()
    w.call("File_close", (w.reference("file"),))
    w.sleep()
    w.call("Win_free", (w.reference("win"),))


def write_c(rng):
    w = Writer(False, rng)
    w.line("""#include <mpi.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
enum { MOST_CALLS = 300 };
static double x[100], y[100], memory[1600];
static long long told[MOST_CALLS][4];
static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}
static void did(int which, long sent, long received, long long since)
{
	long long *t = told[which];
	t[3] += now() - since;
	t[0]++;
	t[1] = sent < 0 || t[1] < 0 ? -1 : t[1] + sent;
	t[2] = received < 0 || t[2] < 0 ? -1 : t[2] + received;
}
static int rank, n;
static void __attribute__((noinline)) work(void)
{
	MPI_Request request;
	MPI_Group group;
	MPI_File file;
	MPI_Win win;
	long long t;

	MPI_Comm_group(MPI_COMM_WORLD, &group);""")
    write_body(w)
    end = w.end()
    w.line("int main(int argc, char **argv)\n{\n\tMPI_Init(&argc, &argv);\n\tMPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
           "\tMPI_Comm_size(MPI_COMM_WORLD, &n);\n\twork();\n\twork();\n"
           '\tchar path[32];\n\tsprintf(path, "said.%d", rank);\n\tFILE *to = fopen(path, "w");\n\tif (!to)\n\t\treturn 1;')
    for i, (name, at) in enumerate(w.told):
        w.line('\tfprintf(to, "told %s %d %d %%lld %%lld %%lld %%lld\\n", told[%d][0], told[%d][1], told[%d][2], told[%d][3]);' % (name, at, end, i, i, i, i))
    w.line("\tMPI_Finalize();\n\treturn fclose(to) ? 1 : 0;\n}")
    return w.lines


def write_f08(rng):
    w = Writer(True, rng)
    w.line("""module told_of
  use iso_c_binding
  implicit none
  integer(8) :: told(0:299, 4) = 0
  interface
    integer(c_int) function usleep(us) bind(c)
      import c_int
      integer(c_int), value :: us
    end function
  end interface
contains
  subroutine did(which, sent, received, since)
    integer, intent(in) :: which, sent, received
    integer(8), intent(in) :: since
    integer(8) :: t, rate
    call system_clock(t, rate)
    told(which, 4) = told(which, 4) + (t - since) * (1000000000 / rate)
    told(which, 1) = told(which, 1) + 1
    told(which, 2) = merge(-1_8, told(which, 2) + sent, sent < 0 .or. told(which, 2) < 0)
    told(which, 3) = merge(-1_8, told(which, 3) + received, received < 0 .or. told(which, 3) < 0)
  end subroutine
end module
module work_of
  use mpi_f08
  use told_of
  implicit none
contains
subroutine work(rank, n, x, y, memory)
  integer, intent(in) :: rank, n
  double precision, asynchronous :: x(100), y(100), memory(1600)
  integer :: ierr, r
  integer(8) :: t
  type(MPI_Request) :: request
  type(MPI_Group) :: group
  type(MPI_File) :: file
  type(MPI_Win) :: win
  call mpi_comm_group(MPI_COMM_WORLD, group, ierr)""")
    write_body(w)
    end = w.end()
    w.line("""end module
program onesided
  use mpi_f08
  use work_of
  use told_of
  implicit none
  double precision, asynchronous :: x(100), y(100), memory(1600)
  integer :: rank, n, ierr, to
  character(32) :: path
  x = 1
  memory = 0
  call mpi_init(ierr)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, ierr)
  call mpi_comm_size(MPI_COMM_WORLD, n, ierr)
  call work(rank, n, x, y, memory)
  call work(rank, n, x, y, memory)
  write (path, '(a, i0)') 'said.', rank
  open (newunit=to, file=path)""")
    for i, (name, at) in enumerate(w.told):
        w.line("  write (to, '(a, 4(1x, i0))') 'told %s %d %d', told(%d, :)" % (name, at, end, i))
    w.line("  close (to)\n  call mpi_finalize(ierr)\nend program")
    return w.lines


def compare(lines, rank, path, left):
    want, got, profile, wrong, n_long = {}, {}, json.load(open(path)), {}, 0
    regions, paths, cells = profile["regions"], profile["paths"], profile["cells"]
    for path_of, *values in zip(cells["path"], cells["executions"], cells["sent_bytes"], cells["received_bytes"], cells["exec_ns"]):
        region = paths["region"][path_of]
        if region is not None and regions["construct"][region].startswith("MPI"):
            name = regions["name"][region], regions["begin_line"][region]
            if name[0] not in ("MPI_Init", "MPI_Finalize"):
                got[name] = values
    for line in open(lines):
        words = line.split()
        if words[:1] == ["told"]:
            name = words[1], int(words[2] if (words[1], int(words[2])) in got else words[3])
            values = [None if int(word) < 0 else int(word) for word in words[4:]]
            before = want.get(name, [0, 0, 0, 0])
            want[name] = [None if a is None or b is None else a + b for a, b in zip(before, values)]
    for name in sorted(set(want) | set(got)):
        w, g = want.get(name), got.get(name)
        if not w or not g or w[:3] != g[:3]:
            sys.exit("rank %s: %s at line %d: calls, bytes sent and received, ns: %s, not %s" % (rank, *name, g, w))
        # the program's stamps are around the call: it cannot be longer, nor, but for what delays it there, be shorter
        if g[3] > w[3] * 1.001 + 2000:
            wrong["rank %s: %s at line %d: above" % (rank, *name)] = "%d ns, which is above %d" % (g[3], w[3])
        if g[3] < 0.9 * w[3] - 5e6:
            wrong["rank %s: %s at line %d" % (rank, *name)] = "%d ns, not %d" % (g[3], w[3])
        n_long += w[3] > 40e6
    if not n_long:
        sys.exit("rank %s waited nowhere" % rank)
    if os.path.exists(left):
        before = json.load(open(left))
        wrong = {what: before[what] + "; " + words for what, words in wrong.items() if what in before}
    json.dump(wrong, open(left, "w"))
    for what, words in wrong.items():
        print(what, words)
    sys.exit(3 if wrong else not want)


if sys.argv[1] == "make":
    print("\n".join((write_f08 if sys.argv[3] == "f08" else write_c)(random.Random(int(sys.argv[2])))))
else:
    compare(*sys.argv[2:])
