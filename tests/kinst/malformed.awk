# malformed: writes sources in each of which one directive of OpenMP is malformed, or stands where none may.
# Usage: awk -v language=c|c++|fortran -v part=3/40 -f malformed.awk; writes the files of this part, and prints for each a
# line: its name, and what is wrong with it.

# The directives: what belongs to each of them, what it needs around it, and clauses that it takes.
function directives() {
	row("parallel", "block", "", "private firstprivate shared default reduction num_threads if copyin proc_bind")
	row("for", "loop", "", "private firstprivate lastprivate reduction schedule ordered collapse nowait linear order")
	row("for simd", "loop", "", "private reduction collapse nowait linear simdlen safelen schedule")
	row("simd", "loop", "", "private lastprivate reduction collapse linear simdlen safelen")
	row("sections", "sections", "", "private firstprivate lastprivate reduction nowait")
	row("section", "block", "sections", "")
	row("single", "block", "", "private firstprivate nowait")
	row("master", "block", "", "")
	row("masked", "block", "", "filter")
	row("scope", "block", "", "private reduction nowait")
	row("loop", "loop", "", "bind private reduction collapse order")
	row("critical", "block", "", "")
	row("critical (name)", "block", "", "hint")
	row("ordered", "block", "ordered", "threads")
	row("atomic", "atomic", "", "update seq_cst acq_rel relaxed hint")
	row("barrier", "alone", "", "")
	row("taskwait", "alone", "", "depend")
	row("taskyield", "alone", "", "")
	row("flush", "alone", "", "acquire release")
	row("flush (x)", "alone", "", "")
	row("task", "block", "", "private firstprivate shared default if final untied mergeable depend priority in_reduction")
	row("taskloop", "loop", "", "private firstprivate lastprivate shared default reduction grainsize num_tasks nogroup if untied collapse")
	row("taskloop simd", "loop", "", "private reduction grainsize nogroup simdlen")
	row("taskgroup", "block", "", "task_reduction")
	row("cancel parallel", "alone", "parallel", "if")
	row("cancellation point parallel", "alone", "parallel", "")
	row("teams", "block", "", "num_teams thread_limit private shared reduction default")
	row("distribute", "loop", "teams", "private lastprivate collapse dist_schedule")
	row("target", "block", "", "map private firstprivate if device nowait depend defaultmap")
	row("target data", "block", "", "map if device")
	row("target enter data", "alone", "", "map if nowait depend")
	row("target exit data", "alone", "", "map if nowait")
	row("target update", "alone", "", "to from if nowait")
	row("parallel for", "loop", "", "private firstprivate lastprivate shared default reduction num_threads if schedule ordered collapse linear")
	row("parallel for simd", "loop", "", "private reduction num_threads if schedule simdlen")
	row("parallel sections", "sections", "", "private lastprivate shared reduction num_threads if")
	row("parallel master", "block", "", "private shared num_threads if")
	row("parallel masked", "block", "", "filter private num_threads")
	row("parallel loop", "loop", "", "private num_threads bind")
	row("parallel master taskloop", "loop", "", "private num_threads grainsize if")
	row("master taskloop", "loop", "", "private grainsize nogroup")
	row("masked taskloop", "loop", "", "filter grainsize")
	row("target parallel", "block", "", "map num_threads if")
	row("target parallel for", "loop", "", "map num_threads schedule")
	row("target teams", "block", "", "map num_teams thread_limit")
	row("target teams distribute", "loop", "", "map num_teams dist_schedule")
	row("target teams distribute parallel for", "loop", "", "map num_teams num_threads schedule")
	row("teams distribute", "loop", "", "num_teams dist_schedule private")
	row("teams distribute parallel for", "loop", "", "num_teams num_threads schedule")
	if (language == "fortran") {
		row("workshare", "array", "", "nowait")
		row("parallel workshare", "array", "", "shared num_threads")
	}
}

# Clauses: `x`, `y`, `s` and `p` are integers, `a` an array, `t` is threadprivate.
function clauses(   all, n, i, word) {
	all = "private(p) firstprivate(p) lastprivate(p) shared(s) default(shared) reduction(+:s) num_threads(2) if(n>2) copyin(t) " \
	      "proc_bind(close) schedule(static,2) ordered collapse(1) nowait linear(p) order(concurrent) simdlen(4) safelen(4) " \
	      "filter(0) bind(parallel) hint(0) threads update seq_cst acq_rel relaxed acquire release final(n>2) untied mergeable " \
	      "depend(in:x) priority(1) in_reduction(+:s) grainsize(2) num_tasks(2) nogroup task_reduction(+:s) num_teams(2) " \
	      "thread_limit(2) dist_schedule(static) map(tofrom:x) device(0) defaultmap(tofrom:scalar) to(x) from(x) copyprivate(p)"
	n = split(all, word, " ")
	for (i = 1; i <= n; i++) {
		clause_name[i] = word[i]
		sub(/\(.*/, "", clause_name[i])
		clause[clause_name[i]] = word[i]
	}
	n_clauses = n
}

function row(name, kind, around, takes) {
	if (language == "fortran")
		sub(/for/, "do", name)
	directive(name, kind, around, takes)
}

# ---- the sources ----

# Prints a source to the next file, when it is one of this part.
function source(text, what,   file) {
	if (n++ % of != at)
		return
	file = sprintf("m%05d%s", n, suffix)
	printf "%s", text >file
	close(file)
	gsub(/\n/, "~", what)
	print file, what
}

function statement(kind) {
	if (kind == "loop")
		return "\tfor (i = 0; i < 4; i++)\n\t\ta[i]++;\n"
	if (kind == "sections")
		return "\t{\n#pragma omp section\n\t\tx++;\n#pragma omp section\n\t\ty++;\n\t}\n"
	return kind == "alone" ? "" : kind == "atomic" ? "\tx++;\n" : "\t{\n\t\tx++;\n\t}\n"
}

# Returns a whole program: `before` and `behind` stand in a function, around what is around the directive, and `text` in it.
function program(around, text, top) {
	if (around == "sections")
		text = "#pragma omp sections\n\t{\n" text "\t}\n"
	else if (around == "ordered")
		text = "#pragma omp for ordered\n\tfor (i = 0; i < 4; i++) {\n" text "\t}\n"
	else if (around)
		text = "#pragma omp " around "\n\t{\n" text "\t}\n"
	return "int x, y, a[8], t;\n#pragma omp threadprivate(t)\nint g(int k);\n" top "int f(int n)\n{\n\tint i, s = 0, p = 1;\n" \
		text "\treturn s + p + i;\n}\n"
}

function line(words) {
	return "#pragma omp " words "\n"
}

# One letter in the middle becomes a capital one, or a small one.
function one_letter(word,   k, c) {
	k = int((length(word) + 1) / 2)
	c = substr(word, k, 1)
	return substr(word, 1, k - 1) (c == toupper(c) ? tolower(c) : toupper(c)) substr(word, k + 1)
}

function upper_name(text,   k) {
	k = index(text, "(")
	return k ? toupper(substr(text, 1, k - 1)) substr(text, k) : toupper(text)
}

# Makes a source for each way in which one clause is wrong.
function wrong_clauses(name, kind, around, text,   m, i, word, wrong, args) {
	word = text
	sub(/\(.*/, "", word)
	args = substr(text, length(word) + 1)
	m = 0
	wrong[++m] = one_letter(word) args
	wrong[++m] = toupper(word) args
	wrong[++m] = text " " text
	wrong[++m] = word "x" args
	wrong[++m] = "x" text
	wrong[++m] = text " foo"
	wrong[++m] = text ")"
	wrong[++m] = text ", foo(1)"
	wrong[++m] = text " ,, nowait"
	wrong[++m] = ", " text
	wrong[++m] = text ","
	wrong[++m] = text ";"
	wrong[++m] = word "()"
	if (args) {
		wrong[++m] = word
		wrong[++m] = word "(none_such)"
		wrong[++m] = word substr(args, 1, length(args) - 1)
		wrong[++m] = word toupper(args)
		wrong[++m] = word "(" args ")"
		wrong[++m] = word " " substr(args, 2)
		wrong[++m] = word "[" substr(args, 2, length(args) - 2) "]"
		wrong[++m] = word "(1.5)"
		wrong[++m] = word "(-1)"
		wrong[++m] = word "(a)"
		wrong[++m] = word "(x, , y)"
	} else {
		wrong[++m] = word "(1)"
		wrong[++m] = word "(x"
	}
	for (i = 1; i <= m; i++)
		source(program(around, line(name " " wrong[i]) statement(kind), ""), name ": clause " wrong[i])
}

# Makes a source for each way in which the name is wrong, or something else follows it.
function wrong_names(name, kind, around,   m, i, wrong, words, k) {
	k = split(name, words, " ")
	wrong[++m] = name
	wrong[++m] = one_letter(name)
	wrong[++m] = toupper(name)
	wrong[++m] = name "x"
	wrong[++m] = "x" name
	wrong[++m] = name " " name
	wrong[++m] = "end " name
	wrong[++m] = name " end"
	if (k > 1) {
		wrong[++m] = words[k] " " words[1]
		wrong[++m] = words[1] words[2]
		wrong[++m] = words[1] ", " words[2]
	}
	split("foo|42|\"x\"|;|,|)|(|{|}|()|(x)|(none_such)|:|x + 1|// why|/* why */|\\|# why|[0]|nowait nowait|omp", words, "|")
	for (i = 1; i in words; i++)
		wrong[++m] = name " " words[i]
	for (i = 1; i <= m; i++)
		source(program(around, line(wrong[i]) statement(kind), ""), name ": as " wrong[i])
	for (i = 1; i <= n_clauses; i++)
		source(program(around, line(name " " clause[clause_name[i]]) statement(kind), ""), name ": with " clause[clause_name[i]])
}

# Makes a source for each place where a directive may not stand, or what belongs to it is not there.
function wrong_places(name, kind, around,   m, i, d, b, text, what, top, body) {
	d = line(name)
	b = statement(kind)
	m = split("\tif (n)\n@;\n|\tif (n)\n@\tx++;\n|\tif (n)\n\t\tx++;\n\telse\n@\ty++;\n|\tif (n)\n\t\tx++;\n@\telse\n\t\ty++;\n|" \
	          "\tif (n) {\n\t\tx++;\n\t}\n@\telse\n\t\ty++;\n|\twhile (n--)\n@;\n|\tdo\n@\twhile (n--);\n|\tdo\n@;\n\twhile (n--);\n|" \
	          "\tfor (; n; n--)\n@;\n|\tfor (;\n@ n; n--)\n\t\tx++;\n|\tswitch (n)\n@;\n|\tswitch (n) {\n\tcase 1:\n@\t}\n|" \
	          "\tswitch (n) {\n\tcase 1:\n@\tdefault:\n\t\tx++;\n\t}\n|here:\n@;\n\tif (n)\n\t\tgoto here;\n|here:\n@\tif (n)\n\t\tgoto here;\n|" \
	          "\tx =\n@\t1;\n|\tx = g(\n@\t1);\n|\tx = (\n@\t1);\n|\tint z[] = {\n@\t1 };\n\tx = z[0];\n|\tint z\n@\t;\n\tz = 1;\n|" \
	          "\tstruct s {\n@\tint i;\n\t} z;\n\tx = sizeof z;\n|\tenum e {\n@\tE };\n\tx = E;\n|\tint h(\n@\tint k);\n\tx = h(1);\n|" \
	          "\treturn\n@\tn;\n|\tx++\n@\t;\n|#pragma omp parallel\n@;\n|#pragma omp critical\n@\tx++;\n|#pragma omp single\n@|" \
	          "#pragma omp task\n@;\n|#pragma omp master\n@;\n|#pragma omp for\n@|#pragma omp for\n\tfor (i = 0; i < 4; i++)\n@;\n|" \
	          "#pragma omp atomic\n@\tx++;\n|#pragma omp sections\n\t{\n@\t}\n|#pragma omp sections\n\t{\n#pragma omp section\n@\t}\n|" \
	          "#pragma omp simd\n\tfor (i = 0; i < 4; i++) {\n@\t}\n|#pragma omp for\n\tfor (i = 0; i < 4; i++) {\n@\t}\n|" \
	          "#pragma omp single\n\t{\n@\t}\n|#pragma omp critical\n\t{\n@\t}\n|#pragma omp task\n\t{\n@\t}\n|#pragma omp loop\n\tfor (i = 0; i < 4; i++) {\n@\t}\n|" \
	          "#pragma omp taskloop\n\tfor (i = 0; i < 4; i++) {\n@\t}\n|#pragma omp master\n\t{\n@\t}\n|#pragma omp ordered\n\t{\n@\t}\n|" \
	          "\t({\n@\t});\n|\tx = ({\n@\t1; });\n|\t{\n@\t}\n|\t;\n@|\tint h(int k)\n@;\n\tx = h(1);\n", text, "|")
	for (i = 1; i <= m; i++) {
		what = text[i]
		sub(/@/, "\n" d b, what)
		gsub(/\n\n/, "\n", what)
		source(program(around, what, ""), name ": in: " text[i])
	}
	m = split("@|int h(int k)\n@|int h(k)\n\tint k;\n@{\n\treturn k;\n}\n|int h(k, j)\n\tint k;\n@\tint j;\n{\n\treturn k + j;\n}\n|" \
	          "int h(int k)\n@{\n\treturn k;\n}\n|int h(\n@int k)\n{\n\treturn k;\n}\n|struct s {\n@\tint i;\n};\n|struct s\n@{\n\tint i;\n};\n|" \
	          "enum e {\n@\tE };\n|int z =\n@\t1;\n|int z[] = {\n@\t1 };\n|int\n@\tz;\n|typedef\n@int z;\n|extern int z\n@;\n|" \
	          "static inline\n@int h(void) { return 1; }\n|int h(void) {\n\tswitch (x)\n@\tcase 1:\n\t\tx++;\n\treturn 1; }\n", top, "|")
	for (i = 1; i <= m; i++) {
		what = top[i]
		sub(/@/, "\n" d b, what)
		gsub(/\n\n/, "\n", what)
		source(program("", "\ti = 0;\n", what), name ": at: " top[i])
	}
	if (language == "c++") {
		m = split("auto h = []()\n@;\n|auto h = [] {\n@\t};\n|namespace q\n@{\n}\n|namespace q {\n@}\n|extern \"C\"\n@|extern \"C\" {\n@}\n|" \
		          "class s {\npublic:\n@};\n|class s {\n\tint h()\n@;\n};\n|template <class T>\n@T h(T k)\n{\n\treturn k;\n}\n|" \
		          "template <class T> T h(T k)\n@|int h()\ntry\n@catch (...) { return 0; }\n|struct s {\n\tint i;\n\ts() :\n@i(0) {}\n};\n|" \
		          "int h() noexcept\n@|int h() { try\n@catch (...) {} return 1; }\n|int h() { try { x++; } catch (...)\n@return 1; }\n|" \
		          "constexpr int h(int k)\n{\n@return k;\n}\n|int h() { if constexpr (sizeof(int) > 2)\n@return 1; }\n", top, "|")
		for (i = 1; i <= m; i++) {
			what = top[i]
			sub(/@/, "\n" d b, what)
			gsub(/\n\n/, "\n", what)
			source(program("", "\ti = 0;\n", what), name ": at: " top[i])
		}
		m = split("@|@ foo|@(|@, nowait, nowait|X@|@x", text, "|")
		for (i = 1; i <= m; i++) {
			what = text[i]
			sub(/@/, name, what)
			source(program(around, "\t[[omp::directive(" what ")]]\n" (b ? b : "\t;\n"), ""), name ": attribute " what)
		}
	}
	if (kind == "alone")
		return
	body = "|\tint z = 1;\n|\tint z;\n|\tstatic int z;\n|\tstruct s { int i; } z;\n|\ttypedef int z;\n|here:\n|here: ;\n|here:\n\tx++;\n|\t;\n|\t;\n\t;\n|\tx++\n|" \
	       "\twhile (n--)\n\t\tx++;\n|\tdo\n\t\tx++;\n\twhile (n--);\n|\tx++;\n\ty++;\n|\t{ int z; z = 1; } x++;\n|\treturn 1;\n|\tif (n)\n\t\treturn 1;\n|" \
	       "\t{\n\t\treturn 1;\n\t}\n|\t{\n\t\tgoto out;\n\t}\n\tout:\n\tx++;\n|\tfor (i = 0; i < 4; i++)\n\t\tint z = 1;\n|\tfor (i = 0; i < 4; i++)\n#pragma omp barrier\n|" \
	       "\tfor (i = 0; i < 4; i++)\n\there:\n|\tfor (i = 0; i != a[0]; i += n)\n\t\tx++;\n|\tfor (;;)\n\t\tx++;\n|\tfor (i = 0; i < 4; i++) {\n\t\tbreak;\n\t}\n|" \
	       "\tfor (i = 0; i < 4; i++)\n\t\tx++\n|\tfor (i = 0; i < 4)\n\t\tx++;\n|\tfor (float q = 0; q < 4; q++)\n\t\tx++;\n|\t{ {\n\tfor (i = 0; i < 4; i++)\n\t\tx++;\n\t} }\n|" \
	       "\t{\n#pragma omp section\n|\t{\n\t\tx++;\n\t\ty++;\n#pragma omp section\n\t\tx++;\n\t}\n|\t{\n#pragma omp section\n\t\tx++;\n\t\ty++;\n\t}\n|" \
	       "\t{\n#pragma omp section\n#pragma omp section\n\t\tx++;\n\t}\n|\t{\n#pragma omp section\n\t\tint z = 1;\n\t}\n|\t{\n#pragma omp section nowait\n\t\tx++;\n\t}\n|" \
	       "\t{\n#pragma omp section\n#pragma omp barrier\n\t}\n|\t{\n#pragma omp section\n\t\tx++;\n\t{\n#pragma omp section\n\t\tx++;\n\t}\n\t}\n|" \
	       "\t{\n#pragma omp Section\n\t\tx++;\n\t}\n|\t{\n\t\tint z = 1;\n#pragma omp section\n\t\tx++;\n\t}\n|\t{\n\t}\n|\t;\n#pragma omp section\n\tx++;\n|" \
	       "\tx = y;\n|\tx + 1;\n|\tx = x + 1, y = 1;\n|\tx++, y++;\n|\t{ x++; }\n|\t(x)++;\n|\tx += x;\n|\tif (n) x++;\n|\tx *= 2.5;\n|\tx = g(1);\n|\tx += g(1, 2);\n|" \
	       "\tx += none_such(1);\n|\tx -= a;\n|\tcase 1:\n\tx++;\n|\tdefault: ;\n|\telse\n\tx++;\n|\tx += g(p), y++;\n"
	m = split(body, text, "|")
	for (i = 1; i <= m; i++)
		source(program(around, d text[i], ""), name ": of: " text[i])
}

# ---- Fortran ----

function f_statement(name, kind,   end) {
	end = name
	sub(/ \(.*/, "", end)
	if (name == "section")
		return "x = x + 1\n"
	end = "!$omp end " end "\n"
	if (kind == "loop")
		return "do i = 1, 4\na(i) = a(i) + 1\nend do\n" end
	if (kind == "sections")
		return "!$omp section\nx = x + 1\n!$omp section\ny = y + 1\n" end
	if (kind == "array")
		return "a = a + 1\n" end
	return kind == "alone" ? "" : kind == "atomic" ? "x = x + 1\n" : "x = x + 1\n" end
}

function f_program(around, text, top) {
	if (around == "sections")
		text = "!$omp sections\n" text "!$omp end sections\n"
	else if (around == "ordered")
		text = "!$omp do ordered\ndo i = 1, 4\n" text "end do\n"
	else if (around)
		text = "!$omp " around "\n" text "!$omp end " around "\n"
	return "module m\nimplicit none\ninteger :: x, y, a(8)\ninteger, save :: t\n!$omp threadprivate(t)\n" top "contains\n" \
		"integer function f(n)\ninteger :: n, i, s, p\ns = 0\np = 1\n" text "f = s + p\nend function\nend module\n"
}

function f_line(words) {
	return "!$omp " words "\n"
}

function f_wrong_clauses(name, kind, around, text,   m, i, word, wrong, args) {
	word = text
	sub(/\(.*/, "", word)
	args = substr(text, length(word) + 1)
	m = 0
	wrong[++m] = text " " text
	wrong[++m] = text text
	wrong[++m] = word "x" args
	wrong[++m] = text " foo"
	wrong[++m] = text ")"
	wrong[++m] = text " ,, nowait"
	wrong[++m] = ", " text
	wrong[++m] = text ","
	wrong[++m] = text ";"
	wrong[++m] = text " &"
	wrong[++m] = "&\n!$omp " text
	wrong[++m] = "&\n! why\n!$omp& " text
	wrong[++m] = "&\n" text
	wrong[++m] = word "()"
	if (args) {
		wrong[++m] = word
		wrong[++m] = word "(none_such)"
		wrong[++m] = word substr(args, 1, length(args) - 1)
		wrong[++m] = word "(" args ")"
		wrong[++m] = word "(1.5)"
		wrong[++m] = word "(-1)"
		wrong[++m] = word "(a)"
		wrong[++m] = word "(x, , y)"
	} else {
		wrong[++m] = word "(1)"
		wrong[++m] = word "(x"
	}
	for (i = 1; i <= m; i++) {
		source(f_program(around, f_line(name " " wrong[i]) f_statement(name, kind), ""), name ": clause " wrong[i])
		if (kind != "alone" && name != "section" && i < 10) {
			body = f_statement(name, kind)
			sub(/\n$/, " " wrong[i] "\n", body)
			source(f_program(around, f_line(name) body, ""), name ": end with " wrong[i])
		}
	}
}

function f_wrong_names(name, kind, around,   m, i, wrong, words, k, body, end) {
	k = split(name, words, " ")
	wrong[++m] = name
	wrong[++m] = toupper(name)
	wrong[++m] = name "x"
	wrong[++m] = "x" name
	wrong[++m] = name " " name
	wrong[++m] = "end " name
	wrong[++m] = name " end"
	if (k > 1) {
		wrong[++m] = words[k] " " words[1]
		wrong[++m] = words[1] words[2]
		wrong[++m] = words[1] ", " words[2]
	}
	split("foo|42|\"x\"|;|,|)|(|()|(x)|(none_such)|:|x + 1|! why|&|nowait nowait|omp", words, "|")
	for (i = 1; i in words; i++)
		wrong[++m] = name " " words[i]
	for (i = 1; i <= m; i++)
		source(f_program(around, f_line(wrong[i]) f_statement(name, kind), ""), name ": as " wrong[i])
	for (i = 1; i <= n_clauses; i++)
		source(f_program(around, f_line(name " " clause[clause_name[i]]) f_statement(name, kind), ""), name ": with " clause[clause_name[i]])
	if (kind == "alone" || name == "section")
		return
	# the end directive: another name, twice, missing, with what may not follow
	body = f_statement(name, kind)
	end = body
	sub(/^.*!\$omp end/, "!$omp end", end)
	sub(/!\$omp end[^\n]*\n$/, "", body)
	m = split("|!$omp end\n|!$omp end parallel\n|!$omp end do\n|!$omp end foo\n|!$omp end critical (name)\n|!$omp end critical (other)\n|" end end "|" end "x\n|x = 1\n" end "|" \
	          "!$omp barrier\n" end "|!$omp end single copyprivate(p)\n|!$omp end single copyprivate(x)\n|!$omp end ordered\n|!$omp end section\n|" substr(end, 1, length(end) - 1) " nowait\n|" \
	          substr(end, 1, length(end) - 1) " nowait nowait\n|" substr(end, 1, length(end) - 1) " foo\n|" substr(end, 1, length(end) - 1) " (x)\n|" \
	          substr(end, 1, length(end) - 1) ", nowait\n|" substr(end, 1, length(end) - 1) "nowait\n|" substr(end, 1, length(end) - 1) " copyprivate(p)\n|" \
	          substr(end, 1, length(end) - 1) " copyprivate(p) nowait\n|" substr(end, 1, length(end) - 1) " private(p)\n|" substr(end, 1, length(end) - 1) " num_threads(2)\n", words, "|")
	for (i = 1; i <= m; i++)
		source(f_program(around, f_line(name) body words[i], ""), name ": ends with " words[i])
}

function f_wrong_places(name, kind, around,   m, i, d, b, text, what, top) {
	d = f_line(name)
	b = f_statement(name, kind)
	m = split("if (n > 2) then\n@else\nx = 1\nend if\n|if (n > 2) then\nx = 1\n@else if (n > 1) then\nx = 2\nend if\n|select case (n)\n@case (1)\nx = 1\nend select\n|" \
	          "where (a > 1)\n@a = 2\nend where\n|forall (i = 1:4)\n@a(i) = 1\nend forall\n|associate (z => x)\n@end associate\n|block\n@end block\n|block\n@integer :: z\nz = 1\nend block\n|" \
	          "x = &\n@1\n|if (n > 2) &\n@x = 1\n|do i = 1, 4\n@end do\n|!$omp parallel\n@!$omp end parallel\n|!$omp do\n@do i = 1, 4\nx = 1\nend do\n|!$omp do\ndo i = 1, 4\n@end do\n|" \
	          "!$omp atomic\n@x = x + 1\n|!$omp sections\n@!$omp end sections\n|!$omp sections\n!$omp section\n@!$omp end sections\n|!$omp simd\ndo i = 1, 4\n@end do\n|" \
	          "!$omp single\n@!$omp end single\n|!$omp critical\n@!$omp end critical\n|!$omp task\n@!$omp end task\n|!$omp taskloop\ndo i = 1, 4\n@end do\n|" \
	          "!$omp workshare\n@!$omp end workshare\n|!$omp master\n@!$omp end master\n|10 continue\n@if (n > 5) goto 10\n|return\n@|!$omp single\n@|!$omp parallel\nx = 1\n@|" \
	          "type q\n@integer :: z\nend type\n|interface\n@subroutine h()\nend subroutine\nend interface\n|data x /1/\n@", text, "|")
	for (i = 1; i <= m; i++) {
		what = text[i]
		sub(/@/, d b, what)
		source(f_program(around, what, ""), name ": in: " text[i])
	}
	m = split("@|type q\n@integer :: z\nend type\n|interface\n@subroutine h()\nend subroutine\nend interface\n|integer :: z, &\n@w\n|enum, bind(c)\n@enumerator :: e\nend enum\n", top, "|")
	for (i = 1; i <= m; i++) {
		what = top[i]
		sub(/@/, d b, what)
		source(f_program("", "i = 0\n", what), name ": at: " top[i])
	}
	source("integer function f(n)\n" d b "integer :: n, i, x, y, a(8)\nf = 1\nend function\n", name ": before declarations")
	source("subroutine h\n" d b "end subroutine\n", name ": without declarations")
	source("pure integer function f(n)\ninteger, intent(in) :: n\ninteger :: i, x, y, a(8)\nx = 0\n" d b "f = x\nend function\n", name ": in pure")
	source(d b, name ": alone")
	source("block data\n" d b "end block data\n", name ": in block data")
	if (kind == "alone")
		return
	m = split("|integer :: z\n|return\n|goto 10\n|do while (n > 1)\nn = n - 1\nend do\n|do\nexit\nend do\n|do concurrent (i = 1:4)\na(i) = 1\nend do\n|do i = 1, 4\nexit\nend do\n|" \
	          "do i = 1, 4\nreturn\nend do\n|do 20 i = 1, 4\n20 a(i) = 1\n|do i = 1, 4\ndo p = 1, 4\na(i) = p\nend do\n|do s = 1.0, 4.0\nx = 1\nend do\n|do i = 1, n * i\nx = i\nend do\n|" \
	          "x = y\n|x = x + 1\ny = y + 1\n|x = x + f(1)\n|x = x + none_such(1)\n|a = a + 1\n|if (n > 1) x = x + 1\n|call none_such\n|x = 2.5 * x\n|end function\n|contains\n|else\n|" \
	          "!$omp section\n!$omp section\nx = 1\n|!$omp section foo\nx = 1\n|x = 1\n!$omp section\ny = 1\n|block\n!$omp section\nx = 1\nend block\n|block\nx = 1\nend block\n", text, "|")
	for (i = 1; i <= m; i++) {
		what = d text[i]
		source(f_program(around, what "!$omp end " name "\n10 continue\n", ""), name ": of, ended: " text[i])
		source(f_program(around, what, ""), name ": of: " text[i])
	}
}

function directive(name, kind, around, takes,   words, k, i) {
	k = split(takes, words, " ")
	for (i = 1; i <= k; i++)
		if (language == "fortran")
			f_wrong_clauses(name, kind, around, clause[words[i]])
		else
			wrong_clauses(name, kind, around, clause[words[i]])
	for (i = 1; i < k; i++)
		source(language == "fortran" ? f_program(around, f_line(name " " clause[words[i]] " " clause[words[i + 1]] " " clause[words[i]]) f_statement(name, kind), "") :
			program(around, line(name " " clause[words[i]] " " clause[words[i + 1]] " " clause[words[i]]) statement(kind), ""), name ": with " words[i] " around")
	if (language == "fortran") {
		f_wrong_names(name, kind, around)
		f_wrong_places(name, kind, around)
	} else {
		wrong_names(name, kind, around)
		wrong_places(name, kind, around)
	}
}

BEGIN {
	split(part, of_part, "/")
	at = of_part[1] - 1
	of = of_part[2]
	suffix = language == "c" ? ".c" : language == "c++" ? ".cc" : ".f90"
	clauses()
	directives()
}
