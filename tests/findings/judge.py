# judge.py ROWS SOURCES MODE [NAME=VALUE …] [PATTERN]: builds and runs rows, and compares what is found with what was planted.
# MODE: quick, the rows marked so or alone; all; saving, all, and what findings say that the run would save is compared with what the
# mended twin saves; busy, the rows marked quick or busy beside twice as many busy loops as there are processors; clean, the
# programs without a problem, in turn, as often as RUNS says; numa, the rows marked so, whose profiles are those of a
# machine with several NUMA nodes: BUILD=FOLDER builds them and makes a script for that machine, JUDGE=FOLDER reads them.
# PART=N/M: a part of the rows.  THREADS=N: with so many, in place of a row's own number.  LOAD=N: beside N times as many
# busy loops as there are processors.  SECONDS=N: no run of clean programs begins later.  KEEP=FOLDER: profiles of clean
# programs with false findings are copied there.  PAIRS=N: so many runs of a program and its twin are compared.
# PATTERN: only rows whose source and flags fit it.  Prints a table, and how many runs found what was planted, by finding.
# The status is 0 when all rows are as they should be.
import collections, json, os, re, resource, shutil, signal, subprocess, sys, time

# What a machine that others use does to a program, and what starting threads costs: not what was planted, but for rows
# that say so.
MACHINE = {"ProcessorTakenAway", "ThreadsOnOneProcessor", "MoreThreadsThanProcessors", "ThreadsComeLate", "TeamMade",
           "ManagementOfTeams", "WorkVariesBetweenThreads", "LowProcessorUse", "SpeedVaries"}
# Of these, what one finding alone says of a machine; the others are false in a program without a problem.
MACHINES_PART = {"ProcessorTakenAway", "ThreadsOnOneProcessor", "MoreThreadsThanProcessors", "SpeedVaries"}
# What a machine of several NUMA nodes is asked for; times of an emulated one say nothing.
NUMA = {"MemoryOnOneNode", "MemoryOnAnotherNode", "UsedByNodesInTurn", "PartsOnOtherNodes", "PageSharedByNodes",
        "ThreadsMoveBetweenNodes", "DataFirstWrittenByAnotherThread"}
COMPILERS = {".c": os.environ.get("CC", "gcc"), ".cc": os.environ.get("GXX", "g++"),
             ".F90": os.environ.get("GFORTRAN", "gfortran")}
TRIES = 8          # a time is wrong now and then on a machine that others use
BUSY_TRIES = 40    # of these runs, those in which others had the processors do not count as tries
ALONE_TRIES = 8    # the same of a row that is judged in a quiet run alone, which is left out without one
CLEAN_TRIES = 3    # of these runs of a program in which nothing is planted, at most one may have a finding
PAIRS = 5          # runs of the program and its twin, in turn
WITHIN = 0.20      # of what mending the program really saves
BUSY = 0.05        # of the threads' time: where they wait longer for processors, times say nothing of a saving
# Open MPI takes root, and more ranks than processors, only if told; MPICH does not look at these.
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
MPIRUN = ["mpirun", "-n", "2"]
COLUMNS = ["found", "elsewhere", "not first", "missed", "false"]

Row = collections.namedtuple("Row", "is_alone source flags threads want where mended")


WHEN = {"quick": ["quick", "alone"], "busy": ["quick", "busy"], "numa": ["numa"]}


def settings(words):
    return dict(w.split("=", 1) for w in words if re.match("[A-Z]+=", w))


def rows(path, words):
    said = settings(words)
    part, parts = (int(n) for n in said.get("PART", "1/1").split("/"))
    patterns = [w for w in words[1:] if not re.match("[A-Z]+=", w)]
    when = WHEN.get(words[0], ["quick", "alone", "busy", "slow"])
    lines = [[field.strip() for field in line.split("|")] for line in open(path) if not line.startswith("#")]
    wrong = [" | ".join(line) for line in lines if len(line) != 7]
    if wrong:
        sys.exit("no row of seven fields: " + wrong[0])
    for i, row in enumerate(lines):
        if i % parts == part % parts and row[0] in when and all(re.search(p, row[1] + " " + row[2]) for p in patterns):
            for threads in said.get("THREADS", row[3]).split(","):
                yield Row(row[0] == "alone", row[1], row[2], threads, *row[4:])


# Splits flags into options of kinst, variables of the run, and options of the compiler.
def split(flags):
    words = flags.split()
    options = [w for w in words if w.startswith("--")]
    variables = dict(w.split("=", 1) for w in words if re.match("OMP[P_]", w))
    return options, variables, [w for w in words if w not in options and not re.match("OMP[P_]", w)]


def is_mpi(source):
    return source.startswith("mpi_")


def build(wrapper, sources, source, flags, program):
    options, _, words = split(flags)
    compiler = ["mpicc"] if is_mpi(source) else COMPILERS[os.path.splitext(source)[1]].split()
    subprocess.run(wrapper + (options if wrapper else []) + compiler + ["-O2", "-g", "-fopenmp",
                   os.path.join(sources, source)] + words + ["-o", program, "-lm"], check=True)


def seconds(program, env, of_cpu=False):
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program], check=True, stdout=subprocess.DEVNULL, env=env)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime if of_cpu else time.perf_counter() - start


def build_twins(sources, row):
    build([], sources, row.source, row.flags, "./plain")
    build([], sources, row.source, re.sub("^(most|plain|twice) ", "", row.mended), "./mended")


# Builds the program and its twin, and returns the seconds that each took in each of the pairs of runs.
def times_of_twins(sources, row, env, of_cpu=False):
    build_twins(sources, row)
    return zip(*[(seconds("./plain", env, of_cpu), seconds("./mended", env, of_cpu)) for _ in range(PAIRS)])


# Runs the program, its twin, and the program with the profiler in turn.  Returns the share of its time that mending
# the program saves, and the names of the profiles of the shortest measured run: what other programs do to a run says
# nothing about the program.
def really_saved(sources, row, env):
    plain, mended, shortest, profiles = [], [], None, []
    build_twins(sources, row)
    for _ in range(PAIRS):
        plain.append(seconds("./plain", env))
        mended.append(seconds("./mended", env))
        start = time.perf_counter()
        names = run(row, "./program", env)
        took = time.perf_counter() - start
        if shortest is None or took < shortest:
            shortest, profiles = took, ["shortest-" + name for name in names]
            for name in names:
                os.rename(name, "shortest-" + name)
    return 1 - min(mended) / min(plain), profiles


# Returns the share of the CPU time of the run just measured that the mended program does not need.
def really_saved_cpu(sources, row, env, run_s):
    build([], sources, row.source, row.mended.removeprefix("cpu "), "./mended")
    return 1 - min(seconds("./mended", env, True) for _ in range(PAIRS)) / run_s


def environment(row):
    env = dict(os.environ, OMP_NUM_THREADS=row.threads, OMPP_QUIET="1", OMPP_OUTFORMAT="text", **split(row.flags)[1],
               **(MPI if is_mpi(row.source) else {}))
    if row.mended.startswith(("cpu ", "most ")):
        env["OMP_WAIT_POLICY"] = "passive"  # waiting takes no CPU time
    return env


# Runs the program.  Returns the names of its profiles.
def run(row, program, env):
    is_profile = re.compile(re.escape(os.path.basename(program)) + r"\..*\.ompp$").match
    for name in filter(is_profile, os.listdir(".")):
        os.remove(name)
    subprocess.run((MPIRUN if is_mpi(row.source) else []) + [program], check=True, stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL, env=env)
    return list(filter(is_profile, os.listdir(".")))


# Returns the findings that count: name, file:line, the share of the time without the profiler's own cost that it would
# save, what shows it, the share of the CPU time that it costs, and the seconds that it would save; the run's CPU time;
# and whether other programs had the processors for much of it.
def findings(profiles, is_counted, options):
    report = subprocess.run(["ompp", "report", "--format=json"] + options + profiles, check=True, capture_output=True)
    p = json.loads(report.stdout)
    run, r, out = p["run"], p["regions"], []
    for f in p["findings"]["list"]:
        i = f["region"]
        place = "program" if i is None else "%s:%s" % (os.path.basename(r["file"][i]), r["begin_line"][i])
        own_ns = run["cost_ns"] / run["max_threads"]
        share = None if f["gain_ns"] is None else f["gain_ns"] / (run["duration_ns"] - own_ns)
        if is_counted(f["name"]):
            out.append((f["name"], place, share, f["evidence"], (f["time_ns"] or 0) / max(run["user_ns"], 1),
                        None if f["gain_ns"] is None else f["gain_ns"] / 1e9))
    is_busy = (run["queued_all_ns"] or 0) > BUSY * run["duration_ns"] * run["max_threads"]
    return out, run["user_ns"] / 1e9, is_busy


def places(sources, row):
    if row.where == "program":
        return ["program"]
    return ["%s:%d" % (row.source, i) for i, line in enumerate(open(os.path.join(sources, row.source)), 1)
            if re.search(row.where, line)]


# Returns the column of the table, and what is wrong with the findings, "" when nothing is.
def judge(found, row, sources, said, saved):
    listed = ", ".join("%s %s" % f[:2] for f in found)
    if row.want == "-":
        return ("false", "false: " + listed) if found else ("found", "")
    at = [i for i, f in enumerate(found) if f[0] == row.want]
    if not at:
        return "missed", "missed: " + listed
    if not [i for i in at if found[i][1] in places(sources, row)]:
        return "elsewhere", "elsewhere: %s, not at one of %s" % (listed, " ".join(places(sources, row)))
    if found[0][0] != row.want or found[0][1] not in places(sources, row):
        return "not first", "not first: " + listed
    if row.mended.startswith("plain "):
        return "found", "saving: at most %.1f %%, really %.1f %%" % (100 * said, 100 * saved) if saved is not None and (
            saved > said + WITHIN) else ""
    if row.mended.startswith("most "):
        return "found", "saving: at most %.1f %%, really %.1f %%" % (100 * said, 100 * saved) if saved is not None and (
            saved > said or saved < -WITHIN) else ""
    if row.mended.startswith("twice ") and saved is not None:
        is_near = said / 2 < saved * (1 + WITHIN) and saved < 2 * said * (1 + WITHIN)
        return "found", "" if is_near else "saving: about %.1f %%, really %.1f %%" % (100 * said, 100 * saved)
    if saved is not None and abs(said - saved) > WITHIN * saved:
        return "found", "saving: %.1f %%, really %.1f %%" % (100 * said, 100 * saved)
    return "found", ""


# Tells whether the runs of a program in which nothing is planted have shown that it has findings, or that it has none.
def is_clean_known(tries, n_wrong):
    return n_wrong > 1 or tries - n_wrong == CLEAN_TRIES - 1 or tries == CLEAN_TRIES


# Runs the program of a row until what is found is right, busy_tries times at most, or a clean one several times.  Counts
# in the table what the runs had.  Returns what is wrong, None for a row that is never beside others when all runs were;
# the last findings, and what they say of the saving beside what it really is.
def run_row(row, sources, with_saving, busy_tries, table):
    env = environment(row)
    least = [] if row.want == "-" else ["--property-min=0.1"]  # others on the machine may take most of a run
    build(["kinst"], sources, row.source, row.flags, "./program")
    if row.mended.startswith("plain"):
        build(["kinst"], sources, row.source, " ".join(split(row.flags)[2]), "./plainly")
    n_wrong, tries, all_tries = 0, 0, 0
    busy_tries = min(busy_tries, ALONE_TRIES) if row.is_alone else busy_tries
    while all_tries < busy_tries and tries < TRIES if row.want != "-" else not is_clean_known(tries, n_wrong):
        saved = said = plain = profiles = None
        if with_saving and row.mended.startswith("most "):
            # the kernel counts CPU time in ticks that may be as long as a run, so the sum of the runs is what it is
            plain, mended = (max(sum(times) / PAIRS, 0.001) for times in times_of_twins(sources, row, env, True))
            saved = 1 - mended / plain
        elif with_saving and row.mended.startswith("plain "):
            plain, mended = (min(times) for times in times_of_twins(sources, row, env))
            saved = 1 - mended / plain
        elif with_saving and row.mended != "-" and not row.mended.startswith(("cpu ", "plain")):
            saved, profiles = really_saved(sources, row, env)
        options = least + ["--times=" + name for name in (run(row, "./plainly", env) if row.mended.startswith("plain") else [])]
        if len(options) > len(least):  # the machine's roofs of now
            subprocess.run(["ompp", "machine", "--file=roofs"], check=True, capture_output=True)
            options.append("--machine=roofs")
        profiles = profiles or run(row, "./program", env)
        found, run_s, is_busy = findings(profiles, lambda name: name not in MACHINE - {row.want}, options)
        if with_saving and row.mended.startswith("cpu "):
            saved = really_saved_cpu(sources, row, env, run_s)
        if (plain and found and found[0][5] is None) or (is_busy and int(row.threads) <= os.cpu_count()):
            saved = None  # others had the processors, and nothing is said, or known
        if found and saved is not None:
            said = (found[0][5] or 0) * (1 if row.mended.startswith("plain ") else int(row.threads)) / plain if plain else found[0][4 if row.mended.startswith("cpu ") else 2] or 0
        tries += row.want == "-" or not is_busy
        all_tries += 1
        column, what = judge(found, row, sources, said, saved)
        table[row.want][column] += 1
        n_wrong += what != ""
        if row.want != "-" and not what:
            return "", found, said, saved
    if row.is_alone and not tries:
        what = None
    if row.want == "-":
        what = "%d of %d runs: %s" % (n_wrong, tries, what or "of another kind") if n_wrong > 1 else ""
    return what, found, said, saved


def put_table(table, columns):
    print("\n%-42s %s" % ("runs by what was planted (-: nothing)", " ".join("%10s" % c for c in columns)))
    for want in sorted(table):
        print("%-42s %s" % (want, " ".join("%10d" % table[want][c] for c in columns)))


# Runs programs without a problem in turn.  Returns how many runs there were, and how many had a false finding.
def run_clean(all_rows, sources, n_runs, seconds, keep, table):
    programs, n_false = [], 0
    for row in all_rows:
        if row.want == "-" and not is_mpi(row.source):
            programs.append((row, "./clean%d" % len(programs)))
            build(["kinst"], sources, row.source, row.flags, programs[-1][1])
    n, end = 0, time.monotonic() + seconds
    while n < n_runs and time.monotonic() < end:
        row, program = programs[n % len(programs)]
        profiles = run(row, program, environment(row))
        all_found = findings(profiles, lambda name: True, [])[0]
        found = [f[0] for f in all_found]
        false = [name for name in found if name not in MACHINES_PART] or (found if len(found) > 1 else [])
        counts = table["%s threads" % row.threads]
        counts["false" if false else "machine" if found else "none"] += 1
        n_false += false != []
        n += 1
        for name in profiles if false and keep else []:
            os.makedirs(keep, exist_ok=True)
            shutil.copy(name, os.path.join(keep, "%d-%s" % (n, name)))
        if false:
            print("FALSE   %-18s %-40s %s %s" % (row.source, row.flags, row.threads, ", ".join(found)))
            print("\n".join("        %s: %s" % (f[0], f[3]) for f in all_found if f[0] in false), flush=True)
    return n, n_false


# Builds the programs, and makes a script that runs them, each with as many threads as the machine has processors.
def build_numa(all_rows, sources, folder):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "run"), "w") as script:
        for i, row in enumerate(all_rows):
            build(["kinst"], sources, row.source, row.flags, os.path.join(folder, "numa%d" % i))
            said = " ".join("%s=%s" % item for item in split(row.flags)[1].items())
            script.write("OMP_NUM_THREADS=%s %s OMPP_REPORTFILE=report%d numa%d >out%d || exit\n" % (row.threads, said, i, i, i))


# Judges what the machine left in a folder.
def judge_numa(row, i, sources, folder, table):
    found, _, _ = findings([os.path.join(folder, "report%d.ompp" % i)], NUMA.__contains__, [])
    column, what = judge(found, row, sources, None, None)
    table[row.want][column] += 1
    return what, found, None, None


def main():
    path, sources = sys.argv[1:3]
    global PAIRS
    mode, said, wrong, n = sys.argv[3], settings(sys.argv[3:]), 0, 0
    PAIRS, uncompared = int(said.get("PAIRS", PAIRS)), 0
    table = collections.defaultdict(collections.Counter)
    if "BUILD" in said:
        return build_numa(rows(path, sys.argv[3:]), sources, said["BUILD"])
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("stopped"))  # the others end, too
    load = int(said.get("LOAD", 2 if mode == "busy" else 0))
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(load * os.cpu_count())]
    try:
        if mode == "clean":
            n, wrong = run_clean(rows(path, sys.argv[3:]), sources, int(said.get("RUNS", 1000)),
                                 float(said.get("SECONDS", 660)), said.get("KEEP"), table)
            put_table(table, ["none", "machine", "false"])
            print("%d runs of clean programs, %d with a false finding" % (n, wrong))
            sys.exit(wrong > 0 or n == 0)
        for i, row in enumerate(rows(path, sys.argv[3:])):
            if is_mpi(row.source) and not (shutil.which("mpicc") and shutil.which("mpirun")):
                print("left out: %s, without MPI" % row.source)
                continue
            if mode == "numa":
                what, found, said_share, saved = judge_numa(row, i, sources, said["JUDGE"], table)
            else:
                what, found, said_share, saved = run_row(row, sources, mode == "saving", TRIES if load else BUSY_TRIES,
                                                         table)
            n += 1
            if what is None:
                print("left out: %s %s: others had the processors in all %d runs" % (row.source, row.flags, ALONE_TRIES))
                continue
            wrong += what != ""
            uncompared += mode == "saving" and row.mended not in ("-", "plain") and said_share is None
            share = "" if said_share is None else "says %.1f %%, mending saves %.1f %%" % (100 * said_share, 100 * saved)
            print("%-7s %-18s %-40s %s %-22s %s %s" % ("WRONG" if what else "right", row.source, row.flags, row.threads,
                                                       row.want, share, what), flush=True)
            if what and found:
                print("        " + found[0][3])
    finally:
        for other in others:
            other.kill()
    put_table(table, COLUMNS)
    if uncompared:
        print("%d savings not compared: other programs had the processors" % uncompared)
    print("%d rows, %d wrong" % (n, wrong))
    sys.exit(wrong > 0 or n == 0)


main()
