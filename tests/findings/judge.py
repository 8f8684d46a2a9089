# judge.py ROWS SOURCES quick|saving [PART=N/M] [PATTERN]: builds and runs the rows marked quick, or all, and compares what is
# found with what was planted; with "saving" also what findings say that the run would save with what the mended twin saves.
# PATTERN: only rows whose source and flags fit it.  Prints a table.  The status is 0 when all rows are as they should be.
import json, os, re, resource, subprocess, sys, time

# What a machine that others use does to a program, and what starting threads costs: not what was planted.
MACHINE = {"ProcessorTakenAway", "MoreThreadsThanProcessors", "ThreadsComeLate", "TeamMade", "ManagementOfTeams",
           "WorkVariesBetweenThreads", "LowProcessorUse", "SpeedVaries"}
COMPILERS = {".c": os.environ.get("CC", "gcc"), ".cc": os.environ.get("GXX", "g++"),
             ".F90": os.environ.get("GFORTRAN", "gfortran")}
TRIES = 4          # a time is wrong now and then on a machine that others use
CLEAN_TRIES = 3    # of these runs of a program in which nothing is planted, at most one may have a finding
PAIRS = 5          # runs of the program and its twin, in turn
WITHIN = 0.20      # of what mending the program really saves


def rows(path, words):
    part, parts = 1, 1
    for word in words:
        if word.startswith("PART="):
            part, parts = (int(n) for n in word[5:].split("/"))
    patterns = [w for w in words[1:] if not w.startswith("PART=")]
    lines = [[field.strip() for field in line.split("|")] for line in open(path) if not line.startswith("#")]
    for i, row in enumerate(r for r in lines if len(r) == 7):
        if i % parts == part % parts and (row[0] == "quick" or words[0] == "saving") and \
                all(re.search(p, row[1] + " " + row[2]) for p in patterns):
            yield row[1:]


def build(wrapper, source, flags, program):
    compiler = COMPILERS[os.path.splitext(source)[1]].split()
    subprocess.run(wrapper + compiler + ["-O2", "-g", "-fopenmp", source] + flags.split() + ["-o", program, "-lm"],
                   check=True)


def seconds(program, env, of_cpu=False):
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program], check=True, stdout=subprocess.DEVNULL, env=env)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime if of_cpu else time.perf_counter() - start


# Builds the program and its twin, and returns the share of its time that mending it saves.
def really_saved(sources, source, flags, mended, env):
    build([], os.path.join(sources, source), flags, "./plain")
    build([], os.path.join(sources, source), mended, "./mended")
    pairs = [(seconds("./plain", env), seconds("./mended", env)) for _ in range(PAIRS)]
    return 1 - min(p[1] for p in pairs) / min(p[0] for p in pairs)


# Returns the share of the CPU time of the run just measured that the mended program does not need.
def really_saved_cpu(sources, source, mended, env, run_s):
    build([], os.path.join(sources, source), mended, "./mended")
    return 1 - min(seconds("./mended", env, True) for _ in range(PAIRS)) / run_s


# Returns the findings of which the program is the cause: name, file:line, the share of the time without the profiler's
# own cost that it would save, what shows it, and the share of the CPU time that it costs; and the run's CPU time.
def findings(env):
    for name in os.listdir("."):
        if name.startswith("program.") and name.endswith(".ompp"):
            os.remove(name)
    subprocess.run(["./program"], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
    profile = [name for name in os.listdir(".") if name.startswith("program.") and name.endswith(".ompp")][0]
    p = json.loads(subprocess.run(["ompp", "report", "--format=json", profile], check=True, capture_output=True).stdout)
    run, r, out = p["run"], p["regions"], []
    for f in p["findings"]["list"]:
        i = f["region"]
        place = "program" if i is None else "%s:%s" % (os.path.basename(r["file"][i]), r["begin_line"][i])
        own_ns = run["cost_ns"] / run["max_threads"]
        share = None if f["gain_ns"] is None else f["gain_ns"] / (run["duration_ns"] - own_ns)
        if f["name"] not in MACHINE:
            out.append((f["name"], place, share, f["evidence"], (f["time_ns"] or 0) / max(run["user_ns"], 1)))
    return out, run["user_ns"] / 1e9


# Returns what is wrong with the findings, "" when nothing is.
def judge(found, source, want, pattern, sources, said, saved):
    if want == "-":
        return "false: %s" % ", ".join("%s %s" % f[:2] for f in found) if found else ""
    names = [f[0] for f in found]
    if not found or names[0] != want:
        return ("not first" if want in names else "missed") + (": " + ", ".join("%s %s" % f[:2] for f in found))
    places = ["%s:%d" % (source, i) for i, line in enumerate(open(os.path.join(sources, source)), 1)
              if re.search(pattern, line)]
    if found[0][1] not in places:
        return "elsewhere: %s, not at one of %s" % (found[0][1], " ".join(places))
    if saved is not None and abs(said - saved) > WITHIN * saved:
        return "saving: %.1f %%, really %.1f %%" % (100 * said, 100 * saved)
    return ""


def main():
    path, sources = sys.argv[1:3]
    with_saving, wrong, n = sys.argv[3] == "saving", 0, 0
    for source, flags, threads, want, where, mended in rows(path, sys.argv[3:]):
        env = dict(os.environ, OMP_NUM_THREADS=threads, OMPP_QUIET="1", OMPP_OUTFORMAT="text")
        if mended.startswith("cpu "):
            env["OMP_WAIT_POLICY"] = "passive"  # waiting takes no CPU time
        build(["kinst"], os.path.join(sources, source), flags, "./program")
        n_false = 0
        for _ in range(CLEAN_TRIES if want == "-" else TRIES):
            saved = said = None
            if with_saving and mended != "-" and not mended.startswith("cpu "):
                saved = really_saved(sources, source, flags, mended, env)
            found, run_s = findings(env)
            if with_saving and mended.startswith("cpu "):
                saved = really_saved_cpu(sources, source, mended.removeprefix("cpu "), env, run_s)
            if found and saved is not None:
                said = found[0][4 if mended.startswith("cpu ") else 2] or 0
            what = judge(found, source, want, where, sources, said, saved)
            if want == "-":
                n_false += what != ""
            elif not what:
                break
        if want == "-":
            what = "%d of %d runs: %s" % (n_false, CLEAN_TRIES, what or "of another kind") if n_false > 1 else ""
        n += 1
        wrong += what != ""
        share = "" if said is None else "says %.1f %%, mending saves %.1f %%" % (100 * said, 100 * saved)
        print("%-7s %-18s %-40s %s %-22s %s %s" % ("WRONG" if what else "right", source, flags, threads, want, share, what),
              flush=True)
        if what and found:
            print("        " + found[0][3])
    print("%d rows, %d wrong" % (n, wrong))
    sys.exit(wrong > 0 or n == 0)


main()
