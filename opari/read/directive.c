/*
 * Directive: see directive.h.
 */
#include "opari/read/directive.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/array.h"

/* The names of directives of one construct.  A name comes before its prefixes. */
static const struct {
	const char *words;
	enum kinst_leaf leaf;
	int is_alone, is_loop;
} leaves[] = {
	{ "parallel", KINST_OMP_PARALLEL, 0, 0 },
	{ "for", KINST_OMP_FOR, 0, 1 },
	{ "do", KINST_OMP_FOR, 0, 1 },
	{ "simd", KINST_OMP_SIMD, 0, 1 },
	{ "sections", KINST_OMP_SECTIONS, 0, 0 },
	{ "section", KINST_OMP_SECTION, 0, 0 },
	{ "single", KINST_OMP_SINGLE, 0, 0 },
	{ "master", KINST_OMP_MASTER, 0, 0 },
	{ "masked", KINST_OMP_MASKED, 0, 0 },
	{ "workshare", KINST_OMP_WORKSHARE, 0, 0 },
	{ "scope", KINST_OMP_SCOPE, 0, 0 },
	{ "loop", KINST_OMP_GENERIC_LOOP, 0, 1 },
	{ "critical", KINST_OMP_CRITICAL, 0, 0 },
	{ "ordered", KINST_OMP_ORDERED, 0, 0 },
	{ "atomic", KINST_OMP_ATOMIC, 0, 0 },
	{ "barrier", KINST_OMP_BARRIER, 1, 0 },
	{ "flush", KINST_OMP_FLUSH, 1, 0 },
	{ "taskloop", KINST_OMP_TASKLOOP, 0, 1 },
	{ "taskgroup", KINST_OMP_TASKGROUP, 0, 0 },
	{ "taskwait", KINST_OMP_TASKWAIT, 1, 0 },
	{ "taskyield", KINST_OMP_TASKYIELD, 1, 0 },
	{ "task", KINST_OMP_TASK, 0, 0 },
	{ "teams", KINST_OMP_TEAMS, 0, 0 },
	{ "distribute", KINST_OMP_DISTRIBUTE, 0, 1 },
	{ "target enter data", KINST_OMP_TARGET_ENTER_DATA, 1, 0 },
	{ "target exit data", KINST_OMP_TARGET_EXIT_DATA, 1, 0 },
	{ "target update", KINST_OMP_TARGET_UPDATE, 1, 0 },
	{ "target data", KINST_OMP_TARGET_DATA, 0, 0 },
	{ "target", KINST_OMP_TARGET, 0, 0 },
	{ "cancellation point", KINST_OMP_CANCELLATION_POINT, 1, 0 },
	{ "cancel", KINST_OMP_CANCEL, 1, 0 },
	{ "depobj", KINST_OMP_DEPOBJ, 1, 0 },
	/* Fortran allows these to be written in one word. */
	{ "targetdata", KINST_OMP_TARGET_DATA, 0, 0 },
	{ "targetenterdata", KINST_OMP_TARGET_ENTER_DATA, 1, 0 },
	{ "targetexitdata", KINST_OMP_TARGET_EXIT_DATA, 1, 0 },
	{ "targetupdate", KINST_OMP_TARGET_UPDATE, 1, 0 },
};

/* The first words of directives that declare something to the compiler, and `interop`. */
static const char *const declarative[] = { "threadprivate", "requires", "allocate", "scan",
	                                   "assumes",       "declare",  "begin",    "interop" };

/* Directives of no construct to which the next statement belongs. */
static const char *const with_statement[] = { "metadirective", "begin metadirective", "dispatch", "tile", "unroll",
	                                      "assume",        "allocators" };

/* Returns 1 when the word may be combined with others in a name. */
static int directive_combines(enum kinst_leaf leaf)
{
	switch (leaf) {
	case KINST_OMP_PARALLEL:
	case KINST_OMP_FOR:
	case KINST_OMP_SIMD:
	case KINST_OMP_SECTIONS:
	case KINST_OMP_MASTER:
	case KINST_OMP_MASKED:
	case KINST_OMP_WORKSHARE:
	case KINST_OMP_GENERIC_LOOP:
	case KINST_OMP_TASKLOOP:
	case KINST_OMP_TEAMS:
	case KINST_OMP_DISTRIBUTE:
	case KINST_OMP_TARGET:
		return 1;
	default:
		return 0;
	}
}

/*
 * Returns what follows a word to which others are joined, as `parallel` in `paralleldo`; NULL when it does not stand
 * there.
 */
static const char *after_joined(const char *p, const char *word)
{
	size_t n = strlen(word);

	p = kinst_skip_blanks(p);
	if (strncasecmp(p, word, n) || !kinst_is_word(p[n]))
		return NULL;
	for (size_t i = 0; i < OMPP_COUNT_OF(leaves); i++)
		if (!strncasecmp(p + n, leaves[i].words, strcspn(leaves[i].words, " ")))
			return p + n;
	return NULL;
}

static const char *read_leaf(const char *p, enum kinst_leaf *leaf, int fortran)
{
	p = kinst_skip_blanks(p);
	for (int joined = 0; joined <= fortran; joined++)
		for (size_t i = 0; i < OMPP_COUNT_OF(leaves); i++) {
			const char *after = joined ? after_joined(p, leaves[i].words)
			                           : kinst_skip_words(p, leaves[i].words);

			if (after) {
				*leaf = leaves[i].leaf;
				return after;
			}
		}
	return NULL;
}

/* Reads the name: its constructs, or all words up to the first that could be a clause. */
static const char *read_name(struct kinst_directive *d, const char *p, int fortran)
{
	const char *next;
	enum kinst_leaf leaf;

	while (d->n_leaves < KINST_MOST_LEAVES && (next = read_leaf(p, &leaf, fortran))) {
		const char *behind = kinst_skip_blanks(next);

		/*
		 * In `ordered(2)` or `taskloop if(…)`, what follows a combination is a clause, unless it can be
		 * combined.
		 */
		if (d->n_leaves && (!directive_combines(leaf) || *behind == '('))
			break;
		d->leaves[d->n_leaves++] = leaf;
		p = next;
		if (!directive_combines(leaf))
			break;
	}
	if (d->n_leaves)
		return p;
	d->leaves[d->n_leaves++] = KINST_OMP_OTHER;
	for (p = kinst_skip_blanks(p); kinst_is_word(*p); p = kinst_skip_blanks(p)) {
		const char *word = p;

		p = kinst_word_end(p);
		if (*kinst_skip_blanks(p) == '(' && word > d->name)
			return kinst_skip_words(word, "simd") || kinst_skip_words(word, "reduction") ||
			                       kinst_skip_words(word, "mapper") || kinst_skip_words(word, "variant") ||
			                       kinst_skip_words(word, "target")
			             ? p
			             : word;
	}
	return p;
}

/* Replaces comments of C by blanks, but not in literals. */
static void blank_comments(char *p)
{
	char quote = 0;

	for (; *p; p++) {
		if (quote) {
			if (*p == '\\' && p[1])
				p++;
			else if (*p == quote)
				quote = 0;
		} else if (*p == '"' || *p == '\'') {
			quote = *p;
		} else if (*p == '/' && p[1] == '/') {
			memset(p, ' ', strlen(p));
		} else if (*p == '/' && p[1] == '*') {
			const char *end = strstr(p + 2, "*/");

			memset(p, ' ', end ? (size_t)(end + 2 - p) : strlen(p));
		}
	}
}

int kinst_directive_read(struct kinst_directive *d, const char *text, size_t length, int fortran)
{
	const char *p, *after;
	size_t room = 0;

	*d = (struct kinst_directive){ .is_fortran = fortran, .text = kinst_strndup(text, length) };
	for (char *c = d->text; *c; c++) /* It becomes one line. */
		if (*c == '\n' || (*c == '\\' && c[1] == '\n'))
			*c = ' ';
	if (fortran)
		kinst_lower_case(d->text);
	else
		blank_comments(d->text);
	d->name = p = kinst_skip_blanks(d->text);
	after = kinst_skip_words(p, "end");
	if (!after && fortran)
		after = after_joined(p, "end");
	if (after && kinst_is_word(*kinst_skip_blanks(after)))
		d->is_end = 1, d->name = p = kinst_skip_blanks(after);
	p = read_name(d, p, fortran);
	for (d->n_name = (size_t)(p - d->name); d->n_name && isspace((unsigned char)d->name[d->n_name - 1]);)
		d->n_name--;
	if (!d->n_name)
		goto bad;
	p = kinst_skip_blanks(p);
	if (*p == '(' && kinst_clause_read(&d->arg, &p))
		goto bad;
	for (p = kinst_skip_blanks(p); *p; p = kinst_skip_blanks(p)) {
		if (*p == ',') {
			d->has_comma |= !d->n_clauses;
			p++;
			continue;
		}
		if (fortran && *p == '!') /* it begins a comment */
			break;
		if (d->n_clauses == room) {
			room = room * 2 + 8;
			d->clauses = kinst_realloc(d->clauses, room * sizeof(*d->clauses));
		}
		if (kinst_clause_read(&d->clauses[d->n_clauses], &p))
			goto bad;
		d->n_clauses++;
	}
	return 0;
bad:
	kinst_directive_free(d);
	return -EINVAL;
}

void kinst_directive_free(struct kinst_directive *d)
{
	free(d->clauses);
	free(d->text);
	*d = (struct kinst_directive){ 0 };
}

const struct kinst_clause *kinst_directive_clause(const struct kinst_directive *d, const char *name)
{
	for (size_t i = 0; i < d->n_clauses; i++)
		if (kinst_clause_is(&d->clauses[i], name))
			return &d->clauses[i];
	return NULL;
}

int kinst_directive_reduces_tasks(const struct kinst_directive *d)
{
	for (size_t i = 0; i < d->n_clauses; i++)
		if (kinst_clause_reduces(&d->clauses[i], "task"))
			return 1;
	return 0;
}

int kinst_directive_scans(const struct kinst_directive *d)
{
	for (size_t i = 0; i < d->n_clauses; i++)
		if (kinst_clause_reduces(&d->clauses[i], "inscan"))
			return 1;
	return 0;
}

size_t kinst_directive_n_loops(const struct kinst_directive *d)
{
	const struct kinst_clause *collapse = kinst_directive_clause(d, "collapse");
	char *end;
	size_t n;

	if (!collapse || !collapse->args)
		return 1;
	n = strtoul(collapse->args, &end, 10);
	return end[strspn(end, " \t")] == ')' ? n : 0;
}

const char *kinst_directive_word(size_t i)
{
	for (size_t k = 0; k < OMPP_COUNT_OF(leaves); k++)
		if (!strchr(leaves[k].words, ' ') && !i--)
			return leaves[k].words;
	return NULL;
}

int kinst_directive_has(const struct kinst_directive *d, enum kinst_leaf leaf)
{
	for (size_t i = 0; i < d->n_leaves; i++)
		if (d->leaves[i] == leaf)
			return 1;
	return 0;
}

static int is_one_of(const struct kinst_directive *d, const char *const *names, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (kinst_skip_words(d->name, names[i]))
			return 1;
	return 0;
}

int kinst_directive_is_alone(const struct kinst_directive *d)
{
	if (d->leaves[0] == KINST_OMP_ORDERED)
		return kinst_directive_clause(d, "depend") || kinst_directive_clause(d, "doacross");
	if (d->leaves[0] != KINST_OMP_OTHER) {
		for (size_t i = 0; i < OMPP_COUNT_OF(leaves); i++)
			if (leaves[i].leaf == d->leaves[0])
				return leaves[i].is_alone;
	}
	return d->is_end || !is_one_of(d, with_statement, OMPP_COUNT_OF(with_statement));
}

int kinst_directive_is_passed_over(const struct kinst_directive *d)
{
	return d->leaves[0] == KINST_OMP_OTHER && !d->is_end &&
	       !is_one_of(d, with_statement, OMPP_COUNT_OF(with_statement)) &&
	       !is_one_of(d, declarative, OMPP_COUNT_OF(declarative));
}

int kinst_directive_is_loop(const struct kinst_directive *d)
{
	enum kinst_leaf last = d->leaves[d->n_leaves - 1];

	for (size_t i = 0; i < OMPP_COUNT_OF(leaves); i++)
		if (leaves[i].leaf == last && last != KINST_OMP_OTHER)
			return leaves[i].is_loop;
	return 0;
}
