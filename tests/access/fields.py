"""Programs with structures made by chance, and what their members are accessed: by arithmetic, or by lackey's trace.

fields.py make SEED PROGRAM.c EXPECTED   writes a program, and lines "line thread object member loads stores load_bytes
                                         store_bytes" of what it does; line is that of the region, 0 outside
fields.py make SEED PROGRAM.c EXPECTED walks   the same without copies, whose bytes libraries move, and with stores of
                                         single bytes, which EXPECTED does not have
fields.py counted JSON                   prints the same of a profile
fields.py traced LAYOUT TRACE            prints "object member load_bytes store_bytes" of a trace of lackey, by what the
                                         program printed: "M object address n size member offset bytes count step"
fields.py bytes JSON                     prints the same of a profile
fields.py classes SEED PROGRAM.cpp       writes a program with classes that have virtual bases, which prints where members are:
                                         "object member offset"
fields.py placed JSON TOLD               fails where a profile says otherwise, or leaves out more than a tenth of them
fields.py sums JSON                      fails when the bytes of an object's members are not those of the object
"""
import collections
import json
import random
import sys

BYTES = {"char": 1, "short": 2, "int": 4, "long": 8, "float": 4, "double": 8}


class Structure:
    """A structure: its members are (C path with %d for an index, leaf, bytes of an access, least index, indices)."""

    def __init__(self, chance, number):
        inner = [(chance.choice(list(BYTES)), "i%d" % i) for i in range(chance.randint(2, 3))]
        parts = [("%s m%d;" % (t, i), [("m%d" % i, "m%d" % i, BYTES[t])])
                 for i, t in enumerate(chance.choices(list(BYTES), k=chance.randint(2, 5)))]
        parts.append(("struct in%d in;" % number, [("in." + n, "in." + n, BYTES[t]) for t, n in inner]))
        many = chance.randint(2, 4)
        parts.append(("struct in%d v[%d];" % (number, many),
                      [("v[%d].%s" % (k, n), "v[]." + n, BYTES[t]) for t, n in inner for k in range(many)]))
        parts.append(("short few[5];", [("few[%d]" % k, "few", 2) for k in range(5)]))
        parts.append(("union { double d; int w[2]; long n; } u;",
                      [("u.d", "u.d|u.n", 8), ("u.n", "u.d|u.n", 8), ("u.w[0]", "u.w", 4), ("u.w[1]", "u.w", 4)]))
        chance.shuffle(parts)
        self.number = number
        self.text = "struct in%d { %s };\nstruct s%d { %s };\n" % (
            number, " ".join("%s %s;" % m for m in inner), number, " ".join(p[0] for p in parts))
        self.accesses = [a for p in parts for a in p[1]]
        # leaf, first place, bytes of all of it, bytes of a place, places, a path to the second place
        self.leaves = []
        for p in parts:
            if p[0].startswith("union"):
                self.leaves += [("u.d|u.n", "u.d", 1, None), ("u.w", "u.w", 1, None)]
            elif p[0].startswith("short few"):
                self.leaves.append(("few", "few", 1, None))
            elif "v[" in p[0]:
                self.leaves += [("v[]." + n, "v[0]." + n, many, "v[1]." + n) for _, n in inner]
            else:
                self.leaves += [(leaf, leaf, 1, None) for _, leaf, _ in p[1]]
        self.sizes = {"few": 10, "u.w": 8, "u.d|u.n": 8}
        for path, leaf, n in self.accesses:
            self.sizes.setdefault(leaf, n)


class Program:
    def __init__(self, seed, has_copies):
        self.chance = random.Random(seed)
        self.lines = ["#include <stddef.h>", "#include <stdio.h>", "#include <stdlib.h>"]
        self.expected = collections.Counter()
        self.structures = [Structure(self.chance, k) for k in range(2)]
        self.objects = []
        for s in self.structures:
            self.lines += s.text.rstrip().split("\n")
            n = self.chance.randint(40, 200)
            self.lines.append("static struct s%d fixed%d[%d];" % (s.number, s.number, n))
            self.objects.append(("fixed%d" % s.number, s, n))
        self.lines += ["int main(int argc, char **argv)", "{", "double sum = 0;", "volatile int once = 1;",
                       "const int one = once + 0 * !argv; /* so that no loop is unrolled */"]
        for s in self.structures:
            n = self.chance.randint(40, 200)
            self.lines.append("struct s%d *heap%d = %s(%s sizeof *heap%d);" % (
                s.number, s.number, *(("calloc", "%d," % n) if has_copies else ("malloc", "%d *" % n)), s.number))
            if not has_copies:
                self.lines.append("for (size_t i = 0; i < %d * sizeof *heap%d; i++) ((char *)heap%d)[i] = 0;" % (
                    n, s.number, s.number))
            self.objects.append(("heap%d" % s.number, s, n))
        for name, s, n in self.objects:
            for leaf, path, places, second in s.leaves:
                step = "(size_t)((char *)&%s[0].%s - (char *)&%s[0].%s)" % (name, second, name, path) if second else "0"
                self.lines.append(
                    'if (argc > 1) printf("M %s %%lu %d %%zu %s %%zu %d %d %%zu\\n", (unsigned long)%s, sizeof *%s, '
                    "(size_t)((char *)&%s[0].%s - (char *)%s), %s);" % (
                        name, n, leaf, s.sizes[leaf], places, name, name, name, path, name, step))
        for _ in range(self.chance.randint(12, 20)):
            self.chance.choice([self.walk, self.walk, self.walk, self.copy if has_copies else self.walk])()
        self.lines += ['fprintf(stderr, "%g\\n", sum);', "return 0;", "}"]

    def add(self, line, thread, name, leaf, is_store, n, n_bytes):
        self.expected[line, thread, name, leaf, "stores" if is_store else "loads"] += n
        self.expected[line, thread, name, leaf, "store_bytes" if is_store else "load_bytes"] += n * n_bytes

    def loop(self, n_iterations, body, is_sum):
        """Writes a loop; returns the line of its region and how often each thread does it."""
        if self.chance.random() < 0.5:
            self.lines.append("for (int i = 0; i < %d * one; i++)" % n_iterations)
            self.lines.append("\t" + body)
            return 0, {0: n_iterations}
        self.lines.append("#pragma omp parallel for schedule(static, 1) num_threads(2)%s" % (
            " reduction(+ : sum)" if is_sum else ""))
        line = len(self.lines)
        self.lines.append("for (int i = 0; i < %d * one; i++)" % n_iterations)
        self.lines.append("\t" + body)
        return line, {0: (n_iterations + 1) // 2, 1: n_iterations // 2}

    def walk(self):
        name, s, n = self.chance.choice(self.objects)
        path, leaf, n_bytes = self.chance.choice(s.accesses)
        step, is_store = self.chance.randint(1, 4), self.chance.random() < 0.5
        place = self.chance.choice(["i * %d" % step, "%d - i * %d" % (n - 1, step)])
        member = "%s[%s].%s" % (name, place, path)
        line, threads = self.loop((n + step - 1) // step, "%s = i;" % member if is_store else "sum += %s;" % member,
                                  not is_store)
        for thread, times in threads.items():
            self.add(line, thread, name, leaf, is_store, times, n_bytes)

    def copy(self):
        s = self.chance.choice(self.structures)
        of = [o for o in self.objects if o[1] is s]
        self.chance.shuffle(of)
        line, threads = self.loop(min(o[2] for o in of), "%s[i] = %s[i];" % (of[0][0], of[1][0]), False)
        for k, (name, _, _) in enumerate(of):
            for leaf, _, places, _ in s.leaves:
                for thread, times in threads.items():
                    if leaf != "u.w":  # a copy of all of a union counts for the first of its longest members
                        self.add(line, thread, name, leaf, k == 0, times * places, s.sizes[leaf])


KEYS = ("loads", "stores", "load_bytes", "store_bytes")


def put(counts):
    for key in sorted({k[:4] for k in counts}):
        values = [counts[key + (k,)] for k in KEYS]
        if any(values):
            print(*key, *values)


def rows(profile, table):
    columns = profile[table]
    return [dict(zip(columns, values)) for values in zip(*columns.values())]


def counts_of(profile):
    members = {(m["object"], m["number"]): m for m in rows(profile, "structure_members")}
    names, regions = profile["objects"]["name"], rows(profile, "regions")
    paths, threads, counts = rows(profile, "paths"), profile["threads"]["label"], collections.Counter()
    for a in rows(profile, "member_accesses"):
        member = members[a["object"], a["member"]]
        if member["kind"] in ("padding", "bits"):
            continue
        name, region = names[a["object"]], paths[a["path"]]["region"]
        name = name.split(" ")[1] if " " in name else name
        line = 0 if a["path"] == 0 or region is None else regions[region]["begin_line"]
        for key in KEYS:
            counts[line, threads[a["thread"]], name, member["name"], key] += a[key]
    return counts


def put_bytes(counts):
    for key in sorted(counts):
        print(*key, *counts[key])


def traced(layout, trace):
    leaves, counts, objects = collections.defaultdict(list), {}, {}
    for line in open(layout):
        words = line.split()
        if words and words[0] == "M":
            name, leaf = words[1], words[5]
            address, n, size, offset, n_bytes, places, step = (int(words[i]) for i in (2, 3, 4, 6, 7, 8, 9))
            objects[name] = address, address + n * size, size
            leaves[name] += [(offset + k * step, offset + k * step + n_bytes, leaf) for k in range(places)]
            counts[name, leaf] = [0, 0]
    for line in open(trace):
        if line[:2] not in (" L", " S", " M"):
            continue
        address, _, n = line[3:].partition(",")
        address, n = int(address, 16), int(n)
        for name, (lo, hi, size) in objects.items():
            for at in range(max(address, lo), min(address + n, hi)):
                for first, end, leaf in leaves[name]:
                    if first <= (at - lo) % size < end:
                        counts[name, leaf][0] += line[1] in "LM"
                        counts[name, leaf][1] += line[1] in "SM"
    # members of a union have the same bytes, which a trace cannot tell apart
    for name in objects:
        counts.pop((name, "u.w"), None)
    put_bytes({key: value for key, value in counts.items() if any(value)})


def bytes_of(profile):
    sums = {}
    for (_, _, name, member, key), n in counts_of(profile).items():
        member = "u.d|u.n" if member == "u.w" else member
        if key.endswith("bytes") and n:
            sums.setdefault((name, member), [0, 0])[key == "store_bytes"] += n
    put_bytes(sums)


def sums_differ(profile):
    """Returns the first object whose members' bytes are not its own, but for the 8 that new[] stores before them."""
    sums = {}
    for table in "member_accesses", "accesses":
        for a in rows(profile, table):
            one = sums.setdefault(a["object"], {}).setdefault(table, [0, 0, 0])
            for i, key in enumerate(("load_bytes", "store_bytes", "atomic_bytes")):
                one[i] += a[key] or 0
    for name, one in sums.items():
        members = one.get("member_accesses")
        if members and [n - m for n, m in zip(one["accesses"], members)] not in ([0, 0, 0], [0, 8, 0]):
            return "%s: %s" % (profile["objects"]["name"][name], one)
    return lines_differ(profile) or (None if profile["member_accesses"]["path"] else "nothing was counted")


def lines_differ(profile):
    """Returns the first object of which the regions that use its lines are not those that access its members."""
    lines, accesses, regions = {}, {}, [p["region"] for p in rows(profile, "paths")]
    for s in rows(profile, "structure_lines"):
        lines.setdefault(s["object"], []).append(s["region"])
    for a in rows(profile, "member_accesses"):
        accesses.setdefault(a["object"], set()).add(regions[a["path"]])
    for name, used in accesses.items():
        have = lines.get(name, [])
        if not used.issubset(have) or len(set(have)) != len(have):
            return "%s: lines in regions %s, accesses in %s" % (profile["objects"]["name"][name], have, used)
    return None


def classes(seed):
    """Yields the lines of a program with classes; a class is a virtual base of all that derive from it, or a base of one."""
    chance, bodies, used = random.Random(seed), ["int main()", "{"], set()
    yield "#include <cstdio>"
    members = []  # by class: its members, and those of its bases
    for c in range(40):
        bases = [b for b in chance.sample(range(c), min(c, chance.randint(0, 3))) if b % 2 or b not in used]
        used.update(bases)
        own = ["m%d_%d" % (c, i) for i in range(chance.randint(1, 3))]
        members.append(own + [m for b in bases for m in members[b]])
        yield "struct c%d%s { %s%s };" % (
            c, " : " * bool(bases) + ", ".join("virtual " * (b % 2) + "c%d" % b for b in bases),
            "virtual void f%d() {} " % c * chance.randint(0, 1),
            " ".join("%s %s;" % (chance.choice(list(BYTES)), m) for m in own))
        yield "static c%d o%d[3];" % (c, c)
        for m in sorted(set(members[c])):
            bodies += ["\to%d[1].%s = 1;" % (c, m),
                       '\tprintf("o%d %s %%ld\\n", (long)((char *)&o%d[1].%s - (char *)&o%d[1]));' % (c, m, c, m, c)]
    yield from bodies + ["}"]


def placed(profile, told):
    """Compares where members are with what the program has told.  A compiler may leave out objects that nobody reads."""
    have, names = {}, profile["objects"]["name"]
    for m in rows(profile, "structure_members"):
        have[names[m["object"]], m["name"].split("::")[-1]] = m["offset"]
    want = {(o, m): int(at) for o, m, at in (line.split() for line in open(told))}
    wrong = {key: (at, have[key]) for key, at in want.items() if have.get(key, at) != at}
    objects = {o for o, _ in have}
    n_missing = sum(key not in have for key in want if key[0] in objects)
    if wrong or n_missing > len(want) / 10 or len(want) < 80 or len(objects) < 10:
        print("wrong:", wrong, "missing: %d of %d" % (n_missing, len(want)))
        sys.exit(1)


def main(what, *arguments):
    if what == "make":
        program = Program(arguments[0], arguments[3:] != ("walks",))
        with open(arguments[1], "w") as file:
            file.write("\n".join(program.lines) + "\n")
        sys.stdout = open(arguments[2], "w")
        put(collections.Counter({(a, str(b), c, d, e): n for (a, b, c, d, e), n in program.expected.items()}))
    elif what == "counted":
        put(counts_of(json.load(open(arguments[0]))))
    elif what == "classes":
        print("\n".join(classes(arguments[0])), file=open(arguments[1], "w"))
    elif what == "placed":
        placed(json.load(open(arguments[0])), arguments[1])
    elif what == "traced":
        traced(*arguments)
    elif what == "sums":
        differ = sums_differ(json.load(open(arguments[0])))
        if differ:
            print(differ)
            sys.exit(1)
    elif what == "bytes":
        bytes_of(json.load(open(arguments[0])))


main(*sys.argv[1:])
