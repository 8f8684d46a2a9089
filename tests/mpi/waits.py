# waits.py make SEED RANKS: prints a program of random phases, in which ranks sleep for times that are known and then meet: in
# collective calls of several communicators, and in messages of all kinds.  Each rank writes to the file stamps.RANK when each call
# began and ended by its own clock, "stamp RANK PHASE BEGIN END LINE [POST]", ns; POST: when what it waits for was begun.
# waits.py judge SEED RANKS STAMPS PROFILE.json OFFSETS LEFT: does the profile say for each call how long each rank waited for the
# others, and for which, as these stamps tell?  OFFSETS: what has to be added to the clock of each rank, ns, "0,1000…"; LEFT keeps
# what was wrong in all runs so far, as others on the machine delay a call beside its stamps.
import json, os, random, sys

KINDS = ["barrier", "allreduce", "alltoall", "dup", "half", "again", "bcast", "reduce", "late_sender", "late_receiver", "wildcard", "waitall",
         "sendrecv", "persistent", "many_tags", "probed", "ibarrier", "iallreduce", "ialltoall", "ibcast", "itest", "issend", "isend_large",
         "isend_many", "isend_free", "mixed", "ring", "graph", "starts", "inter", "inter_barrier",
         "idup", "idup_other", "with_info", "typed", "created", "grouped", "merged", "from_group",
         "idup_wait", "idup_info", "file_all", "file_any", "file_some", "file_alone", "file_read_together", "file_written_together"]
# Barriers of communicators that are made in other ways.
MADE = ("idup", "with_info", "typed", "created", "grouped", "merged", "from_group")
# Those begun by a call before the one that waits.
IMMEDIATE = {"ibarrier": "MPI_Ibarrier(dup, &requests[0])", "iallreduce": "MPI_Iallreduce(many, sum, 64, MPI_INT, MPI_SUM, dup, &requests[0])",
             "ialltoall": "MPI_Ialltoall(many, 1, MPI_INT, sum, 1, MPI_INT, again, &requests[0])",
             "ibcast": "MPI_Ibcast(&x, 1, MPI_INT, %d, dup, &requests[0])",
             "idup_wait": "MPI_Comm_idup(again, &copied, &requests[0])",
             "idup_info": "IDUP_INFO(dup, &copied_info, &requests[0])"}
# A message from a late rank, and parts of a file of this rank alone, which come before it, each by the calls that complete them.
FILES = {"file_all": ["MPI_Waitall(3, requests, MPI_STATUSES_IGNORE)"],
         "file_any": ["MPI_Waitany(3, requests, &x, MPI_STATUS_IGNORE)"] * 3,
         "file_some": ["for (int done = 0, some; done < 2; done += some) MPI_Waitsome(2, requests, &some, list, MPI_STATUSES_IGNORE)",
                       "MPI_Waitsome(3, requests, &x, list, MPI_STATUSES_IGNORE)"]}
# What ranks access together, of which it is not known for whom it waits.
TOGETHER = {"file_read_together": "MPI_File_iread_at_all(file, 0, large, 2048, MPI_CHAR, &requests[0])",
            "file_written_together": "MPI_File_iwrite_at_all(file, 4096, large + 4096, 2048, MPI_CHAR, &requests[0])"}


def phases(seed, n):
    rng = random.Random(seed)
    kinds = KINDS + ["barrier"]
    rng.shuffle(kinds)
    for kind in kinds:
        ms = [rng.choice([10, 40, 80, 120]) for _ in range(n)]
        if kind in ("ring", "graph", "mixed"):  # of two others it has to be sure which is later
            ms = rng.sample(range(10, 10 + 20 * n, 20), n)
        root = rng.randrange(n)
        ms[root] += 60
        yield kind, ms, root


PROLOGUE = """#include <mpi.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>
static long long now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}
static char text[1 << 16];
static int n_text;
#define CALL(phase, call) do { \\
	long long begin_ = now(), line_ = __LINE__; \\
	call; \\
	n_text += sprintf(text + n_text, "stamp %d %d %lld %lld %lld\\n", rank, phase, begin_, now(), line_); \\
} while (0)
/* The same, of a call that waits for what was begun at `post`. */
#define WAIT(phase, post, call) do { \\
	long long begin_ = now(), line_ = __LINE__; \\
	call; \\
	n_text += sprintf(text + n_text, "stamp %d %d %lld %lld %lld %lld\\n", rank, phase, begin_, now(), line_, post); \\
} while (0)
#define TEST(phase, post, request) do { \\
	long long begin_, end_, line_ = __LINE__; \\
	int flag_; \\
	do { usleep(2000); begin_ = now(); MPI_Test(request, &flag_, MPI_STATUS_IGNORE); end_ = now(); } while (!flag_); \\
	n_text += sprintf(text + n_text, "stamp %d %d %lld %lld %lld %lld\\n", rank, phase, begin_, end_, line_, post); \\
} while (0)
#if MPI_VERSION >= 4
#define IDUP_INFO(of, copy, request) MPI_Comm_idup_with_info(of, MPI_INFO_NULL, copy, request)
#else
#define IDUP_INFO MPI_Comm_idup
#endif
static int many[64], sum[64];
static char large[1 << 20];
int main(int argc, char **argv)
{
	int rank, size, x = 0;
	long long post;
	MPI_Comm dup, half, again, ring, graph, inter, other, idup, idup_other, with_info, typed, created, grouped, merged, from_group, copied, copied_info;
	MPI_File file;
	int list[3];
	MPI_Group group;
	MPI_Request requests[16];
	MPI_Message message;
	MPI_Status status;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	MPI_Comm_dup(MPI_COMM_WORLD, &dup);
	MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
	for (int i = 0; i < 3000; i++) { /* more than are remembered at once */
		MPI_Comm_dup(MPI_COMM_SELF, &again);
		MPI_Comm_free(&again);
	}
	for (int i = 0; i < 3; i++) {
		MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &again);
		if (i < 2)
			MPI_Comm_free(&again);
	}
	int one = 1, before = (rank + size - 1) % size, after = (rank + 1) % size;
	MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &one, 0, &ring);
	MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &before, MPI_UNWEIGHTED, 1, &after, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &other);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 5, &inter);
	/* copies of different communicators are begun in another order on each rank */
	MPI_Comm_idup(rank % 2 ? again : dup, rank % 2 ? &idup_other : &idup, &requests[0]);
	MPI_Comm_idup(rank % 2 ? dup : again, rank % 2 ? &idup : &idup_other, &requests[1]);
	MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
	sprintf(text, "file.%d", rank);
	MPI_File_open(MPI_COMM_SELF, text, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
	MPI_File_write_at(file, 0, large, 4096, MPI_CHAR, MPI_STATUS_IGNORE);
	MPI_Comm_group(MPI_COMM_WORLD, &group);
	MPI_Comm_dup_with_info(dup, MPI_INFO_NULL, &with_info);
	MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &typed);
	MPI_Comm_create(MPI_COMM_WORLD, group, &created);
	MPI_Comm_create_group(MPI_COMM_WORLD, group, 9, &grouped);
	MPI_Intercomm_merge(inter, rank % 2, &merged);
#if MPI_VERSION >= 4
	MPI_Comm_create_from_group(group, "waits", MPI_INFO_NULL, MPI_ERRORS_RETURN, &from_group);
#else
	from_group = grouped;
#endif
"""


def make(seed, n):
    out = PROLOGUE.split("\n")[:-1]
    for i, (kind, ms, root) in enumerate(phases(seed, n)):
        to = (root + 1) % n
        collective = {"barrier": "MPI_Barrier(MPI_COMM_WORLD)", "dup": "MPI_Barrier(dup)", "half": "MPI_Barrier(half)", "again": "MPI_Barrier(again)",
                      "allreduce": "MPI_Allreduce(many, sum, 64, MPI_INT, MPI_SUM, MPI_COMM_WORLD)",
                      "alltoall": "MPI_Alltoall(many, 1, MPI_INT, sum, 1, MPI_INT, again)",
                      "bcast": "MPI_Bcast(&x, 1, MPI_INT, %d, dup)" % root, "reduce": "MPI_Reduce(many, sum, 64, MPI_INT, MPI_SUM, %d, dup)" % root}
        sender = {"late_receiver": "CALL(%d, MPI_Ssend(&x, 1, MPI_INT, %d, 7, dup))" % (i, to),
                  "probed": "MPI_Send(&x, 1, MPI_INT, %d, 99, dup)" % to}
        receive = {"late_sender": "CALL(%d, MPI_Recv(&x, 1, MPI_INT, %d, 7, dup, MPI_STATUS_IGNORE))" % (i, root),
                   "late_receiver": "CALL(%d, MPI_Recv(&x, 1, MPI_INT, %d, 7, dup, MPI_STATUS_IGNORE))" % (i, root),
                   "wildcard": "CALL(%d, MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, dup, &status))" % i,
                   "probed": "MPI_Mprobe(%d, 99, dup, &message, &status); CALL(%d, MPI_Mrecv(&x, 1, MPI_INT, &message, &status))" % (root, i)}
        out.append("\t{ static const int ms[] = { %s }; usleep(1000 * ms[rank]); }" % ", ".join(map(str, ms)))
        collective.update({made: "MPI_Barrier(%s)" % made for made in MADE})
        collective["idup_other"] = "MPI_Allreduce(many, sum, 64, MPI_INT, MPI_SUM, idup_other)"
        if kind in collective:
            out.append("\tCALL(%d, %s);" % (i, collective[kind]))
            continue
        later = "usleep(1000 * (rank * 7 %% %d));" % (20 + i)
        if kind in IMMEDIATE:
            out.append("\tpost = now(); %s; %s" % (IMMEDIATE[kind] % root if "%d" in IMMEDIATE[kind] else IMMEDIATE[kind], later))
            out.append("\tWAIT(%d, post, MPI_Wait(&requests[0], MPI_STATUS_IGNORE));" % i)
            continue
        own = {"itest": ["post = now(); MPI_Ibarrier(dup, &requests[0]);", "TEST(%d, post, &requests[0]);" % i],
               "ring": ["CALL(%d, MPI_Neighbor_alltoall(many, 1, MPI_INT, sum, 1, MPI_INT, ring));" % i],
               "graph": ["post = now(); MPI_Ineighbor_allgather(&x, 1, MPI_INT, sum, 1, MPI_INT, graph, &requests[0]);" + later,
                         "WAIT(%d, post, MPI_Wait(&requests[0], MPI_STATUS_IGNORE));" % i],
               "mixed": ["post = now(); MPI_Irecv(sum, 1, MPI_INT, before, 20, dup, &requests[0]); MPI_Issend(&x, 1, MPI_INT, after, 20, dup, &requests[1]);",
                         "MPI_Iallreduce(many, sum + 1, 1, MPI_INT, MPI_SUM, again, &requests[2]); " + later,
                         "WAIT(%d, post, MPI_Waitall(3, requests, MPI_STATUSES_IGNORE));" % i],
               "starts": ["#if MPI_VERSION >= 4", "MPI_Allreduce_init(many, sum, 1, MPI_INT, MPI_SUM, dup, MPI_INFO_NULL, &requests[0]);",
                          "MPI_Barrier_init(dup, MPI_INFO_NULL, &requests[1]);",
                          # in another order on each rank
                          "for (int k = 0; k < 3; k++) { MPI_Start(&requests[rank % 2]); MPI_Start(&requests[1 - rank % 2]); MPI_Waitall(2, requests, MPI_STATUSES_IGNORE); }",
                          "usleep(1000 * (10 + rank * 20));", "post = now(); MPI_Start(&requests[0]);",
                          "WAIT(%d, post, MPI_Wait(&requests[0], MPI_STATUS_IGNORE));" % i,
                          "MPI_Request_free(&requests[0]); MPI_Request_free(&requests[1]);", "#endif"],
               "inter": ["if (rank == 0) CALL(%d, MPI_Ssend(&x, 1, MPI_INT, 0, 6, inter));" % i,
                         "if (rank == 1) CALL(%d, MPI_Recv(&x, 1, MPI_INT, 0, 6, inter, MPI_STATUS_IGNORE));" % i],
               "inter_barrier": ["CALL(%d, MPI_Barrier(inter));" % i],
               "issend": ["if (rank == %d) { post = now(); MPI_Issend(&x, 1, MPI_INT, %d, 21, dup, &requests[0]); usleep(5000);" % (to, root),
                          "WAIT(%d, post, MPI_Wait(&requests[0], MPI_STATUS_IGNORE)); }" % i,
                          "if (rank == %d) CALL(%d, MPI_Recv(&x, 1, MPI_INT, %d, 21, dup, &status));" % (root, i, to)],
               "isend_large": ["if (rank == %d) { post = now(); MPI_Isend(large, sizeof(large), MPI_CHAR, %d, 22, dup, &requests[0]); usleep(5000);" % (to, root),
                               "WAIT(%d, post, MPI_Wait(&requests[0], MPI_STATUS_IGNORE)); }" % i,
                               "if (rank == %d) CALL(%d, MPI_Recv(large, sizeof(large), MPI_CHAR, %d, 22, dup, &status));" % (root, i, to)],
               "isend_free": ["if (rank == %d) { CALL(%d, MPI_Isend(&x, 1, MPI_INT, %d, 23, dup, &requests[0])); MPI_Request_free(&requests[0]); }" % (root, i, to),
                              "if (rank == %d) CALL(%d, MPI_Recv(&x, 1, MPI_INT, %d, 23, dup, &status));" % (to, i, root)],
               # MPI is ready with some of these at once, and may give them all the same request
               "isend_many": ["if (rank == %d) { for (int t = 0; t < 5; t++) CALL(%d, MPI_Isend(&x, 1, MPI_INT, %d, 30 + t, dup, &requests[t]));" % (root, i, to),
                              "usleep(20000); MPI_Waitall(5, requests, MPI_STATUSES_IGNORE); }",
                              "if (rank == %d) for (int t = 0; t < 5; t++) CALL(%d, MPI_Recv(&x, 1, MPI_INT, %d, 30 + t, dup, &status));" % (to, i, root)]}
        if kind in FILES:
            own[kind] = ["if (rank == %d) CALL(%d, MPI_Send(&x, 1, MPI_INT, %d, 24, dup));" % (root, i, to),
                         "if (rank == %d) { MPI_File_iread_at(file, 0, large, 2048, MPI_CHAR, &requests[0]); "
                         "MPI_File_iwrite_at(file, 4096, large + 4096, 2048, MPI_CHAR, &requests[1]); "
                         "MPI_Irecv(sum, 1, MPI_INT, %d, 24, dup, &requests[2]);" % (to, root)]
            own[kind] += ["CALL(%d, %s);" % (i, call) for call in FILES[kind]] + ["}"]
        if kind in TOGETHER:
            own[kind] = ["if (rank == %d) MPI_Send(&x, 1, MPI_INT, %d, 25, dup);" % (root, to),
                         "if (rank == %d) { %s; MPI_Irecv(sum, 1, MPI_INT, %d, 25, dup, &requests[1]);" % (to, TOGETHER[kind], root),
                         "CALL(%d, MPI_Waitall(2, requests, MPI_STATUSES_IGNORE)); }" % i]
        if kind == "file_alone":
            own[kind] = ["MPI_File_iread_at(file, 0, large, 2048, MPI_CHAR, &requests[0]);",
                         "CALL(%d, MPI_Wait(&requests[0], MPI_STATUS_IGNORE));" % i]
        if kind in own:
            out += [line if line[0] == "#" else "\t" + line for line in own[kind]]
            continue
        if kind == "waitall":  # all send to all
            out.append("\tfor (int r = 0; r < size; r++) MPI_Irecv(&sum[r], 1, MPI_INT, r, 3, MPI_COMM_WORLD, &requests[r]);")
            out.append("\tCALL(%d, for (int r = 0; r < size; r++) MPI_Send(&x, 1, MPI_INT, r, 3, MPI_COMM_WORLD));" % i)
            out.append("\tCALL(%d, MPI_Waitall(size, requests, MPI_STATUSES_IGNORE));" % i)
        elif kind == "sendrecv":  # to the next one, and from the one before
            out.append("\tCALL(%d, MPI_Sendrecv(&x, 1, MPI_INT, (rank + 1) %% size, 4, many, 1, MPI_INT, (rank + size - 1) %% size, 4, dup, &status));" % i)
        elif kind == "persistent":
            out.append("\tif (rank == %d) {" % root)
            out.append("\t\tMPI_Ssend_init(&x, 1, MPI_INT, %d, 8, dup, &requests[0]);" % to)
            out.append("\t\tpost = now(); MPI_Start(&requests[0]);")
            out.append("\t\tWAIT(%d, post, MPI_Wait(&requests[0], &status));" % i)
            out.append("\t\tMPI_Request_free(&requests[0]);\n\t}".replace("\n", " "))
            out.append("\tif (rank == %d) {" % to)
            out.append("\t\tMPI_Recv_init(&x, 1, MPI_INT, %d, 8, dup, &requests[0]); MPI_Start(&requests[0]);" % root)
            out.append("\t\tCALL(%d, MPI_Wait(&requests[0], &status));" % i)
            out.append("\t\tMPI_Request_free(&requests[0]);")
            out.append("\t}")
        elif kind == "many_tags":  # received in another order than they are sent
            out.append("\tif (rank == %d) for (int t = 10; t < 14; t++) CALL(%d, MPI_Send(&x, 1, MPI_INT, %d, t, MPI_COMM_WORLD));" % (root, i, to))
            out.append("\tif (rank == %d) for (int t = 13; t >= 10; t--) CALL(%d, MPI_Recv(&x, 1, MPI_INT, %d, t, MPI_COMM_WORLD, &status));" % (to, i, root))
        else:
            out.append("\tif (rank == %d) %s;" % (root, sender.get(kind, "CALL(%d, MPI_Send(&x, 1, MPI_INT, %d, 7, dup))" % (i, to))))
            out.append("\tif (rank == %d) { %s; }" % (to, receive[kind]))
    out += ["\tMPI_Finalize();", '\tchar name[32];', '\tsprintf(name, "stamps.%d", rank);', "\tFILE *to = fopen(name, \"w\");",
            "\treturn fputs(text, to) < 0 || fclose(to) ? 1 : 0;", "}"]
    print("\n".join(out))


class Call:
    def __init__(self, rank, begin, end, line, post=None):
        self.rank, self.begin, self.end, self.line = rank, begin, end, line
        self.post = begin if post is None else post
        self.last = self.sender = self.receiver = 0
        self.any = None  # of a call that completes several: the longest


def expect(seed, n, stamps):
    """Sets what each call waited, in the order of the phases.  Returns the calls of which something has to be told."""
    told, caused, was_last = [], {}, {}

    def charge(call, who, ns):
        caused[call.line, who] = caused.get((call.line, who), 0) + ns

    for i, (kind, ms, root) in enumerate(phases(seed, n)):
        calls, to = stamps.get(i, []), (root + 1) % n
        if kind == "starts" and not calls:  # before MPI 4
            continue
        of = {c.rank: c for c in calls}

        def wait_of(c, who):
            return max(0, min(of[who].post, c.end) - c.begin)

        if kind in ("barrier", "allreduce", "alltoall", "dup", "half", "again", "bcast", "reduce", "itest", "starts", "idup_other", *MADE, *IMMEDIATE):
            for group in [[c for c in calls if c.rank % 2 == k] for k in (0, 1)] if kind == "half" else [calls]:
                if len(group) < 2:
                    continue
                last = max(group, key=lambda c: c.post)
                was_last[last.line, last.rank] = was_last.get((last.line, last.rank), 0) + 1
                for c in group:
                    c.last = max(0, max(o.post for o in group if o.post <= c.end) - c.begin)
                    if c.end >= last.post:
                        charge(c, last.rank, c.last)
                told += group
        elif kind in ("ring", "graph"):
            for c in calls:
                late = max([(c.rank - 1) % n] + ([(c.rank + 1) % n] if kind == "ring" else []), key=lambda r: of[r].post)
                c.sender = wait_of(c, late)
                charge(c, late, c.sender)
            told += calls
        elif kind == "mixed":
            for c in calls:  # who is the last is one of the two neighbours, or a third rank
                c.any = max(wait_of(c, r) for r in of)
            told += calls
        elif kind in ("isend_many", "isend_free"):
            for s, r in zip([c for c in calls if c.rank == root], [c for c in calls if c.rank == to]):
                r.sender = max(0, min(s.begin, r.end) - r.begin)
                charge(r, s.rank, r.sender)
                told.append(r)
        elif kind == "waitall":
            sends = {c.rank: c for c in calls if c.line == min(o.line for o in calls)}
            for c in calls:
                if c.line != sends[c.rank].line:
                    late = max(sends.values(), key=lambda s: s.begin)
                    c.sender = max(0, min(late.begin, c.end) - c.begin)
                    charge(c, late.rank, c.sender)
                    told.append(c)
        elif kind == "sendrecv":
            for c in calls:
                sender, receiver = of[(c.rank - 1) % n], of[(c.rank + 1) % n]
                c.sender = max(0, sender.begin - c.begin)
                charge(c, sender.rank, c.sender)
                told.append(c)
        elif kind in FILES:
            send, *waits = sorted(calls, key=lambda c: c.rank == to and c.line)
            waits[-1].sender = max(0, min(send.begin, waits[-1].end) - waits[-1].begin)
            charge(waits[-1], root, waits[-1].sender)
            told += waits[-1:] if kind == "file_some" else waits  # how many calls it takes is not known
        elif kind == "file_alone":
            told += calls
        elif kind in ("probed", "inter_barrier", *TOGETHER):
            pass
        else:
            ends = (0, 1) if kind == "inter" else (to, root) if kind in ("issend", "isend_large") else (root, to)
            sends, receives = [[c for c in calls if c.rank == r] for r in ends]
            if kind == "many_tags":
                receives.reverse()
            for s, r in zip(sends, receives):
                r.sender = max(0, s.post - r.begin)
                charge(r, s.rank, r.sender)
                if r.begin > s.begin and r.begin <= s.end:
                    s.receiver = r.begin - s.begin
                    charge(s, r.rank, s.receiver)
                told += [s, r]
    return told, caused, was_last


def judge(seed, n, said, path, offsets, left):
    stamps, bad = {}, {}
    for line in open(said):
        words = line.split()
        if words[:1] == ["stamp"]:
            rank, phase, begin, end, at, *post = map(int, words[1:])
            stamps.setdefault(phase, []).append(Call(rank, begin + offsets[rank], end + offsets[rank], at, *[p + offsets[rank] for p in post]))
    told, caused, was_last = expect(seed, n, stamps)
    p = json.load(open(path))
    waits, clocks = p["rank_waits"], p["rank_clocks"]
    rows = {(p["regions"]["begin_line"][waits["region"][i]], waits["rank"][i]): i for i in range(len(waits["rank"]))}
    if clocks["rank"] != list(range(n)):
        sys.exit("clocks of ranks %s" % clocks["rank"])
    for r in range(n):
        error = clocks["error_ns"][r]
        if error is None:
            sys.exit("no offset of rank %d" % r)
        if abs(clocks["offset_ns"][r] - (offsets[r] - offsets[0])) > error + 200000:
            sys.exit("offset of rank %d: %d +- %d, not %d" % (r, clocks["offset_ns"][r], error, offsets[r] - offsets[0]))
        if error > 30e6:
            bad["clock of rank %d" % r] = "+- %d ns" % error
        if len(set(offsets)) == 1 and (clocks["clock"][r] or error or clocks["offset_ns"][r]):
            sys.exit("rank %d has another clock" % r)
    untold = {c.line: kind for i, (kind, _, _) in enumerate(phases(seed, n)) if kind in ("probed", "inter_barrier", *TOGETHER) for c in stamps[i]}
    for line, rank in rows:
        if line in untold and waits["compared_calls"][rows[line, rank]]:
            sys.exit("line %d on rank %d: told of what is not known: %s" % (line, rank, untold[line]))
    sums, fields = {}, ("waited_for_last_ns", "waited_for_sender_ns", "waited_for_receiver_ns")
    for c in told:
        if c.any is not None:
            i = rows.get((c.line, c.rank))
            have = sum(waits[name][i] for name in fields) if i is not None else -1
            if have < 0 or waits["compared_calls"][i] != 1:
                sys.exit("line %d on rank %d: of several requests nothing is said" % (c.line, c.rank))
            if abs(have - c.any) > 4e6 + waits["clock_error_ns"][i]:
                bad["line %d on rank %d: all" % (c.line, c.rank)] = "is %d, not %d" % (have, c.any)
            continue
        s = sums.setdefault((c.line, c.rank), [0, 0, 0, 0])
        for k, v in enumerate((c.last, c.sender, c.receiver, 1)):
            s[k] += v
    for (line, rank), want in sums.items():
        if (line, rank) not in rows:
            sys.exit("nothing is said of line %d on rank %d: %s" % (line, rank, want))
        i = rows[line, rank]
        if waits["compared_calls"][i] != want[3]:
            sys.exit("line %d on rank %d: %d calls were compared, not %d" % (line, rank, waits["compared_calls"][i], want[3]))
        for k, name in enumerate(fields):
            if abs(waits[name][i] - want[k]) > 4e6 + waits["clock_error_ns"][i]:
                bad["line %d on rank %d: %s" % (line, rank, name)] = "is %d, not %d" % (waits[name][i], want[k])
    errors = sum(waits["clock_error_ns"])
    for (line, rank), want in caused.items():
        i = rows.get((line, rank))
        have = waits["others_waited_ns"][i] if i is not None else 0
        if abs(have - want) > 4e6 * n + errors:
            bad["line %d: others waited for rank %d" % (line, rank)] = "is %d, not %d" % (have, want)
    for (line, rank), want in was_last.items() if not errors > 1e6 else ():
        have = waits["times_last"][rows[line, rank]]
        if have != want:
            bad["line %d: rank %d was last" % (line, rank)] = "is %d, not %d" % (have, want)
    if os.path.exists(left):
        before = json.load(open(left))
        bad = {what: before[what] + "; " + words for what, words in bad.items() if what in before}
    json.dump(bad, open(left, "w"))
    for what, words in bad.items():
        print(what, words)
    sys.exit(bool(bad))


if sys.argv[1] == "make":
    make(int(sys.argv[2]), int(sys.argv[3]))
else:
    judge(int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], sys.argv[5], list(map(int, sys.argv[6].split(","))), sys.argv[7])
