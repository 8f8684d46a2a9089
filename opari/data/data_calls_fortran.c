/*
 * Data, calls in Fortran: see data_calls_fortran.h.
 */
#include "opari/data/data_calls_fortran.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "opari/data/data_fortran.h"
#include "opari/read/statements.h"
#include "runtime/base/array.h"

static const char inside[] = "it stands inside of a statement; put it between statements";

struct rewriter {
	const struct kinst_data_calls_fortran *options;
	struct kinst_statements source;
	struct kinst_words *names; /* for each unit the names, as literals, of the ranges that end with it */
	struct kinst_text *out, *messages;
};

/* Adds a line that is a comment for opari2. */
static void put_hidden(struct rewriter *r, const char *line)
{
	kinst_text_printf(r->out, "%s%s\n", KINST_DATA_HIDDEN, line);
}

static void put_place(struct rewriter *r, const struct kinst_statement *s, unsigned long line, int hidden)
{
	kinst_text_printf(r->out, "%s# %lu \"%.*s\"\n", hidden ? KINST_DATA_HIDDEN : "", line, (int)s->file.n,
	                  s->file.p);
}

/* Returns the previous line of the program that is more than a comment; NULL at the beginning. */
static const struct kinst_statement *data_calls_fortran_before(const struct rewriter *r,
                                                               const struct kinst_statement *s)
{
	while (s > r->source.items) {
		s--;
		if (*s->text ||
		    kinst_after_sentinel(r->source.lines[s->first].p,
		                         r->source.lines[s->first].p + r->source.lines[s->first].n, r->options->fixed))
			return s;
	}
	return NULL;
}

/*
 * Begins hidden lines at a statement.  opari2 would lose a comment directly behind a directive, so that a marker
 * comes first.  Behind a loop it looks beyond comments for the loop's end directive, so that a statement comes first.
 */
static void open_hidden(struct rewriter *r, const struct kinst_statement *s)
{
	const struct kinst_statement *last = data_calls_fortran_before(r, s);
	const char *end = last ? kinst_eat(last->text, "end") : NULL;

	put_place(r, s, s->line, 0);
	if (last && (last->n_label || kinst_eat(last->text, "enddo") || (end && kinst_eat(end, "do"))))
		kinst_text_puts(r->out, "      continue\n");
}

/*
 * Adds a statement of ours in as many lines as it needs; names and strings may be cut in both forms.
 *
 * at: the directive whose place each of the lines gets, so that errors are reported there; NULL if the lines cannot
 * have errors
 */
static void put_lines_of(struct rewriter *r, const struct kinst_statement *at, const char *statement)
{
	size_t n = strlen(statement), most = r->options->fixed ? 66 : 120;

	for (size_t from = 0; from < n; from += most) {
		int first = !from, last = n - from <= most;

		if (at && (first || !r->options->is_whole))
			put_place(r, at, at->line, 1);
		kinst_text_printf(r->out, "%s%s%.*s%s\n", KINST_DATA_HIDDEN,
		                  r->options->fixed ? (first ? "      " : "     &")
		                  : first           ? ""
		                                    : "&",
		                  (int)most, statement + from, r->options->fixed || last ? "" : "&");
	}
}

static void put_statement(struct rewriter *r, const char *statement)
{
	put_lines_of(r, NULL, statement);
}

static void put_strings(struct rewriter *r, const char *const *lines)
{
	for (; *lines; lines++)
		put_statement(r, *lines);
}

/* Returns the number of characters in a literal, which counts doubled quotes once. */
static size_t literal_length(const char *literal)
{
	size_t n = 0;

	for (const char *p = literal + 1; p[1]; p++, n++)
		p += *p == *literal;
	return n;
}

/* Adds a call with a name alone, in a BLOCK of its own. */
static void put_named_call(struct rewriter *r, const char *function, const char *name)
{
	char *subroutine = kinst_format("subroutine %s(name,n_name)bind(c,name='%s_')", function, function);
	char *call = kinst_format("call %s(%s,%zu_8)", function, name, literal_length(name));
	const char *const lines[] = { "block",
		                      "interface",
		                      subroutine,
		                      "use,intrinsic::iso_c_binding,only:c_char,c_int64_t",
		                      "character(kind=c_char),intent(in)::name(*)",
		                      "integer(c_int64_t),value::n_name",
		                      "end subroutine",
		                      "end interface",
		                      call,
		                      "end block",
		                      NULL };

	put_strings(r, lines);
	free(subroutine);
	free(call);
}

/*
 * Returns 1 for standards before Fortran 2018, without assumed rank: there a call gets only the address of a contiguous
 * array.
 */
static int is_old(const struct rewriter *r)
{
	return r->options->std && !strcmp(r->options->std, "f2008");
}

/*
 * Adds the interface of the call.  The array is a target without intent: otherwise the compiler assumes that a local
 * array does not escape, and puts no hooks at accesses to it.
 */
static void put_interface(struct rewriter *r)
{
	static const char *const ranked[] = {
		"block",
		"integer(8)::ompp_n_bytes",
		"interface",
		"subroutine ompp_data_array(array,n_bytes,name,n_name,flags)bind(c,name='ompp_data_array_')",
		"use,intrinsic::iso_c_binding,only:c_char,c_int,c_int64_t",
		"type(*),dimension(..),target::array",
		"integer(c_int64_t),value::n_bytes,n_name",
		"character(kind=c_char),intent(in)::name(*)",
		"integer(c_int),value::flags",
		"end subroutine",
		"end interface",
		NULL
	};
	static const char *const old[] = {
		"block",
		"integer(8)::ompp_n_bytes",
		"interface",
		"subroutine ompp_data_enter(array,n_bytes,name,flags,n_name)bind(c,name='ompp_data_enter_')",
		"use,intrinsic::iso_c_binding,only:c_char,c_int,c_int64_t",
		NULL
	};
	static const char *const rest[] = { "integer(c_int),target::array",
		                            "integer(c_int64_t),intent(in)::n_bytes",
		                            "integer(c_int64_t),value::n_name",
		                            "character(kind=c_char),intent(in)::name(*)",
		                            "integer(c_int),intent(in)::flags",
		                            "end subroutine",
		                            "end interface",
		                            NULL };

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

static void put_enter(struct rewriter *r, const struct kinst_statement *s, const struct kinst_data *data)
{
	int in_procedure = r->source.units[s->unit].kind == KINST_PROCEDURE;
	int flags = data->flags | (in_procedure ? 0 : KINST_DATA_LASTS);
	int n = (int)data->address.n;
	const char *p = data->address.p;
	char *name = name_of(data), *bytes, *call;
	size_t n_name = literal_length(name);

	bytes = data->bytes.n ? kinst_format("ompp_n_bytes=%.*s", (int)data->bytes.n, data->bytes.p)
	      : is_old(r)     ? kinst_format("ompp_n_bytes=storage_size(%.*s,8)/8*product(shape(%.*s,8))", n, p, n, p)
	                      : kinst_strdup("ompp_n_bytes=-1");
	call = is_old(r)
	             ? kinst_format("call ompp_data_enter(%.*s,ompp_n_bytes,%s,%d_4,%zu_8)", n, p, name, flags, n_name)
	             : kinst_format("call ompp_data_array(%.*s,ompp_n_bytes,%s,%zu_8,%d_4)", n, p, name, n_name, flags);
	if (in_procedure) {
		put_named_call(r, "ompp_data_leave", name);
		add_name(&r->names[s->unit], name);
	}
	put_interface(r);
	put_lines_of(r, s, bytes);
	put_lines_of(r, s, call);
	put_statement(r, "end block");
	free(name);
	free(bytes);
	free(call);
}

/* Returns 1 when a directive waits for its loop, statement or sections. */
static int is_bound(const struct rewriter *r, const struct kinst_statement *s)
{
	static const char *const waiting[] = { "do",
		                               "paralleldo",
		                               "simd",
		                               "atomic",
		                               "sections",
		                               "parallelsections",
		                               "workshare",
		                               "parallelworkshare",
		                               "taskloop",
		                               "distribute",
		                               "loop",
		                               "dosimd",
		                               "teamsdistribute",
		                               "targetparalleldo" };
	const char *p, *end;
	char word[64];
	size_t n = 0;

	if (!s || *s->text)
		return 0;
	end = r->source.lines[s->first].p + r->source.lines[s->first].n;
	p = kinst_after_sentinel(r->source.lines[s->first].p, end, r->options->fixed);
	for (; p && p < end && (isalpha((unsigned char)*p) || isblank((unsigned char)*p)) && n < sizeof(word) - 1; p++)
		if (!isblank((unsigned char)*p))
			word[n++] = (char)tolower((unsigned char)*p);
	word[n] = '\0';
	for (size_t i = 0; i < OMPP_COUNT_OF(waiting); i++)
		if (!strncmp(word, waiting[i], strlen(waiting[i])))
			return 1;
	return 0;
}

/* Returns 1 when the statement is a declaration. */
static int data_calls_fortran_declares(const char *text)
{
	static const char *const words[] = { "use",      "implicit",  "integer",         "real",        "complex",
		                             "logical",  "character", "dimension",       "common",      "parameter",
		                             "save",     "external",  "intrinsic",       "interface",   "equivalence",
		                             "namelist", "import",    "doubleprecision", "allocatable", "pointer",
		                             "target",   "data" };
	const char *end = text + strlen(text), *next;

	for (const char *p = text; p < end; p = kinst_next_stop(p, end) + 1)
		for (const char *stop = kinst_next_stop(p, end), *q = p; q + 1 < stop; q++)
			if (q[0] == ':' && q[1] == ':')
				return !kinst_eat(text, "allocate");
	for (size_t i = 0; i < OMPP_COUNT_OF(words); i++) {
		next = kinst_eat(text, words[i]);
		next = next && strchr(next, '(') ? kinst_eat_parentheses(next) : next;
		if (next && *(next += strspn(next, " \t")) != '=' && *next != '%')
			return 1;
	}
	return 0;
}

static const char *place_problem(const struct rewriter *r, const struct kinst_statement *s)
{
	const struct kinst_statement *end = r->source.items + r->source.n, *next = s + 1;
	const struct kinst_unit *unit = r->source.units + s->unit;

	while (next < end && !*next->text)
		next++;
	if (next < end && next->unit == s->unit && data_calls_fortran_declares(next->text))
		return "it stands among declarations; put it behind them";
	if (unit->kind == KINST_MODULE || (next == end || (!s->unit && next->unit != s->unit)))
		return s->unit || next == end ? "it stands outside of procedures; put it into one" : NULL;
	if (unit->is_pure)
		return "it stands in a pure procedure, which may call nothing; name the data in a caller";
	if (is_bound(r, data_calls_fortran_before(r, s)))
		return "it stands between a directive and its statement; put it before the directive";
	if (r->options->std && (!strcmp(r->options->std, "f95") || !strcmp(r->options->std, "f2003")))
		return "it needs Fortran 2008; compile with -std=f2008 or later";
	return NULL;
}

static void put_data(struct rewriter *r, const struct kinst_statement *s)
{
	int is_wanted = kinst_marks_meet(r->options->marks, "inst data", s->file.p, s->file.n, s->line,
	                                 s->line + s->last - s->first);
	struct kinst_data data;

	kinst_data_read_fortran((struct kinst_span){ s->text, strlen(s->text) }, &data);
	if (!data.problem)
		data.problem = place_problem(r, s);
	if (!data.problem && !data.end && is_old(r) &&
	    (memchr(data.address.p, ':', data.address.n) || memchr(data.address.p, '%', data.address.n)))
		data.problem = "-std=f2008 does not tell where the parts of an array lie; name the whole array, or "
			       "use -std=f2018";
	if (data.problem)
		kinst_data_complain(r->messages, s->file, s->line, data.problem);
	open_hidden(r, s);
	if (!data.problem && is_wanted && data.end) {
		char *name = name_of(&data);

		put_named_call(r, "ompp_data_end", name);
		free(name);
	} else if (!data.problem && is_wanted) {
		put_enter(r, s, &data);
	}
	put_place(r, s, s->line + s->last - s->first + 1, 0);
}

/* ---- the exits of procedures ---- */

static void put_leaves(struct rewriter *r, const struct kinst_statement *s)
{
	const struct kinst_words *names = r->names + s->unit;

	for (size_t i = names->n; i-- > 0;)
		put_named_call(r, "ompp_data_leave", names->items[i]);
}

/* Adds the lines of a statement from line `from` on.  A directive between two of them has no effect. */
static void put_lines(struct rewriter *r, const struct kinst_statement *s, size_t from)
{
	for (size_t i = from; i <= s->last; i++) {
		struct kinst_span line = r->source.lines[i];

		if (!s->is_data && kinst_data_is_line(line.p, line.n, r->options->fixed)) {
			kinst_data_complain(r->messages, s->file, s->line + i - s->first, inside);
			kinst_text_puts(r->out, "!");
		} else {
			kinst_text_add(r->out, line.p, line.n);
		}
		kinst_text_puts(r->out, "\n");
	}
}

/* Returns the rest of `if (…) rest` when that is a RETURN, else NULL. */
static const char *conditional_return(const char *text)
{
	const char *p = kinst_eat(text, "if");

	p = p ? kinst_eat_parentheses(p) : NULL;
	return p && kinst_eat(p, "return") ? p + strspn(p, " \t") : NULL;
}

/* Adds an exit: the label on a line of its own, the calls, and the statement itself. */
static void put_exit(struct rewriter *r, const struct kinst_statement *s)
{
	char label[8] = "";

	open_hidden(r, s);
	if (s->n_label && s->n_label < sizeof(label)) {
		const char *p = r->source.lines[s->first].p;
		size_t at = strspn(p, " \t");
		char *line;

		memcpy(label, p + at, s->n_label);
		line = kinst_format("%-5s continue", label);
		put_hidden(r, line);
		free(line);
		put_leaves(r, s);
		put_place(r, s, s->line, 0);
		kinst_text_printf(r->out, "%*s%.*s\n", (int)(at + s->n_label), "",
		                  (int)(r->source.lines[s->first].n - at - s->n_label), p + at + s->n_label);
		put_lines(r, s, s->first + 1);
		return;
	}
	put_leaves(r, s);
	put_place(r, s, s->line, 0);
	put_lines(r, s, s->first);
}

/* Adds `if (x) return` as a construct, which is written anew in hidden lines. */
static void put_conditional(struct rewriter *r, const struct kinst_statement *s, const char *rest)
{
	char *head = kinst_strndup(s->text, (size_t)(rest - s->text));
	char *line = kinst_format("%sthen", head), *label;

	put_place(r, s, s->line, 1);
	if (s->n_label) {
		label = kinst_format("%-5.*s continue", (int)s->n_label,
		                     r->source.lines[s->first].p + strspn(r->source.lines[s->first].p, " \t"));
		put_hidden(r, label);
		free(label);
		put_place(r, s, s->line, 1);
	}
	put_statement(r, line);
	put_leaves(r, s);
	put_place(r, s, s->line, 1);
	put_statement(r, rest);
	put_statement(r, "end if");
	put_place(r, s, s->line + s->last - s->first + 1, 0);
	free(head);
	free(line);
}

/*
 * Gives each statement of a line its own line when one of them is a RETURN.  Returns 0 when none is, and writes
 * nothing then.
 */
static int put_several(struct rewriter *r, const struct kinst_statement *s)
{
	const char *p = s->text, *end = p + strlen(p);
	int found = 0;

	for (const char *q = p; (q = strchr(q, ';')); q++)
		found |= kinst_eat(q + 1, "return") || conditional_return(q + 1);
	found |= strchr(p, ';') && (kinst_eat(p, "return") || conditional_return(p));
	if (!found)
		return 0;
	open_hidden(r, s);
	if (s->n_label) {
		char *label = kinst_format("%-5.*s continue", (int)s->n_label,
		                           r->source.lines[s->first].p + strspn(r->source.lines[s->first].p, " \t"));

		put_hidden(r, label);
		free(label);
	}
	while (p < end) {
		const char *stop = p;
		char quote = 0, *one;
		struct kinst_statement part = *s;

		for (; stop < end && (quote || *stop != ';'); stop++)
			if (quote ? *stop == quote : *stop == '\'' || *stop == '"')
				quote = quote ? 0 : *stop;
		one = kinst_strndup(p, (size_t)(stop - p));
		part.text = one + strspn(one, " \t");
		part.n_label = 0;
		if (conditional_return(part.text)) {
			put_conditional(r, &part, conditional_return(part.text));
		} else {
			if (kinst_eat(part.text, "return"))
				put_leaves(r, s);
			put_place(r, s, s->line, 1);
			put_statement(r, part.text);
		}
		free(one);
		p = stop < end ? stop + 1 : end;
	}
	put_place(r, s, s->line + s->last - s->first + 1, 0);
	return 1;
}

static void put_other(struct rewriter *r, const struct kinst_statement *s)
{
	struct kinst_words *names = r->names + s->unit;
	const char *rest = conditional_return(s->text), *back = kinst_eat(s->text, "return");

	if (!names->n || !*s->text) {
		put_lines(r, s, s->first);
	} else if (strchr(s->text, ';') && put_several(r, s)) {
		; /* put_several() has written it */
	} else if (rest) {
		open_hidden(r, s);
		put_conditional(r, s, rest);
	} else if (kinst_eat(s->text, "contains") || kinst_ends_unit(s->text) ||
	           (back && *(back += strspn(back, " \t")) != '=' && *back != '(' && *back != '%')) {
		put_exit(r, s);
	} else {
		put_lines(r, s, s->first);
	}
	if (kinst_eat(s->text, "contains")) /* The statements that follow are none of this unit. */
		kinst_words_free(names);
}

size_t kinst_data_calls_fortran_rewrite(const char *text, size_t length, const struct kinst_data_calls_fortran *options,
                                        struct kinst_text *result, struct kinst_text *messages)
{
	struct rewriter r = { .options = options, .out = result, .messages = messages };
	size_t n = 0;

	if (!kinst_data_in_fortran(text, length, options->fixed))
		return 0;
	kinst_statements_read(&r.source, text, length, options->fixed, options->file);
	r.names = kinst_alloc(r.source.n_units * sizeof(*r.names));
	for (const struct kinst_statement *s = r.source.items; s < r.source.items + r.source.n; s++) {
		n += (size_t)s->is_data;
		if (s->is_data)
			put_data(&r, s);
		else
			put_other(&r, s);
	}
	for (size_t i = 0; i < r.source.n_units; i++)
		kinst_words_free(&r.names[i]);
	free(r.names);
	kinst_statements_free(&r.source);
	return n;
}

void kinst_data_calls_fortran_show(const struct kinst_text *hidden, struct kinst_text *result)
{
	const char *p = hidden->data, *eol;

	for (; *p; p = *eol ? eol + 1 : eol) {
		eol = strchrnul(p, '\n');
		if (kinst_begins(p, KINST_DATA_HIDDEN))
			p += strlen(KINST_DATA_HIDDEN);
		kinst_text_add(result, p, (size_t)(eol - p));
		kinst_text_puts(result, "\n");
	}
}
