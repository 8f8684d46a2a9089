# traces.py RANKS PRV CHROME EVENTS.json: reads what 'ompp flow --paraver' and '--chrome' wrote of tests/mpi/traces.c,
# and compares each call, message and body of a region with what the program stamped itself (stamps.RANK): a message
# has its number in it, so which receive is of which send is known.
import collections, json, re, sys

n_ranks, prv, chrome, events = int(sys.argv[1]), *sys.argv[2:5]
bad = []


def check(ok, *what):
    if not ok:
        bad.append(" ".join(map(str, what)))


# ---- what the program says: ns of CLOCK_MONOTONIC ----
calls, sent, received, bodies = [], {}, {}, []
for rank in range(n_ranks):
    for line in open("stamps.%d" % rank):
        kind, *words = line.split()
        if kind == "call":
            calls.append((rank, words[0], int(words[1]), int(words[2])))
        elif kind == "sent":
            number, before, after, to, tag, n_bytes = map(int, words[:6])
            sent[number] = dict(rank=rank, before=before, after=after, to=to, tag=tag, bytes=n_bytes)
        elif kind == "received":
            number, since, until, before, after = map(int, words)
            received[number] = dict(rank=rank, since=since, until=until, before=before, after=after)
        else:
            bodies.append((rank, *map(int, words)))
check(sent and set(sent) == set(received), "the program lost messages itself")
check(all(received[i]["rank"] == sent[i]["to"] for i in sent), "the program's ranks are wrong")

# ---- .prv ----
lines = open(prv).read().split("\n")
head = re.fullmatch(r"#Paraver \(\d\d/\d\d/\d\d at \d\d:\d\d\):(\d+)_ns:1\((\d+)\):1:(\d+)\(([\d:,]+)\)", lines[0])
check(head, "head:", lines[0])
n_threads = [int(w.split(":")[0]) for w in head[4].split(",")]
check(int(head[3]) == n_ranks == len(n_threads) and int(head[2]) == sum(n_threads), "ranks and threads in", lines[0])
table = json.load(open(events))["tables"][0]
titles = [c["title"] for c in table["columns"]]
first = next(r for r in table["rows"] if r[titles.index("time_ns")])
start = int(first[titles.index("time_ns")]) - int(first[titles.index("time")])

# the words of .pcf, by type and value
words, kind = {}, None
for line in open(prv[:-4] + ".pcf"):
    parts = line.split(None, 2)
    if line.strip() == "EVENT_TYPE":
        kind = 0
    elif kind == 0:
        kind = int(parts[1])
    elif kind and parts and parts[0].isdigit():
        words[kind, int(parts[0])] = line.split(None, 1)[1].strip()
row = open(prv[:-4] + ".row").read().split("\n")
check(row[: n_ranks + 1] == ["LEVEL TASK SIZE %d" % n_ranks] + ["RANK %d" % r for r in range(n_ranks)], ".row:", row)

states, changes, messages, last = collections.defaultdict(list), collections.defaultdict(list), [], 0
for line in lines[1:-1]:
    f = [int(w) for w in line.split(":")]
    check(f[5] >= last and f[5] <= int(head[1]), "out of order:", line)
    last = f[5]
    if f[0] == 1:
        states[f[3] - 1, f[4] - 1].append((f[5] + start, f[6] + start, f[7]))
    elif f[0] == 2:
        for type_, value in zip(f[6::2], f[7::2]):
            changes[f[3] - 1, f[4] - 1, type_].append((f[5] + start, value))
    else:
        messages.append({"from": f[3] - 1, "from_thread": f[4] - 1, "sent": f[5] + start, "to": f[9] - 1,
                         "to_thread": f[10] - 1, "posted": f[11] + start, "received": f[12] + start, "bytes": f[13],
                         "tag": f[14]})
for key, list_ in states.items():
    check(all(a[1] <= b[0] for a, b in zip(list_, list_[1:])) and all(a < b for a, b, _ in list_), "states overlap", key)

# bars: a value that is not 0, until the next change of the type
bars = collections.defaultdict(list)
for (rank, thread, type_), list_ in changes.items():
    check(list_[-1][1] == 0, "a bar without an end", rank, thread, type_)
    for (begin, value), (end, _) in zip(list_, list_[1:]):
        if value:
            bars[rank, thread].append((begin, end, words[type_, value]))
for rank, name, before, after in calls:
    inside = [b for b in bars[rank, 0] if b[2] == name and before <= b[0] and b[1] <= after]
    check(len(inside) == 1, "rank %d: bars of a call of %s:" % (rank, name), inside)
for rank in range(n_ranks):
    have = collections.Counter(b[2] for b in bars[rank, 0] if b[2] in {c[1] for c in calls})
    check(have == collections.Counter(c[1] for c in calls if c[0] == rank), "rank %d: calls:" % rank, have)
for rank, thread, begin, end in bodies:
    around = [b for b in bars[rank, thread] if b[2].startswith("PARALLEL ") and b[0] <= begin and end <= b[1]]
    check(len(around) == 1, "rank %d, thread %d: regions around a body:" % (rank, thread), around)

# messages: each one is there once, from the call that sent it to that which found it complete
for i, s in sent.items():
    r = received[i]
    here = [m for m in messages if (m["from"], m["to"]) == (s["rank"], r["rank"])]
    here = [m for m in here if s["before"] <= m["sent"] <= s["after"]]
    check(len(here) == 1, "message %d: %d of it" % (i, len(here)))
    for m in here:
        check(r["since"] <= m["posted"] <= r["until"], "message %d: begun" % i, m, r)
        check(r["before"] <= m["received"] <= r["after"], "message %d: received" % i, m, r)
        check(m["bytes"] == s["bytes"] and m["tag"] == s["tag"], "message %d: bytes, tag" % i, m, s)
        check(m["from_thread"] == m["to_thread"] == 0, "message %d: threads" % i)
check(len(messages) == len(sent), "%d messages, not %d" % (len(messages), len(sent)))

# ---- Chrome's ----
trace = json.load(open(chrome))["traceEvents"]
names, order = {}, {}
for e in trace:
    if e["ph"] == "M" and e["name"] == "process_name":
        names[e["pid"]] = e["args"]["name"]
    if e["ph"] == "M" and e["name"] == "process_sort_index":
        order[e["pid"]] = e["args"]["sort_index"]
check(sorted(names[p] for p in order) == ["rank %d (traces)" % r for r in range(n_ranks)], "names of processes:", names)
check(all(names[p].startswith("rank %d " % order[p]) for p in order), "order of processes:", names, order)
ns = lambda e: start + round(e["ts"] * 1000)
open_, slices = collections.defaultdict(list), collections.defaultdict(list)
for e in trace:
    if e["ph"] == "B":
        check(not open_[e["tid"]] or open_[e["tid"]][-1][0] <= ns(e), "not nested:", e)
        open_[e["tid"]].append((ns(e), e["name"]))
    elif e["ph"] == "E":
        begin, name = open_[e["tid"]].pop()
        check(name == e["name"] and begin <= ns(e), "not nested:", name, e)
        slices[order[e["pid"]], e["tid"]].append((begin, ns(e), name))
check(not any(open_.values()), "bars without an end")
tids = collections.defaultdict(list)
for rank, tid in sorted(slices):
    tids[rank].append(tid)
for rank, name, before, after in calls:
    inside = [s for s in slices[rank, tids[rank][0]] if s[2].split()[-2] == name and before <= s[0] and s[1] <= after]
    check(len(inside) == 1, "Chrome: rank %d: bars of a call of %s:" % (rank, name), inside)
ends = {ph: {e["id"]: e for e in trace if e["ph"] == ph} for ph in "sf"}
check(set(ends["s"]) == set(ends["f"]) and len(ends["s"]) == len(sent), "Chrome: ends of arrows:", *map(len, ends.values()))
arrows = sorted((order[s["pid"]], ns(s), order[ends["f"][i]["pid"]], ns(ends["f"][i])) for i, s in ends["s"].items())
check(arrows == sorted((m["from"], m["sent"], m["to"], m["received"]) for m in messages), "Chrome: not Paraver's messages")
for e in list(ends["s"].values()) + list(ends["f"].values()):
    around = [s for s in slices[order[e["pid"]], e["tid"]] if s[0] <= ns(e) <= s[1] and " MPI_" in s[2]]
    check(around, "Chrome: an arrow that is in no call:", e)
print("\n".join(bad[:20]))
sys.exit(bool(bad))
