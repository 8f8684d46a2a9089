/*
 * Statements: see statements.h.
 */
#include "opari/read/statements.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "runtime/base/array.h"

const char *kinst_after_word(const char *p, const char *end, const char *word)
{
	size_t n = strlen(word);

	while (p < end && isblank((unsigned char)*p))
		p++;
	return (size_t)(end - p) >= n && !strncasecmp(p, word, n) ? p + n : NULL;
}

const char *kinst_after_sentinel(const char *p, const char *end, int fixed)
{
	const char *omp;

	if (!fixed)
		while (p < end && isblank((unsigned char)*p))
			p++;
	if (p == end || !(*p == '!' || (fixed && strchr("cC*", *p))))
		return NULL;
	p++;
	omp = p < end && *p == '$' ? kinst_after_word(p, end, "$omp") : NULL;
	return omp ? omp : p < end && *p == '$' ? kinst_after_word(p, end, "$pomp") : NULL;
}

const char *kinst_after_data(const char *p, const char *end, int fixed)
{
	p = kinst_after_sentinel(p, end, fixed);
	if (!p || p == end || (!isblank((unsigned char)*p) && !(fixed && *p == '0')))
		return NULL;
	p = kinst_after_word(p + 1, end, "inst");
	if (p)
		p = kinst_after_word(p, end, "data");
	return p && (p == end || !isalnum((unsigned char)*p)) ? p : NULL;
}

const char *kinst_after_string(const char *p, const char *end)
{
	char quote = *p++;

	while (p < end && *p != quote)
		p++;
	return p < end ? p + 1 : end;
}

const char *kinst_next_stop(const char *p, const char *end)
{
	int depth = 0;

	while (p < end) {
		if (*p == '\'' || *p == '"') {
			p = kinst_after_string(p, end);
			continue;
		}
		if (!depth && (*p == ',' || *p == ')'))
			return p;
		depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
		p++;
	}
	return end;
}

struct kinst_span kinst_trimmed(const char *p, const char *end)
{
	while (p < end && isspace((unsigned char)*p))
		p++;
	while (end > p && isspace((unsigned char)end[-1]))
		end--;
	return (struct kinst_span){ p, (size_t)(end - p) };
}

static int is_comment(struct kinst_span line, int fixed)
{
	size_t i = 0;

	if (fixed && line.n && strchr("cC*dD", *line.p))
		return 1;
	while (i < line.n && isspace((unsigned char)line.p[i]))
		i++;
	return i == line.n || (line.p[i] == '!' && !(fixed && i == 5));
}

struct kinst_span kinst_code_of(struct kinst_span line, size_t from, char *quote)
{
	size_t i;

	for (i = from; i < line.n; i++) {
		char c = line.p[i];

		if (*quote ? c == *quote : c == '\'' || c == '"')
			*quote = *quote ? 0 : c;
		else if (c == '!' && !*quote)
			break;
	}
	return kinst_trimmed(line.p + (from < i ? from : i), line.p + i);
}

static int continues_fixed(struct kinst_span line)
{
	if (line.n > 1 && line.p[0] == '\t')
		return line.p[1] >= '1' && line.p[1] <= '9';
	return line.n > 5 && !isspace((unsigned char)line.p[5]) && line.p[5] != '0' && strspn(line.p, " ") >= 5;
}

/* Returns 1 for a comment or a line marker, after which a statement may continue. */
static int says_nothing(const struct kinst_statements *r, size_t k)
{
	return is_comment(r->lines[k], r->fixed) || *r->lines[k].p == '#';
}

/* Joins the lines of the statement that begins at line i.  Returns the index of its last line. */
static size_t join_fixed(const struct kinst_statements *r, size_t i, struct kinst_text *text)
{
	size_t last = i, columns = kinst_fortran_columns(r->fixed);
	char quote = 0;

	for (size_t k = i; k < r->n_lines; k++) {
		struct kinst_span line = r->lines[k], code;
		size_t from = line.n && line.p[0] == '\t' ? (k > i ? 2 : 1) : k > i ? 6 : 0;

		if (k > i && says_nothing(r, k) && !continues_fixed(line))
			continue;
		if (k > i && !continues_fixed(line))
			break;
		if (line.n > columns)
			line.n = columns;
		code = kinst_code_of(line, from < line.n ? from : line.n, &quote);
		kinst_text_add(text, code.p, code.n);
		last = k;
	}
	return last;
}

static size_t join_free(const struct kinst_statements *r, size_t i, struct kinst_text *text)
{
	size_t last = i;
	char quote = 0;

	for (size_t k = i; k < r->n_lines; k++) {
		struct kinst_span code;
		int more;

		if (k > i && says_nothing(r, k))
			continue;
		code = kinst_code_of(r->lines[k], 0, &quote);
		if (k > i && code.n && *code.p == '&')
			code.p++, code.n--;
		more = code.n && code.p[code.n - 1] == '&';
		kinst_text_add(text, code.p, code.n - (size_t)more);
		last = k;
		if (!more)
			break;
	}
	return last;
}

/*
 * Returns the text of the line that continues the directive in line *k, and sets *k to that line; NULL when the
 * directive is not continued.
 */
static const char *directive_goes_on(const struct kinst_statements *r, size_t *k)
{
	size_t next = *k + 1;
	const char *from, *end;

	while (next < r->n_lines && says_nothing(r, next) &&
	       !kinst_after_sentinel(r->lines[next].p, r->lines[next].p + r->lines[next].n, r->fixed))
		next++;
	if (next == r->n_lines)
		return NULL;
	end = r->lines[next].p + r->lines[next].n;
	from = kinst_after_sentinel(r->lines[next].p, end, r->fixed);
	if (!from || (r->fixed && (from == end || isspace((unsigned char)*from) || *from == '0')))
		return NULL;
	*k = next;
	return from;
}

/* Joins the lines of a directive whose text begins at `from` in line i.  Returns the index of its last line. */
static size_t join_directive(const struct kinst_statements *r, size_t i, const char *from, struct kinst_text *text)
{
	int fixed = r->fixed != 0, more;
	size_t k = i, columns = kinst_fortran_columns(r->fixed);
	char quote = 0;

	for (;;) {
		const char *line = r->lines[k].p,
			   *end = line + (fixed && r->lines[k].n > columns ? columns : r->lines[k].n);
		struct kinst_span code = kinst_code_of((struct kinst_span){ from,
		                                                            end > from ? (size_t)(end - from) : 0 },
		                                       0, &quote);

		if (k > i && code.n && *code.p == '&' && !fixed)
			code.p++, code.n--;
		more = !fixed && code.n && code.p[code.n - 1] == '&';
		kinst_text_add(text, code.p, code.n - (size_t)more);
		from = fixed || more ? directive_goes_on(r, &k) : NULL;
		if (!from)
			return k;
		end = r->lines[k].p + r->lines[k].n;
		/* A word continues on the next line only if it fills column 72, or with a second &. */
		if (fixed ? code.p + code.n < line + columns : from == end || *kinst_trimmed(from, end).p != '&')
			kinst_text_puts(text, " ");
		from += fixed;
	}
}

static void read_lines(struct kinst_statements *r, const char *p, size_t length)
{
	const char *end = p + length;
	size_t room = 0;

	while (p < end) {
		const char *eol = memchr(p, '\n', (size_t)(end - p));
		size_t n = (size_t)((eol ? eol : end) - p);

		if (r->n_lines == room) {
			room = room * 2 + 256;
			r->lines = kinst_realloc(r->lines, room * sizeof(*r->lines));
		}
		r->lines[r->n_lines++] = (struct kinst_span){ p, n };
		p += n + (eol != NULL);
	}
}

/* Reads # 12 "file" 1, the place of the next line.  Returns 0 when the line is no marker. */
static int read_marker(struct kinst_statements *r, struct kinst_span line, unsigned long *number,
                       struct kinst_span *file)
{
	const char *quote = line.n ? memchr(line.p, '"', line.n) : NULL, *end;
	unsigned long next;

	if (line.n < 4 || line.p[0] != '#' || line.p[1] != ' ' || !isdigit((unsigned char)line.p[2]) || !quote)
		return 0;
	end = memrchr(line.p, '"', line.n);
	next = strtoul(line.p + 2, NULL, 10);
	kinst_inclusions_meet(&r->inclusions, (struct kinst_span){ end, (size_t)(line.p + line.n - end) }, *file,
	                      (uint32_t)*number, (uint32_t)next);
	*number = next;
	*file = (struct kinst_span){ quote + 1, (size_t)(end - quote - (end > quote)) };
	return 1;
}

static void read_statements(struct kinst_statements *r, const char *name)
{
	struct kinst_span file = { name, strlen(name) };
	unsigned long line = 1;

	r->items = kinst_alloc((r->n_lines + 1) * sizeof(*r->items));
	for (size_t i = 0, last; i < r->n_lines; i = last + 1) {
		const char *p = r->lines[i].p, *end = p + r->lines[i].n, *data = kinst_after_data(p, end, r->fixed),
			   *omp = data ? NULL : kinst_after_sentinel(p, end, r->fixed);
		struct kinst_statement *s = r->items + r->n++;
		struct kinst_text text = { 0 };

		*s = (struct kinst_statement){
			.line = line, .file = file, .inclusion = r->inclusions.here, .is_data = data != NULL
		};
		kinst_text_puts(&text, "");
		last = i;
		if (omp && (omp == end || isspace((unsigned char)*omp) || (r->fixed && *omp == '0'))) {
			struct kinst_text directive = { 0 };

			kinst_text_puts(&directive, "");
			last = join_directive(r, i, omp + (r->fixed && omp < end), &directive);
			s->is_pomp = tolower((unsigned char)omp[-4]) == 'p';
			s->directive = directive.data;
			r->has_cancel |= strcasestr(s->directive, "cancel") != NULL;
		} else if (data)
			last = join_directive(r, i, data, &text);
		else if (!is_comment(r->lines[i], r->fixed) && p < end && *p != '#')
			last = r->fixed ? join_fixed(r, i, &text) : join_free(r, i, &text);
		s->first = i;
		s->last = last;
		s->n_label = data ? 0 : strspn(text.data, "0123456789");
		s->text = kinst_strdup(text.data + s->n_label + strspn(text.data + s->n_label, " \t"));
		kinst_text_free(&text);
		for (size_t k = i; k <= last; k++)
			if (!read_marker(r, r->lines[k], &line, &file))
				line++;
	}
}

/* ---- program units ---- */

static int is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

const char *kinst_eat(const char *p, const char *word)
{
	size_t n = strlen(word);

	while (isblank((unsigned char)*p))
		p++;
	if (tolower((unsigned char)*p) != *word)
		return NULL;
	return !strncasecmp(p, word, n) && !is_word_char(p[n]) ? p + n : NULL;
}

const char *kinst_eat_parentheses(const char *p)
{
	const char *end = p + strlen(p), *stop;

	while (isblank((unsigned char)*p))
		p++;
	if (*p != '(')
		return NULL;
	for (p++; p < end; p = stop + 1) {
		stop = kinst_next_stop(p, end);
		if (stop < end && *stop == ')')
			return stop + 1;
	}
	return NULL;
}

int kinst_ends_unit(const char *text)
{
	static const char *const units[] = { "program",   "subroutine", "function",   "module",
		                             "submodule", "procedure",  "block data", "blockdata" };
	static const char *const joined[] = { "endprogram",   "endsubroutine", "endfunction", "endmodule",
		                              "endsubmodule", "endprocedure",  "endblockdata" };
	const char *p = kinst_eat(text, "end");

	if (p && !*p)
		return 1;
	for (size_t i = 0; p && i < OMPP_COUNT_OF(units); i++)
		if (kinst_eat(p, units[i]))
			return 1;
	for (size_t i = 0; i < OMPP_COUNT_OF(joined); i++)
		if (kinst_eat(text, joined[i]))
			return 1;
	return 0;
}

/* Returns the kind of unit that a statement begins; KINST_OUTSIDE when it begins none. */
static enum kinst_unit_kind unit_begun(const char *text, int *is_pure)
{
	static const char *const prefixes[] = { "recursive",     "pure",      "elemental", "impure",
		                                "non_recursive", "module",    "integer",   "real",
		                                "complex",       "logical",   "character", "doubleprecision",
		                                "double",        "precision", "type",      "class" };
	const char *p = text, *next;
	int impure = 0, more = 1;

	*is_pure = 0;
	if (kinst_eat(p, "program"))
		return KINST_PROGRAM;
	if ((next = kinst_eat(p, "module")) && !kinst_eat(next, "procedure") && !kinst_eat(next, "subroutine") &&
	    !kinst_eat(next, "function") && !kinst_eat(next, "pure") && !kinst_eat(next, "elemental") &&
	    !kinst_eat(next, "recursive") && !strpbrk(next, "=(%,"))
		return KINST_MODULE;
	if (kinst_eat(p, "submodule") || kinst_eat(p, "blockdata") ||
	    ((next = kinst_eat(p, "block")) && kinst_eat(next, "data")))
		return KINST_MODULE;
	if ((next = kinst_eat(p, "module")) && (next = kinst_eat(next, "procedure")))
		return strpbrk(next, ",:") ? KINST_OUTSIDE : KINST_PROCEDURE;
	while (more) {
		if (kinst_eat(p, "subroutine") || (kinst_eat(p, "function") && strchr(p, '(')))
			break;
		more = 0;
		for (size_t i = 0; i < OMPP_COUNT_OF(prefixes); i++) {
			next = kinst_eat(p, prefixes[i]);
			if (!next)
				continue;
			*is_pure |= i == 1 || i == 2;
			impure |= i == 3;
			while (isblank((unsigned char)*next))
				next++;
			if (*next == '*')
				next += 1 + strspn(next + 1, " \t0123456789");
			p = *next == '(' ? kinst_eat_parentheses(next) : next;
			more = p != NULL;
			break;
		}
	}
	*is_pure &= !impure;
	if (!more || !p)
		return KINST_OUTSIDE;
	next = kinst_eat(p, "subroutine");
	next = next ? next : kinst_eat(p, "function");
	while (isblank((unsigned char)*next))
		next++;
	return isalpha((unsigned char)*next) ? KINST_PROCEDURE : KINST_OUTSIDE; /* and no variable of that name */
}

static uint32_t add_unit(struct kinst_statements *r, enum kinst_unit_kind kind, uint32_t parent, int is_pure)
{
	if (r->n_units == r->unit_room) {
		r->unit_room = r->unit_room * 2 + 16;
		r->units = kinst_realloc(r->units, r->unit_room * sizeof(*r->units));
	}
	r->units[r->n_units] = (struct kinst_unit){ .kind = kind, .parent = parent, .is_pure = is_pure };
	return (uint32_t)r->n_units++;
}

/* In an interface `module procedure a` lists names, and begins no unit. */
static void find_units(struct kinst_statements *r)
{
	uint32_t unit = add_unit(r, KINST_OUTSIDE, 0, 0);
	int in_interface = 0, is_pure = 0;

	for (size_t i = 0; i < r->n; i++) {
		struct kinst_statement *s = r->items + i;
		const char *end = kinst_eat(s->text, "end");
		enum kinst_unit_kind kind;

		s->unit = unit;
		if (s->is_data || !*s->text)
			continue;
		if (kinst_eat(s->text, "interface") ||
		    (kinst_eat(s->text, "abstract") && kinst_eat(kinst_eat(s->text, "abstract"), "interface"))) {
			in_interface = 1;
		} else if (kinst_eat(s->text, "endinterface") || (end && kinst_eat(end, "interface"))) {
			in_interface = 0;
		} else if (kinst_ends_unit(s->text)) {
			unit = r->units[unit].parent;
		} else {
			kind = in_interface && kinst_eat(s->text, "module") &&
			                       kinst_eat(kinst_eat(s->text, "module"), "procedure")
			             ? KINST_OUTSIDE
			             : unit_begun(s->text, &is_pure);
			/* A main program may begin without a statement. */
			if (kind == KINST_OUTSIDE && !unit)
				kind = KINST_PROGRAM;
			if (kind != KINST_OUTSIDE)
				unit = add_unit(r, kind, unit, is_pure);
			s->unit = unit;
		}
	}
}

void kinst_statements_read(struct kinst_statements *statements, const char *text, size_t length, int fixed,
                           const char *file)
{
	*statements = (struct kinst_statements){ .fixed = fixed };
	read_lines(statements, text, length);
	read_statements(statements, file);
	find_units(statements);
}

void kinst_statements_free(struct kinst_statements *statements)
{
	for (size_t i = 0; i < statements->n; i++)
		free(statements->items[i].text);
	for (size_t i = 0; i < statements->n; i++)
		free(statements->items[i].directive);
	free(statements->items);
	free(statements->units);
	kinst_inclusions_free(&statements->inclusions);
	free(statements->lines);
}
