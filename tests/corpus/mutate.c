/*
 * Mutate: makes another program of a program, for mutate.sh: lines and tokens deleted, doubled, exchanged; directives
 * moved, added and changed; braces dropped; statements put under `if`, labels and loops; and the same text in another
 * spelling: comments, continuations, macros, joined lines, blanks, line ends.
 *
 * Usage: mutate SEED LIST >MUTANT.  LIST names sources, one a line; the seed chooses among them, and its path goes to
 * stderr.  The same seed and list give the same mutant.  Whether it is a program at all is for a compiler to say.
 */
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { MOST_LINES = 20000, LONGEST = 12000, MOST_TOKENS = 400 };

enum language { C = 1, CXX = 2, FREE = 4, FIXED = 8 };

struct lines {
	char *items[MOST_LINES];
	size_t n;
};

struct token {
	size_t at, length;
};

static uint64_t state;

/* xorshift64*: 0 … n − 1. */
static size_t below(size_t n)
{
	state ^= state >> 12;
	state ^= state << 25;
	state ^= state >> 27;
	return n ? (size_t)((state * UINT64_C(2685821657736338717)) >> 33) % n : 0;
}

#define PICK(list) (list)[below(sizeof(list) / sizeof(*(list)))]

static char *copy_of(const char *text)
{
	char *copy = strdup(text);

	if (!copy)
		abort();
	return copy;
}

/* ---- lines ---- */

static void insert(struct lines *lines, size_t at, const char *text)
{
	if (lines->n == MOST_LINES || at > lines->n)
		return;
	memmove(lines->items + at + 1, lines->items + at, (lines->n - at) * sizeof(*lines->items));
	lines->items[at] = copy_of(text);
	lines->n++;
}

static void drop(struct lines *lines, size_t at)
{
	if (at >= lines->n)
		return;
	free(lines->items[at]);
	lines->n--;
	memmove(lines->items + at, lines->items + at + 1, (lines->n - at) * sizeof(*lines->items));
}

static void replace(struct lines *lines, size_t at, const char *text)
{
	free(lines->items[at]);
	lines->items[at] = copy_of(text);
}

/* text[from, to) of a line becomes `with`. */
static void put(struct lines *lines, size_t line, size_t from, size_t to, const char *with)
{
	const char *old = lines->items[line];
	size_t n = strlen(old) + strlen(with) + 1;
	char *text = malloc(n);

	if (!text)
		abort();
	snprintf(text, n, "%.*s%s%s", (int)from, old, with, old + to);
	if (n < LONGEST)
		replace(lines, line, text);
	free(text);
}

static int read_lines(struct lines *lines, const char *path)
{
	FILE *file = fopen(path, "r");
	char *line = NULL;
	size_t room = 0;
	ssize_t n;

	if (!file)
		return -1;
	while ((n = getline(&line, &room, file)) > 0) {
		if (line[n - 1] == '\n')
			line[n - 1] = '\0';
		insert(lines, lines->n, line);
	}
	free(line);
	fclose(file);
	return 0;
}

static const char *skip(const char *p)
{
	while (isblank((unsigned char)*p))
		p++;
	return p;
}

/* What follows the sentinel; NULL: the line is no directive. */
static const char *directive(const char *line, enum language language)
{
	const char *p = skip(line);

	if (language & (FREE | FIXED))
		return *p && strchr("!cC*", *p) && !strncasecmp(p + 1, "$omp", 4) ? p + 5 : NULL;
	if (*p++ != '#')
		return NULL;
	p = skip(p);
	if (strncmp(p, "pragma", 6))
		return NULL;
	p = skip(p + 6);
	return strncmp(p, "omp", 3) ? NULL : p + 3;
}

static int is_code(const char *line, enum language language)
{
	const char *p = skip(line);

	if (language & (FREE | FIXED))
		return *p && *p != '!' && *p != '#' && *p != '&' && !(language == FIXED && strchr("cC*", *line));
	return *p && *p != '#' && *p != '*' && strncmp(p, "//", 2);
}

/* A whole statement of C on a line of its own? */
static int is_statement(const char *line)
{
	const char *p = skip(line);
	size_t n = strlen(p);
	int depth = 0;

	if (!n || p[n - 1] != ';' || !(isalpha((unsigned char)*p) || *p == '_' || *p == '+' || *p == '('))
		return 0;
	for (; *p; p++)
		if ((depth += (*p == '(' || *p == '{') - (*p == ')' || *p == '}')) < 0)
			return 0;
	return !depth;
}

/* A line for which `what` holds, near a place chosen by chance; lines->n: none. */
static size_t find(const struct lines *lines, enum language language, int (*what)(const char *, enum language))
{
	size_t start = below(lines->n);

	for (size_t i = 0; i < lines->n; i++)
		if (what(lines->items[(start + i) % lines->n], language))
			return (start + i) % lines->n;
	return lines->n;
}

static int any(const char *line, enum language language)
{
	(void)language;
	return *skip(line) != '\0';
}

static int is_directive(const char *line, enum language language)
{
	const char *p = directive(line, language);
	size_t n = strlen(line);

	return p && isblank((unsigned char)*p) && n && line[n - 1] != '\\' && line[n - 1] != '&';
}

static int is_one_statement(const char *line, enum language language)
{
	if (language & (FREE | FIXED))
		return is_code(line, language) && strchr(line, '=') && !strchr(line, '&') && !strstr(line, "::") &&
		       strncasecmp(skip(line), "do", 2) && strncasecmp(skip(line), "if", 2);
	return is_statement(line);
}

static int is_code_line(const char *line, enum language language)
{
	return is_code(line, language);
}

/* ---- tokens of a line ---- */

static size_t tokens_of(const char *line, struct token *tokens)
{
	size_t n = 0;

	for (size_t i = 0; line[i] && n < MOST_TOKENS;) {
		size_t from = i;

		if (isspace((unsigned char)line[i])) {
			i++;
			continue;
		}
		if (isalnum((unsigned char)line[i]) || line[i] == '_') {
			while (isalnum((unsigned char)line[i]) || strchr("_.", line[i] ? line[i] : ' '))
				i++;
		} else if (line[i] == '"' || line[i] == '\'') {
			for (i++; line[i] && line[i] != line[from]; i++)
				i += line[i] == '\\' && line[i + 1];
			i += line[i] != '\0';
		} else {
			i += strchr("=<>&|+-:!$", line[i]) && line[i + 1] && strchr("=<>&|+-:", line[i + 1]) ? 2 : 1;
		}
		tokens[n++] = (struct token){ from, i - from };
	}
	return n;
}

/* A place between two tokens of a line; 0: there is none. */
static size_t gap(const char *line, const char *from)
{
	struct token tokens[MOST_TOKENS];
	size_t n = tokens_of(line, tokens), first = 1, at;

	while (first < n && tokens[first].at < (size_t)(from - line))
		first++;
	if (first >= n)
		return 0;
	at = first + below(n - first);
	return tokens[at].at;
}

static void token_mutation(struct lines *lines, enum language language)
{
	size_t i = find(lines, language, below(3) ? is_code_line : is_directive), n, a, b;
	struct token tokens[MOST_TOKENS];
	char text[LONGEST];
	const char *line;

	if (i == lines->n)
		return;
	line = lines->items[i];
	n = tokens_of(line, tokens);
	if (!n || strlen(line) >= LONGEST)
		return;
	a = below(n);
	b = below(n);
	if (below(2))
		b = a + 1 < n ? a + 1 : a;
	switch (below(4)) {
	case 0:
		put(lines, i, tokens[a].at, tokens[a].at + tokens[a].length, " ");
		break;
	case 1:
		snprintf(text, sizeof(text), "%.*s ", (int)tokens[a].length, line + tokens[a].at);
		put(lines, i, tokens[a].at, tokens[a].at, text);
		break;
	case 2:
		snprintf(text, sizeof(text), " %.*s ", (int)tokens[b].length, line + tokens[b].at);
		put(lines, i, tokens[a].at, tokens[a].at + tokens[a].length, text);
		break;
	default:
		if (isdigit((unsigned char)line[tokens[a].at]))
			put(lines, i, tokens[a].at, tokens[a].at + tokens[a].length, below(2) ? "1" : "0");
		break;
	}
}

/* ---- lines deleted, doubled, exchanged; parts of another program ---- */

static void line_mutation(struct lines *lines, enum language language)
{
	size_t i = find(lines, language, below(2) ? is_code_line : any), k;
	char *line;

	if (i == lines->n)
		return;
	switch (below(4)) {
	case 0:
		drop(lines, i);
		break;
	case 1:
		line = copy_of(lines->items[i]);
		insert(lines, i, line);
		free(line);
		break;
	default:
		k = i + 1 + below(4);
		if (k >= lines->n)
			break;
		line = lines->items[i];
		lines->items[i] = lines->items[k];
		lines->items[k] = line;
		break;
	}
}

static void splice(struct lines *lines, const struct lines *other)
{
	size_t from = below(other->n), n = 1 + below(8), at = below(lines->n + 1);

	for (size_t i = 0; i < n && from + i < other->n; i++)
		insert(lines, at + i, other->items[from + i]);
}

/* ---- directives ---- */

static const char *const clauses[] = {
	"nowait", "untied", "schedule(dynamic)", "schedule(static, 1)", "default(shared)", "default(none)", "if(1)", "if(0)",
	"num_threads(2)", "private(i)", "firstprivate(i)", "collapse(2)", "ordered", "mergeable", "final(1)", "grainsize(2)",
	"copyin(x)", "shared(i)", "reduction(+:sum)", "reduction(task, +:sum)", "lastprivate(i)", "proc_bind(close)",
	"priority(1)", "nogroup", "allocate(i)", "depend(inout: i)", "num_tasks(3)", "order(concurrent)", "linear(i)", "simdlen(4)",
};

static const char *const alone[] = {
	"barrier", "taskwait", "taskyield", "flush", "flush(i)", "cancellation point parallel", "cancel parallel",
	"cancel for", "taskwait depend(in: i)", "cancel taskgroup", "ordered depend(source)",
};

static const char *const with_block[] = {
	"parallel", "critical", "critical (name)", "single", "master", "masked", "task", "taskgroup", "parallel num_threads(2)",
	"single nowait", "task untied", "task if(0)", "parallel if(0)", "scope", "target", "teams", "parallel master",
	"parallel masked", "target parallel", "atomic", "ordered", "sections", "parallel sections", "task depend(out: i)",
	"target data map(tofrom: i)", "target teams",
};

static const char *const with_loop[] = {
	"for", "parallel for", "for nowait", "for schedule(dynamic)", "taskloop", "simd", "for simd", "parallel for simd",
	"parallel for ordered", "loop", "distribute", "teams distribute", "parallel loop", "target teams distribute parallel for",
	"taskloop simd", "parallel master taskloop", "masked taskloop", "distribute parallel for", "for ordered(1)",
	"parallel for collapse(2)", "tile sizes(2)", "unroll partial(2)",
};

/* The directive in the language's words. */
static void spell(char *text, size_t n, enum language language, const char *words)
{
	const char *loop = language & (FREE | FIXED) ? strstr(words, "for") : NULL;

	snprintf(text, n, "%s", language & (FREE | FIXED) ? "!$omp " : "#pragma omp ");
	if (loop)
		snprintf(text + strlen(text), n - strlen(text), "%.*sdo%s", (int)(loop - words), words, loop + 3);
	else
		snprintf(text + strlen(text), n - strlen(text), "%s", words);
}

static void change_clauses(struct lines *lines, enum language language)
{
	size_t i = find(lines, language, is_directive), at, end;
	const char *line, *words;
	char text[256];

	if (i == lines->n)
		return;
	line = lines->items[i];
	words = directive(line, language);
	at = gap(line, words + 1);
	if (below(2) || !at) {
		snprintf(text, sizeof(text), " %s", PICK(clauses));
		put(lines, i, strlen(line), strlen(line), text);
		return;
	}
	end = at + strcspn(line + at, " (");    /* a word, with its parentheses */
	if (line[end] == '(')
		end += strcspn(line + end, ")") + 1;
	put(lines, i, at, end > strlen(line) ? strlen(line) : end, below(2) ? "" : PICK(clauses));
}

static void insert_directive(struct lines *lines, enum language language)
{
	size_t i = find(lines, language, is_code_line);
	char text[256], end[256], name[64];
	const char *words, *p;

	if (i == lines->n)
		return;
	p = skip(lines->items[i]);
	if (language & (FREE | FIXED) ? !strncasecmp(p, "do ", 3) : !strncmp(p, "for", 3))
		words = PICK(with_loop);
	else
		words = below(3) ? PICK(with_block) : PICK(alone);
	spell(text, sizeof(text), language, words);
	if (language & (FREE | FIXED)) {
		snprintf(name, sizeof(name), "end %.*s", (int)strcspn(words, "("), words);
		spell(end, sizeof(end), language, name);
		insert(lines, i + 1, end);
	}
	insert(lines, i, text);
}

static void move_directive(struct lines *lines, enum language language)
{
	size_t i = find(lines, language, is_directive), to;
	char *line;

	if (i == lines->n)
		return;
	line = copy_of(lines->items[i]);
	to = below(3) ? (below(2) ? i + 1 : i ? i - 1 : i) : i + below(6);
	drop(lines, i);
	insert(lines, to < lines->n ? to : lines->n, line);
	free(line);
}

static void rename_directive(struct lines *lines, enum language language)
{
	size_t i = find(lines, language, is_directive);
	const char *line, *words, *p;
	char text[256];

	if (i == lines->n)
		return;
	line = lines->items[i];
	words = directive(line, language);
	for (p = skip(words); isalpha((unsigned char)*p); p++)
		;
	spell(text, sizeof(text), language, below(2) ? PICK(with_block) : below(3) ? PICK(with_loop) : PICK(alone));
	put(lines, i, 0, below(2) ? (size_t)(p - line) : strlen(line), text);
}

/* ---- statements ---- */

/* Take the braces of one block away. */
static void drop_braces(struct lines *lines, enum language language)
{
	size_t i = below(lines->n), k;
	int depth = 0;
	char *open, *p;

	(void)language;
	for (k = 0; k < lines->n && !strchr(lines->items[i], '{'); k++)
		i = (i + 1) % lines->n;
	open = strchr(lines->items[i], '{');
	if (!open)
		return;
	for (p = open, k = i; k < lines->n; p = ++k < lines->n ? lines->items[k] : NULL)
		for (; p && *p; p++)
			if ((depth += (*p == '{') - (*p == '}')) == 0 && *p == '}') {
				*p = *open = ' ';
				return;
			}
}

static void wrap_statement(struct lines *lines, enum language language)
{
	static const char *const before[] = {
		"if (1)", "if (0) ; else", "for (int mutant_ = 0; mutant_ < 1; mutant_++)", "switch (1) case 1:", "mutant_label:", "do",
		"{", "__extension__ ({", "while (1) {", "switch (2) { default:", "if (1) if (0) ; else", "else", "if (1) {} else",
		"if (0) { ; } else if (1)", "for (;;) {", "{ mutant_label: __attribute__((unused));", "case 1:", ";", "{;",
	};
	static const char *const cxx[] = {
		"[&] {", "try {", "if (int mutant_ = 1; mutant_)", "if constexpr (true)", "for (int mutant_ : { 1 })", "[[maybe_unused]]",
		"[&](int mutant_ = 1) noexcept -> void {", "auto mutant_ = [=]() mutable {",
	};
	static const char *const behind[][2] = {
		{ "do", "while (0);" }, { "{", "}" }, { "__extension__ ({", "});" }, { "while (1) {", "break; }" },
		{ "switch (2) { default:", "}" }, { "for (;;) {", "break; }" }, { "{ mutant_label: __attribute__((unused));", "}" },
		{ "{;", ";}" }, { "[&] {", "}();" }, { "try {", "} catch (...) { throw; }" },
		{ "[&](int mutant_ = 1) noexcept -> void {", "}();" }, { "auto mutant_ = [=]() mutable {", "};" },
	};
	size_t i = find(lines, language, below(3) ? is_one_statement : is_directive), end;
	const char *text = language == CXX && below(2) ? PICK(cxx) : PICK(before);

	if (i == lines->n)
		return;
	for (end = i; end < lines->n && !is_one_statement(lines->items[end], language); end++)
		;
	for (size_t k = 0; k < sizeof(behind) / sizeof(*behind); k++)
		if (!strcmp(behind[k][0], text) && end < lines->n)
			insert(lines, end + 1, behind[k][1]);
	insert(lines, i, text);
}

static void wrap_fortran(struct lines *lines, enum language language)
{
	static const char *const pairs[][2] = {
		{ "      block", "      end block" }, { "      if (.true.) then", "      end if" },
		{ "      do mutant = 1, 1", "      end do" }, { "      mutant: block", "      end block mutant" },
		{ "      do 4711 mutant = 1, 1", " 4711 continue" }, { "      do", "      exit; end do" },
		{ "      associate (mutant => 1)", "      end associate" }, { "      select case (1); case default", "      end select" },
		{ "      mutant: do while (.true.)", "      exit mutant; enddo mutant" }, { "      if (.true.) then; else", "      endif" },
		{ " 4711 continue", "      continue" }, { "      continue;", "      continue" },
		{ "!", "! do" }, { "!$omp critical", "!$omp endcritical" }, { "!$OMP PARALLEL", "!$OMP ENDPARALLEL" },
		{ "!$ if (.true.) then", "!$ end if" }, { "      do concurrent (integer :: mutant = 1:1)", "      end do" },
	};
	size_t i = find(lines, language, is_one_statement), which = below(sizeof(pairs) / sizeof(*pairs));
	size_t n = 1 + (below(3) ? 0 : below(4));

	if (i == lines->n)
		return;
	insert(lines, i + n, pairs[which][1]);
	insert(lines, i, pairs[which][0]);
}

/* ---- another spelling of the same ---- */

/* The pragma as an operator, or an attribute. */
static void pragma_operator(struct lines *lines, enum language language)
{
	size_t i = find(lines, language, is_directive);
	const char *words;
	char text[LONGEST];

	if (i == lines->n || strlen(lines->items[i]) > LONGEST / 2 || strpbrk(lines->items[i], "\"\\"))
		return;
	words = skip(directive(lines->items[i], language));
	switch (below(language == CXX ? 4 : 3)) {
	case 0:
		snprintf(text, sizeof(text), "_Pragma(\"omp %s\")", words);
		break;
	case 1:
		snprintf(text, sizeof(text), "MUTANT_PRAGMA(omp %s)", words);
		insert(lines, 0, "#define MUTANT_PRAGMA(...) _Pragma(#__VA_ARGS__)");
		i++;
		break;
	case 2:
		snprintf(text, sizeof(text), "#pragma omp %s%s", words, " MUTANT_EMPTY");
		insert(lines, 0, "#define MUTANT_EMPTY");
		i++;
		break;
	default:
		snprintf(text, sizeof(text), "[[omp::directive(%s)]]", words);
		break;
	}
	replace(lines, i, text);
	if (!below(3) && i + 1 < lines->n && is_code(lines->items[i + 1], language) && text[0] != '#') {
		snprintf(text + strlen(text), sizeof(text) - strlen(text), " %.*s", LONGEST / 4, lines->items[i + 1]);
		replace(lines, i, text);
		drop(lines, i + 1);
	}
}

static void spell_c(struct lines *lines, enum language language)
{
	static const char *const between[] = {
		"/* ; { */", "/* #pragma omp barrier */", " \\\n ", "\\\n", "\t", "      ", "/*\n*/", "/* \" */", "/*\n#pragma omp parallel\n*/",
		"\f", " /**/ ", "/* ' */",
	};
	static const char *const behind[] = { " // { \"", "\t// '", "   ", " /* } */", " /* a */ /* b */", "// \\\\", ";", "\r" };
	size_t i = find(lines, language, below(2) ? is_directive : is_code_line), at;
	const char *line;

	if (i == lines->n)
		return;
	line = lines->items[i];
	if (!below(3)) {
		put(lines, i, strlen(line), strlen(line), PICK(behind));
		return;
	}
	at = gap(line, line);
	if (at)
		put(lines, i, at, at, PICK(between));
}

static void macro_c(struct lines *lines, enum language language)
{
	size_t i = find(lines, language, is_one_statement);
	char text[LONGEST];

	if (i == lines->n || strlen(lines->items[i]) > LONGEST / 2)
		return;
	snprintf(text, sizeof(text), below(2) ? "MUTANT_SAME(%s)" : "MUTANT_SAME(%s\n)", lines->items[i]);
	replace(lines, i, text);
	insert(lines, 0, "#define MUTANT_SAME(...) __VA_ARGS__");
}

static void join_c(struct lines *lines, enum language language)
{
	size_t i = find(lines, language, is_code_line);
	char text[LONGEST];

	if (i + 1 >= lines->n || !is_code(lines->items[i + 1], language) || strstr(lines->items[i], "//"))
		return;
	snprintf(text, sizeof(text), "%.*s %.*s", LONGEST / 3, lines->items[i], LONGEST / 3, lines->items[i + 1]);
	replace(lines, i, text);
	drop(lines, i + 1);
}

static void digraphs(struct lines *lines, enum language language)
{
	static const char *const pairs[][2] = { { "{", "<%" }, { "}", "%>" }, { "[", "<:" }, { "]", ":>" }, { "#", "%:" } };
	size_t which = below(5);

	(void)language;
	for (size_t i = 0; i < lines->n; i++) {
		const char *found = below(2) || strpbrk(lines->items[i], "\"'") ? NULL : strstr(lines->items[i], pairs[which][0]);

		if (found)
			put(lines, i, (size_t)(found - lines->items[i]), (size_t)(found - lines->items[i]) + 1, pairs[which][1]);
	}
}

static void upper_case(char *text)
{
	char quote = 0;

	for (; *text && (quote || *text != '\''); text++) {
		if (*text == '"')
			quote = !quote;
		if (!quote)
			*text = (char)toupper((unsigned char)*text);
	}
}

/* A directive or a statement of Fortran in two lines. */
static void continue_fortran(struct lines *lines, enum language language)
{
	static const char *const free_ends[] = { "&", " & ! &", "&\n", "& ! '\n! comment", "&\n\n!$ comment\n" };
	static const char *const free_begins[] = { "&", "", "  & ", "\t&" };
	size_t i = find(lines, language, below(2) ? is_directive : is_one_statement), at;
	char text[256];
	int is_omp;

	if (i == lines->n)
		return;
	is_omp = is_directive(lines->items[i], language);
	at = gap(lines->items[i], is_omp ? directive(lines->items[i], language) + 1 : lines->items[i]);
	if (!at || strchr(lines->items[i], '!') != (is_omp ? skip(lines->items[i]) : NULL))
		return;
	if (language == FREE)
		snprintf(text, sizeof(text), "%s\n%s%s", PICK(free_ends), is_omp ? "!$omp " : "", PICK(free_begins));
	else
		snprintf(text, sizeof(text), "%s\n%s", below(3) ? "" : is_omp ? "\nC comment" : "\n\n! comment",
			 is_omp ? (below(2) ? "c$omp&" : "!$OMP1") : (below(2) ? "     &" : "\t1"));
	put(lines, i, at, at, text);
}

static void spell_fortran(struct lines *lines, enum language language)
{
	static const char *const behind[] = { " ! do", " ! '", "   ", "\t", " ;", "\r", " !$omp barrier" };
	static const char *const ends[] = { "do", "if", "block", "parallel", "select", "critical", "subroutine" };
	static const char *const sentinels[] = { "c$omp", "*$OMP", "!$OmP", "C$omp" };
	size_t i = find(lines, language, below(2) ? is_directive : is_code_line), k;
	char *line, *p;

	if (i == lines->n)
		return;
	line = lines->items[i];
	switch (below(6)) {
	case 0:
		upper_case(line);
		break;
	case 1:
		put(lines, i, strlen(line), strlen(line), PICK(behind));
		break;
	case 2:                                 /* end do, enddo */
		for (k = 0; k < 7; k++) {
			p = strcasestr(line, "end ");
			if (p && !strncasecmp(skip(p + 3), ends[k], strlen(ends[k]))) {
				put(lines, i, (size_t)(p + 3 - line), (size_t)(skip(p + 3) - line), "");
				break;
			}
		}
		break;
	case 3:                                 /* parallel do, paralleldo; or without its end */
		p = strcasestr(line, "parallel do");
		if (p)
			put(lines, i, (size_t)(p - line) + 8, (size_t)(p - line) + 9, "");
		else if (is_directive(line, language) && strcasestr(line, "end") && strcasestr(line, "do"))
			drop(lines, i);
		break;
	case 4:
		if (language == FIXED && is_directive(line, language))
			put(lines, i, 0, 5, PICK(sentinels));
		else if (language == FREE)
			put(lines, i, 0, 0, below(2) ? "\t" : "        ");
		break;
	default:
		if (i + 1 < lines->n && is_one_statement(line, language) && is_one_statement(lines->items[i + 1], language) &&
		    !strchr(line, '!') && strlen(line) + strlen(lines->items[i + 1]) < (language == FIXED ? 70 : 120)) {
			char text[256];

			snprintf(text, sizeof(text), "; %s", skip(lines->items[i + 1]));
			put(lines, i, strlen(line), strlen(line), text);
			drop(lines, i + 1);
		}
		break;
	}
}

static void long_line(struct lines *lines, enum language language)
{
	size_t i = find(lines, language, below(2) ? is_directive : is_code_line), at;
	char text[6000];

	if (i == lines->n)
		return;
	memset(text, ' ', sizeof(text));
	text[language & (FREE | FIXED) ? below(60) : below(sizeof(text) - 1)] = '\0';
	text[sizeof(text) - 1] = '\0';
	at = gap(lines->items[i], lines->items[i]);
	if (at)
		put(lines, i, at, at, text);
}

/* ---- all of them ---- */

static void mutate(struct lines *lines, const struct lines *other, enum language language)
{
	static void (*const c[])(struct lines *, enum language) = {
		token_mutation, line_mutation, change_clauses, change_clauses, insert_directive, insert_directive, move_directive,
		rename_directive, drop_braces, wrap_statement, wrap_statement, wrap_statement, pragma_operator, pragma_operator, spell_c,
		spell_c, macro_c, join_c, digraphs, long_line,
	};
	static void (*const fortran[])(struct lines *, enum language) = {
		token_mutation, line_mutation, change_clauses, insert_directive, move_directive, rename_directive, wrap_fortran,
		wrap_fortran, continue_fortran, continue_fortran, spell_fortran, spell_fortran, spell_fortran, long_line,
	};

	if (!below(20) && other->n)
		splice(lines, other);
	else if (language & (C | CXX))
		PICK(c)(lines, language);
	else
		PICK(fortran)(lines, language);
}

static void print(const struct lines *lines)
{
	int crlf = !below(12), bare = !below(12);

	if (!below(40))
		fputs("\xef\xbb\xbf", stdout);
	for (size_t i = 0; i < lines->n; i++) {
		for (const char *p = lines->items[i]; *p; p++) {
			if (crlf && *p == '\n')
				putchar('\r');
			putchar(*p);
		}
		if (i + 1 < lines->n || !bare)
			fputs(crlf ? "\r\n" : "\n", stdout);
	}
}

static enum language language_of(const char *path)
{
	const char *dot = strrchr(path, '.');

	if (!dot)
		return C;
	if (!strcasecmp(dot, ".f") || !strcasecmp(dot, ".for"))
		return FIXED;
	if (!strncasecmp(dot, ".f", 2))
		return FREE;
	return strcmp(dot, ".c") ? CXX : C;
}

static struct lines names, lines, other;

int main(int argc, char **argv)
{
	const char *path, *second;

	if (argc != 3 || read_lines(&names, argv[2]) || !names.n) {
		fputs("usage: mutate SEED LIST\n", stderr);
		return 2;
	}
	state = (strtoull(argv[1], NULL, 10) + 1) * UINT64_C(0x9e3779b97f4a7c15);
	for (int i = 0; i < 8; i++)
		below(2);
	path = names.items[below(names.n)];
	second = names.items[below(names.n)];
	if (read_lines(&lines, path) || read_lines(&other, second) || !lines.n) {
		fprintf(stderr, "mutate: %s: cannot be read, or is empty\n", path);
		return 1;
	}
	if ((language_of(path) ^ language_of(second)) & ~(enum language)(C | CXX))
		other.n = 0;
	for (size_t n = 1 + below(4); n; n--)
		mutate(&lines, &other, language_of(path));
	print(&lines);
	fprintf(stderr, "%s\n", path);
	return 0;
}
