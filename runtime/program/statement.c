/*
 * Statement: see statement.h.  It reads a copy of some lines in which comments, strings and line ends are replaced by
 * blanks, so that columns do not change.
 */
#include "runtime/program/statement.h"

#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/text.h"
#include "runtime/program/statement_text.h"

enum { MOST_VARIABLE_BYTES = 40, MOST_CANDIDATES = 32, MOST_DEPTH = 32 };

/* How sure it is that a candidate's value is allocated. */
enum rank { NO_CALL, CALLS, ALLOCATES };

/* What a call may be named by: an assignment "a = …", a declarator with arguments "a(…)", or a member's function
 * "a.f(…)". */
struct candidate {
	const char *name;      /* where the variable begins; of an assignment where it ends: at the sign */
	size_t n_name;         /* 0 for an assignment */
	const char *from, *to; /* a call at these places is its; `to` is the last one */
	enum rank rank;
	int is_member;
	int is_argument; /* of a member: it is in parentheses, so its own value is only passed on */
};

struct candidates {
	struct candidate all[MOST_CANDIDATES];
	size_t n;
};

static int is_blank(char ch)
{
	return ch == ' ' || ch == '\t' || ch == '\r';
}

static const char *skip_blanks(const char *at)
{
	while (is_blank(*at))
		at++;
	return at;
}

/* Returns the last character before `at` that is no blank; the position before the text when there is none. */
static const char *statement_before(const char *text, const char *at)
{
	for (at--; at >= text && is_blank(*at); at--)
		;
	return at;
}

static int is_one_of(const char *word, size_t n, const char *const *words, size_t n_words)
{
	for (size_t i = 0; i < n_words; i++)
		if (strlen(words[i]) == n && !strncmp(word, words[i], n))
			return 1;
	return 0;
}

/* Returns the end of the arguments of a template that begin at this '<': behind its '>'; NULL when it is none. */
static const char *template_end(const char *at)
{
	int depth = 0;

	for (; *at && (ompp_text_is_word(*at) || strchr(" :,<>*&[]().", *at)); at++) {
		depth += *at == '<' ? 1 : *at == '>' ? -1 : 0;
		if (!depth)
			return at + 1;
	}
	return NULL;
}

/* Returns where reading goes on behind this place: the next one, or behind the arguments of a template. */
static const char *statement_step(const char *text, const char *at)
{
	const char *end = *at == '<' && at > text && ompp_text_is_word(at[-1]) ? template_end(at) : NULL;

	return end ? end : at + 1;
}

/* Returns the end of the value that begins here: a comma or semicolon outside of its parentheses, or one that closes
 * what is around it, or the end of the text. */
static const char *value_end(const char *text, const char *at)
{
	int depth = 0;

	for (; *at; at = statement_step(text, at)) {
		depth += strchr("([{", *at) ? 1 : strchr(")]}", *at) ? -1 : 0;
		if (depth < 0 || (!depth && strchr(",;", *at)))
			break;
	}
	return at;
}

static int statement_has(const char *word, size_t n, const char *part)
{
	size_t k = strlen(part), same;

	for (size_t i = 0; i + k <= n; i++) {
		for (same = 0; same < k && ompp_text_lower(word[i + same]) == part[same]; same++)
			;
		if (same == k)
			return 1;
	}
	return 0;
}

/* Finds the next function that is called, or "new"; casts and sizeof are none.  Returns where it stands, and the length
 * of its name; NULL when there is none before the end.
 * allocates: finds only functions whose names say that they allocate */
static const char *find_call(const char *at, const char *end, int allocates, size_t *n)
{
	for (; at < end; at += *n ? *n : 1) {
		const char *next;

		for (*n = 0; at + *n < end && ompp_text_is_word(at[*n]); ++*n)
			;
		if (*n == 3 && !strncmp(at, "new", 3))
			return at;
		next = *n && at[*n] == '<' ? template_end(at + *n) : at + *n;
		if (*n && next && next < end && *next == '(' && *n <= MOST_VARIABLE_BYTES &&
		    !(*n == 6 && !strncmp(at, "sizeof", 6)) &&
		    (!allocates || statement_has(at, *n, "alloc") || statement_has(at, *n, "memalign") ||
		     statement_has(at, *n, "mmap") || statement_has(at, *n, "make_unique") ||
		     statement_has(at, *n, "make_shared")))
			return at;
	}
	return NULL;
}

static enum rank rank_of(const char *from, const char *to)
{
	size_t n;

	return find_call(from, to, 1, &n) ? ALLOCATES : find_call(from, to, 0, &n) ? CALLS : NO_CALL;
}

/* Returns where the declarator of a pointer to an array that ends here has its name, "a" of "(*a)[n][m]"; NULL when it
 * is none. */
static const char *array_pointer(const char *text, const char *end, size_t *n)
{
	const char *last = end - 1;

	while (last > text && *last == ']') {
		for (int depth = 0; last > text; last--) {
			depth += *last == ']' ? 1 : *last == '[' ? -1 : 0;
			if (!depth)
				break;
		}
		last = statement_before(text, last);
	}
	if (last == end - 1 || last <= text || *last != ')')
		return NULL;
	end = statement_before(text, last) + 1;
	for (*n = 0; end - *n > text && ompp_text_is_word(end[-1 - (ptrdiff_t)*n]); ++*n)
		;
	last = statement_before(text, end - *n);
	return *n && *n <= MOST_VARIABLE_BYTES && last > text && *last == '*' && *statement_before(text, last) == '('
	             ? end - *n
	             : NULL;
}

/* Returns the start of the variable that ends here, "a" or "s->field[i]"; NULL when there is none. */
static const char *variable_start(const char *text, const char *end)
{
	const char *start;
	int depth = 0;

	for (start = end; start > text; start--) {
		char ch = start[-1];

		depth += ch == ']' ? 1 : ch == '[' ? -1 : 0;
		if (!(ompp_text_is_word(ch) || ch == '.' || ch == ']' || ch == '[' || ch == '%' ||
		      (depth && ch != '*') || (ch == '>' && start - 1 > text && start[-2] == '-') ||
		      (ch == '-' && *start == '>')))
			break;
	}
	start += *start == '.';
	return !depth && start < end && end - start <= MOST_VARIABLE_BYTES && ompp_text_is_word(*start) ? start : NULL;
}

static void statement_add(struct candidates *c, struct candidate candidate)
{
	if (c->n < MOST_CANDIDATES)
		c->all[c->n++] = candidate;
}

/* Adds an assignment, if this is the sign of one. */
static void add_assignment(struct candidates *c, const char *text, const char *at)
{
	const char *end = statement_before(text, at) + 1, *to;
	size_t n;

	if (at == text || at[1] == '=' || strchr("=<>!+-*/%&|^[", at[-1]) ||
	    (!variable_start(text, end) && !array_pointer(text, end, &n)))
		return;
	to = value_end(text, at + 1);
	statement_add(c, (struct candidate){ .name = at, .from = at + 1, .to = to - 1, .rank = rank_of(at + 1, to) });
}

/* Where declarators are looked for: how deep, and whether a declarator came before in this statement. */
struct scan {
	char open[MOST_DEPTH]; /* 'b' for a block, otherwise what was opened */
	size_t depth;
	int in_declaration;
	int in_value; /* of an assignment or a return */
};

static const char *const scopes[] = { "struct", "class", "union", "namespace" };

/* Returns the start of the word that ends at this place; behind it when there is none. */
static const char *word_before(const char *text, const char *last)
{
	const char *start = last + 1;

	while (start > text && ompp_text_is_word(start[-1]))
		start--;
	return start;
}

/* Returns whether the brace that opens here begins a block: of statements, or of a class. */
static int opens_block(const char *text, const char *at)
{
	static const char *const words[] = { "else", "do", "try", "const", "noexcept", "override", "final", "mutable" };
	const char *last = statement_before(text, at), *start, *first;

	if (last < text || strchr(");{}", *last))
		return 1;
	start = word_before(text, last);
	if (is_one_of(start, (size_t)(last + 1 - start), words, OMPP_COUNT_OF(words)))
		return 1;
	last = statement_before(text, start);
	first = last < text ? start : word_before(text, last);
	return is_one_of(first, last < text ? 0 : (size_t)(last + 1 - first), scopes, OMPP_COUNT_OF(scopes));
}

static int is_outside(const struct scan *scan)
{
	return !scan->depth || (scan->depth <= MOST_DEPTH && scan->open[scan->depth - 1] == 'b');
}

static void follow_brackets(struct scan *scan, const char *text, const char *at)
{
	if (strchr("([{", *at)) {
		char open = *at == '{' && opens_block(text, at) ? 'b' : *at;

		if (scan->depth < MOST_DEPTH)
			scan->open[scan->depth] = open;
		scan->depth++;
		scan->in_declaration &= open != 'b';
		scan->in_value &= open != 'b';
	} else if (strchr(")]}", *at)) {
		scan->depth -= scan->depth > 0;
	} else if (*at == ';') {
		scan->in_declaration = scan->in_value = 0;
	} else if (*at == ',' && is_outside(scan)) {
		scan->in_value = 0;
	}
}

/* Returns whether the word that begins here is the name of a class that is defined. */
static int is_scope(const char *word)
{
	while (ompp_text_is_word(*word))
		word++;
	return *skip_blanks(word) == '{';
}

/* Returns whether the word that begins here may be a declarator, by what stands in front of it: a type, a comma behind
 * another declarator, or the colon of a constructor's list. */
static int follows_type(const struct scan *scan, const char *text, const char *word)
{
	static const char *const others[] = { "return", "new", "delete", "else",      "throw",    "case",
		                              "goto",   "do",  "in",     "co_return", "co_yield", "co_await",
		                              "and",    "or",  "not",    "typeof" };
	const char *last = statement_before(text, word), *start;

	while (last >= text && (*last == '*' || *last == '&'))
		last = statement_before(text, last);
	if (last < text)
		return 0;
	if (*last == ',')
		return scan->in_declaration;
	if (*last == ':' && last > text && last[-1] != ':')
		return *statement_before(text, last) == ')';
	if (*last == '>')
		return last > text && last[-1] != '-' && !is_blank(last[-1]);
	start = word_before(text, last);
	if (is_one_of(start, (size_t)(last + 1 - start), scopes, OMPP_COUNT_OF(scopes)) && is_scope(word))
		return 0;
	return start <= last && last + 1 < word &&
	       !is_one_of(start, (size_t)(last + 1 - start), others, OMPP_COUNT_OF(others));
}

/* Adds the word that begins here with n bytes, if it is a declarator with arguments, or the function of a member. */
static void add_declarator(struct candidates *c, struct scan *scan, const char *text, const char *word, size_t n)
{
	static const char *const notes[] = { "__attribute__", "__declspec", "alignas",
		                             "_Alignas",      "decltype",   "noexcept" };
	const char *open = skip_blanks(word + n), *close, *start;
	int is_member = word > text && (word[-1] == '.' || (word[-1] == '>' && word - 1 > text && word[-2] == '-'));

	if ((*open != '(' && *open != '{') || n > MOST_VARIABLE_BYTES ||
	    is_one_of(word, n, notes, OMPP_COUNT_OF(notes)))
		return;
	for (close = value_end(text, open + 1); *close && !strchr(")}", *close); close = value_end(text, close + 1))
		;
	if (is_member && *open == '(') {
		start = variable_start(text, word + n);
		if (start)
			statement_add(c, (struct candidate){ start, (size_t)(word + n - start), start, close, CALLS, 1,
			                                     !is_outside(scan) });
		return;
	}
	if (!is_outside(scan) || scan->in_value || !follows_type(scan, text, word))
		return;
	scan->in_declaration = 1;
	start = *close ? skip_blanks(close + 1) : close;
	if (*open == '(' && (*start == '{' || close == skip_blanks(open + 1)) &&
	    !strchr(",:", *statement_before(text, word)))
		return; /* a function */
	statement_add(c, (struct candidate){ word, n, word, *close ? close : close - 1,
	                                     rank_of(open, close) == ALLOCATES ? ALLOCATES : CALLS, 0, 0 });
}

/* Finds all candidates of a text, in their order. */
static void find_candidates(struct candidates *c, const char *text)
{
	static const char *const ends[] = { "return", "throw", "co_return", "delete" };
	struct scan scan = { .depth = 0 };

	c->n = 0;
	for (const char *at = text; *at;) {
		size_t n = 0;

		while (ompp_text_is_word(at[n]))
			n++;
		if (n) {
			add_declarator(c, &scan, text, at, n);
			scan.in_value |= is_outside(&scan) && is_one_of(at, n, ends, OMPP_COUNT_OF(ends));
			at += n;
			continue;
		}
		if (*at == '=') {
			add_assignment(c, text, at);
			if (is_outside(&scan))
				scan.in_declaration = scan.in_value = 1;
		}
		follow_brackets(&scan, text, at);
		at = statement_step(text, at);
	}
}

/* Whether compilers may say that a call is here: clang and gcc for C, where the name of the function or the declarator
 * or "new" begins; gcc for C++, at the parenthesis or bracket behind it, or at the end of a type. */
enum spot { NOWHERE, BEGINS_WORD, AT_BRACKET };
static enum spot spot_at(const char *text, const char *at)
{
	if (*at && strchr("()[]{}", *at))
		return AT_BRACKET;
	return ompp_text_is_word(*at) && (at == text || !ompp_text_is_word(at[-1])) ? BEGINS_WORD : NOWHERE;
}

/* Returns the assignment from which this one goes on, as in "a = b = malloc(n)". */
static const struct candidate *head_of(const struct candidates *c, const char *text, const struct candidate *of)
{
	for (size_t i = c->n; i-- > 0 && !of->n_name;) {
		const char *start = variable_start(text, statement_before(text, of->name) + 1);

		if (start && !c->all[i].n_name && statement_before(text, start) == c->all[i].name)
			of = &c->all[i];
	}
	return of;
}

/* Returns the innermost candidate around a place; NULL when there is none. */
static const struct candidate *candidate_at(const struct candidates *c, const char *text, const char *at)
{
	const struct candidate *best = NULL;

	for (size_t i = 0; i < c->n; i++) {
		const struct candidate *now = &c->all[i];

		if (at >= now->from && at <= now->to && (!best || !now->is_member) &&
		    (!best || best->is_member || now->from >= best->from))
			best = now;
	}
	return best ? head_of(c, text, best) : NULL;
}

/* Returns whether a candidate lies inside of another one, which is then meant. */
static int is_inside(const struct candidates *c, const struct candidate *one)
{
	for (size_t i = 0; i < c->n; i++)
		if (&c->all[i] != one && c->all[i].from <= one->from && c->all[i].to >= one->to &&
		    (one->is_member || !c->all[i].is_member))
			return 1;
	return 0;
}

/* Returns the candidate of this number among those with at least this rank that reach into the line; NULL unless there
 * are n of these. */
static const struct candidate *by_order(const struct candidates *c, const char *line, enum rank rank, size_t n,
                                        size_t which)
{
	const struct candidate *found = NULL;
	size_t k = 0;

	for (size_t i = 0; i < c->n; i++) {
		const struct candidate *now = &c->all[i];

		if (now->rank < rank || now->to < line || now->is_argument || is_inside(c, now))
			continue;
		if (k++ == which)
			found = now;
	}
	return k == n ? found : NULL;
}

/* Returns whether the line has a word that may be a macro. */
static int may_have_macros(const char *line)
{
	for (size_t n; *line; line += n ? n : 1) {
		int is_upper = *line >= 'A' && *line <= 'Z';

		for (n = 0; ompp_text_is_word(line[n]); n++)
			is_upper &= line[n] < 'a' || line[n] > 'z';
		if (is_upper)
			return 1;
	}
	return 0;
}

/* Returns 1 when all columns are where calls may be.  Those that macros moved are there by chance only, and then hardly
 * all in the same way. */
static int columns_fit(const struct ompp_statement *s, const char *text, const char *line)
{
	size_t n_line = strlen(line);
	enum spot first = NOWHERE;

	for (size_t i = 0; i < s->n && s->columns; i++) {
		enum spot spot = s->columns[i] <= n_line ? spot_at(text, line + s->columns[i] - 1) : NOWHERE;

		first = i ? first : spot;
		if (spot == NOWHERE || (spot != first && may_have_macros(line)))
			return 0;
	}
	return s->columns != NULL;
}

/* Returns the assignment of the line whose value is allocated, as far as one stands out: the first one that calls what
 * says that it allocates, else what calls anything, else the first. */
static const struct candidate *statement_likely(const struct candidates *c, const char *line)
{
	const struct candidate *best = NULL;

	for (size_t i = 0; i < c->n; i++)
		if (c->all[i].to >= line && (!best || c->all[i].rank > best->rank) && !c->all[i].is_member &&
		    !is_inside(c, &c->all[i]))
			best = &c->all[i];
	return best;
}

/* Returns what names a call: by its column; where macros may have moved that, rather by the order of the assignments
 * that say that they allocate. */
static const struct candidate *statement_choose(const struct candidates *c, const struct ompp_statement *s,
                                                const char *text, const char *line, size_t which)
{
	int fits = columns_fit(s, text, line);
	const struct candidate *found = !fits || may_have_macros(line) ? by_order(c, line, ALLOCATES, s->n, which)
	                                                               : NULL;

	if (!found && fits)
		return candidate_at(c, text, line + s->columns[which] - 1);
	return found ? found : by_order(c, line, CALLS, s->n, which);
}

/* Writes a call, as "malloc(…)" or "new".  Returns 0 when there is none before the end. */
static int put_call(struct ompp_text *t, const char *at, const char *end, int allocates)
{
	size_t n;

	at = find_call(at, end, allocates, &n);
	if (!at)
		return 0;
	ompp_text_strn(t, at, n);
	if (n != 3 || strncmp(at, "new", 3))
		ompp_text_str(t, "(…)");
	return 1;
}

static void put_candidate(struct ompp_text *t, const char *text, const struct candidate *c)
{
	const char *end = statement_before(text, c->name) + 1, *start;
	size_t n;

	if (c->n_name) {
		ompp_text_strn(t, c->name, c->n_name);
		ompp_text_str(t, c->is_member ? "(…)" : "");
		return;
	}
	start = array_pointer(text, end, &n);
	if (!start) {
		start = variable_start(text, end);
		n = (size_t)(end - start);
	}
	ompp_text_strn(t, start, n);
	n = t->n_bytes;
	ompp_text_str(t, " = ");
	if (put_call(t, c->from, c->to + 1, 1) || put_call(t, c->from, c->to + 1, 0))
		return;
	t->n_bytes = n;
	t->data[n] = '\0';
}

/* Returns the end of a line, without a comment and blanks there. */
static const char *line_end(const char *line)
{
	const char *end = line;

	while (*end && *end != '\n' && strncmp(end, "//", 2) && strncmp(end, "/*", 2))
		end++;
	while (end > line && is_blank(end[-1]))
		end--;
	return end;
}

static int is_long(const char *line)
{
	line = skip_blanks(line);
	return line_end(line) - line > MOST_VARIABLE_BYTES;
}

/* Writes a line as it is, without a comment at its end, as far as there is room. */
static void put_line(struct ompp_text *t, const char *line)
{
	line = skip_blanks(line);
	ompp_statement_put(t, line, line_end(line), MOST_VARIABLE_BYTES);
}

/* Returns the bracket that opens what this one closes; NULL when there is none. */
static const char *bracket_before(const char *text, const char *at)
{
	for (int depth = 0; at >= text; at--) {
		depth += strchr(")]}", *at) ? 1 : strchr("([{", *at) ? -1 : 0;
		if (!depth)
			return at;
	}
	return NULL;
}

/* Returns where the arguments of a template begin that end here; the same place when there are none. */
static const char *template_before(const char *text, const char *last)
{
	int depth = 0;

	for (const char *at = last; *last == '>' && at >= text && !strchr(";{}", *at); at--) {
		depth += *at == '>' ? 1 : *at == '<' ? -1 : 0;
		if (!depth)
			return at - 1;
	}
	return last;
}

/* Returns the call that stands at this place, or before its parentheses, which begin or end here. */
static const char *call_at(const char *text, const char *at)
{
	const char *open = strchr(")}", *at) ? bracket_before(text, at) : at, *last;

	if (open && open > text && strchr("({", *open)) {
		last = template_before(text, open - 1);
		at = last >= text && ompp_text_is_word(*last) ? last : at;
	}
	while (at > text && ompp_text_is_word(*at) && ompp_text_is_word(at[-1]))
		at--;
	return at;
}

/* Has a piece of a text a literal, which is blanks there, or blanks that would look like one? */
static int has_gap(const char *at, const char *end)
{
	for (; at + 1 < end; at++)
		if (is_blank(at[0]) && is_blank(at[1]))
			return 1;
	return 0;
}

/* Writes the element that is asked for in brackets which begin or end here, "table[i]".  Returns 0 when there is none.
 */
static int put_element(struct ompp_text *t, const char *text, const char *at)
{
	const char *open = *at == ']' ? bracket_before(text, at) : at, *start, *end;

	if (!open || *open != '[')
		return 0;
	start = variable_start(text, open);
	end = value_end(text, open + 1);
	if (!start || *end != ']')
		return 0;
	if (end - start < MOST_VARIABLE_BYTES && !has_gap(open, end)) {
		ompp_text_strn(t, start, (size_t)(end + 1 - start));
		return 1;
	}
	ompp_text_strn(t, start, (size_t)(open - start));
	ompp_text_str(t, "[…]");
	return 1;
}

/* Names a call that no candidate names. */
static void put_other(struct ompp_text *t, const struct ompp_statement *s, const char *text, const char *line,
                      size_t which)
{
	const char *end = line + strlen(line), *whole = ompp_statement_line(s->text, s->line);
	const char *call = columns_fit(s, text, line) ? call_at(text, line + s->columns[which] - 1) : NULL;

	if (call && s->n > 1 && put_call(t, call, end, 1))
		return;
	if (call && is_long(whole) && put_element(t, text, line + s->columns[which] - 1))
		return;
	if (!put_call(t, line, end, 1) && !(call && is_long(whole) && put_call(t, call, end, 0)))
		put_line(t, whole);
}

static int put_c(struct ompp_text *t, const struct ompp_statement *s, size_t which)
{
	char text[OMPP_STATEMENT_BYTES];
	struct candidates candidates;
	const struct candidate *found;
	const char *line = text + ompp_statement_copy(text, s->text, s->line);

	if (*skip_blanks(ompp_statement_line(s->text, s->line)) == '#') {
		put_line(t, ompp_statement_line(s->text, s->line));
		return 0;
	}
	find_candidates(&candidates, text);
	found = statement_choose(&candidates, s, text, line, which);
	if (!found && s->n == 1)
		found = statement_likely(&candidates, line);
	if (found && found->rank != NO_CALL) {
		put_candidate(t, text, found);
		return 1;
	}
	put_other(t, s, text, line, which);
	return 0;
}

int ompp_statement_name(struct ompp_text *t, const struct ompp_statement *s, size_t which)
{
	if (ompp_statement_is_fortran(s->path)) {
		ompp_statement_put_fortran(t, s, s->columns ? s->columns[which] : 0);
		return 0;
	}
	return put_c(t, s, which);
}
