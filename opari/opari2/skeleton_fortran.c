/*
 * Skeleton, in Fortran: see skeleton_fortran.h.  The file has first the cutting, and then the reverse translation.
 */
#include "opari/opari2/skeleton_fortran.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "opari/emit/construct_location.h"
#include "opari/emit/emit_region.h"
#include "opari/emit/prepare_fortran.h"
#include "opari/emit/write_fortran.h"
#include "opari/opari2/known_sites.h"
#include "opari/opari2/steps_fortran.h"
#include "runtime/base/array.h"

#define WORD  "call kinst_"
#define POMP  "call pomp2_"
#define NAMES "opari2_region_"

struct kinst_fortran_skeleton {
	const struct kinst_emit_options *options;
	struct kinst_emitted *emitted;
	char *source; /* the text in the form in which calls are put into it */
	struct kinst_statements s;
	struct kinst_steps steps;
	struct kinst_text text;
};

/* ---- the way there ---- */

static int has_nowait(const struct kinst_fortran_skeleton *k, const struct kinst_fortran_extent *s)
{
	return kinst_directive_clause(&s->d, "nowait") || kinst_fortran_end_has(&k->s, s, "nowait");
}

/* Returns the directive's name.  That of a critical construct includes its own name, which opari2 wants at both
 * ends. The caller frees it. */
static char *name_of(const struct kinst_directive *d)
{
	if (d->leaves[0] == KINST_OMP_CRITICAL && d->arg.args)
		return kinst_format("critical(%.*s)", (int)d->arg.n_args, d->arg.args);
	return kinst_strndup(d->name, d->n_name);
}

/* Tells opari2 where a directive stands.  Instead of the file's name it gets the number of the site. */
static void put_place(struct kinst_fortran_skeleton *k, const struct kinst_step *step, unsigned long line)
{
	kinst_text_printf(&k->text, "# %lu \"/%zu\"\n", line, step->site);
}

static void put_begin(struct kinst_fortran_skeleton *k, const struct kinst_step *step)
{
	const struct kinst_fortran_extent *s = &k->steps.sites[step->site].s;
	char *name = name_of(&s->d);

	put_place(k, step, k->s.items[s->first].line);
	kinst_text_printf(&k->text, "!$omp %s%s\n", name, kinst_directive_clause(&s->d, "untied") ? " untied" : "");
	free(name);
}

static void put_end(struct kinst_fortran_skeleton *k, const struct kinst_step *step)
{
	const struct kinst_fortran_extent *s = &k->steps.sites[step->site].s;
	const struct kinst_statement *last = &k->s.items[s->last];
	char *name = name_of(&s->d);

	put_place(k, step, last->line + last->last - last->first);
	kinst_text_printf(&k->text, "!$omp end %s%s\n", name,
	                  has_nowait(k, s)                 ? " nowait"
	                  : kinst_steps_has_copy(&k->s, s) ? " copyprivate(kinst)"
	                                                   : "");
	free(name);
}

/* Writes a directive of the user's.  A user region gets its site's number as its name, as opari2 would turn the name
 * to lower case. */
static void put_pomp(struct kinst_fortran_skeleton *k, const struct kinst_step *step)
{
	put_place(k, step, k->s.items[step->statement].line);
	switch (step->verb) {
	case KINST_POMP_INIT:
		kinst_text_puts(&k->text, "!$pomp inst init\n");
		break;
	case KINST_POMP_FINALIZE:
		kinst_text_puts(&k->text, "!$pomp inst finalize\n");
		break;
	case KINST_POMP_ON:
		kinst_text_puts(&k->text, "!$pomp inst on\n");
		break;
	case KINST_POMP_OFF:
		kinst_text_puts(&k->text, "!$pomp inst off\n");
		break;
	default:
		kinst_text_printf(&k->text, "!$pomp inst %s(k%zu)\n",
		                  step->verb == KINST_POMP_BEGIN ? "begin"
		                  : step->verb == KINST_POMP_END ? "end"
		                                                 : "altend",
		                  step->site);
		break;
	}
}

static void put_step(struct kinst_fortran_skeleton *k, size_t i)
{
	const struct kinst_step *step = &k->steps.steps[i];

	switch (step->kind) {
	case KINST_STEP_WORD:
		kinst_text_printf(&k->text, "      " WORD "%zu\n", i);
		break;
	case KINST_STEP_BEGIN:
		put_begin(k, step);
		break;
	case KINST_STEP_SECTION:
		kinst_text_puts(&k->text, "!$omp section\n");
		break;
	case KINST_STEP_END:
		put_end(k, step);
		break;
	case KINST_STEP_POMP:
		put_pomp(k, step);
		break;
	}
}

struct kinst_fortran_skeleton *kinst_fortran_skeleton_new(const char *text, size_t length,
                                                          const struct kinst_emit_options *options,
                                                          struct kinst_emitted *emitted)
{
	struct kinst_fortran_skeleton *k = kinst_alloc(sizeof(*k));

	k->options = options;
	k->emitted = emitted;
	k->source = kinst_prepare_fortran(text, length, options, &k->s, &emitted->is_quieter);
	kinst_steps_find(&k->s, options, emitted, &k->steps);
	kinst_text_puts(&k->text, "      subroutine kinst\n");
	for (size_t i = 0; i < k->steps.n_steps; i++)
		put_step(k, i);
	kinst_text_puts(&k->text, "      end subroutine kinst\n");
	return k;
}

void kinst_fortran_skeleton_free(struct kinst_fortran_skeleton *k)
{
	kinst_steps_free(&k->steps);
	kinst_statements_free(&k->s);
	kinst_text_free(&k->text);
	free(k->source);
	free(k);
}

const struct kinst_text *kinst_fortran_skeleton_text(const struct kinst_fortran_skeleton *k)
{
	return &k->text;
}

int kinst_fortran_skeleton_has_sites(const struct kinst_fortran_skeleton *k)
{
	for (size_t i = 0; i < k->steps.n_steps; i++)
		if (k->steps.steps[i].kind != KINST_STEP_WORD)
			return 1;
	return 0;
}

/* ---- regions ---- */

/* The regions of opari2's include file, by opari2's numbers.
 * site: the number of the site + 1; 0 where there is none
 * region: the number of the region with our context string */
struct numbers {
	struct {
		size_t site, region;
	} * items;
	size_t n;
};

/* The state of the way back. */
struct back {
	struct kinst_fortran_skeleton *k;
	struct kinst_writer w;
	struct kinst_regions regions;
	struct numbers numbers;
	size_t step, aside; /* the indices of those that come next */
	size_t next;        /* the first statement that is not copied or replaced */
	size_t last; /* the directive behind which lines of ours stand; KINST_NOWHERE when they stand before `next` */
	int is_ours; /* 1 when the last line is ours */
	int is_half; /* 1 when the first half of a combined directive is written */
	int is_waiting; /* 1 when a barrier comes next that the text does not have */
};

/* Returns the attributes of a context string, which stand between the second place and the two stars at the end. */
static char *attributes_of(const char *ctc)
{
	const char *p = strstr(ctc, "*escl="), *end = ctc + strlen(ctc);

	p = p ? strchr(p + 1, '*') : NULL;
	if (!p || end - p < 3)
		return kinst_strdup("");
	return kinst_strndup(p + 1, (size_t)(end - p) - 2);
}

/* Makes a region from a context string of opari2's.
 * number: opari2's number of the region */
static void make_region(struct back *b, size_t number, const char *ctc)
{
	static const char type_key[] = "*regionType=", place_key[] = "*sscl=/";
	const char *type = strstr(ctc, type_key), *place = strstr(ctc, place_key);
	size_t site = place ? strtoul(place + strlen(place_key), NULL, 10) : SIZE_MAX;
	struct kinst_fortran_site *at;
	char *name, *own, *attributes;
	struct kinst_bounds bounds;

	if (!type || site >= b->k->steps.n_sites || number > 10000000)
		return;
	if (number >= b->numbers.n) {
		b->numbers.items = kinst_realloc(b->numbers.items, (number + 1) * 2 * sizeof(*b->numbers.items));
		memset(b->numbers.items + b->numbers.n, 0,
		       ((number + 1) * 2 - b->numbers.n) * sizeof(*b->numbers.items));
		b->numbers.n = (number + 1) * 2;
	}
	at = &b->k->steps.sites[site];
	at->is_seen = 1;
	bounds = kinst_construct_bounds_fortran(&b->k->s, at->s.first, at->s.last);
	b->numbers.items[number].site = site + 1;
	if (at->user) {
		b->numbers.items[number].region = kinst_region_begin(&b->regions, at->user, strlen(at->user),
		                                                     bounds.first, bounds.last);
		return;
	}
	type += strlen(type_key);
	name = kinst_strndup(type, strcspn(type, "*"));
	own = kinst_steps_has_copy(&b->k->s, &at->s) ? kinst_strdup("ownBarrier=1*") : attributes_of(ctc);
	attributes = kinst_region_attributes(&at->s.d, has_nowait(b->k, &at->s), own);
	b->numbers.items[number].region = kinst_region_new(&b->regions, name, bounds.first, bounds.last, attributes);
	free(name);
	free(own);
	free(attributes);
}

/* Adds the strings of a Fortran expression, "string"//& over several lines, from p on.  Returns the line behind it. */
static const char *read_strings(const char *p, struct kinst_text *out)
{
	int goes_on = 1;

	while (goes_on && *p) {
		const char *eol = strchrnul(p, '\n'), *from = memchr(p, '"', (size_t)(eol - p));
		const char *to = from ? memrchr(p, '"', (size_t)(eol - p)) : NULL;

		if (from && to > from)
			kinst_text_add(out, from + 1, (size_t)(to - from) - 1);
		goes_on = eol > p && eol[-1] == '&';
		p = *eol ? eol + 1 : eol;
	}
	return p;
}

static void read_include(struct back *b, const struct kinst_text *include)
{
	static const char key[] = "opari2_ctc_";
	const char *p = include->data ? include->data : "";

	while ((p = strstr(p, key))) {
		struct kinst_text ctc = { 0 };
		size_t number = strtoul(p + strlen(key), NULL, 10);

		kinst_text_puts(&ctc, "");
		p = read_strings(p, &ctc);
		make_region(b, number, ctc.data);
		kinst_text_free(&ctc);
	}
}

/* ---- the way back ---- */

/* Copies the text up to statement i, without the statements to leave out, and with the calls for locks. */
static void copy_to(struct back *b, size_t i)
{
	const struct kinst_steps *steps = &b->k->steps;

	if (b->is_ours && b->next < b->k->s.n)
		kinst_write_resume(&b->w, b->next, 0);
	b->is_ours = 0;
	for (; b->aside < steps->n_asides && steps->asides[b->aside].statement < i; b->aside++) {
		const struct kinst_aside *aside = &steps->asides[b->aside];

		if (aside->lock) {
			kinst_write_before(&b->w, aside->statement);
			kinst_write_call(&b->w, "lock", aside->lock, "");
			kinst_write_resume(&b->w, aside->statement, 0);
		} else {
			kinst_write_drop(&b->w, aside->statement);
			kinst_write_resume(&b->w, aside->statement, 1);
		}
	}
	kinst_write_copy(&b->w, i < b->k->s.n ? b->k->s.items[i].first : b->k->s.n_lines);
	b->next = i;
}

/* Lets lines of ours come next, with a line marker where none is in force. */
static void begin_ours(struct back *b)
{
	size_t at = b->last != KINST_NOWHERE ? b->last : b->next < b->k->s.n ? b->next : b->k->s.n - 1;
	const struct kinst_statement *s = &b->k->s.items[at];

	if (!b->is_ours)
		kinst_write_marker(&b->w, s->line, s->file);
	b->is_ours = 1;
}

/* Keeps a directive of the text as it is. */
static void skeleton_fortran_keep(struct back *b, size_t i)
{
	copy_to(b, i + 1);
	b->last = i;
}

/* Leaves out a directive of the text, which gives way to one of ours. */
static void skeleton_fortran_replace(struct back *b, size_t i)
{
	copy_to(b, i);
	kinst_write_drop(&b->w, i);
	b->next = i + 1;
	b->last = i;
}

static void write_directive(struct back *b, const char *text)
{
	begin_ours(b);
	kinst_write_directive(&b->w, text);
}

static int put_word(struct back *b, size_t number)
{
	const struct kinst_step *step = &b->k->steps.steps[b->step];

	if (b->step >= b->k->steps.n_steps || number != b->step || step->kind != KINST_STEP_WORD)
		return -EPROTO;
	copy_to(b, step->statement);
	b->last = KINST_NOWHERE;
	b->step++;
	return 0;
}

/* Writes the begin of a combined PARALLEL.  opari2 has made two directives of it, and each is written when its turn
 * comes. */
static void begin_combined(struct back *b, const struct kinst_fortran_extent *s)
{
	struct kinst_text outer = { 0 }, inner = { 0 };

	kinst_write_split(&b->k->s, s, &outer, &inner);
	if (!b->is_half)
		skeleton_fortran_replace(b, s->first);
	write_directive(b, b->is_half ? inner.data : outer.data);
	b->step += (size_t)b->is_half;
	b->is_half = !b->is_half;
	kinst_text_free(&outer);
	kinst_text_free(&inner);
}

static void end_combined(struct back *b, const struct kinst_step *step, const struct kinst_fortran_extent *s,
                         const char *directive)
{
	struct kinst_text outer = { 0 }, inner = { 0 };
	struct kinst_directive half;
	char *end;

	if (b->is_half) {
		write_directive(b, "end parallel");
		b->step++;
		b->is_half = 0;
		return;
	}
	if (step->statement != KINST_NOWHERE)
		skeleton_fortran_replace(b, step->statement);
	kinst_write_split(&b->k->s, s, &outer, &inner);
	kinst_directive_read(&half, inner.data, inner.length, 1);
	end = kinst_format("end %.*s%s", (int)half.n_name, half.name, strstr(directive, "nowait") ? " nowait" : "");
	write_directive(b, end);
	b->is_half = 1;
	free(end);
	kinst_directive_free(&half);
	kinst_text_free(&outer);
	kinst_text_free(&inner);
}

/* Writes an end directive, to which opari2 may have added NOWAIT. */
static void end_site(struct back *b, const struct kinst_step *step, const struct kinst_fortran_extent *s,
                     const char *directive)
{
	int adds_nowait = strstr(directive, "nowait") && !has_nowait(b->k, s);
	char *end;

	if (step->statement != KINST_NOWHERE && !adds_nowait) {
		skeleton_fortran_keep(b, step->statement);
	} else {
		if (step->statement != KINST_NOWHERE)
			skeleton_fortran_replace(b, step->statement);
		end = kinst_format("end %.*s%s", (int)s->d.n_name, s->d.name, adds_nowait ? " nowait" : "");
		write_directive(b, end);
		free(end);
	}
	b->step++;
}

/* Writes what a directive of opari2's output becomes.
 * directive: its text from the word behind !$omp on */
static int put_directive(struct back *b, const char *directive)
{
	const struct kinst_step *step = &b->k->steps.steps[b->step];
	const struct kinst_fortran_extent *s;

	if (b->is_waiting) {
		write_directive(b, "barrier");
		b->is_waiting = 0;
		return strncmp(directive, "barrier", 7) ? -EPROTO : 0;
	}
	if (b->step >= b->k->steps.n_steps || step->kind == KINST_STEP_WORD || step->kind == KINST_STEP_POMP)
		return -EPROTO;
	s = &b->k->steps.sites[step->site].s;
	if (!strncmp(directive, "end", 3) != (step->kind == KINST_STEP_END))
		return -EPROTO;
	if (step->kind == KINST_STEP_SECTION && step->statement == KINST_NOWHERE) {
		write_directive(b, "section");
		b->step++;
	} else if (step->kind == KINST_STEP_SECTION) {
		skeleton_fortran_keep(b, step->statement);
		b->step++;
	} else if (s->d.leaves[0] == KINST_OMP_PARALLEL && s->d.n_leaves > 1) {
		if (step->kind == KINST_STEP_BEGIN)
			begin_combined(b, s);
		else
			end_combined(b, step, s, directive);
	} else if (step->kind == KINST_STEP_BEGIN) {
		skeleton_fortran_keep(b, step->statement);
		b->step++;
	} else {
		end_site(b, step, s, directive);
	}
	return 0;
}

/* Returns the name of libompp's function, without ompp_f_, that does the same as a function of opari2's. */
static const char *call_of(const char *name)
{
	/* clang-format off */
	static const char *const others[][2] = {
		{ "parallel_fork", "fork" }, { "parallel_begin", "run" }, { "parallel_end", "ran" },
		{ "parallel_join", "join" }, { "do_enter", "for_enter" }, { "do_exit", "for_exit" },
		{ "workshare_enter", "for_enter" }, { "workshare_exit", "for_exit" },
		{ "implicit_barrier_enter", "wait" }, { "implicit_barrier_exit", "waited" },
		{ "taskwait_begin", "around" }, { "taskwait_end", "around_end" },
		{ "task_create_begin", "task_create" }, { "task_create_end", "task_created" },
		{ "untied_task_create_begin", "untied_create" }, { "untied_task_create_end", "untied_created" },
		{ "untied_task_begin", "untied_begin" }, { "untied_task_end", "untied_end" },
	};
	/* clang-format on */

	for (size_t i = 0; i < OMPP_COUNT_OF(others); i++)
		if (!strcmp(others[i][0], name))
			return others[i][1];
	return name;
}

/* Passes the user's directive of which opari2 has made a call. */
static int meet_pomp(struct back *b)
{
	const struct kinst_step *step = &b->k->steps.steps[b->step];

	if (b->step >= b->k->steps.n_steps || step->kind != KINST_STEP_POMP)
		return -EPROTO;
	if (b->k->s.items[step->statement].is_pomp)
		skeleton_fortran_keep(b, step->statement);
	else /* gfortran rejects !$omp inst */
		skeleton_fortran_replace(b, step->statement);
	b->step++;
	return 0;
}

/* Writes what a call of opari2's becomes.
 * call: its text in lower case, from the function's name on */
static int put_call(struct back *b, const char *call)
{
	char *name = kinst_strndup(call, strcspn(call, "( "));
	const char *region = strstr(call, NAMES), *ours = call_of(name);
	size_t number = region ? strtoul(region + strlen(NAMES), NULL, 10) : 0;
	int error = 0, is_user = !strcmp(name, "begin") || !strcmp(name, "end");
	char *threads = NULL;

	if (is_user || !region)
		error = meet_pomp(b);
	if (!error && region && (number >= b->numbers.n || !b->numbers.items[number].site))
		error = -EPROTO;
	if (!error && !region) {
		begin_ours(b);
		kinst_text_printf(b->w.out, "      call pomp2_%s()\n", name);
		b->w.is_marked = 0;
		b->w.n_calls++;
	} else if (!error) {
		const struct kinst_fortran_site *site = &b->k->steps.sites[b->numbers.items[number].site - 1];

		begin_ours(b);
		if (!strcmp(ours, "fork"))
			threads = kinst_write_threads(&site->s.d);
		kinst_write_call(&b->w, threads && *threads ? "fork_n" : ours,
		                 b->regions.items[b->numbers.items[number].region].ctc, threads ? threads : "");
		b->is_waiting = !strcmp(ours, "wait");
	}
	free(threads);
	free(name);
	return error;
}

/* Returns the next line of opari2's output together with the lines in which it goes on, in lower case and without
 * blanks in front; NULL at the end.  The caller frees it. */
static char *next_line(const char **p)
{
	struct kinst_text line = { 0 };
	int goes_on = **p != '\0';

	if (!goes_on)
		return NULL;
	kinst_text_puts(&line, "");
	while (goes_on && **p) {
		const char *from = *p, *eol = strchrnul(from, '\n'), *to = eol;

		while (from < to && isspace((unsigned char)*from))
			from++;
		if (line.length && to - from > 5 && !strncasecmp(from, "!$omp", 5))
			from += 5;
		while (to > from && isspace((unsigned char)to[-1]))
			to--;
		goes_on = to > from && to[-1] == '&';
		kinst_text_add(&line, from, (size_t)(to - from) - (size_t)goes_on);
		*p = *eol ? eol + 1 : eol;
	}
	for (char *c = line.data; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	return line.data;
}

/* Returns 1 where opari2's output ends for us.  The subroutines behind it register regions, which nobody needs. */
static int is_end(const char *line)
{
	return kinst_begins(line, "end subroutine kinst") || kinst_begins(line, "subroutine pomp2_");
}

static int put_line(struct back *b, const char *line)
{
	if (kinst_begins(line, WORD))
		return put_word(b, strtoul(line + strlen(WORD), NULL, 10));
	if (kinst_begins(line, POMP))
		return put_call(b, line + strlen(POMP));
	if (kinst_begins(line, "!$omp"))
		return put_directive(b, line + 5 + strspn(line + 5, " "));
	/* The rest are line markers, and lines that opari2 needs for its own calls. */
	return 0;
}

static void name_left(const struct kinst_fortran_skeleton *k)
{
	for (size_t i = 0; i < k->steps.n_sites; i++)
		if (k->steps.sites[i].construct != KINST_NO_CONSTRUCT && !k->steps.sites[i].is_seen)
			kinst_emitted_give_up(k->emitted, k->steps.sites[i].construct, KINST_OPARI2_LEFT);
}

int kinst_fortran_skeleton_expand(struct kinst_fortran_skeleton *k, const struct kinst_text *output,
                                  const struct kinst_text *include)
{
	struct back b = { .k = k,
		          .w = { .s = &k->s, .out = &k->emitted->text },
		          .regions.directory = k->options->directory,
		          .last = KINST_NOWHERE };
	const char *p = output->data;
	char *line = NULL;
	int error = 0;

	read_include(&b, include);
	if (*k->source != '#')
		kinst_text_printf(b.w.out, "# 1 \"%s\"\n", k->options->file);
	while (!error && (line = next_line(&p)) && !is_end(line)) {
		error = put_line(&b, line);
		free(line);
	}
	if (!error)
		free(line);
	if (b.step != k->steps.n_steps)
		error = -EPROTO;
	if (!error) {
		copy_to(&b, k->s.n);
		name_left(k);
		k->emitted->n_calls = b.w.n_calls;
	}
	kinst_regions_free(&b.regions);
	free(b.numbers.items);
	return error;
}
