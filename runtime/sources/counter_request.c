/*
 * Counter request: see counter_request.h.
 */
#include "runtime/sources/counter_request.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/text.h"
#include "runtime/counters/expression.h"

enum { LINE_BYTES = 256, N_NUMBERED = 8 };

struct making {
	struct ompp_counter_requests *requests;
	void (*say)(const char *line);
};

static int is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* Finds the next name of a comma list, as ompp_list_next() does; but commas between the slashes of
 * cpu/event=0x3c,umask=1/ are part of the name. */
static size_t counter_next_name(const char **list, const char **name)
{
	const char *p = *list, *end;
	int inside = 0;

	while (is_blank(*p) || *p == ',')
		p++;
	*name = p;
	for (; *p && (*p != ',' || inside); p++)
		inside ^= *p == '/';
	*list = p;
	for (end = p; end > *name && is_blank(end[-1]); end--)
		;
	return (size_t)(end - *name);
}

/* Begins a line with "OMPP_CTR1=name: not counted: ", to which the caller adds. */
static void begin_line(struct ompp_text *t, char *line, const char *variable, const char *value, size_t n_value)
{
	ompp_text_init(t, line, LINE_BYTES);
	ompp_text_str(t, "OMPP_");
	ompp_text_str(t, variable);
	ompp_text_char(t, '=');
	ompp_text_strn(t, value, n_value < 100 ? n_value : 100);
	ompp_text_str(t, ": ");
}

static void counter_request_complain(const struct making *m, const char *variable, const char *value, size_t n_value,
                                     const char *what)
{
	char line[LINE_BYTES];
	struct ompp_text t;

	begin_line(&t, line, variable, value, n_value);
	ompp_text_str(&t, what);
	m->say(line);
}

static void counter_request_set(struct ompp_counter_request *request, const char *variable, const char *name,
                                size_t n_name, int of_group)
{
	struct ompp_text t;

	request->variable = variable;
	request->of_group = of_group;
	ompp_text_init(&t, request->name, sizeof(request->name));
	ompp_text_strn(&t, name, n_name);
}

static void add_name(const struct making *m, const char *variable, const char *name, size_t n_name, int of_group)
{
	struct ompp_counter_requests *r = m->requests;
	size_t i;

	for (i = 0; i < r->n; i++)
		if (strlen(r->request[i].name) == n_name && !memcmp(r->request[i].name, name, n_name))
			return;
	if (r->n == OMPP_REQUESTS) {
		counter_request_complain(m, variable, name, n_name,
		                         "not counted: more than 40 counters; ask for fewer");
		return;
	}
	counter_request_set(&r->request[r->n++], variable, name, n_name, of_group);
}

static void add_eval(struct ompp_counter_requests *r, struct ompp_eval eval)
{
	if (r->n_evals < OMPP_REQUEST_EVALS)
		r->eval[r->n_evals++] = eval;
}

static void add_group(const struct making *m, const char *variable, const char *name, size_t n_name)
{
	static struct ompp_counter_group group;
	char line[LINE_BYTES];
	const char *list, *item, *why;
	struct ompp_text t;
	size_t n, i;

	begin_line(&t, line, variable, name, n_name);
	ompp_text_str(&t, "not counted: ");
	why = line + t.n_bytes;
	if (ompp_counter_group_find(name, n_name, &group, &t)) {
		if (ompp_metric_lacks_pmu(why) && m->requests->n_lacking < OMPP_LACKING)
			counter_request_set(&m->requests->lacking[m->requests->n_lacking++], variable, name, n_name, 1);
		else
			m->say(line);
		return;
	}
	list = group.counters;
	while ((n = counter_next_name(&list, &item)))
		add_name(m, variable, item, n, 1);
	for (i = 0; i < group.n_evals; i++)
		add_eval(m->requests, group.evals[i]);
}

static void add_list(const struct making *m, const char *variable, const char *list)
{
	const char *name;
	size_t n;

	while ((n = counter_next_name(&list, &name)))
		if (*name == '@')
			add_group(m, variable, name, n);
		else
			add_name(m, variable, name, n, 0);
}

/* Returns the expression of "TITLE=expression", and the title's length, which is 0 when there is no title. */
static const char *after_title(const char *text, size_t *n_title)
{
	const char *equals = strchr(text, '=');

	*n_title = equals ? (size_t)(equals - text) : 0;
	return *n_title ? equals + 1 : text;
}

/* Reads one OMPP_EVALn.  The counters that it names are asked for too; a bad expression is not computed. */
static void read_eval(const struct making *m, const char *variable, const char *text, char *title, size_t title_bytes)
{
	struct ompp_counter_requests *r = m->requests;
	const char *known[OMPP_REQUESTS], *expression;
	static struct ompp_expression parsed;
	struct ompp_eval eval = { text, text, "" };
	char line[LINE_BYTES];
	struct ompp_text t;
	size_t i, n_title;

	while (is_blank(*text))
		text++;
	expression = after_title(text, &n_title);
	eval.expression = expression;
	if (n_title) {
		ompp_text_init(&t, title, title_bytes);
		ompp_text_strn(&t, text, n_title);
		eval.name = title;
	}
	for (i = 0; i < r->n; i++)
		known[i] = r->request[i].name;
	begin_line(&t, line, variable, text, strlen(text));
	ompp_text_str(&t, "not computed: ");
	if (ompp_expression_parse(&parsed, expression, known, r->n, &t)) {
		m->say(line);
		return;
	}
	for (i = 0; i < parsed.n_names; i++)
		add_name(m, variable, parsed.names[i].text, parsed.names[i].n, 0);
	add_eval(r, eval);
}

void ompp_counter_requests_make(struct ompp_counter_requests *requests, const struct ompp_options *options,
                                void (*say)(const char *line))
{
	static const enum ompp_option_id
		ctr[N_NUMBERED] = { OMPP_OPT_CTR1, OMPP_OPT_CTR2, OMPP_OPT_CTR3, OMPP_OPT_CTR4,
		                    OMPP_OPT_CTR5, OMPP_OPT_CTR6, OMPP_OPT_CTR7, OMPP_OPT_CTR8 },
		eval[N_NUMBERED] = { OMPP_OPT_EVAL1, OMPP_OPT_EVAL2, OMPP_OPT_EVAL3, OMPP_OPT_EVAL4,
		                     OMPP_OPT_EVAL5, OMPP_OPT_EVAL6, OMPP_OPT_EVAL7, OMPP_OPT_EVAL8 };
	struct making m = { requests, say };
	size_t i;

	memset(requests, 0, sizeof(*requests));
	for (i = 0; i < N_NUMBERED; i++)
		add_list(&m, ompp_option_table[ctr[i]].name, options->text[ctr[i]]);
	add_list(&m, ompp_option_table[OMPP_OPT_CTR].name, options->text[OMPP_OPT_CTR]);
	if (options->number[OMPP_OPT_WORK])
		add_list(&m, ompp_option_table[OMPP_OPT_WORK].name, "flops,intops");
	for (i = 0; i < N_NUMBERED; i++)
		if (options->text[eval[i]][0])
			read_eval(&m, ompp_option_table[eval[i]].name, options->text[eval[i]], requests->titles[i],
			          sizeof(requests->titles[i]));
}
