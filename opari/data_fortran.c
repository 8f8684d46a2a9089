/*
 * Data in Fortran: see data_fortran.h.
 */
#include "opari/data_fortran.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Behind the word when it stands at p, blanks before it skipped; else NULL. */
static const char *after_word(const char *p, const char *end, const char *word)
{
	size_t n = strlen(word);

	while (p < end && isblank((unsigned char)*p))
		p++;
	return (size_t)(end - p) >= n && !strncasecmp(p, word, n) ? p + n : NULL;
}

/* Behind !$OMP or !$POMP; NULL when the line has no such sentinel. */
static const char *after_sentinel(const char *p, const char *end, int fixed)
{
	const char *omp;

	if (!fixed)
		while (p < end && isblank((unsigned char)*p))
			p++;
	if (p == end || !(*p == '!' || (fixed && strchr("cC*", *p))))
		return NULL;
	p++;
	omp = p < end && *p == '$' ? after_word(p, end, "$omp") : NULL;
	return omp ? omp : p < end && *p == '$' ? after_word(p, end, "$pomp") : NULL;
}

/* Behind `inst data`; NULL when the line does not begin one. */
static const char *after_data(const char *p, const char *end, int fixed)
{
	p = after_sentinel(p, end, fixed);
	if (!p || p == end || (!isblank((unsigned char)*p) && !(fixed && *p == '0')))
		return NULL;
	p = after_word(p + 1, end, "inst");
	if (p)
		p = after_word(p, end, "data");
	return p && (p == end || !isalnum((unsigned char)*p)) ? p : NULL;
}

int kinst_data_is_line(const char *line, size_t length, int fixed)
{
	return after_data(line, line + length, fixed) != NULL;
}

static const char inside[] = "it stands inside of a statement; put it between statements";
static const char form[] = "the arguments are missing; write DATA(array, bytes, 'name')";

/* Behind the string that begins at p. */
static const char *after_string(const char *p, const char *end)
{
	char quote = *p++;

	while (p < end && *p != quote)
		p++;
	return p < end ? p + 1 : end;
}

/* The parenthesis that closes the one at p, or a comma between; `end` when there is none. */
static const char *next_stop(const char *p, const char *end)
{
	int depth = 0;

	while (p < end) {
		if (*p == '\'' || *p == '"') {
			p = after_string(p, end);
			continue;
		}
		if (!depth && (*p == ',' || *p == ')'))
			return p;
		depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
		p++;
	}
	return end;
}

static struct kinst_span trimmed(const char *p, const char *end)
{
	while (p < end && isspace((unsigned char)*p))
		p++;
	while (end > p && isspace((unsigned char)end[-1]))
		end--;
	return (struct kinst_span){ p, (size_t)(end - p) };
}

static int is_string(struct kinst_span span)
{
	const char *end = span.p + span.n, *p = span.p;

	if (span.n < 2 || (*p != '\'' && *p != '"'))
		return 0;
	while (p < end && *p == *span.p)        /* a quote in it is written twice */
		p = after_string(p, end);
	return p == end && end[-1] == *span.p;
}

static const char *read_name(struct kinst_span span, struct kinst_data *data)
{
	if (!is_string(span))
		return "the name is no string; write it in quotes";
	data->name = span;
	return span.n == 2 ? "the name is empty; leave it out, or write one" : NULL;
}

static const char *read_arguments(struct kinst_data *data, const struct kinst_span *parts, size_t n)
{
	if (data->end)
		return n == 1 ? read_name(parts[0], data) :
				"the name alone is wanted; write DATA END('name')";
	if (n > 3)
		return "there are more than three arguments; write DATA(array, bytes, 'name')";
	data->address = parts[0];
	if (!data->address.n)
		return form;
	if (n == 2 && is_string(parts[1]))
		return read_name(parts[1], data);
	if (n > 1)
		data->bytes = parts[1];
	if (n == 2 && !data->bytes.n)
		return "the size is missing behind the comma; write DATA(array, bytes, 'name')";
	return n > 2 ? read_name(parts[2], data) : NULL;
}

static const char *read_rest(struct kinst_span rest, struct kinst_data *data)
{
	const char *p = rest.p, *end = p + rest.n, *after = after_word(p, end, "end"), *stop;
	struct kinst_span parts[3] = { { 0 } }, clause;
	size_t n = 0;

	data->end = after != NULL;
	p = after_word(after ? after : p, end, "(");
	if (!p)
		return data->end ? "the name is missing; write DATA END('name')" : form;
	do {
		stop = next_stop(p, end);
		if (n < 3)
			parts[n] = trimmed(p, stop);
		n++;
		p = stop + 1;
	} while (stop < end && *stop == ',');
	if (stop == end)
		return "the closing parenthesis is missing; write DATA(array, bytes, 'name')";
	clause = trimmed(stop + 1, end);
	data->is_private = !data->end && clause.n == 7 && !strncasecmp(clause.p, "private", 7);
	if (clause.n && !data->is_private)
		return data->end ? "more follows the name; write DATA END('name')" :
				   "more follows the arguments; the only clause is PRIVATE";
	return read_arguments(data, parts, n);
}

void kinst_data_read_fortran(struct kinst_span rest, struct kinst_data *data)
{
	data->problem = read_rest(rest, data);
}

/* ---- lines and statements ---- */

/* A statement, or another line of the text: lines first..last. */
struct statement {
	size_t first, last;
	char  *text;                    /* joined, without label and comments; "" for what is no statement */
	size_t n_label;                 /* digits of its label */
	struct kinst_span rest;         /* of a directive: what follows the word data, in `text` */
	int    is_data;
	uint32_t unit;                  /* index of the unit it stands in, 0: none */
	unsigned long line;             /* of its first line, in the file at that place */
	struct kinst_span file;
};

enum unit_kind { OUTSIDE, MODULE, PROGRAM, PROCEDURE };

struct unit {
	enum unit_kind kind;
	uint32_t parent;
	int is_pure;
	struct kinst_words names;       /* literals of the ranges that end with it */
};

struct rewriter {
	const struct kinst_fortran_data_options *options;
	struct kinst_span *lines;
	size_t n_lines, n_statements, n_units, unit_room;
	struct statement *statements;
	struct unit *units;
	struct kinst_text *out, *messages;
};

static int is_comment(struct kinst_span line, int fixed)
{
	size_t i = 0;

	if (fixed && line.n && strchr("cC*dD", *line.p))
		return 1;
	while (i < line.n && isspace((unsigned char)line.p[i]))
		i++;
	return i == line.n || (line.p[i] == '!' && !(fixed && i == 5));
}

/* A line's statement part up to its comment.  `quote`: the string that it begins in, and then that it ends in. */
static struct kinst_span code_of(struct kinst_span line, size_t from, char *quote)
{
	size_t i;

	for (i = from; i < line.n; i++) {
		char c = line.p[i];

		if (*quote ? c == *quote : c == '\'' || c == '"')
			*quote = *quote ? 0 : c;
		else if (c == '!' && !*quote)
			break;
	}
	return trimmed(line.p + (from < i ? from : i), line.p + i);
}

static int continues_fixed(struct kinst_span line)
{
	if (line.n > 1 && line.p[0] == '\t')
		return line.p[1] >= '1' && line.p[1] <= '9';
	return line.n > 5 && !isspace((unsigned char)line.p[5]) && line.p[5] != '0' && strspn(line.p, " ") >= 5;
}

/* Join the lines of the statement that begins at line i; the index of its last line. */
static size_t join_fixed(const struct rewriter *r, size_t i, struct kinst_text *text)
{
	size_t last = i;
	char quote = 0;

	for (size_t k = i; k < r->n_lines; k++) {
		struct kinst_span line = r->lines[k], code;
		size_t from = line.n && line.p[0] == '\t' ? (k > i ? 2 : 1) : k > i ? 6 : 0;

		if (k > i && is_comment(line, 1) && !continues_fixed(line))
			continue;
		if (k > i && !continues_fixed(line))
			break;
		line.n = line.n > 72 ? 72 : line.n;
		code = code_of(line, from < line.n ? from : line.n, &quote);
		kinst_text_add(text, code.p, code.n);
		last = k;
	}
	return last;
}

static size_t join_free(const struct rewriter *r, size_t i, struct kinst_text *text)
{
	size_t last = i;
	char quote = 0;

	for (size_t k = i; k < r->n_lines; k++) {
		struct kinst_span code;
		int more;

		if (k > i && is_comment(r->lines[k], 0))
			continue;
		code = code_of(r->lines[k], 0, &quote);
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

/* Join the lines of a directive whose text begins at `from` in line i. */
static size_t join_directive(const struct rewriter *r, size_t i, const char *from, struct kinst_text *text)
{
	int fixed = r->options->fixed, more;
	char quote = 0;

	for (size_t k = i;; k++) {
		const char *end = r->lines[k].p + r->lines[k].n;
		struct kinst_span code = code_of((struct kinst_span){ from, (size_t)(end - from) }, 0, &quote);

		if (k > i && code.n && *code.p == '&' && !fixed)
			code.p++, code.n--;
		more = !fixed && code.n && code.p[code.n - 1] == '&';
		kinst_text_add(text, code.p, code.n - (size_t)more);
		if (k + 1 == r->n_lines || (!fixed && !more))
			return k;
		end = r->lines[k + 1].p + r->lines[k + 1].n;
		from = after_sentinel(r->lines[k + 1].p, end, fixed);
		if (!from || (fixed && (from == end || isspace((unsigned char)*from) || *from == '0')))
			return k;
		from += fixed;
	}
}

static void read_lines(struct rewriter *r, const char *p, size_t length)
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

/* # 12 "file": the place of the next line; 0 when the line is none. */
static int read_marker(struct kinst_span line, unsigned long *number, struct kinst_span *file)
{
	const char *quote = line.n ? memchr(line.p, '"', line.n) : NULL, *end;

	if (line.n < 4 || line.p[0] != '#' || line.p[1] != ' ' || !isdigit((unsigned char)line.p[2]) || !quote)
		return 0;
	end = memrchr(line.p, '"', line.n);
	*number = strtoul(line.p + 2, NULL, 10);
	*file = (struct kinst_span){ quote + 1, (size_t)(end - quote - (end > quote)) };
	return 1;
}

static void read_statements(struct rewriter *r)
{
	struct kinst_span file = { r->options->file, strlen(r->options->file) };
	unsigned long line = 1;

	r->statements = kinst_alloc((r->n_lines + 1) * sizeof(*r->statements));
	for (size_t i = 0, last; i < r->n_lines; i = last + 1) {
		const char *p = r->lines[i].p, *end = p + r->lines[i].n, *data = after_data(p, end, r->options->fixed);
		struct statement *s = r->statements + r->n_statements++;
		struct kinst_text text = { 0 };

		*s = (struct statement){ .line = line, .file = file, .is_data = data != NULL };
		kinst_text_puts(&text, "");
		last = i;
		if (data)
			last = join_directive(r, i, data, &text);
		else if (!is_comment(r->lines[i], r->options->fixed) && p < end && *p != '#')
			last = r->options->fixed ? join_fixed(r, i, &text) : join_free(r, i, &text);
		s->first = i;
		s->last = last;
		s->n_label = data ? 0 : strspn(text.data, "0123456789");
		s->text = kinst_strdup(text.data + s->n_label + strspn(text.data + s->n_label, " \t"));
		kinst_text_free(&text);
		line += last - i + 1;
		if (p < end && *p == '#')
			read_marker(r->lines[i], &line, &file);
	}
}

/* ---- program units ---- */

static int is_word_char(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Behind the word, if the statement goes on with it. */
static const char *eat(const char *p, const char *word)
{
	size_t n = strlen(word);

	while (isblank((unsigned char)*p))
		p++;
	return !strncasecmp(p, word, n) && !is_word_char(p[n]) ? p + n : NULL;
}

/* Behind ( … ), or NULL. */
static const char *eat_parentheses(const char *p)
{
	const char *end = p + strlen(p), *stop;

	while (isblank((unsigned char)*p))
		p++;
	if (*p != '(')
		return NULL;
	for (p++; p < end; p = stop + 1) {
		stop = next_stop(p, end);
		if (stop < end && *stop == ')')
			return stop + 1;
	}
	return NULL;
}

/* The end of a unit or procedure, and not of a construct in it. */
static int is_end(const char *text)
{
	static const char *const units[] = { "program", "subroutine", "function", "module", "submodule", "procedure",
					     "block data", "blockdata" };
	static const char *const joined[] = { "endprogram", "endsubroutine", "endfunction", "endmodule", "endsubmodule",
					      "endprocedure", "endblockdata" };
	const char *p = eat(text, "end");

	if (p && !*p)
		return 1;
	for (size_t i = 0; p && i < sizeof(units) / sizeof(*units); i++)
		if (eat(p, units[i]))
			return 1;
	for (size_t i = 0; i < sizeof(joined) / sizeof(*joined); i++)
		if (eat(text, joined[i]))
			return 1;
	return 0;
}

/* The unit that a statement begins; OUTSIDE: none. */
static enum unit_kind unit_begun(const char *text, int *is_pure)
{
	static const char *const prefixes[] = { "recursive", "pure", "elemental", "impure", "non_recursive", "module",
						"integer", "real", "complex", "logical", "character", "doubleprecision",
						"double", "precision", "type", "class" };
	const char *p = text, *next;
	int impure = 0, more = 1;

	*is_pure = 0;
	if (eat(p, "program"))
		return PROGRAM;
	if ((next = eat(p, "module")) && !eat(next, "procedure") && !eat(next, "subroutine") && !eat(next, "function") &&
	    !eat(next, "pure") && !eat(next, "elemental") && !eat(next, "recursive") && !strpbrk(next, "=(%,"))
		return MODULE;
	if (eat(p, "submodule") || eat(p, "blockdata") || ((next = eat(p, "block")) && eat(next, "data")))
		return MODULE;
	if ((next = eat(p, "module")) && (next = eat(next, "procedure")))
		return strpbrk(next, ",:") ? OUTSIDE : PROCEDURE;
	while (more) {
		if (eat(p, "subroutine") || (eat(p, "function") && strchr(p, '(')))
			break;
		more = 0;
		for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++) {
			next = eat(p, prefixes[i]);
			if (!next)
				continue;
			*is_pure |= i == 1 || i == 2;
			impure |= i == 3;
			while (isblank((unsigned char)*next))
				next++;
			if (*next == '*')
				next += 1 + strspn(next + 1, " \t0123456789");
			p = *next == '(' ? eat_parentheses(next) : next;
			more = p != NULL;
			break;
		}
	}
	*is_pure &= !impure;
	if (!more || !p)
		return OUTSIDE;
	next = eat(p, "subroutine");
	next = next ? next : eat(p, "function");
	while (isblank((unsigned char)*next))
		next++;
	return isalpha((unsigned char)*next) ? PROCEDURE : OUTSIDE;     /* and no variable of that name */
}

static uint32_t add_unit(struct rewriter *r, enum unit_kind kind, uint32_t parent, int is_pure)
{
	if (r->n_units == r->unit_room) {
		r->unit_room = r->unit_room * 2 + 16;
		r->units = kinst_realloc(r->units, r->unit_room * sizeof(*r->units));
	}
	r->units[r->n_units] = (struct unit){ .kind = kind, .parent = parent, .is_pure = is_pure };
	return (uint32_t)r->n_units++;
}

/* In an interface `module procedure a` lists names. */
static void find_units(struct rewriter *r)
{
	uint32_t unit = add_unit(r, OUTSIDE, 0, 0);
	int in_interface = 0, is_pure = 0;

	for (size_t i = 0; i < r->n_statements; i++) {
		struct statement *s = r->statements + i;
		const char *end = eat(s->text, "end");
		enum unit_kind kind;

		s->unit = unit;
		if (s->is_data || !*s->text)
			continue;
		if (eat(s->text, "interface") || (eat(s->text, "abstract") && eat(eat(s->text, "abstract"), "interface"))) {
			in_interface = 1;
		} else if (eat(s->text, "endinterface") || (end && eat(end, "interface"))) {
			in_interface = 0;
		} else if (is_end(s->text)) {
			unit = r->units[unit].parent;
		} else {
			kind = in_interface && eat(s->text, "module") && eat(eat(s->text, "module"), "procedure") ?
				       OUTSIDE :
				       unit_begun(s->text, &is_pure);
			/* a main program may begin without a statement */
			if (kind == OUTSIDE && !unit)
				kind = PROGRAM;
			if (kind != OUTSIDE)
				unit = add_unit(r, kind, unit, is_pure);
			s->unit = unit;
		}
	}
}

/* ---- the calls ---- */

enum { IS_PRIVATE = 1, LASTS = 2 };     /* flags of ompp_data_enter() */

/* A line that opari2 takes for a comment. */
static void put_hidden(struct rewriter *r, const char *line)
{
	kinst_text_printf(r->out, "%s%s\n", KINST_DATA_HIDDEN, line);
}

static void put_place(struct rewriter *r, const struct statement *s, unsigned long line, int hidden)
{
	kinst_text_printf(r->out, "%s# %lu \"%.*s\"\n", hidden ? KINST_DATA_HIDDEN : "", line, (int)s->file.n, s->file.p);
}

/* The previous line of the program that is more than a comment; NULL at the beginning. */
static const struct statement *before(const struct rewriter *r, const struct statement *s)
{
	while (s > r->statements) {
		s--;
		if (*s->text || after_sentinel(r->lines[s->first].p, r->lines[s->first].p + r->lines[s->first].n,
					       r->options->fixed))
			return s;
	}
	return NULL;
}

/* Begin hidden lines at a statement.  A comment directly behind a directive would be lost in opari2, so that a marker
 * comes first; behind a loop opari2 looks beyond comments for the loop's end directive, so that a statement does. */
static void open_hidden(struct rewriter *r, const struct statement *s)
{
	const struct statement *last = before(r, s);
	const char *end = last ? eat(last->text, "end") : NULL;

	put_place(r, s, s->line, 0);
	if (last && (last->n_label || eat(last->text, "enddo") || (end && eat(end, "do"))))
		kinst_text_puts(r->out, "      continue\n");
}

/* A statement of ours, as many lines as it needs; names and strings may be cut in both forms. */
static void put_statement(struct rewriter *r, const char *statement)
{
	size_t n = strlen(statement), most = r->options->fixed ? 66 : 120;

	for (size_t at = 0; at < n; at += most) {
		int first = !at, last = n - at <= most;

		kinst_text_printf(r->out, "%s%s%.*s%s\n", KINST_DATA_HIDDEN,
				  r->options->fixed ? (first ? "      " : "     &") : first ? "" : "&", (int)most,
				  statement + at, r->options->fixed || last ? "" : "&");
	}
}

static void put_strings(struct rewriter *r, const char *const *lines)
{
	for (; *lines; lines++)
		put_statement(r, *lines);
}

/* The characters of a literal, doubled quotes counted once. */
static size_t literal_length(const char *literal)
{
	size_t n = 0;

	for (const char *p = literal + 1; p[1]; p++, n++)
		p += *p == *literal;
	return n;
}

/* A call with a name alone, in a BLOCK of its own. */
static void put_named_call(struct rewriter *r, const char *function, const char *name)
{
	char *subroutine = kinst_format("subroutine %s(name,n_name)bind(c,name='%s_')", function, function);
	char *call = kinst_format("call %s(%s,%zu_8)", function, name, literal_length(name));
	const char *const lines[] = { "block", "interface", subroutine,
				      "use,intrinsic::iso_c_binding,only:c_char,c_int64_t",
				      "character(kind=c_char),intent(in)::name(*)", "integer(c_int64_t),value::n_name",
				      "end subroutine", "end interface", call, "end block", NULL };

	put_strings(r, lines);
	free(subroutine);
	free(call);
}

/* Without assumed rank (before Fortran 2018) the address of a contiguous array is all there is. */
static int is_old(const struct rewriter *r)
{
	return r->options->std && !strcmp(r->options->std, "f2008");
}

/* A target without intent: else the compiler takes a local array for one that nobody else sees, and shows no accesses
 * to it. */
static void put_interface(struct rewriter *r)
{
	static const char *const ranked[] = {
		"block", "integer(8)::ompp_n_bytes", "interface",
		"subroutine ompp_data_array(array,n_bytes,name,n_name,flags)bind(c,name='ompp_data_array_')",
		"use,intrinsic::iso_c_binding,only:c_char,c_int,c_int64_t", "type(*),dimension(..),target::array",
		"integer(c_int64_t),value::n_bytes,n_name", "character(kind=c_char),intent(in)::name(*)",
		"integer(c_int),value::flags", "end subroutine", "end interface", NULL };
	static const char *const old[] = {
		"block", "integer(8)::ompp_n_bytes", "interface",
		"subroutine ompp_data_enter(array,n_bytes,name,flags,n_name)bind(c,name='ompp_data_enter_')",
		"use,intrinsic::iso_c_binding,only:c_char,c_int,c_int64_t", NULL };
	static const char *const rest[] = {
		"integer(c_int),target::array", "integer(c_int64_t),intent(in)::n_bytes",
		"integer(c_int64_t),value::n_name", "character(kind=c_char),intent(in)::name(*)",
		"integer(c_int),intent(in)::flags", "end subroutine", "end interface", NULL };

	put_strings(r, is_old(r) ? old : ranked);
	if (!is_old(r))
		return;
	put_hidden(r, "!GCC$ ATTRIBUTES NO_ARG_CHECK :: array");
	put_strings(r, rest);
}

static char *name_of(const struct kinst_data *data)
{
	struct kinst_text name = { 0 };

	if (data->name.n)
		return kinst_strndup(data->name.p, data->name.n);
	kinst_text_puts(&name, "'");
	for (size_t i = 0; i < data->address.n; i++) {
		kinst_text_puts(&name, data->address.p[i] == '\'' ? "'" : "");
		kinst_text_add(&name, data->address.p + i, 1);
	}
	kinst_text_puts(&name, "'");
	return name.data;
}

static void add_name(struct kinst_words *names, const char *name)
{
	for (size_t i = 0; i < names->n; i++)
		if (!strcmp(names->items[i], name))
			return;
	kinst_words_add(names, name);
}

static void put_enter(struct rewriter *r, const struct statement *s, const struct kinst_data *data)
{
	int in_procedure = r->units[s->unit].kind == PROCEDURE;
	int flags = (data->is_private ? IS_PRIVATE : 0) | (in_procedure ? 0 : LASTS);
	int n = (int)data->address.n;
	const char *p = data->address.p;
	char *name = name_of(data), *bytes, *call;
	size_t n_name = literal_length(name);

	bytes = data->bytes.n ? kinst_format("ompp_n_bytes=%.*s", (int)data->bytes.n, data->bytes.p) :
		is_old(r)     ? kinst_format("ompp_n_bytes=storage_size(%.*s,8)/8*product(shape(%.*s,8))", n, p, n, p) :
				kinst_strdup("ompp_n_bytes=-1");
	call = is_old(r) ? kinst_format("call ompp_data_enter(%.*s,ompp_n_bytes,%s,%d_4,%zu_8)", n, p, name, flags, n_name) :
			   kinst_format("call ompp_data_array(%.*s,ompp_n_bytes,%s,%zu_8,%d_4)", n, p, name, n_name, flags);
	if (in_procedure) {
		put_named_call(r, "ompp_data_leave", name);
		add_name(&r->units[s->unit].names, name);
	}
	put_interface(r);
	put_place(r, s, s->line, 1);
	put_statement(r, bytes);
	put_place(r, s, s->line, 1);
	put_statement(r, call);
	put_statement(r, "end block");
	free(name);
	free(bytes);
	free(call);
}

/* Does a directive wait for its loop, statement or sections? */
static int is_bound(const struct rewriter *r, const struct statement *s)
{
	static const char *const waiting[] = { "do", "paralleldo", "simd", "atomic", "sections", "parallelsections",
					       "workshare", "parallelworkshare", "taskloop", "distribute", "loop",
					       "dosimd", "teamsdistribute", "targetparalleldo" };
	const char *p, *end;
	char word[64];
	size_t n = 0;

	if (!s || *s->text)
		return 0;
	end = r->lines[s->first].p + r->lines[s->first].n;
	p = after_sentinel(r->lines[s->first].p, end, r->options->fixed);
	for (; p && p < end && (isalpha((unsigned char)*p) || isblank((unsigned char)*p)) && n < sizeof(word) - 1; p++)
		if (!isblank((unsigned char)*p))
			word[n++] = (char)tolower((unsigned char)*p);
	word[n] = '\0';
	for (size_t i = 0; i < sizeof(waiting) / sizeof(*waiting); i++)
		if (!strncmp(word, waiting[i], strlen(waiting[i])))
			return 1;
	return 0;
}

/* Is the statement a declaration? */
static int declares(const char *text)
{
	static const char *const words[] = { "use", "implicit", "integer", "real", "complex", "logical", "character",
					     "dimension", "common", "parameter", "save", "external", "intrinsic",
					     "interface", "equivalence", "namelist", "import", "doubleprecision",
					     "allocatable", "pointer", "target", "data" };
	const char *end = text + strlen(text), *next;

	for (const char *p = text; p < end; p = next_stop(p, end) + 1)
		for (const char *stop = next_stop(p, end), *q = p; q + 1 < stop; q++)
			if (q[0] == ':' && q[1] == ':')
				return !eat(text, "allocate");
	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		next = eat(text, words[i]);
		next = next && strchr(next, '(') ? eat_parentheses(next) : next;
		if (next && *(next += strspn(next, " \t")) != '=' && *next != '%')
			return 1;
	}
	return 0;
}

static const char *place_problem(const struct rewriter *r, const struct statement *s)
{
	const struct statement *end = r->statements + r->n_statements, *next = s + 1;
	const struct unit *unit = r->units + s->unit;

	while (next < end && !*next->text)
		next++;
	if (next < end && next->unit == s->unit && declares(next->text))
		return "it stands among declarations; put it behind them";
	if (unit->kind == MODULE || (next == end || (!s->unit && next->unit != s->unit)))
		return s->unit || next == end ? "it stands outside of procedures; put it into one" : NULL;
	if (unit->is_pure)
		return "it stands in a pure procedure, which may call nothing; name the data in a caller";
	if (is_bound(r, before(r, s)))
		return "it stands between a directive and its statement; put it before the directive";
	if (r->options->std && (!strcmp(r->options->std, "f95") || !strcmp(r->options->std, "f2003")))
		return "it needs Fortran 2008; compile with -std=f2008 or later";
	return NULL;
}

static void put_data(struct rewriter *r, const struct statement *s)
{
	struct kinst_data data;

	kinst_data_read((struct kinst_span){ s->text, strlen(s->text) }, KINST_FORTRAN, &data);
	if (!data.problem)
		data.problem = place_problem(r, s);
	if (!data.problem && !data.end && is_old(r) &&
	    (memchr(data.address.p, ':', data.address.n) || memchr(data.address.p, '%', data.address.n)))
		data.problem = "-std=f2008 does not tell how parts of an array lie; name the whole, or use -std=f2018";
	if (data.problem)
		kinst_data_complain(r->messages, s->file, s->line, data.problem);
	open_hidden(r, s);
	if (!data.problem && data.end) {
		char *name = name_of(&data);

		put_named_call(r, "ompp_data_end", name);
		free(name);
	} else if (!data.problem) {
		put_enter(r, s, &data);
	}
	put_place(r, s, s->line + s->last - s->first + 1, 0);
}

/* ---- the exits of procedures ---- */

static void put_leaves(struct rewriter *r, const struct unit *unit)
{
	for (size_t i = unit->names.n; i-- > 0;)
		put_named_call(r, "ompp_data_leave", unit->names.items[i]);
}

/* The lines of a statement from line `from` on.  What stands between two of them has no effect. */
static void put_lines(struct rewriter *r, const struct statement *s, size_t from)
{
	for (size_t i = from; i <= s->last; i++) {
		struct kinst_span line = r->lines[i];

		if (!s->is_data && kinst_data_is_line(line.p, line.n, r->options->fixed)) {
			kinst_data_complain(r->messages, s->file, s->line + i - s->first, inside);
			kinst_text_puts(r->out, "!");
		} else {
			kinst_text_add(r->out, line.p, line.n);
		}
		kinst_text_puts(r->out, "\n");
	}
}

/* The rest of `if (…) rest` when that is a RETURN; else NULL. */
static const char *conditional_return(const char *text)
{
	const char *p = eat(text, "if");

	p = p ? eat_parentheses(p) : NULL;
	return p && eat(p, "return") ? p + strspn(p, " \t") : NULL;
}

/* An exit: the statement itself, its label on a line of its own before. */
static void put_exit(struct rewriter *r, const struct statement *s, const struct unit *unit)
{
	char label[8] = "";

	open_hidden(r, s);
	if (s->n_label && s->n_label < sizeof(label)) {
		const char *p = r->lines[s->first].p;
		size_t at = strspn(p, " \t");
		char *line;

		memcpy(label, p + at, s->n_label);
		line = kinst_format("%-5s continue", label);
		put_hidden(r, line);
		free(line);
		put_leaves(r, unit);
		put_place(r, s, s->line, 0);
		kinst_text_printf(r->out, "%*s%.*s\n", (int)(at + s->n_label), "",
				  (int)(r->lines[s->first].n - at - s->n_label), p + at + s->n_label);
		put_lines(r, s, s->first + 1);
		return;
	}
	put_leaves(r, unit);
	put_place(r, s, s->line, 0);
	put_lines(r, s, s->first);
}

/* `if (x) return` becomes a construct, written anew, in hidden lines. */
static void put_conditional(struct rewriter *r, const struct statement *s, const struct unit *unit, const char *rest)
{
	char *head = kinst_strndup(s->text, (size_t)(rest - s->text));
	char *line = kinst_format("%sthen", head), *label;

	put_place(r, s, s->line, 1);
	if (s->n_label) {
		label = kinst_format("%-5.*s continue", (int)s->n_label,
				     r->lines[s->first].p + strspn(r->lines[s->first].p, " \t"));
		put_hidden(r, label);
		free(label);
		put_place(r, s, s->line, 1);
	}
	put_statement(r, line);
	put_leaves(r, unit);
	put_place(r, s, s->line, 1);
	put_statement(r, rest);
	put_statement(r, "end if");
	put_place(r, s, s->line + s->last - s->first + 1, 0);
	free(head);
	free(line);
}

/* Has a line several statements, one of them a RETURN?  Each gets a line of its own. */
static int put_several(struct rewriter *r, const struct statement *s, const struct unit *unit)
{
	const char *p = s->text, *end = p + strlen(p);
	int found = 0;

	for (const char *q = p; (q = strchr(q, ';')); q++)
		found |= eat(q + 1, "return") || conditional_return(q + 1);
	found |= strchr(p, ';') && (eat(p, "return") || conditional_return(p));
	if (!found)
		return 0;
	open_hidden(r, s);
	if (s->n_label) {
		char *label = kinst_format("%-5.*s continue", (int)s->n_label,
					   r->lines[s->first].p + strspn(r->lines[s->first].p, " \t"));

		put_hidden(r, label);
		free(label);
	}
	while (p < end) {
		const char *stop = p;
		char quote = 0, *one;
		struct statement part = *s;

		for (; stop < end && (quote || *stop != ';'); stop++)
			if (quote ? *stop == quote : *stop == '\'' || *stop == '"')
				quote = quote ? 0 : *stop;
		one = kinst_strndup(p, (size_t)(stop - p));
		part.text = one + strspn(one, " \t");
		part.n_label = 0;
		if (conditional_return(part.text)) {
			put_conditional(r, &part, unit, conditional_return(part.text));
		} else {
			if (eat(part.text, "return"))
				put_leaves(r, unit);
			put_place(r, s, s->line, 1);
			put_statement(r, part.text);
		}
		free(one);
		p = stop < end ? stop + 1 : end;
	}
	put_place(r, s, s->line + s->last - s->first + 1, 0);
	return 1;
}

static void put_other(struct rewriter *r, const struct statement *s)
{
	struct unit *unit = r->units + s->unit;
	const char *rest = conditional_return(s->text), *back = eat(s->text, "return");

	if (unit->kind != PROCEDURE || !unit->names.n || !*s->text) {
		put_lines(r, s, s->first);
	} else if (strchr(s->text, ';') && put_several(r, s, unit)) {
		;                               /* done */
	} else if (rest) {
		open_hidden(r, s);
		put_conditional(r, s, unit, rest);
	} else if (eat(s->text, "contains") || is_end(s->text) ||
		   (back && *(back += strspn(back, " \t")) != '=' && *back != '(' && *back != '%')) {
		put_exit(r, s, unit);
	} else {
		put_lines(r, s, s->first);
	}
	if (eat(s->text, "contains"))           /* what follows are no statements of this unit */
		kinst_words_free(&unit->names);
}

static void fini(struct rewriter *r)
{
	for (size_t i = 0; i < r->n_statements; i++)
		free(r->statements[i].text);
	for (size_t i = 0; i < r->n_units; i++)
		kinst_words_free(&r->units[i].names);
	free(r->statements);
	free(r->units);
	free(r->lines);
}

size_t kinst_data_fortran_rewrite(const char *text, size_t length, const struct kinst_fortran_data_options *options,
				  struct kinst_text *result, struct kinst_text *messages)
{
	struct rewriter r = { .options = options, .out = result, .messages = messages };
	size_t n = 0;

	if (!kinst_data_in(text, length, KINST_FORTRAN, options->fixed))
		return 0;
	read_lines(&r, text, length);
	read_statements(&r);
	find_units(&r);
	for (size_t i = 0; i < r.n_statements; i++) {
		n += (size_t)r.statements[i].is_data;
		if (r.statements[i].is_data)
			put_data(&r, r.statements + i);
		else
			put_other(&r, r.statements + i);
	}
	fini(&r);
	return n;
}

/* A line of the directive that may go on with it. */
static int continues_directive(const char *line, const char *end, int fixed)
{
	const char *p = after_sentinel(line, end, fixed);

	return p && (!fixed || (p < end && !isspace((unsigned char)*p) && *p != '0'));
}

int kinst_data_fortran_consume(char *text, size_t length, int fixed)
{
	char *end = text + length, *eol, *dollar;
	int found = 0, more = 0;

	for (char *line = text; line < end; line = eol + 1) {
		const char *p = NULL;
		char quote = 0;
		struct kinst_span code;

		eol = memchr(line, '\n', (size_t)(end - line));
		eol = eol ? eol : end;
		if (!after_sentinel(line, eol, fixed) || strncasecmp(strchr(line, '$'), "$omp", 4)) {
			more = 0;
			continue;
		}
		more = more && continues_directive(line, eol, fixed);
		dollar = strchr(line, '$');
		p = after_word(dollar + 4, eol, "inst");
		if (!more && (!p || !isspace((unsigned char)dollar[4]) || (p < eol && is_word_char(*p))))
			continue;
		found = 1;
		code = code_of((struct kinst_span){ dollar + 4, (size_t)(eol - dollar - 4) }, 0, &quote);
		more = fixed || (code.n && code.p[code.n - 1] == '&');
		*dollar = ' ';
	}
	return found;
}
