# tui.py OMPP: what ompp tui shows in a terminal, key by key (tui.sh).
import os
import re
import signal
import sys
import time

from terminal import Terminal, check, fail

OMPP = sys.argv[1]


def start(*arguments, rows=24, columns=80, environment=()):
    return Terminal([OMPP, "tui", *arguments], rows, columns, environment)


def finish(terminal):
    terminal.press("q")
    check(terminal.end() == 0, "q ends with another status than 0")
    check(terminal.is_restored(), "q does not restore the terminal")


def squeezed(text):
    return re.sub(" +", " ", text.strip())


# ---- numbers are those of the report, and the status line says what they are ----

t = start("samples.ompp", rows=40, columns=110)
t.has("wall time 10.00 s", "work in parallel regions", "LOOP a.c (12-16): imbalance in parallel loop", "Property P00001")
t.has("seconds~: 16.057999766 s, sampled, with the cost of access hooks")
t.press("right")
t.has("%, sampled, with the cost of access hooks")
t.press("tab", "tab")
t.has("Inclusive")
report = [squeezed(line) for line in open("callgraph.txt") if re.match(" *[0-9]+[.]", line)]
check(len(report) > 20, "the report has no callgraph")
t.has("FUNCTION  |-R00018 (solve)")
shown = [squeezed(line) for line in t.lines() if re.match(" *[0-9]+[.]", line)]
check(shown == report, f"the tree is not the report's:\n{shown}\n{report}")

# ---- sort: those below one region among themselves; by the greatest, by the least, as in the report ----

t.press("home")
t.press("s")
t.has("Inclusive~v")
t.quiet()
level1 = [line for line in t.lines() if re.search(r"[A-Z]  [+|]-R", line)]
check([re.search(r"R\d+", line)[0] for line in level1] == ["R00001", "R00017", "R00018"], f"sorted: {level1}")
branch = t.lines()[: t.row_of("R00017")]
inside = [float(line.split()[0]) for line in branch if re.search(r"[A-Z]     [+|]-R", line)]
check(len(inside) > 5 and inside == sorted(inside, reverse=True), f"sorted below R00001: {inside}")
check(re.search(r"Inclusive~v +\(%\)", "\n".join(t.lines())), f"the mark takes the gap: {t.lines()[:6]}")
t.press("s")
t.has("Inclusive~^")
t.quiet()
level1 = [line for line in t.lines() if re.search(r"[A-Z]  [+|]-R", line)]
check([re.search(r"R\d+", line)[0] for line in level1] == ["R00018", "R00017", "R00001"], f"sorted the other way: {level1}")
t.press("s")
t.quiet()
check([squeezed(line) for line in t.lines() if re.match(" *[0-9]+[.]", line)] == report, "not as in the report again")

# ---- fold ----

t.press("home", "down", "space")
t.has_not("R00002", "R00018 (solve)\n   0.9")
t.has(">")
check(">" == t.lines()[t.row_of("R00001")][0], "a folded row has no mark")
t.press("space")
t.has("R00002")
t.press("-")
t.has_not("R00002")
t.press("+")
t.has("R00003")
t.press("end", "space")
t.has("nothing is below this row")

# ---- the last row of a page is seen to its end, however many lines it has ----

for columns in (36, 44, 52, 60):
    narrow = start("samples.ompp", rows=12, columns=columns)
    narrow.press(*["tab"] * 10, "end")
    narrow.has("11/11")
    narrow.quiet()
    text = squeezed(" ".join(line.split(" : ")[-1] for line in narrow.lines()[:-2]))
    check(re.search(r"the counters were shared with another program$", squeezed(text)), f"{columns} columns: {text}")
    finish(narrow)

# ---- find ----

t.press("home", "/", "UPDATE", "enter")
t.has("0.00150")
t.quiet()
check("R00004" in t.lines()[t.screen.cursor.y], f"found: {t.lines()[t.screen.cursor.y]}")
t.press("/", "r00009", "enter")
t.quiet()
first = t.screen.cursor.y
t.press("n")
t.quiet()
second = t.screen.cursor.y
check(first != second and "R00009" in t.lines()[first] and "R00009" in t.lines()[second], f"n: {first}, {second}")
t.press("N")
t.quiet()
check(t.screen.cursor.y == first, "N is not the one before")
t.press("/", "zebra", "enter")
t.has("no row has: zebra")
t.press("/", "zebr", "esc")
t.quiet()
check(t.screen.cursor.y == first, "Esc in a search moves the cursor")

# ---- filter: rows that have the words, and those above them ----

t.press("f", "update", "enter")
t.has("[only update]", "R00004", "R00001", "R00002")
t.has_not("R00003", "R00018")
t.press("f", "zebra", "enter")
t.has("nothing has the words of the filter")
t.press("down", "up", "s", "space", "enter", "o", "n", "end", "home")
t.press("esc")
t.has("R00018")

# ---- a region: its threads, as in the report; objects in it ----

t.press("home", "/", "R00002", "enter", "enter")
t.has("tree > LOOP a.c (12-16)", "R00002 a.c (12-16) LOOP", "SUM", "bodyT/I", "[=02] R00002")
t.quiet()
block = [squeezed(line) for line in open("flat.txt") if re.match(" *(0|1|SUM) +[0-9]", line)]
check(len(block) >= 3, "the report has no such region")
for row in block[:3]:
    t.wait(lambda text, row=row: any(squeezed(line).startswith(row[:40]) for line in text.split("\n")), f"no row '{row}'")
t.press("home", "right", "right", "right", "s")
t.has("bodyTv")
t.quiet()
rows = [line.split()[0] for line in t.lines() if re.match(" +(0|1|SUM) +[0-9]", line)][:3]
check(rows == ["1", "0", "SUM"], f"threads by bodyT: {rows}")
t.press("right", "right", "right", "right")
t.has("L3_MISSES~: not measured")
t.press("down")
t.has("L3_MISSES~: 1 234 569, scaled, counted half of the time")
t.press("esc")
t.has("Inclusive")
t.press("2")
t.has("construct", "execT")
t.press("/", "R00005", "enter", "enter")
t.has("regions > PARALLEL a.c (20-30)", "0.1")

# ---- objects; what has no source ----

t.press("5")
t.has("Data objects in the whole program", "mod::count")
t.press("/", "mod::", "enter", "enter")
t.has("objects > mod::count", "Data objects by region")
t.has_not("y[n]")
t.press("/", "R00002", "enter", "enter")
t.has("objects > LOOP a.c (12-16)")
t.press("esc", "esc")
t.has("y[n]")
t.press("home", "right", "right", "right")
t.has("loads: 144 000 100, exact")
t.press("c")
t.has("all columns of data objects")
t.press("c")
t.has("the usual columns")
t.press("o")
t.has("a.c: ")  # where the samples of x are; there is no such file
t.press("?")
t.has("Keys", "sort by the column at the cursor")
t.press("x")
t.has("y[n]")
for number, words in (("6", "near~"), ("7", "latency~"), ("8", "touched first"), ("9", "NUMA nodes"), ("0", "pages")):
    t.press(number)
    t.quiet()
    check(t.text().strip(), f"section {number} is empty")
t.press("7")
t.has("Source lines by the latency")
t.press("right", "right")
t.has("accesses~: 288 000 000, sampled")
t.press("right")
t.has("standard error of the number before it")

# ---- columns that do not fit are marked, and no number is cut ----

narrow = start("samples.ompp", rows=40, columns=50)
narrow.press("tab", "tab")
narrow.has("Inclusive~")
narrow.quiet()
titles = [line for line in narrow.lines() if "Inclusive~" in line][0]
check("(%)>" in titles and "<" not in titles, f"more on the right is not marked: {titles}")
numbers = set(re.findall(r"[0-9.]+", open("callgraph.txt").read()))
for line in narrow.lines():
    if re.match(" *[0-9]+[.][0-9]+ ", line) and "(" in line:
        check(set(re.findall(r"[0-9]+[.][0-9]+", line)) <= numbers, f"a number is cut: {line}")
for _ in range(4):  # the type; behind it there is only the region, which stays
    narrow.press("right")
narrow.quiet()
titles = [line for line in narrow.lines() if "Inclusive~" in line][0]
check("<" in titles and ">" not in titles, f"more on the left is not marked: {titles}")
finish(narrow)

# ---- resize: all is drawn anew, and the cursor stays at its row ----

t.press("3", "home", "/", "R00017", "enter")
t.has("R00017")
for rows, columns in ((10, 60), (5, 30), (3, 12), (2, 9), (1, 1), (60, 200), (24, 80)):
    t.resize(rows, columns)
    t.quiet()
    if rows >= 5:
        t.wait(lambda text: "R00017" in t.lines()[t.screen.cursor.y] or columns < 70, f"the cursor at {rows} x {columns}")
    for key in ("down", "up", "right", "left", "pgdn", "pgup", "tab", "backtab", "?", "esc"):
        t.press(key)
    t.quiet()
    t.press("3", "home", "/", "R00017", "enter")
    t.quiet()
t.has("R00017", "q quit")
finish(t)

# ---- small terminals from the start ----

for rows, columns in ((24, 80), (8, 40), (4, 20), (1, 10), (300, 400)):
    t = start("samples.ompp", rows=rows, columns=columns)
    for key in ("down", "tab", "s", "right", "end", "enter", "esc", "tab", "tab", "/", "x", "enter", "f", "a", "enter", "?", "x"):
        t.press(key)
    t.quiet()
    check(t.text().strip(), f"{rows} x {columns} is empty")
    finish(t)

# ---- the source of a region, and from the source to the region ----

t = start("imbalance.2.ompp", rows=30, columns=120)
t.has("imbalance")
t.press("2")
t.has("execT")
t.press("/", "29-33", "enter")
t.press("o")
t.has("imbalance.c", "#pragma omp for schedule(static, 1)")
t.quiet()
check(re.match(r" +29 .*pragma omp for", t.lines()[t.screen.cursor.y]), f"the line: {t.lines()[t.screen.cursor.y]}")
t.press("enter")
t.has("LOOP imbalance.c (29-33)", "exitBarT")
t.press("esc", "esc")
t.has("construct")
finish(t)

# ---- durations of visits and hot spots: the report's; in the page of a region its own; beside the source ----

t = start("visits.ompp", rows=50, columns=110)
report = [squeezed(line) for line in open("visits.txt")]
t.press("5")
t.has("5 durations", "firstT", "TASKEXEC a.c (37-37)")
for line in report[report.index("region visits firstT leastT medianT~ 95 %T~ mostT at TID earlyT lateT"):][:4]:
    # the page has room for one more column
    t.wait(lambda text, line=line: any(squeezed(row).startswith(line) for row in text.split("\n")), f"no row '{line}'")
t.press("6")
t.has("Functions by processor time", "inner in step", "samples found no room")
for line in report[report.index("function line seconds~ +- % % +- % all in"):][1:8]:
    t.wait(lambda text, line=line: line in map(squeezed, text.split("\n")), f"no row '{line}'")
t.press("/", "inner", "enter", "enter")
t.has("hot > LOOP a.c (12-16)", "firstT", "inner in step", "sin of libm")
t.has_not("serial part", "read \"all\"")
t.press("esc", "o")
t.has("tick.c", "cpuT~")
t.quiet()
hot = [line.split()[1] for line in t.lines() if re.match(r" +[3567] ", line)]
check(hot == ["0.2500", "0.7000", "0.6100", "0.0900"], f"processor time of lines: {hot}")
finish(t)

# ---- a damaged file says so; ranks of one run are one profile ----

t = start("damaged.ompp")
t.press("backtab", "/", "is damaged from", "enter")
t.has("the profile file is damaged from byte")
finish(t)
t = start("rank0.ompp", "rank1.ompp")
t.has("in 2 MPI ranks")
t.press("2", "enter")
t.has("r1:0")
finish(t)

# ---- names of strangers: no byte of them is an order ----

for environment in ((), (("LC_ALL", "C"),)):
    t = start("hostile.ompp", rows=50, columns=150, environment=environment)
    for section in range(8):
        t.quiet()
        for key in ("end", "home", "right", "enter", "esc"):
            t.press(key)
        t.quiet()
        t.press("tab")
    t.quiet()
    bells = re.findall(rb"\x1b\][^\x1b]{0,20}|\x07|\x9b|\xe2\x80[\xaa-\xae]", t.received)
    check(not bells, f"orders of strangers: {bells[:3]}")
    t.press("3")
    t.has("\\x1b")
    finish(t)

# ---- no colour with NO_COLOR ----

t = start("samples.ompp")
t.has("q quit")
check(re.search(rb"\x1b\[3[1-7]m", t.received), "there are no colours")
finish(t)
t = start("samples.ompp", environment=(("NO_COLOR", "1"),))
t.has("q quit")
t.press("tab")
t.quiet()
check(not re.search(rb"\x1b\[[0-9;]*[34][1-7]m", t.received), "NO_COLOR has colours")
finish(t)

# ---- terminals that cannot ----

for term in ("dumb", "no-such-terminal", None):
    t = start("plain.ompp", environment=(("TERM", term),))
    check(t.end() == 2, f"TERM={term}: the status")
    t.has("cannot move the cursor")

# ---- signals: the terminal is given back, and the program ends by the signal ----

import os as _
for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT):
    t = start("plain.ompp")
    t.has("q quit")
    t.press("tab", "/", "x") if number == signal.SIGTERM else None
    t.kill(number)
    check(t.end() == -number, f"{number}: not ended by it")
    check(t.is_restored(), f"{number}: the terminal is not restored")
t = start("plain.ompp")
t.has("q quit")
t.press("\x03")
check(t.end() == -signal.SIGINT and t.is_restored(), "Ctrl-C")
# ---- Ctrl-Z and fg, in a shell; and a stop that nothing can catch ----

t = Terminal(["bash", "--norc", "--noprofile", "-i"], 24, 80, (("PS1", "prompt> "), ("HISTFILE", None)))
t.has("prompt>")
t.press(f"'{OMPP}' tui plain.ompp\r")
t.has("q quit")
t.press("tab")
t.has("construct")
t.press("\x1a")
t.has("Stopped", "prompt>")
t.press("stty -a | tr ' ' '\\n' | grep -x -e echo -e icanon | tr '\\n' ' '; echo is-$((1 + 1))\r")
t.has("icanon echo is-2")
t.screen.reset()  # what was there before is still seen, as pyte has one screen alone
t.press("fg\r")
t.has("construct", "q quit")
t.quiet()
t.press("tab")
t.has("Inclusive")
for turn in range(10):  # also while it draws
    t.press(*("tab", "down", "s")[: turn % 4], "\x1a")
    t.has("Stopped")
    t.screen.reset()
    t.press("fg\r")
    t.has("q quit")
t.press("3")
t.has("Inclusive")
child = int(open(f"/proc/{t.pid}/task/{t.pid}/children").read().split()[0])
os.kill(child, signal.SIGSTOP)
t.has("Stopped")
t.screen.reset()
t.press("fg\r")
t.has("Inclusive", "q quit")
t.quiet()
t.press("q")
t.has("prompt>")
t.press("echo is-$((2 + 3))\r")
t.has("is-5")
t.press("exit\r")
check(t.end() == 0, "the shell")

# ---- the terminal goes, as when a connection ends ----

t = start("plain.ompp")
t.has("q quit")
os.close(t.fd)
for _ in range(200):
    pid, status = os.waitpid(t.pid, os.WNOHANG)
    if pid:
        break
    time.sleep(0.05)
check(pid and os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGHUP, "it outlives its terminal")
