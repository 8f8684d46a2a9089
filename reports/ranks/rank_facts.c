/*
 * Rank facts: see rank_facts.h.
 */
#include "reports/ranks/rank_facts.h"

#include <errno.h>
#include <string.h>

#include "reports/tables/fact.h"
#include "runtime/base/sort.h"
#include "runtime/base/text.h"

enum { MOST_CONDITIONS = 3, MOST_NOTES = 8, NAMED = 2 }; /* lines of a label; ranks that are named */

/* What a process says. */
struct said {
	const char *label, *text; /* of a note the label is "Note" */
	size_t n_who;             /* bytes of the process's name at the text's beginning; 0 for none */
	uint64_t n;               /* how often, or 0 */
};

struct saying {
	struct said *list;
	size_t n, n_processes;
	uint32_t *n_alike; /* by the first of those that say the same: how many there are; 0 for the others */
	uint32_t *next;    /* by the first: the second */
};

/* Returns the length of "r17" in "r17: text"; 0 without it. */
static size_t who_bytes(const char *text)
{
	size_t n = 1;

	if (*text != 'r' && *text != 'p')
		return 0;
	while (text[n] >= '0' && text[n] <= '9')
		n++;
	return n > 1 && text[n] == ':' && text[n + 1] == ' ' ? n : 0;
}

static struct said said_note(const struct ompp_profile_note *note)
{
	return (struct said){ "Note", note->text, who_bytes(note->text), note->n };
}

static const char *said_rest(const struct said *s)
{
	return s->text + (s->n_who ? s->n_who + 2 : 0);
}

static int said_compare(const struct said *x, const struct said *y)
{
	int d = strcmp(x->label, y->label);

	return d ? d : !x->n_who != !y->n_who ? (x->n_who ? 1 : -1) : strcmp(said_rest(x), said_rest(y));
}

static int is_after(const void *list, uint32_t x, uint32_t y)
{
	int d = said_compare((const struct said *)list + x, (const struct said *)list + y);

	return d ? d > 0 : x > y;
}

/* Finds what is said alike.  Returns 0 or -ENOMEM. */
static int saying_join(struct saying *s, struct ompp_arena *arena)
{
	uint32_t *order = ompp_sorted(arena, s->n, is_after, s->list);

	s->n_alike = ompp_arena_alloc(arena, (s->n + 1) * sizeof(*s->n_alike));
	s->next = ompp_arena_alloc(arena, (s->n + 1) * sizeof(*s->next));
	if (!order || !s->n_alike || !s->next)
		return -ENOMEM;
	for (size_t i = 0, first = 0; i < s->n; i++) {
		if (i && said_compare(&s->list[order[first]], &s->list[order[i]]))
			first = i;
		if (s->n_alike[order[first]]++ == 1)
			s->next[order[first]] = order[i];
		if (i != first)
			s->list[order[first]].n += s->list[order[i]].n;
	}
	return 0;
}

/* "r1, r2 and 253 more: " */
static void put_names(struct ompp_text *t, const struct saying *s, size_t i)
{
	const struct said *first = &s->list[i], *next = &s->list[s->next[i]];
	uint32_t n = s->n_alike[i];

	if (n == s->n_processes) {
		ompp_text_str(t, "all: ");
		return;
	}
	ompp_text_strn(t, first->text, first->n_who);
	if (n > 1) {
		ompp_text_str(t, ", ");
		ompp_text_strn(t, next->text, next->n_who);
	}
	if (n > NAMED) {
		ompp_text_str(t, " and ");
		ompp_text_u64(t, n - NAMED);
		ompp_text_str(t, " more");
	}
	ompp_text_str(t, ": ");
}

/* Adds a line: who says it, how often, and what. */
static void put_line(const struct said *said, const char *names, struct ompp_table *table)
{
	size_t n = strlen(names) + strlen(said->text) + 24;
	char *line = ompp_arena_alloc(table->arena, n);
	struct ompp_text t;

	if (!line) {
		table->rc = -ENOMEM;
		return;
	}
	ompp_text_init(&t, line, n);
	ompp_text_str(&t, names);
	if (said->n) {
		ompp_text_u64(&t, said->n);
		ompp_text_char(&t, ' ');
	}
	ompp_text_str(&t, said_rest(said));
	ompp_text_fact(table, said->label, line);
}

/* "r1, r2 and 253 more: 12 samples were lost" */
static void put_alike(const struct saying *s, size_t i, struct ompp_table *table)
{
	char names[128];
	struct ompp_text t;

	ompp_text_init(&t, names, sizeof(names));
	if (s->list[i].n_who)
		put_names(&t, s, i);
	put_line(&s->list[i], names, table);
}

/* Puts what was left out of lines with a label. */
static void put_rest(const char *label, uint32_t n_lines, uint32_t n_ranks, struct ompp_table *table)
{
	char buffer[96];
	struct ompp_text t;

	if (!n_lines)
		return;
	ompp_text_init(&t, buffer, sizeof(buffer));
	ompp_text_u64(&t, n_ranks);
	ompp_text_str(&t, n_ranks == 1 ? " more rank has another one" : " more ranks have others");
	ompp_text_str(&t, "; --ranks=all prints all");
	ompp_fact(table, label, &t);
}

/* Puts the lines of one label, which the saying at `from` has first. */
static void put_label(struct saying *s, size_t from, uint32_t most, struct ompp_table *table)
{
	const char *label = s->list[from].label;
	uint32_t n_put = 0, n_left = 0, n_ranks = 0;

	for (size_t i = from; i < s->n; i++) {
		if (!s->n_alike[i] || strcmp(s->list[i].label, label))
			continue;
		if (n_put < most) {
			put_alike(s, i, table);
			n_put++;
		} else {
			n_left++;
			n_ranks += s->n_alike[i];
		}
		s->n_alike[i] = 0;
	}
	put_rest(label, n_left, n_ranks, table);
}

void ompp_rank_note(const struct ompp_profile_note *note, struct ompp_table *table)
{
	const struct said said = said_note(note);
	char who[32];
	struct ompp_text t;

	ompp_text_init(&t, who, sizeof(who));
	ompp_text_strn(&t, note->text, said.n_who);
	ompp_text_str(&t, said.n_who ? ": " : "");
	put_line(&said, who, table);
}

void ompp_rank_facts(const struct ompp_analysis *a, struct ompp_table *table)
{
	const struct ompp_profile *p = a->profile;
	struct saying s = { .n_processes = p->n_processes };

	s.list = ompp_arena_alloc(a->arena, (p->n_conditions + p->n_notes + 1) * sizeof(*s.list));
	if (!s.list) {
		table->rc = -ENOMEM;
		return;
	}
	for (size_t i = 0; i < p->n_conditions; i++)
		s.list[s.n++] = (struct said){ p->conditions[i].label, p->conditions[i].value,
			                       who_bytes(p->conditions[i].value), 0 };
	for (size_t i = 0; i < p->n_notes; i++)
		s.list[s.n++] = said_note(&p->notes[i]);
	if (saying_join(&s, a->arena)) {
		table->rc = -ENOMEM;
		return;
	}
	for (size_t i = 0; i < s.n; i++)
		if (s.n_alike[i])
			put_label(&s, i, strcmp(s.list[i].label, "Note") ? MOST_CONDITIONS : MOST_NOTES, table);
}
