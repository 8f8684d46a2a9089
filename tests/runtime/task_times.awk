# task_times.awk: writes a C program of tasks made by chance.  Usage: awk -v seed=N -v compiler=gcc|clang -f task_times.awk
#
# The program makes trees of tied and untied tasks with waits of each kind.  All that it does is work(), which takes so
# many microseconds by the program's own clock, and adds these to what this thread did in tasks or outside of them.  It
# prints for each thread these two, and how long the parallel regions took: thread, in tasks, outside, regions.

BEGIN {
	srand(seed)
	is_clang = compiler ~ /clang/
	has_untied = !is_clang || seed % 3
	has_others = !is_clang || !has_untied
	print "#include <omp.h>"
	print "#include <stdio.h>"
	print "#include <time.h>"
	print ""
	print "static struct { double in_tasks, outside; char room[112]; } did[64];"
	print "static int x;"
	print ""
	print "static double now(void)"
	print "{"
	print "\tstruct timespec t;"
	print ""
	print "\tclock_gettime(CLOCK_MONOTONIC, &t);"
	print "\treturn (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;"
	print "}"
	print ""
	print "static void work(int us, int in_task)"
	print "{"
	print "\tint me = omp_get_thread_num();"
	print "\tdouble from = now(), until = from + 1e-6 * us, t;"
	print ""
	print "\twhile ((t = now()) < until)"
	print "\t\t;"
	print "\t*(in_task ? &did[me].in_tasks : &did[me].outside) += t - from;"
	print "}"
	print ""
	for (n_functions = 0; n_functions < 3; n_functions++) {
		printf "static void tree%d(int depth)\n{\n\tif (depth <= 0)\n\t\treturn;\n", n_functions
		statements("\t", 2, 1)
		print "}"
		print ""
	}
	print "int main(void)"
	print "{"
	print "\tdouble regions = 0, from;"
	print ""
	print "\tfor (int i = 0; i < 2; i++) {"
	print "\t\tfrom = now();"
	print "#pragma omp parallel"
	print "\t\t{"
	print "#pragma omp single"
	print "\t\t\t{"
	statements("\t\t\t\t", 3, 0)
	print "\t\t\t}"
	print "#pragma omp for schedule(dynamic)"
	print "\t\t\tfor (int k = 0; k < 3; k++) {"
	statements("\t\t\t\t", 2, 0)
	print "\t\t\t}"
	print "#pragma omp barrier"
	print "\t\t\twork(20, 0);"
	print "\t\t}"
	print "\t\tregions += now() - from;"
	print "\t}"
	print "\tfor (int i = 0; i < omp_get_max_threads(); i++)"
	print "\t\tprintf(\"%d %.9f %.9f %.9f\\n\", i, did[i].in_tasks, did[i].outside, regions);"
	print "\treturn 0;"
	print "}"
}

function chance(n) {
	return int(rand() * n)
}

# libomp 14 fails by itself (an assertion, or it hangs) where untied tasks meet taskgroups, taskloops, dependences and
# tasks that are not deferred: so by clang a program has untied tasks, which yield, or these.  And it hangs where an
# untied task waits for a tied child above a tied task that is not the child's ancestor: it neither runs the child
# then nor leaves the untied task, and the other threads may be in the same state.  (A thread that is preempted as it
# begins the untied task makes that likely, so a system call there does, libompp's reading of the processor time or
# any other.)  So by clang all children of untied tasks are untied, and those that have children, or may, do not wait.
function clauses(in_untied,   text) {
	text = has_untied && (chance(2) || in_untied) ? " untied" : ""
	if (!has_others)
		return text
	if (!chance(8))
		text = text " if(0)"
	if (!chance(8))
		text = text " final(depth < 2)"
	if (!chance(8))
		text = text " mergeable"
	if (!chance(8))
		text = text (chance(2) ? " depend(inout: x)" : " depend(in: x)")
	return text
}

# Writes a task.  The room makes its frame larger than others', so that it looks as if a suspended task had called it.
function task(tab, depth, in_task, in_untied,   text) {
	text = clauses(in_untied)
	if (!in_task)
		gsub(/ final\(depth < 2\)/, "", text)
	print "#pragma omp task" text " firstprivate(depth)"
	print tab "{"
	if (chance(2)) {
		printf "%s\tvolatile char room[%d];\n", tab, 64 * (1 + chance(100))
		print tab "\troom[0] = 0;"
		print tab "\twork(room[0] + " 10 + chance(100) ", 1);"
	} else
		print tab "\twork(" 10 + chance(100) ", 1);"
	statements(tab "\t", depth - 1, 1, is_clang && text ~ /untied/)
	print tab "}"
}

function statements(tab, depth, in_task, in_untied,   n, kind) {
	if (!in_task)
		print tab "int depth = 3;\n\n" tab "(void)depth;"
	for (n = 2 + chance(3); n > 0; n--) {
		kind = depth > 0 ? chance(12) : 6 + chance(6)
		if (kind < 4)
			task(tab, depth, in_task, in_untied)
		else if (kind == 4 && (has_others || !in_task)) {
			print "#pragma omp taskgroup"
			print tab "{"
			task(tab "\t", depth, in_task)
			statements(tab "\t", depth - 1, in_task)
			print tab "}"
		} else if (kind == 5 && (has_others || !in_task)) {
			print "#pragma omp taskloop grainsize(1)" (chance(2) ? " nogroup" : "") (chance(3) ? "" : " untied")
			print tab "for (int i = 0; i < 3; i++)"
			print tab "\twork(" 10 + chance(100) ", 1);"
		} else if (kind == 6 && !(in_untied && depth > 0))
			print "#pragma omp taskwait"
		else if (kind == 7 && !is_clang)
			print "#pragma omp taskwait depend(in: x)"
		else if (kind <= 8)
			print "#pragma omp taskyield"
		else if (kind == 9 && n_functions && in_task && !in_untied) {
			print tab "tree" chance(n_functions) "(depth - 1);"
		} else
			print tab "work(" 5 + chance(60) ", omp_in_final() || " in_task ");"
	}
}
