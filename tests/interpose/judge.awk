# judge: makes a program of the constructs in judge.constructs, each once or more, in an order of chance, where
# `program` is given, with lines "line|rules|body|types" in `rules`: of which construct the line is the body, and what
# kinst's build must show; else reads these, and a report of the program that kinst built, and prints what the plain one
# is to show, "TYPE|COUNT".  compiler: 3 is GCC, 4 Clang
# With PAUSE bodies sleep for so many microseconds, and the program writes a file `own` by its own clock,
# "line|what|ns": what 0 is the time in the bodies of the line, 1 that in which threads waited to be let in.

# Returns the construct, of those whose bodies are timed in all programs, of which USE is the body behind this line.
function body_of(text, before) {
	if (text ~ /omp_set_lock/) return "LOCK"
	if (text !~ /#pragma/) return before
	return text ~ /critical/ ? "CRITICAL" : text ~ /omp section$/ ? "SECTIONS" : text ~ /omp ordered$/ ? "ORDERED" :
	       text ~ /omp task( |$|loop)/ ? "TASKEXEC" : ""
}
BEGIN {
	FS = program ? "|" : ","
	if (program) srand(seed)
}
program && /^[^#]/ && $compiler != "none" {
	for (k = 1 + int(2.5 * rand()); k > 0; k--) {
		at = 1 + int((n + 1) * rand())
		text[++n] = text[at]
		text[at] = $0
	}
}
program { next }
FNR == NR {
	split($0, rule, "|")
	rules[rule[1]] = rule[2]
	must = must rule[4] "; "
	next
}
/^##BEG flat/ { flat = 1 }
/^##END flat/ { flat = 0 }
flat && /^R[0-9]+,/ { type = $2; line = $4 }
flat && $1 == "TID" { for (i = 1; i <= NF; i++) if ($i == "execC") column = i }
flat && $1 == "SUM" && $column {
	shown[type] = 1
	n_rules = split(rules[line], rule, " ")
	to = type
	for (i = 1; i <= n_rules; i++) {
		arrow = index(rule[i], ">")
		from = substr(rule[i], 1, arrow - 1)
		gsub("_", " ", from)
		if (from == type) to = substr(rule[i], arrow + 1)
	}
	gsub("_", " ", to)
	n_to = split(to, parts, "+")
	for (i = 1; i <= n_to; i++) {
		split(parts[i], share, "[*/]")
		sums[share[1]] += share[2] ? $column * share[2] / share[3] : $column
	}
}
END {
	for (type in sums) print type "|" sums[type]
	for (i = split(must, parts, "; "); i > 0; i--) {
		sub(/,.*/, "", parts[i])
		if (!program && parts[i] && !(parts[i] in shown)) print parts[i] "|not shown by kinst"
	}
	if (!program) exit
	split("#include <omp.h>|#include <stdio.h>|#include <time.h>|#include <unistd.h>|static long used;|#ifdef PAUSE|" \
	      "static long long own[2][10000];|static __thread long long before;|static long long now(void)|{|" \
	      "\tstruct timespec t;|\tclock_gettime(CLOCK_MONOTONIC, &t);|" \
	      "\treturn t.tv_sec * 1000000000LL + t.tv_nsec;|}|" \
	      "static void took(int what, int line, long long since)|{|" \
	      "\t__atomic_fetch_add(&own[what][line], now() - since, __ATOMIC_RELAXED);|}|static void use(int line)|{|" \
	      "\tlong long begin = now();|\tused = 1;|\tusleep(PAUSE);|\ttook(0, line, begin);|}|" \
	      "#define USE use(__LINE__)|#define BEFORE before = now()|#define GOT took(1, __LINE__, before)|#else|" \
	      "static void use(void) { __atomic_fetch_add(&used, 1, __ATOMIC_RELAXED); }|#define USE use()|" \
	      "#define BEFORE|#define GOT|#endif|" \
	      "int main(void)|{|\tlong copied = 0;|\tomp_lock_t lock;|\tomp_nest_lock_t nest;|\tomp_init_lock(&lock);|" \
	      "\tomp_init_nest_lock(&nest);|\tomp_set_max_active_levels(2);|" \
	      "#pragma omp parallel num_threads(3) firstprivate(copied)|\t{", head, "|")
	for (i = 1; i in head; i++) print head[i] >program
	line = i - 1
	for (k = 1; k <= n; k++) {
		n_parts = split(text[k], parts, "|")
		if (n_parts < 5) continue
		print "/* " parts[1] " */\n\tfor (int r = 0; r < " 1 + int(4 * rand()) "; r++)\n\t{" >program
		line += 3
		body = ""
		for (i = 5; i <= n_parts; i++) {
			body = body_of(parts[i], body)
			print parts[i] >program
			print ++line "|" parts[compiler] "|" body "|" parts[2] >rules
		}
		print "\t}" >program
		line++
	}
	print "\t}\n\tprintf(\"%d\\n\", used > 0);\n#ifdef PAUSE\n\tFILE *f = fopen(\"own\", \"w\");" >program
	print "\tfor (int i = 0; i < 20000; i++)\n\t\tif (own[i / 10000][i % 10000])" >program
	print "\t\t\tfprintf(f, \"%d|%d|%lld\\n\", i % 10000, i / 10000, own[i / 10000][i % 10000]);" >program
	print "\tfclose(f);\n#endif\n\treturn 0;\n}" >program
}
