# messages.py make SEED RANKS: prints a program of random messages between ranks, by all functions that send, receive and
# complete requests, in several communicators, with MPI_ANY_SOURCE, room to spare, persistent requests, probed messages,
# receives that are cancelled, and ranks that are nobody; and a file
# that is read.
# messages.py judge SEED RANKS PROFILE.json…: compares, with what the arithmetic of that program says, the messages and
# bytes of each pair of ranks, and the bytes that each function received in each rank.
# messages.py merged SEED RANKS TEXT CSV: compares the matrices of the merged report, and its records.
import collections, json, random, sys

N_PHASES = 14
TYPES = [("MPI_DOUBLE", 8), ("MPI_FLOAT", 4), ("MPI_INT", 4), ("MPI_CHAR", 1), ("triple", 12)]
COMPLETE = ["Wait", "Waitall", "Waitany", "Waitsome", "Test", "Testall", "Testany", "Testsome"]
SEND = ["Isend", "Issend", "Send", "persistent"]
RECEIVE = ["Irecv", "Irecv", "persistent", "Imrecv", "Mrecv", "Recv"]
MOST = 400


# The ranks of a communicator, as those of MPI_COMM_WORLD: of a rank's own group, and of the one that it sends to.
def groups(comm, rank, n):
    if comm in ("MPI_COMM_WORLD", "passing"):
        return [list(range(n))] * 2
    if comm == "backward":
        return [list(range(n))[::-1]] * 2
    halves = [[r for r in range(n) if r % 2 == 0], [r for r in range(n) if r % 2 == 1]]
    return [halves[rank % 2]] * 2 if comm == "half" else [halves[rank % 2], halves[1 - rank % 2]]


# Phases: how its requests are completed, and messages (from, to, communicator, count, type, size, how sent, how received,
# whether from any source, tag).
def phases(seed, n):
    rng = random.Random(seed)
    for _ in range(N_PHASES):
        messages = []
        for tag in range(rng.randrange(1, 3 * n)):
            comm = rng.choice(["MPI_COMM_WORLD", "backward", "half", "between", "passing"])
            source = rng.randrange(n)
            to = rng.choice([r for r in groups(comm, source, n)[1]])
            kind, size = rng.choice(TYPES)
            how = rng.choice(RECEIVE)
            sent = rng.choice(SEND)
            if how in ("Mrecv", "Recv", "Imrecv"):  # which wait: so what they wait for is sent before
                sent = "Isend"
            if sent == "Send" or how == "persistent" and comm == "passing":
                how = "Irecv"
            messages.append((source, to, comm, rng.randrange(0, MOST // 3), kind, size, sent, how, rng.random() < 0.5, tag))
        yield rng.choice(COMPLETE), messages, rng.random() < 0.5


def make(seed, n):
    out = ["""#include <mpi.h>
#include <stdio.h>
#include <string.h>
enum { MOST = %d, MOST_MESSAGES = %d };
static char from[MOST_MESSAGES][MOST * 12], to[MOST_MESSAGES][MOST * 12];
static MPI_Request requests[MOST_MESSAGES * 2 + 2];
static int n_requests, rank, n, indices[MOST_MESSAGES * 2 + 2];
static MPI_Comm backward, half, between, passing;
static MPI_Datatype triple;
static int n_starts[MOST_MESSAGES * 2 + 2];
static void finish(int i) { if (requests[i] != MPI_REQUEST_NULL && n_starts[i]) MPI_Request_free(&requests[i]); }
static int n_left(void)
{
	int left = 0;
	for (int i = 0; i < n_requests; i++)
		left += requests[i] != MPI_REQUEST_NULL;
	return left;
}""" % (MOST, 3 * n + 2)]
    # persistent requests stay, so these loops count completions
    out.append("""static void complete_Wait(int ignored)
{
	MPI_Status s;
	for (int i = 0; i < n_requests; i++)
		MPI_Wait(&requests[i], ignored ? MPI_STATUS_IGNORE : &s);
}
static void complete_Waitall(int ignored)
{
	MPI_Status s[MOST_MESSAGES * 2 + 2];
	MPI_Waitall(n_requests, requests, ignored ? MPI_STATUSES_IGNORE : s);
}
static void complete_Waitany(int ignored)
{
	MPI_Status s;
	int i;
	do
		MPI_Waitany(n_requests, requests, &i, ignored ? MPI_STATUS_IGNORE : &s);
	while (i != MPI_UNDEFINED);
}
static void complete_Waitsome(int ignored)
{
	MPI_Status s[MOST_MESSAGES * 2 + 2];
	int done;
	do
		MPI_Waitsome(n_requests, requests, &done, indices, ignored ? MPI_STATUSES_IGNORE : s);
	while (done != MPI_UNDEFINED);
}
static void complete_Test(int ignored)
{
	MPI_Status s;
	for (int i = 0, flag; i < n_requests; i++)
		do
			MPI_Test(&requests[i], &flag, ignored ? MPI_STATUS_IGNORE : &s);
		while (!flag);
}
static void complete_Testall(int ignored)
{
	MPI_Status s[MOST_MESSAGES * 2 + 2];
	int flag;
	do
		MPI_Testall(n_requests, requests, &flag, ignored ? MPI_STATUSES_IGNORE : s);
	while (!flag);
}
static void complete_Testany(int ignored)
{
	MPI_Status s;
	int flag, i;
	do
		MPI_Testany(n_requests, requests, &i, &flag, ignored ? MPI_STATUS_IGNORE : &s);
	while (!flag || i != MPI_UNDEFINED);
}
static void complete_Testsome(int ignored)
{
	MPI_Status s[MOST_MESSAGES * 2 + 2];
	int done;
	do
		MPI_Testsome(n_requests, requests, &done, indices, ignored ? MPI_STATUSES_IGNORE : s);
	while (done != MPI_UNDEFINED);
}
int main(int argc, char **argv)
{
	MPI_Request lost;
	MPI_Message message;
	MPI_File file;
	char name[40];
	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &n);
	MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backward);
	MPI_Comm_split(MPI_COMM_WORLD, rank %% 2, rank, &half);
	MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank %% 2, 77, &between);
	MPI_Type_contiguous(3, MPI_INT, &triple);
	MPI_Type_commit(&triple);""".replace("%%", "%"))
    for complete, messages, ignored in phases(seed, n):
        def call(who, text):
            out.append("\tif (rank == %d) {\n\t\t%s\n\t}" % (who, text))

        out.append("\tn_requests = 0;\n\tmemset(n_starts, 0, sizeof(n_starts));\n\tMPI_Comm_dup(MPI_COMM_WORLD, &passing);")
        for source, to, comm, count, kind, size, sent, how, is_any, tag in messages:
            its = groups(comm, to, n)[1].index(source)
            where = "to[%d], %d, %s, %s, %d, %s" % (tag, count + 7 * (tag % 3), kind, "MPI_ANY_SOURCE" if is_any else its, tag, comm)
            if how == "Irecv":
                call(to, "MPI_Irecv(%s, &requests[n_requests++]);" % where)
            elif how == "persistent":
                call(to, "MPI_Recv_init(%s, &requests[n_requests]);\n\t\tMPI_Start(&requests[n_requests]);\n\t\tn_starts[n_requests++] = 1;" % where)
        for source, to, comm, count, kind, size, sent, how, is_any, tag in messages:
            its = groups(comm, source, n)[1].index(to)
            what = "from[%d], %d, %s, %d, %d, %s" % (tag, count, kind, its, tag, comm)
            if sent == "persistent":
                call(source, "MPI_Send_init(%s, &requests[n_requests]);\n\t\tMPI_Startall(1, &requests[n_requests]);\n\t\tn_starts[n_requests++] = 1;" % what)
            elif sent == "Send":
                call(source, "MPI_Send(%s);" % what)
            else:
                call(source, "MPI_%s(%s, &requests[n_requests++]);" % (sent, what))
        for source, to, comm, count, kind, size, sent, how, is_any, tag in messages:
            its = "MPI_ANY_SOURCE" if is_any else groups(comm, to, n)[1].index(source)
            room = count + tag % 3
            if how == "Recv":
                call(to, "MPI_Recv(to[%d], %d, %s, %s, %d, %s, MPI_STATUS_IGNORE);" % (tag, room, kind, its, tag, comm))
            elif how == "Mrecv":
                call(to, "MPI_Mprobe(%s, %d, %s, &message, MPI_STATUS_IGNORE);\n\t\tMPI_Mrecv(to[%d], %d, %s, &message, MPI_STATUS_IGNORE);"
                     % (its, tag, comm, tag, room, kind))
            elif how == "Imrecv":
                call(to, "int flag = 0;\n\t\twhile (!flag)\n\t\t\tMPI_Improbe(%s, %d, %s, &flag, &message, MPI_STATUS_IGNORE);\n"
                     "\t\tMPI_Imrecv(to[%d], %d, %s, &message, &requests[n_requests++]);" % (its, tag, comm, tag, room, kind))
        # nobody's: none counts
        out.append("\tMPI_Irecv(to[0], 9, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &requests[n_requests++]);\n"
                   "\tMPI_Isend(to[0], 9, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, &requests[n_requests++]);\n"
                   "\tMPI_Comm_free(&passing);\n\tcomplete_%s(%d);\n\tfor (int i = 0; i < n_requests; i++)\n\t\tfinish(i);" % (complete, ignored))
        out.append("\tMPI_Irecv(to[0], 9, MPI_INT, MPI_ANY_SOURCE, 9999, backward, &lost);\n\tMPI_Cancel(&lost);\n\tMPI_Wait(&lost, MPI_STATUS_IGNORE);")
        out.append("\tMPI_Barrier(MPI_COMM_WORLD);")
    # a ring, and one with itself
    out.append("""	MPI_Sendrecv(from[0], 5, triple, (rank + 1) % n, 1, to[0], 9, triple, (rank + n - 1) % n, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
	MPI_Sendrecv_replace(to[0], 6, MPI_INT, (rank + 1) % n, 1, MPI_ANY_SOURCE, 1, backward, MPI_STATUS_IGNORE);
	sprintf(name, "file.%d", rank);
	MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
	MPI_File_write_at(file, 0, from[0], 40, MPI_INT, MPI_STATUS_IGNORE);
	MPI_File_iread_at(file, 0, to[0], 40, MPI_INT, &lost);
	MPI_Wait(&lost, MPI_STATUS_IGNORE);
	MPI_File_close(&file);
	MPI_Finalize();
	return n_left() < 0;
}""")
    print("\n".join(out))


def expect(seed, n):
    pairs = collections.defaultdict(lambda: [0, 0, 0, 0])  # (rank, partner): messages and bytes sent, received
    functions = collections.defaultdict(int)  # (rank, function): bytes received

    def message(source, to, n_bytes, function):
        pairs[source, to][0] += 1
        pairs[source, to][1] += n_bytes
        pairs[to, source][2] += 1
        pairs[to, source][3] += n_bytes
        functions[to, "MPI_" + function] += n_bytes

    for complete, messages, _ in phases(seed, n):
        for source, to, comm, count, kind, size, sent, how, is_any, tag in messages:
            message(source, to, count * size, how if how in ("Recv", "Mrecv") else complete)
    for r in range(n):
        message(r, (r + 1) % n, 60, "Sendrecv")
        message(r, n - 1 - (r + 1) % n, 24, "Sendrecv_replace")
        functions[r, "MPI_Wait"] += 160
    return pairs, functions


def judge(seed, n, paths):
    pairs, functions = expect(seed, n)
    bad = []
    got_functions = collections.defaultdict(int)
    got = {}
    for rank, path in enumerate(paths):
        p = json.load(open(path))
        t = p["partners"]
        for row in zip(t["rank"], t["partner"], t["sent_messages"], t["sent_bytes"], t["received_messages"], t["received_bytes"]):
            got[row[0], row[1]] = list(row[2:])
            if row[0] != rank:
                bad.append("a record of rank %d in the profile of rank %d" % (row[0], rank))
        cells = p["cells"]
        for at, received in zip(cells["path"], cells["received_bytes"]):
            region = p["paths"]["region"][at]
            if region is None or not p["regions"]["construct"][region].startswith("MPI"):
                continue
            name = p["regions"]["name"][region]
            if name in ("MPI_Send", "MPI_Isend", "MPI_Issend", "MPI_Irecv", "MPI_Imrecv", "MPI_Start", "MPI_Startall", "MPI_Recv",
                        "MPI_Mrecv", "MPI_Sendrecv", "MPI_Sendrecv_replace") or name[4:] in COMPLETE:
                if received is None:
                    bad.append("rank %d: what %s received is not known" % (rank, name))
                else:
                    got_functions[rank, name] += received
    for key in sorted(set(pairs) | set(got), key=str):
        if pairs.get(key) != got.get(key):
            bad.append("rank %s, partner %s: messages and bytes sent, received %s, not %s" % (*key, got.get(key), pairs.get(key)))
    for key in sorted(set(functions) | set(got_functions)):
        if functions.get(key, 0) != got_functions.get(key, 0):
            bad.append("rank %d: %s received %d bytes, not %d" % (*key, got_functions.get(key, 0), functions.get(key, 0)))
    print("\n".join(bad))
    sys.exit(bool(bad))


def merged(seed, n, text, csv):
    pairs = expect(seed, n)[0]
    lines = open(text).read().replace(",", "").split("\n")
    bad = []
    for heading, which in ("Messages that each rank", 0), ("Bytes that each rank", 1):
        at = next(i for i, line in enumerate(lines) if line.startswith(heading))
        for r in range(n):
            have = "".join(lines[at + 2 + r].split())  # digits stand in groups
            want = "".join(str(v) for v in [r] + [pairs[r, to][which] if (r, to) in pairs else 0 for to in range(n)])
            if have != want:
                bad.append("%s: %s, not %s" % (heading, have, want))
    rows = [line.split(",") for line in open(csv) if line[:1].isdigit()]
    have = {(int(r[0]), int(r[1])): [int(w) for w in r[2:6]] for r in rows}
    if have != {k: v for k, v in pairs.items() if any(v)}:
        bad.append("records: %s" % have)
    print("\n".join(bad))
    sys.exit(bool(bad))


seed, ranks = int(sys.argv[2]), int(sys.argv[3])
if sys.argv[1] == "make":
    make(seed, ranks)
elif sys.argv[1] == "merged":
    merged(seed, ranks, *sys.argv[4:])
else:
    judge(seed, ranks, sys.argv[4:])
