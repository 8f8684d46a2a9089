"""The time of each thread at each call path itself.

It divides as in the formats folded and speedscope, but for constructs that are nothing but waiting (WAITS): there the
formats have what was not measured as waiting or management as work, and here it is waiting.
"""

# Constructs that are nothing but waiting: what other threads or tasks do meanwhile is not in them.
WAITS = set("ATOMIC|BARRIER|FLUSH|TASKWAIT|JOIN|MUTEX|RWLOCK|CONDITION|THREAD BARRIER|SEMAPHORE|FUTURE".split("|"))
PARTS = ("work_ns", "waiting_ns", "management_ns")


class Links:
    """Which cells are below which."""

    def __init__(self, profile):
        self.cells, self.paths, threads = (profile.columns(t) for t in ("cells", "paths", "threads"))
        self.at, self.below, self.teams = {}, {}, {}
        for i, (path, thread) in enumerate(zip(self.cells["path"], self.cells["thread"])):
            self.at.setdefault(path, {})[thread] = i
        for path in range(1, len(self.paths["parent"])):
            self.below.setdefault(self.paths["parent"][path], []).append(path)
        for thread, (parent, rank) in enumerate(zip(threads["parent"], threads["rank"])):
            if parent is not None and rank == 0:
                self.teams.setdefault(parent, []).append(thread)

    def cell_below(self, path, thread):
        """The cell at a path that is part of a thread's time: that of the first thread of a team that it made there,
        else its own.  None where there is none."""
        rows = self.at.get(path, {})
        if self.paths["construct"][path].startswith("PARALLEL"):
            made = [rows[t] for t in self.teams.get(thread, []) if t in rows]
            if made:
                return min(made)
        return rows.get(thread)

    def own_ns(self, path, thread, cell):
        """The time of a cell without those below it; None where it is not known."""
        incl = self.cells["incl_ns"]
        below = [self.cell_below(p, thread) for p in self.below.get(path, [])]
        times = [incl[cell]] + [incl[i] for i in below if i is not None]
        return None if None in times else max(0, times[0] - sum(times[1:]))

    def sum_of(self, cell, *columns):
        """The sum of what a construct has of these parts."""
        return sum(max(0, self.cells[column][cell] or 0) for column in columns)


def divide(links, path, thread, cell):
    own_ns = links.own_ns(path, thread, cell)
    if own_ns is None:
        return dict.fromkeys(PARTS)
    # rounding must not make the parts exceed the whole
    waiting_ns = min(own_ns, links.sum_of(cell, "enter_ns", "exit_bar_ns"))
    management_ns = min(own_ns - waiting_ns, links.sum_of(cell, "startup_ns", "shutdown_ns", "exit_ns", "mgmt_ns"))
    work_ns = own_ns - waiting_ns - management_ns
    if links.paths["construct"][path] in WAITS:
        work_ns, waiting_ns = 0, waiting_ns + work_ns
    return dict(zip(PARTS, (work_ns, waiting_ns, management_ns)))


def stacks(profile):
    links, out = Links(profile), []
    if links.at and links.paths["exclusive_wall_ns"][0]:
        serial_ns = links.paths["exclusive_wall_ns"][0]
        out.append(dict({"path": 0, "thread": 0}, work_ns=serial_ns, waiting_ns=0, management_ns=0))
    for path in range(1, len(links.paths["parent"])):
        for thread, cell in links.at.get(path, {}).items():
            out.append(dict({"path": path, "thread": thread}, **divide(links, path, thread, cell)))
    return out
