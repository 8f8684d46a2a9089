# judge: makes a program of the constructs in judge.constructs, each once or more, in an order of chance, where `program`
# is given, with the rules of its lines in `rules`; else reads these rules, and a report of the program that kinst built,
# and prints what the plain one is to show, "TYPE|COUNT".  compiler: 2 is GCC, 3 Clang
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
	next
}
/^##BEG flat/ { flat = 1 }
/^##END flat/ { flat = 0 }
flat && /^R[0-9]+,/ { type = $2; line = $4 }
flat && $1 == "TID" { for (i = 1; i <= NF; i++) if ($i == "execC") column = i }
flat && $1 == "SUM" && $column {
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
	if (!program) exit
	split("#include <omp.h>|#include <stdio.h>|#include <unistd.h>|static long used;|static void use(void)|{|" \
	      "\t__atomic_fetch_add(&used, 1, __ATOMIC_RELAXED);|#ifdef PAUSE|\tusleep(PAUSE);|#endif|}|#define USE use()|" \
	      "int main(void)|{|\tlong copied = 0;|\tomp_lock_t lock;|\tomp_nest_lock_t nest;|\tomp_init_lock(&lock);|" \
	      "\tomp_init_nest_lock(&nest);|\tomp_set_max_active_levels(2);|#pragma omp parallel num_threads(3) firstprivate(copied)|\t{", head, "|")
	for (i = 1; i in head; i++) print head[i] >program
	line = i - 1
	for (k = 1; k <= n; k++) {
		n_parts = split(text[k], parts, "|")
		if (n_parts < 4) continue
		print "/* " parts[1] " */\n\tfor (int r = 0; r < " 1 + int(4 * rand()) "; r++)\n\t{" >program
		line += 3
		for (i = 4; i <= n_parts; i++) {
			print parts[i] >program
			print ++line "|" parts[compiler] >rules
		}
		print "\t}" >program
		line++
	}
	print "\t}\n\tprintf(\"%d\\n\", used > 0);\n\treturn 0;\n}" >program
}
