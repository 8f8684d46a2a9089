/*
 * Data, place: see data_place.h.  The file determines first what brackets mean, then where statements may stand, then
 * where variables are declared.  A mistake here makes a text that does not compile; then the original is compiled.
 */
#include "opari/data/data_place.h"

#include <stdlib.h>
#include <string.h>

#include "opari/read/braces.h"
#include "runtime/base/array.h"

static const char inside[] = "it stands inside of a statement; put it between statements";
static const char bound[] = "it stands between a directive and its statement; put it before the directive";

void kinst_data_places_init(struct kinst_data_places *places, const struct kinst_tokens *tokens, int cxx)
{
	uint32_t open = KINST_NONE;

	places->tokens = tokens;
	places->cxx = cxx;
	places->parents = kinst_alloc(tokens->n_tokens * sizeof(*places->parents));
	for (uint32_t i = 0; i < tokens->n_tokens; i++) {
		uint32_t match = tokens->tokens[i].match;

		if (match != KINST_NONE && match < i)
			open = places->parents[match];
		places->parents[i] = open;
		if (match != KINST_NONE && match > i)
			open = i;
	}
}

void kinst_data_places_fini(struct kinst_data_places *places)
{
	free(places->parents);
}

/* ---- what a brace opens ---- */

struct brace {
	enum { OF_SCOPE, OF_CODE, OF_OTHER } kind; /* a namespace; statements; a list or a class */
	uint32_t head;                             /* first token of its head, such as `if (x)` or a declarator */
	int is_lambda, is_switch;                  /* it is the body of one */
};

static int is_one_of(const struct kinst_tokens *tokens, uint32_t i, const char *const *names, size_t n)
{
	while (n--)
		if (kinst_is_name(tokens, i, names[n]))
			return 1;
	return 0;
}

#define IS_ONE_OF(tokens, i, names) is_one_of(tokens, i, names, OMPP_COUNT_OF(names))

/* Words that precede an operand: what follows is neither a declared name nor the bracket of a lambda. */
static const char *const verbs[] = { "return",  "goto",     "case",    "else",      "do",       "sizeof",   "throw",
	                             "new",     "delete",   "typedef", "co_return", "co_yield", "co_await", "operator",
	                             "default", "_Alignof", "alignof", "not",       "and",      "or" };

static const char *const classes[] = { "struct", "class", "union", "enum" };

static int is_marked(const struct kinst_tokens *tokens, uint32_t i)
{
	return tokens->tokens[i].kind == KINST_PRAGMA || tokens->tokens[i].kind == KINST_DIRECTIVE;
}

static uint32_t head_of(const struct kinst_data_places *places, uint32_t brace)
{
	const struct kinst_tokens *tokens = places->tokens;
	uint32_t floor = places->parents[brace] == KINST_NONE ? 0 : places->parents[brace] + 1, i = brace;

	while (i > floor) {
		uint32_t match = tokens->tokens[i - 1].match;

		if (is_marked(tokens, i - 1) || kinst_is_sign(tokens, i - 1, ';') ||
		    kinst_is_sign(tokens, i - 1, '}') || kinst_is_sign(tokens, i - 1, '{'))
			break;
		i = match != KINST_NONE && match < i - 1 && match >= floor ? match : i - 1;
	}
	return i;
}

/* What stands between the head's first token and the brace; brackets count as one token. */
struct header {
	int is_scope, is_class, has_parenthesis, has_lambda, has_assignment, is_switch;
};

static void look_at(const struct kinst_tokens *tokens, uint32_t head, uint32_t i, struct header *h)
{
	static const char *const specifiers[] = { "__attribute__", "__attribute", "alignas",
		                                  "_Alignas",      "decltype",    "__declspec" };
	static const char comparing[] = "=!<>+-*/%&|^";
	int in_list = i > head && (kinst_is_sign(tokens, i - 1, '<') || kinst_is_sign(tokens, i - 1, ','));

	h->is_scope |= kinst_is_name(tokens, i, "namespace");
	h->is_switch |= kinst_is_name(tokens, i, "switch");
	h->is_class |= !in_list && IS_ONE_OF(tokens, i, classes);
	if (kinst_is_sign(tokens, i, '('))
		h->has_parenthesis |= i == head || !IS_ONE_OF(tokens, i - 1, specifiers);
	else if (kinst_is_sign(tokens, i, '[') && !kinst_is_sign(tokens, i + 1, '['))
		h->has_lambda |= i == head || IS_ONE_OF(tokens, i - 1, verbs) ||
		                 (tokens->tokens[i - 1].kind == KINST_PUNCTUATOR &&
		                  !kinst_is_sign(tokens, i - 1, ')') && !kinst_is_sign(tokens, i - 1, ']'));
	else if (kinst_is_sign(tokens, i, '='))
		h->has_assignment |= i == head || !(kinst_is_name(tokens, i - 1, "operator") ||
		                                    (tokens->tokens[i - 1].kind == KINST_PUNCTUATOR &&
		                                     strchr(comparing, tokens->tokens[i - 1].sign)) ||
		                                    kinst_is_sign(tokens, i + 1, '='));
}

static struct header read_header(const struct kinst_tokens *tokens, uint32_t head, uint32_t brace)
{
	struct header h = { 0 };

	for (uint32_t i = head; i < brace; i++) {
		uint32_t match = tokens->tokens[i].match;

		look_at(tokens, head, i, &h);
		if (match != KINST_NONE && match > i)
			i = match;
	}
	return h;
}

/* Returns 1 when a `;` stands directly inside of the bracket. */
static int has_statement(const struct kinst_tokens *tokens, uint32_t bracket)
{
	uint32_t end = kinst_braces_semicolon(tokens, bracket + 1);

	return end != KINST_NONE && end < tokens->tokens[bracket].match;
}

/*
 * Returns 1 when the closing parenthesis before the brace ends the head of a statement or function, and no cast or
 * call.
 */
static int opens_body(const struct kinst_tokens *tokens, uint32_t head, uint32_t brace)
{
	uint32_t open = tokens->tokens[brace - 1].match;

	if (open == KINST_NONE || open <= head)
		return 0;
	for (uint32_t i = head; i < open; i++)
		if (kinst_is_name(tokens, i, "operator"))
			return 1;
	if (tokens->tokens[open - 1].kind == KINST_NAME)
		return !IS_ONE_OF(tokens, open - 1, verbs);
	return kinst_is_sign(tokens, open - 1, ']') || kinst_is_sign(tokens, open - 1, '>') ||
	       kinst_is_sign(tokens, open - 1, ')');
}

static int is_code(const struct kinst_data_places *places, uint32_t brace, uint32_t head, const struct header *h)
{
	const struct kinst_tokens *tokens = places->tokens;
	uint32_t last = brace - 1, parent = places->parents[brace];

	if (head == brace)
		return parent == KINST_NONE || kinst_is_sign(tokens, parent, '{') ||
		       (kinst_is_sign(tokens, parent, '(') && has_statement(tokens, brace));
	if (kinst_is_sign(tokens, last, ':') || IS_ONE_OF(tokens, last, ((const char *const[]){ "else", "do", "try" })))
		return 1;
	if (kinst_is_sign(tokens, last, '=') || kinst_is_sign(tokens, last, ',') || IS_ONE_OF(tokens, last, verbs))
		return 0;
	if (h->has_lambda)
		return 1;
	if (kinst_is_sign(tokens, last, ')'))
		return opens_body(tokens, head, brace);
	return h->has_parenthesis && !h->has_assignment;
}

static struct brace read_brace(const struct kinst_data_places *places, uint32_t i)
{
	const struct kinst_tokens *tokens = places->tokens;
	struct brace brace = { .head = head_of(places, i) };
	struct header h = read_header(tokens, brace.head, i);

	if (h.is_scope ||
	    (i > 1 && kinst_is_name(tokens, i - 2, "extern") && tokens->tokens[i - 1].kind == KINST_LITERAL))
		brace.kind = OF_SCOPE;
	else if (h.is_class && !h.has_parenthesis)
		brace.kind = OF_OTHER;
	else
		brace.kind = is_code(places, i, brace.head, &h) ? OF_CODE : OF_OTHER;
	brace.is_switch = h.is_switch;
	brace.is_lambda = h.has_lambda;
	return brace;
}

/* ---- where a statement may stand ---- */

/* The first token of the label that ends with the colon at i; KINST_NONE when it is another colon. */
static uint32_t label_start(const struct kinst_tokens *tokens, uint32_t i)
{
	static const char ends[] = ";{}:)";

	if (!i)
		return KINST_NONE;
	if (tokens->tokens[i - 1].kind == KINST_NAME &&
	    (i == 1 || is_marked(tokens, i - 2) || kinst_is_name(tokens, i - 2, "else") ||
	     kinst_is_name(tokens, i - 2, "do") ||
	     (tokens->tokens[i - 2].kind == KINST_PUNCTUATOR && tokens->tokens[i - 2].sign &&
	      strchr(ends, tokens->tokens[i - 2].sign))))
		return i - 1;
	while (i-- && !is_marked(tokens, i) && !kinst_is_sign(tokens, i, ';') && !kinst_is_sign(tokens, i, '}'))
		if (kinst_is_name(tokens, i, "case"))
			return i;
	return KINST_NONE;
}

/* Returns the first one of the adjacent pragmas. */
static uint32_t first_pragma(const struct kinst_tokens *tokens, uint32_t pragma)
{
	while (pragma && is_marked(tokens, pragma - 1))
		pragma--;
	return pragma;
}

static const char *find_statement(const struct kinst_data_places *places, uint32_t pragma, uint32_t before,
                                  struct kinst_data_place *place)
{
	const struct kinst_tokens *tokens = places->tokens;
	uint32_t i = before;

	while (kinst_is_sign(tokens, i, ':')) {
		i = label_start(tokens, i);
		if (i == KINST_NONE || !i--)
			return inside;
		place->kind = KINST_AT_STATEMENT;
	}
	if (kinst_is_sign(tokens, i, ';') || kinst_is_sign(tokens, i, '{') || kinst_is_sign(tokens, i, '}'))
		return NULL;
	if (is_marked(tokens, i))
		return kinst_braces_bond(tokens, i) == KINST_FREE ? NULL : bound;
	if (!kinst_braces_is_head(tokens, i))
		return inside;
	place->kind = KINST_AT_STATEMENT;
	place->head = i;
	place->last = kinst_braces_statement(tokens, pragma + 1);
	return place->last == KINST_NONE ? inside : NULL;
}

static const char *find_kind(const struct kinst_data_places *places, uint32_t pragma, struct kinst_data_place *place)
{
	const struct kinst_tokens *tokens = places->tokens;
	uint32_t parent = places->parents[pragma], first = first_pragma(tokens, pragma), next = pragma + 1;
	struct brace brace = { .kind = OF_SCOPE };

	if (parent != KINST_NONE) {
		if (!kinst_is_sign(tokens, parent, '{'))
			return inside;
		brace = read_brace(places, parent);
	}
	for (uint32_t i = first; i < pragma; i++)
		if (tokens->tokens[i].kind == KINST_PRAGMA && kinst_braces_bond(tokens, i) != KINST_FREE)
			return bound;
	while (next < tokens->n_tokens && is_marked(tokens, next))
		next++;
	if (brace.kind == OF_OTHER)
		return "it stands inside of a list or a class; put it between statements";
	if (kinst_is_name(tokens, next, "else") || kinst_is_name(tokens, next, "catch"))
		return inside;
	place->kind = brace.kind == OF_SCOPE ? KINST_AT_FILE : KINST_IN_BLOCK;
	if (brace.kind == OF_SCOPE)
		return !first || kinst_is_sign(tokens, first - 1, ';') || kinst_is_sign(tokens, first - 1, '{') ||
		                       kinst_is_sign(tokens, first - 1, '}')
		             ? NULL
		             : inside;
	if (brace.head && is_marked(tokens, brace.head - 1) &&
	    kinst_braces_bond(tokens, brace.head - 1) == KINST_SECTIONS)
		return "it stands between sections; put it into one, or before them";
	return find_statement(places, pragma, first - 1, place);
}

/* ---- where a variable is declared ---- */

enum storage { NOT_DECLARED, AUTOMATIC, NOT_AUTOMATIC };

/* A local variable: its block, and where the statement that declares it ends. */
struct local {
	enum storage storage;
	uint32_t block, end;
};

/* Returns 1 when token i is a name that the statement from `start` declares. */
static int is_declared(const struct kinst_tokens *tokens, uint32_t start, uint32_t i)
{
	const struct kinst_token *before = tokens->tokens + i - 1, *after = tokens->tokens + i + 1;

	if (i <= start || i + 1 >= tokens->n_tokens || tokens->tokens[start].kind != KINST_NAME)
		return 0;
	if (IS_ONE_OF(tokens, start, verbs) ||
	    !(kinst_is_name(tokens, i + 1, "__attribute__") ||
	      (after->kind == KINST_PUNCTUATOR && after->sign && strchr("[;=,{(", after->sign))))
		return 0;
	if (before->kind == KINST_NAME)
		return !IS_ONE_OF(tokens, i - 1, verbs);
	if (kinst_is_sign(tokens, i - 1, '}')) /* struct { … } x; */
		return IS_ONE_OF(tokens, start, classes);
	if (before->kind != KINST_PUNCTUATOR || !before->sign || !strchr(">,*&", before->sign))
		return 0;
	return tokens->tokens[start + 1].kind == KINST_NAME || kinst_is_sign(tokens, start + 1, '*') ||
	       kinst_is_sign(tokens, start + 1, '<') || kinst_is_sign(tokens, start + 1, KINST_SCOPE) || start + 1 == i;
}

/*
 * Finds out where the variable lives.
 *
 * whole: the directive names the variable itself, and not what it may point to
 */
static enum storage storage_of(const struct kinst_tokens *tokens, uint32_t start, uint32_t i, uint32_t end, int whole)
{
	static const char *const lasting[] = { "static",        "extern",   "thread_local",
		                               "_Thread_local", "__thread", "typedef" };
	static const char *const stack[] = { "alloca", "__builtin_alloca" };
	int points = kinst_is_sign(tokens, i - 1, '&') ||
	             (kinst_is_sign(tokens, i - 1, '*') && !(whole && kinst_is_sign(tokens, i + 1, '[')));

	for (uint32_t k = start; k < i; k++)
		if (IS_ONE_OF(tokens, k, lasting))
			return NOT_AUTOMATIC;
	for (uint32_t k = i; points && k < end; k++)
		if (IS_ONE_OF(tokens, k, stack))
			return AUTOMATIC;
	return points ? NOT_AUTOMATIC : AUTOMATIC;
}

static int same_name(const struct kinst_tokens *tokens, uint32_t i, struct kinst_span name)
{
	const struct kinst_token *token = tokens->tokens + i;

	return token->kind == KINST_NAME && token->length == name.n &&
	       !memcmp(tokens->text + token->at, name.p, name.n);
}

/* Returns 1 when the brace opens a block, and not a part of a declaration. */
static int is_block(const struct kinst_tokens *tokens, uint32_t start, uint32_t brace)
{
	return start == brace || kinst_is_sign(tokens, brace - 1, ')') ||
	       IS_ONE_OF(tokens, brace - 1, ((const char *const[]){ "else", "do", "try" }));
}

/* Finds the last declaration of the name directly in the block, before token `limit`. */
static struct local find_in_block(const struct kinst_tokens *tokens, uint32_t block, uint32_t limit,
                                  struct kinst_span name, int whole)
{
	struct local local = { .block = block };
	uint32_t start = block + 1;

	for (uint32_t i = block + 1; i < limit; i++) {
		uint32_t match = tokens->tokens[i].match, end;

		if (is_marked(tokens, i) || kinst_is_sign(tokens, i, ';') || kinst_is_sign(tokens, i, '}') ||
		    kinst_is_sign(tokens, i, ':')) {
			start = i + 1;
		} else if (match != KINST_NONE && match > i) {
			if (kinst_is_sign(tokens, i, '{') && is_block(tokens, start, i))
				start = match + 1;
			i = match;
		} else if (same_name(tokens, i, name) && is_declared(tokens, start, i)) {
			end = kinst_braces_semicolon(tokens, i);
			if (end == KINST_NONE || end >= limit)
				continue;
			local.storage = storage_of(tokens, start, i, end, whole);
			local.end = end;
		}
	}
	return local;
}

/* ---- where the holder stands ---- */

/*
 * Returns 1 when the block is inside of an OpenMP construct that stands directly in the bracket around it; *sections
 * tells whether that is one of sections.
 */
static int in_construct(const struct kinst_data_places *places, uint32_t block, int *sections)
{
	const struct kinst_tokens *tokens = places->tokens;
	uint32_t parent = places->parents[block];

	for (uint32_t i = block; i-- > (parent == KINST_NONE ? 0 : parent + 1);) {
		uint32_t match = tokens->tokens[i].match, end;
		enum kinst_bond bond;

		if (match != KINST_NONE && match < i) {
			i = match;
			continue;
		}
		if (tokens->tokens[i].kind != KINST_PRAGMA)
			continue;
		bond = kinst_braces_bond(tokens, i);
		if (bond != KINST_CONSTRUCT && bond != KINST_SECTIONS)
			continue;
		end = kinst_braces_statement(tokens, i + 1);
		*sections = bond == KINST_SECTIONS;
		if (end != KINST_NONE && end >= tokens->tokens[block].match)
			return 1;
	}
	return 0;
}

/*
 * Returns 1 when a `case` or `default` of a surrounding switch is between token `at` and token `end`, so that control
 * may bypass token `at`.
 */
static int has_case(const struct kinst_tokens *tokens, uint32_t at, uint32_t end)
{
	for (uint32_t i = at + 1; i < end; i++) {
		if (kinst_is_name(tokens, i, "switch") && kinst_is_sign(tokens, i + 1, '(')) {
			uint32_t last = kinst_braces_statement(tokens, i);

			i = last == KINST_NONE ? i : last;
		} else if (kinst_is_sign(tokens, i, '(') && tokens->tokens[i].match != KINST_NONE) {
			i = tokens->tokens[i].match; /* default: of _Generic */
		} else if (kinst_is_name(tokens, i, "case") ||
		           (kinst_is_name(tokens, i, "default") && kinst_is_sign(tokens, i + 1, ':'))) {
			return 1;
		}
	}
	return 0;
}

static int has_label(const struct kinst_tokens *tokens, uint32_t at, uint32_t end, struct kinst_span name)
{
	for (uint32_t i = at + 1; i < end; i++)
		if (same_name(tokens, i, name) && kinst_is_sign(tokens, i + 1, ':'))
			return 1;
	return 0;
}

/*
 * Returns 1 when a jump of the program could bypass token `at` into the rest of the block, where the holder would then
 * be uninitialised.
 *
 * from: where the function begins
 */
static int is_jumped_over(const struct kinst_data_places *places, uint32_t block, uint32_t at, uint32_t from)
{
	const struct kinst_tokens *tokens = places->tokens;
	uint32_t end = tokens->tokens[block].match;

	if (read_brace(places, block).is_switch || has_case(tokens, at, end))
		return 1;
	for (uint32_t i = from; i < at; i++) {
		const struct kinst_token *target = tokens->tokens + i + 1;

		if (!kinst_is_name(tokens, i, "goto"))
			continue;
		if (target->kind != KINST_NAME || /* goto *p */
		    has_label(tokens, at, end, (struct kinst_span){ tokens->text + target->at, target->length }))
			return 1;
	}
	return 0;
}

/* The blocks around a pragma, from the innermost to the body of the function. */
struct blocks {
	uint32_t construct; /* body of the innermost OpenMP construct that does not hold the variable, or KINST_NONE */
	int sections;
	uint32_t function;
};

/* Finds the declaration of a name, and the blocks between it and the pragma. */
static struct local find_local(const struct kinst_data_places *places, uint32_t pragma, struct kinst_span name,
                               int whole, struct blocks *blocks)
{
	const struct kinst_tokens *tokens = places->tokens;
	struct local local = { NOT_DECLARED, 0, 0 };
	uint32_t block = places->parents[pragma], limit = pragma;

	*blocks = (struct blocks){ .construct = KINST_NONE, .function = KINST_NONE };
	while (block != KINST_NONE && kinst_is_sign(tokens, block, '{')) {
		struct brace brace = read_brace(places, block);

		if (brace.kind != OF_CODE)
			break;
		blocks->function = block;
		if (!local.storage)
			local = find_in_block(tokens, block, limit, name, whole);
		if (!local.storage && blocks->construct == KINST_NONE && in_construct(places, block, &blocks->sections))
			blocks->construct = block;
		if (brace.is_lambda)
			break;
		limit = block;
		block = places->parents[block];
	}
	return local;
}

/* Returns the token behind which a holder stands at the start of a block; KINST_NONE when a switch jumps in. */
static uint32_t start_of(const struct kinst_data_places *places, uint32_t block, int sections)
{
	return sections || is_jumped_over(places, block, block, block) ? KINST_NONE : block;
}

/*
 * Returns where the holder of a local variable is declared: with the variable; if that is not possible, as far out as
 * only this thread executes; and in a construct that does not contain the variable, with the construct.
 */
static uint32_t holder_of(const struct kinst_data_places *places, const struct local *local,
                          const struct blocks *blocks)
{
	uint32_t block = local->block;
	int sections = 0;

	if (local->storage != AUTOMATIC)
		return KINST_NONE;
	if (blocks->construct != KINST_NONE)
		return start_of(places, blocks->construct, blocks->sections);
	if (!is_jumped_over(places, block, local->end, blocks->function))
		return local->end;
	while (block != blocks->function && !in_construct(places, block, &sections))
		block = places->parents[block];
	return start_of(places, block, sections);
}

/* Returns where the holder of the first name in `address` stands that the function declares. */
static uint32_t find_holder(const struct kinst_data_places *places, uint32_t pragma, struct kinst_span address)
{
	struct kinst_tokens words;
	struct local local = { NOT_DECLARED, 0, 0 };
	struct blocks blocks = { 0 };

	if (kinst_lexer_read(&words, address.p, address.n))
		return KINST_NONE;
	for (uint32_t i = 0; i < words.n_tokens && !local.storage; i++) {
		struct kinst_span name = { words.text + words.tokens[i].at, words.tokens[i].length };
		int whole = words.n_tokens == 1 || (words.n_tokens == 2 && kinst_is_sign(&words, 0, '&'));
		int is_member = (i && kinst_is_sign(&words, i - 1, '.')) ||
		                (i > 1 && kinst_is_sign(&words, i - 1, '>') && kinst_is_sign(&words, i - 2, '-'));

		if (words.tokens[i].kind == KINST_NAME && !is_member)
			local = find_local(places, pragma, name, whole, &blocks);
	}
	kinst_lexer_free(&words);
	return holder_of(places, &local, &blocks);
}

void kinst_data_place_find(const struct kinst_data_places *places, uint32_t pragma, struct kinst_span address,
                           struct kinst_data_place *place)
{
	*place = (struct kinst_data_place){ .head = KINST_NONE, .last = KINST_NONE, .holder = KINST_NONE };
	place->problem = find_kind(places, pragma, place);
	if (!place->problem && place->kind != KINST_AT_FILE && address.n)
		place->holder = find_holder(places, pragma, address);
}
