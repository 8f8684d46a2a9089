# judge.py ROWS SOURCES MODE [PART=N/M] [PATTERN]: builds and runs rows, and compares what is found with what was planted.
# MODE: quick, the rows marked so; all; saving, all, and what findings say that the run would save is compared with what the
# mended twin saves; busy, the rows marked quick or busy beside twice as many busy loops as there are processors.
# PATTERN: only rows whose source and flags fit it.  Prints a table, and how many runs found what was planted, by finding.
# The status is 0 when all rows are as they should be.
import collections, json, os, re, resource, shutil, subprocess, sys, time

# What a machine that others use does to a program, and what starting threads costs: not what was planted, but for rows
# that say so.
MACHINE = {"ProcessorTakenAway", "MoreThreadsThanProcessors", "ThreadsComeLate", "TeamMade", "ManagementOfTeams",
           "WorkVariesBetweenThreads", "LowProcessorUse", "SpeedVaries"}
COMPILERS = {".c": os.environ.get("CC", "gcc"), ".cc": os.environ.get("GXX", "g++"),
             ".F90": os.environ.get("GFORTRAN", "gfortran")}
TRIES = 4          # a time is wrong now and then on a machine that others use
CLEAN_TRIES = 3    # of these runs of a program in which nothing is planted, at most one may have a finding
PAIRS = 5          # runs of the program and its twin, in turn
WITHIN = 0.20      # of what mending the program really saves
# Open MPI takes root, and more ranks than processors, only if told; MPICH does not look at these.
MPI = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1", "OMPI_MCA_rmaps_base_oversubscribe": "1"}
MPIRUN = ["mpirun", "-n", "2"]
COLUMNS = ["found", "elsewhere", "not first", "missed", "false"]

Row = collections.namedtuple("Row", "source flags threads want where mended")


def rows(path, words):
    part, parts = 1, 1
    for word in words:
        if word.startswith("PART="):
            part, parts = (int(n) for n in word[5:].split("/"))
    patterns = [w for w in words[1:] if not w.startswith("PART=")]
    when = {"quick": ["quick"], "busy": ["quick", "busy"]}.get(words[0], ["quick", "busy", "slow"])
    lines = [[field.strip() for field in line.split("|")] for line in open(path) if not line.startswith("#")]
    wrong = [" | ".join(line) for line in lines if len(line) != 7]
    if wrong:
        sys.exit("no row of seven fields: " + wrong[0])
    for i, row in enumerate(lines):
        if i % parts == part % parts and row[0] in when and all(re.search(p, row[1] + " " + row[2]) for p in patterns):
            for threads in row[3].split(","):
                yield Row(row[1], row[2], threads, *row[4:])


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


# Builds the program and its twin, and returns the seconds that each took in each of the pairs of runs.
def times_of_twins(sources, row, env, of_cpu=False):
    build([], sources, row.source, row.flags, "./plain")
    build([], sources, row.source, row.mended.removeprefix("most "), "./mended")
    return zip(*[(seconds("./plain", env, of_cpu), seconds("./mended", env, of_cpu)) for _ in range(PAIRS)])


# Returns the share of its time that mending the program saves.
def really_saved(sources, row, env):
    plain, mended = times_of_twins(sources, row, env)
    return 1 - min(mended) / min(plain)


# Returns the share of the CPU time of the run just measured that the mended program does not need.
def really_saved_cpu(sources, row, env, run_s):
    build([], sources, row.source, row.mended.removeprefix("cpu "), "./mended")
    return 1 - min(seconds("./mended", env, True) for _ in range(PAIRS)) / run_s


# Returns the findings of which the program is the cause: name, file:line, the share of the time without the profiler's
# own cost that it would save, what shows it, the share of the CPU time that it costs, and the seconds that it would save;
# and the run's CPU time.
def findings(row, env):
    command = (MPIRUN if is_mpi(row.source) else []) + ["./program"]
    for name in os.listdir("."):
        if name.startswith("program.") and name.endswith(".ompp"):
            os.remove(name)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
    profiles = [name for name in os.listdir(".") if name.startswith("program.") and name.endswith(".ompp")]
    least = [] if row.want == "-" else ["--property-min=0.1"]  # others on the machine may take most of a run
    report = subprocess.run(["ompp", "report", "--format=json"] + least + profiles, check=True, capture_output=True)
    p = json.loads(report.stdout)
    run, r, out = p["run"], p["regions"], []
    for f in p["findings"]["list"]:
        i = f["region"]
        place = "program" if i is None else "%s:%s" % (os.path.basename(r["file"][i]), r["begin_line"][i])
        own_ns = run["cost_ns"] / run["max_threads"]
        share = None if f["gain_ns"] is None else f["gain_ns"] / (run["duration_ns"] - own_ns)
        if f["name"] not in MACHINE - {row.want}:
            out.append((f["name"], place, share, f["evidence"], (f["time_ns"] or 0) / max(run["user_ns"], 1),
                        None if f["gain_ns"] is None else f["gain_ns"] / 1e9))
    return out, run["user_ns"] / 1e9


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
    if row.mended.startswith("most "):
        return "found", "saving: at most %.1f %%, really %.1f %%" % (100 * said, 100 * saved) if saved is not None and (
            saved > said or saved < -WITHIN) else ""
    if saved is not None and abs(said - saved) > WITHIN * saved:
        return "found", "saving: %.1f %%, really %.1f %%" % (100 * said, 100 * saved)
    return "found", ""


# Runs the program of a row until what is found is right, or a clean one several times.  Counts in the table what the runs
# had.  Returns what is wrong, the last findings, and what they say of the saving beside what it really is.
def run_row(row, sources, with_saving, table):
    env = dict(os.environ, OMP_NUM_THREADS=row.threads, OMPP_QUIET="1", OMPP_OUTFORMAT="text", **split(row.flags)[1],
               **(MPI if is_mpi(row.source) else {}))
    if row.mended.startswith(("cpu ", "most ")):
        env["OMP_WAIT_POLICY"] = "passive"  # waiting takes no CPU time
    build(["kinst"], sources, row.source, row.flags, "./program")
    n_wrong = 0
    for _ in range(CLEAN_TRIES if row.want == "-" else TRIES):
        saved = said = plain = None
        if with_saving and row.mended.startswith("most "):
            # the kernel counts CPU time in ticks that may be as long as a run, so the sum of the runs is what it is
            plain, mended = (max(sum(times) / PAIRS, 0.001) for times in times_of_twins(sources, row, env, True))
            saved = 1 - mended / plain
        elif with_saving and row.mended != "-" and not row.mended.startswith("cpu "):
            saved = really_saved(sources, row, env)
        found, run_s = findings(row, env)
        if with_saving and row.mended.startswith("cpu "):
            saved = really_saved_cpu(sources, row, env, run_s)
        if plain and found and found[0][5] is None:
            saved = None  # others had the processors, and nothing is said
        if found and saved is not None:
            said = (found[0][5] or 0) * int(row.threads) / plain if plain else found[0][4 if row.mended.startswith("cpu ") else 2] or 0
        column, what = judge(found, row, sources, said, saved)
        table[row.want][column] += 1
        n_wrong += what != ""
        if row.want != "-" and not what:
            return "", found, said, saved
    if row.want == "-":
        what = "%d of %d runs: %s" % (n_wrong, CLEAN_TRIES, what or "of another kind") if n_wrong > 1 else ""
    return what, found, said, saved


def put_table(table):
    print("\n%-42s %s" % ("runs by what was planted (-: nothing)", " ".join("%10s" % c for c in COLUMNS)))
    for want in sorted(table):
        print("%-42s %s" % (want, " ".join("%10d" % table[want][c] for c in COLUMNS)))


def main():
    path, sources = sys.argv[1:3]
    mode, wrong, n = sys.argv[3], 0, 0
    table = collections.defaultdict(collections.Counter)
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"])
              for _ in range(2 * os.cpu_count() if mode == "busy" else 0)]
    try:
        for row in rows(path, sys.argv[3:]):
            if is_mpi(row.source) and not (shutil.which("mpicc") and shutil.which("mpirun")):
                print("left out: %s, without MPI" % row.source)
                continue
            what, found, said, saved = run_row(row, sources, mode == "saving", table)
            n += 1
            wrong += what != ""
            share = "" if said is None else "says %.1f %%, mending saves %.1f %%" % (100 * said, 100 * saved)
            print("%-7s %-18s %-40s %s %-22s %s %s" % ("WRONG" if what else "right", row.source, row.flags, row.threads,
                                                       row.want, share, what), flush=True)
            if what and found:
                print("        " + found[0][3])
    finally:
        for other in others:
            other.kill()
    put_table(table)
    print("%d rows, %d wrong" % (n, wrong))
    sys.exit(wrong > 0 or n == 0)


main()
