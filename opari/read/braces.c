/*
 * Braces: see braces.h.  First what pragmas mean, then where statements end, then the sites.
 */
#include "opari/read/braces.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "opari/base/text.h"

/* What a pragma is: its words up to the first clause. */
struct directive {
	int  openmp, pomp;      /* #pragma omp …, #pragma pomp … or #pragma omp inst … */
	char words[64];         /* "parallel for simd", single blanks; cut when longer */
	const char *clauses;    /* the rest of the line, not terminated at its end */
	size_t      n_clauses;
};

static const char *skip_blanks(const char *p, const char *end)
{
	while (p < end && (isspace((unsigned char)*p) || *p == '\\'))
		p++;
	return p;
}

/* The next word of the line, 0 at its end or before a bracket. */
static size_t next_word(const char **p, const char *end)
{
	const char *from = *p = skip_blanks(*p, end);

	while (from < end && (isalnum((unsigned char)*from) || *from == '_'))
		from++;
	return (size_t)(from - *p);
}

static int word_is(const char *p, size_t n, const char *word)
{
	return n == strlen(word) && !memcmp(p, word, n);
}

/* Words that belong to a directive's name; all others are clauses. */
static int is_directive_word(const char *p, size_t n)
{
	static const char *const words[] = {
		"parallel", "for", "sections", "section", "single", "master",
		"critical", "atomic", "barrier", "flush", "ordered", "task",
		"taskwait", "simd", "masked", "loop", "teams", "target",
		"distribute", "taskloop", "taskgroup", "taskyield", "scope", "threadprivate",
		"declare", "end", "begin", "cancel", "cancellation", "point",
		"requires", "scan", "depobj", "data", "enter", "exit",
		"update", "reduction", "mapper", "variant", "metadirective", "error",
		"nothing", "assume", "assumes", "interop", "dispatch", "tile",
		"unroll", "allocate", "inst", "workshare",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (word_is(p, n, words[i]))
			return 1;
	return 0;
}

static struct directive directive_of(const struct kinst_tokens *tokens, uint32_t i)
{
	const struct kinst_token *token = tokens->tokens + i;
	const char *p = tokens->text + token->at + 1, *end = p + token->length - 1;
	struct directive d = { 0 };
	size_t n = next_word(&p, end), length = 0;

	p += n;                                 /* "pragma" */
	n = next_word(&p, end);
	d.openmp = word_is(p, n, "omp");
	d.pomp = word_is(p, n, "pomp");
	p += n;
	while ((d.openmp || d.pomp) && (n = next_word(&p, end))) {
		const char *after = skip_blanks(p + n, end);

		/* reduction, allocate … are directives only where no clause could be */
		if (!d.pomp &&
		    (!is_directive_word(p, n) || (length && after < end && *after == '(' &&
						  !word_is(p, n, "critical") && !word_is(p, n, "flush"))))
			break;
		if (length && word_is(p, n, "ordered"))         /* the clause of a loop */
			break;
		if (length + n + 2 > sizeof(d.words))
			break;
		if (length)
			d.words[length++] = ' ';
		memcpy(d.words + length, p, n);
		length += n;
		p += n;
		if (after < end && *after == '(')
			break;
		if (after < end && *after == ',')
			p = after + 1;
	}
	if (d.openmp && kinst_begins(d.words, "inst")) {
		d.openmp = 0;
		d.pomp = 1;
	}
	d.clauses = p;
	d.n_clauses = (size_t)(end - p);
	return d;
}

/* Is `word` among the clauses? */
static int has_clause(const struct directive *d, const char *word)
{
	const char *p = d->clauses, *end = p + d->n_clauses;

	while (p < end) {
		size_t n = next_word(&p, end);

		if (n && word_is(p, n, word))
			return 1;
		p += n ? n : 1;
	}
	return 0;
}

/* Directives that opari2 rewrites rightly.  What is not listed stays as the user wrote it. */
static int site_kind(const struct directive *d, enum kinst_site_kind *kind)
{
	static const struct {
		const char *words;
		enum kinst_site_kind kind;
	} known[] = {
		{ "parallel", KINST_BLOCK },
		{ "parallel for", KINST_LOOP },
		{ "parallel sections", KINST_BLOCK },
		{ "for", KINST_LOOP },
		{ "for simd", KINST_LOOP },
		{ "sections", KINST_BLOCK },
		{ "section", KINST_BLOCK },
		{ "single", KINST_BLOCK },
		{ "master", KINST_BLOCK },
		{ "critical", KINST_BLOCK },
		{ "ordered", KINST_BLOCK },
		{ "task", KINST_BLOCK },
		{ "atomic", KINST_STATEMENT },
		{ "barrier", KINST_ALONE },
		{ "taskwait", KINST_ALONE },
		{ "flush", KINST_ALONE },
	};

	if (d->pomp) {
		*kind = KINST_ALONE;
		return 1;
	}
	for (size_t i = 0; i < sizeof(known) / sizeof(*known); i++) {
		if (strcmp(d->words, known[i].words))
			continue;
		*kind = known[i].kind;
		if (!strcmp(d->words, "ordered"))       /* these have no block */
			return !has_clause(d, "depend") && !has_clause(d, "doacross");
		if (!strcmp(d->words, "taskwait"))      /* a stand-alone task in disguise */
			return !has_clause(d, "depend");
		return 1;
	}
	return 0;
}

/* OpenMP directives that stand alone, so that the next statement is none of their business. */
static int stands_alone(const struct directive *d)
{
	static const char *const alone[] = {
		"barrier",
		"taskwait",
		"taskyield",
		"flush",
		"cancel",
		"cancellation point",
		"threadprivate",
		"depobj",
		"target update",
		"target enter data",
		"target exit data",
		"error",
		"nothing",
		"interop",
		"requires",
		"allocate",
		"scan",
		"assumes",
	};

	for (size_t i = 0; i < sizeof(alone) / sizeof(*alone); i++)
		if (!strcmp(d->words, alone[i]))
			return 1;
	if (!strcmp(d->words, "ordered"))
		return has_clause(d, "depend") || has_clause(d, "doacross");
	return kinst_begins(d->words, "cancel") || kinst_begins(d->words, "declare") || kinst_begins(d->words, "end") ||
	       kinst_begins(d->words, "begin");
}

static uint32_t match_of(const struct kinst_tokens *tokens, uint32_t i, char sign)
{
	return kinst_is_sign(tokens, i, sign) ? tokens->tokens[i].match : KINST_NONE;
}

uint32_t kinst_braces_semicolon(const struct kinst_tokens *tokens, uint32_t i)
{
	for (; i < tokens->n_tokens; i++) {
		const struct kinst_token *token = tokens->tokens + i;

		if (token->kind != KINST_PUNCTUATOR)
			continue;
		if (token->sign == ';')
			return i;
		if (!token->sign || !strchr("()[]{}", token->sign))
			continue;
		if (token->match == KINST_NONE || token->match < i)
			return KINST_NONE;
		i = token->match;
	}
	return KINST_NONE;
}

/* Behind the colon of `case x ? y : z:`, i at what follows `case`; KINST_NONE when there is none. */
static uint32_t after_case(const struct kinst_tokens *tokens, uint32_t i)
{
	uint32_t n_open = 0;

	for (; i < tokens->n_tokens; i++) {
		const struct kinst_token *token = tokens->tokens + i;

		if (token->kind != KINST_PUNCTUATOR)
			continue;
		if (token->sign == '?') {
			n_open++;
		} else if (token->sign == ':') {
			if (!n_open--)
				return i + 1;
		} else if (token->sign == ';' || token->sign == '}') {
			break;
		} else if (token->match != KINST_NONE && token->match > i) {
			i = token->match;
		}
	}
	return KINST_NONE;
}

/* try { } catch (…) { } …, i at `try`. */
static uint32_t try_end(const struct kinst_tokens *tokens, uint32_t i)
{
	uint32_t end = match_of(tokens, i + 1, '{');

	while (end != KINST_NONE && kinst_is_name(tokens, end + 1, "catch")) {
		end = match_of(tokens, end + 2, '(');
		if (end != KINST_NONE)
			end = match_of(tokens, end + 1, '{');
	}
	return end;
}

/* Behind what may stand before a statement (labels, attributes, the heads of loops), or i when nothing
 * does. */
static uint32_t after_prefix(const struct kinst_tokens *tokens, uint32_t i)
{
	uint32_t end;

	if (tokens->tokens[i].kind == KINST_PRAGMA) {
		struct directive d = directive_of(tokens, i);

		/* compilers pass these over, or refuse them as a statement */
		if (!strcmp(d.words, "error") || !strcmp(d.words, "nothing"))
			return i + 1;
		return d.openmp && stands_alone(&d) ? i : i + 1;
	}
	if (tokens->tokens[i].kind == KINST_DIRECTIVE || kinst_is_name(tokens, i, "__extension__"))
		return i + 1;
	if (kinst_is_sign(tokens, i, '[') && kinst_is_sign(tokens, i + 1, '['))
		end = tokens->tokens[i].match;
	else if (kinst_is_name(tokens, i, "__attribute__") || kinst_is_name(tokens, i, "__attribute") ||
		 kinst_is_name(tokens, i, "while") || kinst_is_name(tokens, i, "switch"))
		end = match_of(tokens, i + 1, '(');
	else if (kinst_is_name(tokens, i, "for"))
		end = match_of(tokens, i + 1 + (kinst_is_name(tokens, i + 1, "co_await")), '(');
	else if (kinst_is_name(tokens, i, "case"))
		return after_case(tokens, i + 1);
	else if (tokens->tokens[i].kind == KINST_NAME && kinst_is_sign(tokens, i + 1, ':'))
		return i + 2;                   /* a label, `default` among them */
	else
		return i;
	return end == KINST_NONE ? KINST_NONE : end + 1;
}

/* Behind `if (…)`, i at the `if`. */
static uint32_t after_condition(const struct kinst_tokens *tokens, uint32_t i)
{
	uint32_t end;

	while (kinst_is_name(tokens, ++i, "constexpr") || kinst_is_name(tokens, i, "consteval") ||
	       kinst_is_sign(tokens, i, '!'))
		;
	if (!kinst_is_sign(tokens, i, '('))
		return i;                       /* if consteval { … } */
	end = tokens->tokens[i].match;
	return end == KINST_NONE ? KINST_NONE : end + 1;
}

/* The end of `do statement while (…);`, whose statement ends at `end`. */
static uint32_t do_end(const struct kinst_tokens *tokens, uint32_t end)
{
	if (!kinst_is_name(tokens, end + 1, "while"))
		return KINST_NONE;
	end = match_of(tokens, end + 2, '(');
	return end != KINST_NONE && kinst_is_sign(tokens, end + 1, ';') ? end + 1 : KINST_NONE;
}

/* A statement ended at *end: so do the ifs and dos around it, up to an if that goes on with `else`.  Returns
 * where reading continues, or KINST_NONE when all is read. */
static uint32_t close_open(const struct kinst_tokens *tokens, struct kinst_text *open, uint32_t *end)
{
	while (*end != KINST_NONE && open->length) {
		if (open->data[--open->length] == 'd')
			*end = do_end(tokens, *end);
		else if (kinst_is_name(tokens, *end + 1, "else"))
			return *end + 2;
	}
	return KINST_NONE;
}

/* A recursive descent without the recursion: `open` holds the ifs ('i') and dos ('d') whose statement is
 * being read, so that ten thousand of them one in another cost no stack. */
uint32_t kinst_braces_statement(const struct kinst_tokens *tokens, uint32_t i)
{
	struct kinst_text open = { 0 };
	uint32_t end = KINST_NONE;

	while (i < tokens->n_tokens) {
		uint32_t next = after_prefix(tokens, i);

		if (next != i) {
			i = next;
			continue;
		}
		if (kinst_is_name(tokens, i, "do")) {
			kinst_text_puts(&open, "d");
			i++;
			continue;
		}
		if (kinst_is_name(tokens, i, "if")) {
			kinst_text_puts(&open, "i");
			i = after_condition(tokens, i);
			continue;
		}
		if (tokens->tokens[i].kind == KINST_PRAGMA)
			end = i;
		else if (kinst_is_sign(tokens, i, '{'))
			end = tokens->tokens[i].match;
		else if (kinst_is_name(tokens, i, "try"))
			end = try_end(tokens, i);
		else
			end = kinst_braces_semicolon(tokens, i);
		i = close_open(tokens, &open, &end);
		if (i == KINST_NONE)
			break;
		end = KINST_NONE;
	}
	kinst_text_free(&open);
	return end;
}

int kinst_braces_is_head(const struct kinst_tokens *tokens, uint32_t i)
{
	if (kinst_is_name(tokens, i, "else") || kinst_is_name(tokens, i, "do"))
		return 1;
	if (!kinst_is_sign(tokens, i, ')') || tokens->tokens[i].match == KINST_NONE ||
	    !tokens->tokens[i].match)
		return 0;
	i = tokens->tokens[i].match - 1;
	if ((kinst_is_name(tokens, i, "constexpr") || kinst_is_name(tokens, i, "co_await")) && i)
		i--;
	return kinst_is_name(tokens, i, "if") || kinst_is_name(tokens, i, "for") ||
	       kinst_is_name(tokens, i, "while") || kinst_is_name(tokens, i, "switch");
}

/* Is the pragma the statement of an if, else, do or loop that has no braces? */
static int is_bare_body(const struct kinst_tokens *tokens, uint32_t pragma)
{
	return pragma && kinst_braces_is_head(tokens, pragma - 1);
}

enum kinst_bond kinst_braces_bond(const struct kinst_tokens *tokens, uint32_t pragma)
{
	static const char *const loops[] = { "unroll", "nounroll", "ivdep", "novector", "loop", "acc" };
	const struct kinst_token *token = tokens->tokens + pragma;
	struct directive d = directive_of(tokens, pragma);
	const char *p = tokens->text + token->at + 1, *end = p + token->length - 1;
	size_t n;

	if (d.pomp)
		return KINST_FREE;
	if (d.openmp && stands_alone(&d))
		return KINST_FREE;
	if (d.openmp)
		return strstr(d.words, "sections") ? KINST_SECTIONS : KINST_CONSTRUCT;
	for (int i = 0; i < 3 && (n = next_word(&p, end)); i++, p += n)
		for (size_t k = 0; i && k < sizeof(loops) / sizeof(*loops); k++)
			if (word_is(p, n, loops[k]))
				return KINST_BOUND;
	return KINST_FREE;
}

/* Loops: from `for (…)` over all loops that follow directly, as collapse() wants no brace between them. */
static uint32_t loop_body(const struct kinst_tokens *tokens, uint32_t i)
{
	while (kinst_is_name(tokens, i, "for")) {
		uint32_t end = match_of(tokens, i + 1, '(');

		if (end == KINST_NONE)
			return KINST_NONE;
		i = end + 1;
	}
	return i;
}

/* Fill in the tokens of a site; 0 when its statement cannot be made out. */
static int find_block(const struct kinst_tokens *tokens, struct kinst_site *site)
{
	uint32_t i = site->pragma + 1;

	site->head = i;
	site->first = site->last = site->pragma;
	site->wrap_last = KINST_NONE;
	if (site->kind == KINST_ALONE && is_bare_body(tokens, site->pragma)) {
		site->wrap_last = kinst_braces_statement(tokens, i);
		return site->wrap_last != KINST_NONE;
	}
	if (site->kind == KINST_ALONE)
		return 1;
	if (site->kind == KINST_LOOP) {
		if (!kinst_is_name(tokens, i, "for"))
			return 0;
		i = loop_body(tokens, i);
	}
	if (i >= tokens->n_tokens)
		return 0;
	site->first = i;
	site->last = kinst_braces_statement(tokens, i);
	site->braced = kinst_is_sign(tokens, i, '{');
	return site->last != KINST_NONE;
}

void kinst_braces_find(const struct kinst_tokens *tokens, const struct kinst_scope *scope,
		       struct kinst_sites *sites)
{
	size_t room = 0;

	*sites = (struct kinst_sites){ 0 };
	for (uint32_t i = 0; i < tokens->n_tokens; i++) {
		struct kinst_site site = { .pragma = i };
		struct directive d;

		if (tokens->tokens[i].kind != KINST_PRAGMA)
			continue;
		d = directive_of(tokens, i);
		if (!d.pomp && !(d.openmp && scope->openmp))
			continue;
		if (!site_kind(&d, &site.kind) || !find_block(tokens, &site))
			continue;
		if (sites->n_sites == room) {
			room = room * 2 + 32;
			sites->sites = kinst_realloc(sites->sites, room * sizeof(*sites->sites));
		}
		sites->sites[sites->n_sites++] = site;
	}
}

void kinst_braces_free(struct kinst_sites *sites)
{
	free(sites->sites);
	*sites = (struct kinst_sites){ 0 };
}
