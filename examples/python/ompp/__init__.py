"""Profiles of kinst for Python scripts, by `ompp report --format=json`; it needs nothing but Python.

    import ompp
    profile = ompp.load("prog.4-0.ompp")        # or the files of all ranks, or what --format=json printed (.json)
    profile.table("flat")                       # a list of dicts; profile.frame("flat") is a DataFrame of pandas
    profile.regions()                           # the time of each region, by what threads did
    ompp.calltree.literal(profile)              # for hatchet.GraphFrame.from_literal(), and Thicket
    ompp.extrap.text([ompp.load(f) for f in files])     # input of Extra-P

Times are nanoseconds, as integers.  What was not measured is None; profile.units says how sure each column is.  `man
ompp-json` has the tables and columns.
"""
import json
import re
import subprocess

# Columns of numbers that have no unit, so that the document does not tell them from texts of digits.
NUMBERS = set("""
    regions.id regions.begin_line regions.end_line threads.host threads.rank numa_counters.numa_node numa_counters.value
    numa_counters.process objects.address sample_lines.line first_touches.line instances.address uses.least_address
    uses.most_address spots.slice spots.page extents.order numa_nodes.number hot_pages.address hot_spots.line
    holders.by_readers structure_members.number member_accesses.member loops.line partners.rank rank_waits.rank
    rank_clocks.rank rank_clocks.clock course.slice""".split())
# Members of the run that are texts.
RUN_TEXTS = set("app version clock commit data_method filter pages_method sample_source stamp tick".split())


class Error(Exception):
    """What cannot be read, and why."""


def number(value):
    """A number of the document, which is a text of 16 to 20 digits beyond 2^53 - 1.  A text that a later ompp added
    stays one."""
    return int(value) if isinstance(value, str) and re.fullmatch("-?[0-9]{16,20}", value, re.ASCII) else value


def load(files, command="ompp"):
    """Reads a profile: the name of a .ompp file, or of all files of one MPI run; or of a .json file."""
    files = [str(files)] if isinstance(files, str) or hasattr(files, "__fspath__") else [str(f) for f in files]
    if len(files) == 1 and files[0].endswith(".json"):
        try:
            with open(files[0], encoding="utf-8") as f:
                return Profile(json.load(f))
        except (OSError, ValueError) as e:
            raise Error("%s: cannot be read: %s" % (files[0], e)) from e
    paths = ["./" + f if f.startswith("-") else f for f in files]
    try:
        done = subprocess.run([command, "report", "--format=json"] + paths, capture_output=True, check=False)
    except OSError as e:
        raise Error("%s: cannot be started: %s; give its path: ompp.load(files, command=PATH)" % (command, e)) from e
    if done.returncode:
        raise Error(done.stderr.decode("utf-8", "replace").strip() or "%s: status %d" % (command, done.returncode))
    return Profile(json.loads(done.stdout.decode("utf-8")))


class Profile:
    """A profile.  run, conditions, notes, program, findings and units are as in the document, with whole numbers."""

    def __init__(self, document):
        if not isinstance(document, dict) or document.get("format") != "ompp-profile":
            raise Error("not a profile; give what ompp report --format=json prints")
        if document.get("version") != 1:
            raise Error("version %s of the format; this module reads 1" % document.get("version"))
        self.document = document
        self.units = document["units"]
        self.run = {k: v if k in RUN_TEXTS else number(v) for k, v in document["run"].items()}
        self.program = {k: number(v) for k, v in document["program"].items()}
        self.conditions, self.notes = document["conditions"], document["notes"]
        self.findings = [dict(f, time_ns=number(f["time_ns"]), gain_ns=number(f["gain_ns"]))
                         for f in document["findings"]["list"]]
        self._columns = {}

    # ---- tables ----

    def tables(self):
        """The names of the tables."""
        return list(self.units)

    def columns(self, name):
        """A table as lists by the names of its columns.  The counters are columns of cells and flat."""
        if name not in self.units:
            raise Error("%s: no such table; there are: %s" % (name, ", ".join(self.units)))
        if name not in self._columns:
            columns = {}
            for column, values in self.document[name].items():
                is_number = column in self.units[name] or "%s.%s" % (name, column) in NUMBERS
                columns[column] = [number(v) for v in values] if is_number else values
            member = {"cells": "values", "flat": "flat_values"}.get(name)
            for counter in self.document["counters"] + self.document["computed"]:
                if member in counter and counter["name"] not in columns:
                    columns[counter["name"]] = [number(v) for v in counter[member]]
            self._columns[name] = columns
        return self._columns[name]

    def table(self, name):
        """A table as a list of dicts."""
        columns = self.columns(name)
        return [dict(zip(columns, row)) for row in zip(*columns.values())]

    def frame(self, name):
        """A table as a DataFrame of pandas; integers are Int64, so that none is rounded, and missing is NA."""
        import pandas

        frame = {}
        for column, values in self.columns(name).items():
            known = [v for v in values if v is not None]
            is_integer = known and all(isinstance(v, int) and not isinstance(v, bool) for v in known)
            most = max(map(abs, known)) if is_integer else 0
            if is_integer and most < 1 << 63:
                frame[column] = pandas.array(values, dtype="Int64")
            else:
                frame[column] = pandas.Series(values, dtype=None if known and len(known) == len(values) else object)
        return pandas.DataFrame(frame)

    # ---- regions and call paths ----

    def title(self, region, construct=None):
        """What a region is and where, "LOOP a.c (12-16)", as in reports."""
        r = self._region(region)
        out = construct or r["construct"]
        out += " " + self._file(r["file"]) if r["file"] else ""
        if r["begin_line"]:
            end = "" if r["construct"] == "FUNCTION" else "-%s" % (r["end_line"] or 0)
            out += " (%s%s)" % (r["begin_line"], end)
        if r["name"] or r["construct"] == "CRITICAL":
            locks = ", %s locks" % r["locks"] if (r["locks"] or 1) > 1 else ""
            out += " (%s%s)" % (r["name"] or "unnamed", locks)
        return out + (" in " + r["instantiation"] if r["instantiation"] else "")

    def _region(self, region):
        return {k: v[region] for k, v in self.columns("regions").items()}

    def _file(self, path):
        """The end of a path that tells it from other files of the profile."""
        others = set(self.columns("regions")["file"]) - {path, ""}
        parts = path.split("/")
        for n in range(1, len(parts)):
            end = "/".join(parts[-n:])
            if not any(other == end or other.endswith("/" + end) for other in others):
                return end
        return path

    def path_title(self, path):
        """The same of the last region of a call path; the program's name for path 0."""
        paths = self.columns("paths")
        if paths["region"][path] is None:
            return self.run["app"]
        return self.title(paths["region"][path], paths["construct"][path])

    def stacks(self):
        """The time of each thread at each call path itself, without those below it: dicts of path, thread, work_ns,
        waiting_ns and management_ns, which are None where they are not known.  The program's own time is its first
        thread's.  All together are the time of all threads."""
        return stacks.stacks(self)

    def regions(self):
        """The time of all threads in each region itself, most first: dicts of title, region (None for the program),
        work_ns, waiting_ns, management_ns and executions.  A time of which a part is not known is None."""
        paths, cells, sums = self.columns("paths"), self.columns("cells"), {}
        for row in self.stacks():
            key = (paths["region"][row["path"]], paths["construct"][row["path"]])
            if key not in sums:
                sums[key] = {"title": self.path_title(row["path"]), "region": key[0],
                             "executions": None if key[0] is None else 0}
                sums[key].update(dict.fromkeys(stacks.PARTS, 0))
            for part in stacks.PARTS:
                known = None not in (sums[key][part], row[part])
                sums[key][part] = sums[key][part] + row[part] if known else None
        for path, n in zip(cells["path"], cells["executions"]):
            key = (paths["region"][path], paths["construct"][path])
            if key in sums and key[0] is not None:
                sums[key]["executions"] += n
        return sorted(sums.values(), key=lambda r: (-sum(r[p] or 0 for p in stacks.PARTS), r["title"]))


from . import calltree, extrap, stacks  # noqa: E402, F401
