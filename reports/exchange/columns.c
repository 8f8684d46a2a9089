/*
 * Columns: see columns.h.
 */
#include "reports/exchange/columns.h"

#include <errno.h>
#include <string.h>

#include "reports/analysis/classes.h"
#include "reports/analysis/efficiency.h"
#include "reports/analysis/sample_stats.h"
#include "reports/analysis/untimed.h"
#include "reports/bounds/roofline.h"
#include "reports/exchange/flat.h"
#include "reports/profile/number.h"
#include "reports/profile/record.h"
#include "runtime/base/array.h"
#include "runtime/base/histogram.h"

/* ---- words ---- */

static const char *name_in(const char *const *names, size_t n, uint32_t number)
{
	return number < n && names[number] ? names[number] : "unknown";
}

#define WORDS(function, ...) \
	static const char *function(uint32_t number) \
	{ \
		static const char *const names[] = { __VA_ARGS__ }; \
		return name_in(names, OMPP_COUNT_OF(names), number); \
	}

WORDS(origin_word, [OMPP_ORIGIN_NONE] = "none", [OMPP_ORIGIN_PRAGMA] = "pragma", [OMPP_ORIGIN_CALL] = "call",
      [OMPP_ORIGIN_ADDRESS] = "address", [OMPP_ORIGIN_SYMBOL] = "symbol", [OMPP_ORIGIN_HEAP] = "heap",
      [OMPP_ORIGIN_FILE] = "file")
WORDS(parts_word, [OMPP_PARTS_OVERLAP] = "overlap", [OMPP_PARTS_WRITTEN] = "written", [OMPP_PARTS_OWN] = "own",
      [OMPP_PARTS_ONE] = "one")
WORDS(pattern_word, [OMPP_PATTERN_FALSE_SHARING] = "false sharing", [OMPP_PATTERN_STRIDE] = "stride",
      [OMPP_PATTERN_FOREIGN] = "first written by another thread",
      [OMPP_PATTERN_READERS] = "read beside what another thread writes")
WORDS(scope_word, [OMPP_PAGED_RUN] = "run", [OMPP_PAGED_REGION] = "region")
WORDS(kind_word, [OMPP_MEM_LOADS] = "loads", [OMPP_MEM_STORES] = "stores")

static const char *level_word(uint32_t level)
{
	return level < OMPP_MEM_N_LEVELS && level != OMPP_MEM_LEVEL_UNKNOWN ? ompp_sample_stats_level_name(level)
	                                                                    : "unknown";
}

static const char *construct_word(uint32_t construct)
{
	return ompp_construct_name((enum ompp_construct)construct);
}

static const char *certainty_word(uint32_t certainty)
{
	return ompp_certainty_name((enum ompp_certainty)certainty);
}

/* Returns the name of an enumerated number; NULL for a type without names. */
static const char *word_of(enum ompp_column_type type, uint32_t number)
{
	switch (type) {
	case OMPP_COLUMN_CONSTRUCT:
		return construct_word(number);
	case OMPP_COLUMN_ORIGIN:
		return origin_word(number);
	case OMPP_COLUMN_PARTS:
		return parts_word(number);
	case OMPP_COLUMN_PATTERN:
		return pattern_word(number);
	case OMPP_COLUMN_SCOPE:
		return scope_word(number);
	case OMPP_COLUMN_KIND:
		return kind_word(number);
	case OMPP_COLUMN_LEVEL:
		return level_word(number);
	case OMPP_COLUMN_CERTAINTY:
		return certainty_word(number);
	default:
		return NULL;
	}
}

/* ---- the columns of each table, in a function, where `record` is the struct of a row ---- */

#define FORM(f) (1u << OMPP_FORM_##f)
enum {
	TEAMS = FORM(TEAM) | FORM(TEAM_SECTIONS),
	BODIES = FORM(SINGLE) | FORM(SECTIONS) | FORM(TEAM_SECTIONS),
	ENTERED = FORM(CRITICAL) | FORM(LOCK),
	BARRIERS = FORM(LOOP) | FORM(SINGLE) | FORM(SECTIONS) | TEAMS,
	HAVE_BODY = ENTERED | BARRIERS,
	MANAGED = FORM(SINGLE) | FORM(SECTIONS),
	TARGETS = FORM(TARGET),
	MESSAGES = FORM(MESSAGE),
	RUN_TASKS = FORM(TASKS) | FORM(WAIT) | BARRIERS
};

/* What the profile has no array for. */
struct path {
	uint32_t parent, region;
	const char *construct;
	int64_t wall_ns, exclusive_ns, wall_error_ns, exclusive_error_ns;
};

struct of_cell {
	uint32_t path;
};

#define EXACT    "exact"
#define MEASURED "measured"
#define SAMPLED  "sampled"
#define SCALED   "scaled"
#define MODELLED "modelled"
#define BY_ROW   ""

/* clang-format off */
#define BEGIN(name, s) static struct ompp_data_columns name(void) { typedef struct s record __attribute__((unused)); static const struct ompp_data_column list[] = {
#define COLUMN(type, member, name, unit, sure, gate, forms, sentence) \
	{ name, OMPP_COLUMN_##type, offsetof(record, member), gate, 0, forms, unit, sure, sentence },
#define FINISH { .name = NULL } }; return (struct ompp_data_columns){ list, OMPP_COUNT_OF(list) - 1 }; }

#define FIELD(type, member, name, unit, sure, bound, join, sentence) COLUMN(type, member, name, unit, sure, 0, 0, sentence)
#define GATED(text, type, member, name, unit, sure, bound, join, sentence) \
	COLUMN(type, member, name, unit, sure, offsetof(record, text), 0, sentence)
#define HIDDEN(...)
#define MEMBER(...)
#define ALSO(type, member, name, unit, sure, sentence) COLUMN(type, member, name, unit, sure, 0, 0, sentence)
BEGIN(columns_of_HEAD, ompp_profile)
#include "reports/profile/head.def"
FINISH

#define TABLE(name, s, sentence) BEGIN(columns_of_##name, s)
#define FIRST(name, s) BEGIN(columns_of_##name, s)
#define END(id) FINISH
#include "reports/exchange/derived.def"

#define SECTION(id, tag, s, list, n_list, table, sentence) BEGIN(columns_of_##id, s)
#define FORMED(forms, type, member, name, unit, sure, bound, join, sentence) \
	COLUMN(type, member, name, unit, sure, 0, forms, sentence)
#define FORMED_BESIDE(forms, other, type, member, name, unit, sure, bound, join, sentence) \
	{ name, OMPP_COLUMN_##type, offsetof(record, member), 0, offsetof(record, other), forms, unit, sure, sentence },
#define ALSO(type, member, name, unit, sure, sentence) COLUMN(type, member, name, unit, sure, 0, 0, sentence)
#define END(id) FINISH
#include "reports/profile/fields.def"
#undef GATED

#define TABLE(id, s, what)                                                                                        \
	static struct ompp_data_table table_##id(void)                                                            \
	{                                                                                                         \
		return (struct ompp_data_table){ .name = #id, .sentence = what, .first = columns_of_##id() };     \
	}
#define FIRST(...)
#define ALSO(...)
#define END(name)
#include "reports/exchange/derived.def"

/* The tables of the sections: their names, what they are, and their columns. */
static const struct {
	const char *name, *sentence;
	struct ompp_data_columns (*columns)(void);
} sections[OMPP_N_SECTIONS] = {
#define SECTION(id, tag, s, list, n_list, table, sentence) [OMPP_SECTION_##id] = { table, sentence, columns_of_##id },
#include "reports/profile/fields.def"
};
/* clang-format on */

const struct ompp_data_column *ompp_data_column(const struct ompp_data_table *t, size_t i)
{
	if (i < t->first.n)
		return &t->first.list[i];
	return i - t->first.n < t->columns.n ? &t->columns.list[i - t->first.n] : NULL;
}

/* ---- values ---- */

static struct ompp_data_value missing_value(void)
{
	return (struct ompp_data_value){ .kind = OMPP_DATA_MISSING };
}

static struct ompp_data_value unsigned_value(uint64_t n)
{
	return (struct ompp_data_value){ .kind = OMPP_DATA_NUMBER, .number = n };
}

static struct ompp_data_value signed_value(int64_t n)
{
	return n == OMPP_MISSING ? missing_value()
	                         : (struct ompp_data_value){ .kind = OMPP_DATA_NUMBER,
		                                             .is_negative = n < 0,
		                                             .number = n < 0 ? -(uint64_t)n : (uint64_t)n };
}

static struct ompp_data_value text_value(const char *text)
{
	return (struct ompp_data_value){ .kind = OMPP_DATA_TEXT, .text = text };
}

/* Returns what stands in 32 bits. */
static struct ompp_data_value value_of_32(enum ompp_column_type type, uint32_t n)
{
	switch (type) {
	case OMPP_COLUMN_KNOWN32:
		return n ? unsigned_value(n) : missing_value();
	case OMPP_COLUMN_INDEX:
		return n != OMPP_NONE ? unsigned_value(n) : missing_value();
	case OMPP_COLUMN_LEAST:
		return unsigned_value(ompp_histogram_least(n));
	case OMPP_COLUMN_MOST:
		return unsigned_value(n + 1 < OMPP_HISTOGRAM_BUCKETS ? ompp_histogram_least(n + 1) - 1 : UINT32_MAX);
	case OMPP_COLUMN_FLAG:
		return (struct ompp_data_value){ .kind = OMPP_DATA_FLAG, .number = n };
	case OMPP_COLUMN_INT:
		return signed_value((int32_t)n);
	case OMPP_COLUMN_RANK:
		return (int32_t)n < 0 ? missing_value() : unsigned_value(n);
	case OMPP_COLUMN_KNOWN_INT:
		return (int32_t)n <= 0 ? missing_value() : unsigned_value(n);
	default:
		return word_of(type, n) ? text_value(word_of(type, n)) : unsigned_value(n);
	}
}

/* Returns what stands in 64 bits. */
static struct ompp_data_value value_of_64(enum ompp_column_type type, int64_t n)
{
	struct ompp_data_value v = signed_value(n);

	switch (type) {
	case OMPP_COLUMN_U64:
		return unsigned_value((uint64_t)n);
	case OMPP_COLUMN_KNOWN64:
		return n ? unsigned_value((uint64_t)n) : missing_value();
	case OMPP_COLUMN_MILLI:
		v.n_digits = 3;
		return v;
	case OMPP_COLUMN_SHARE:
		v.n_digits = 9;
		return v;
	case OMPP_COLUMN_ERROR:
		return n < 0 ? missing_value() : unsigned_value(ompp_root((unsigned __int128)n));
	default:
		return v;
	}
}

/* Is it a 0 that stands for a number that is not known? */
static int is_unknown(const struct ompp_data_column *c, const char *at)
{
	int64_t value, beside;

	if (!c->beside)
		return 0;
	memcpy(&value, at + c->offset, sizeof(value));
	memcpy(&beside, at + c->beside, sizeof(beside));
	return !value && beside == OMPP_MISSING;
}

/* Does the row have a value in this column: its construct has the column, and its gate is not empty? */
static int is_given(const struct ompp_data_table *t, const struct ompp_data_column *c, const char *at, size_t row)
{
	const char *gate = "";

	if (is_unknown(c, at))
		return 0;
	if (c->gate)
		memcpy(&gate, at + c->gate, sizeof(gate));
	return (!c->gate || gate[0]) && (!c->forms || (c->forms >> ompp_constructs[t->constructs[row]].form & 1));
}

struct ompp_data_value ompp_data_value(const struct ompp_data_table *t, const struct ompp_data_column *c, size_t row)
{
	int is_first = t->first.n && c >= t->first.list && c < t->first.list + t->first.n;
	const char *at = is_first ? (const char *)t->second + row * t->second_bytes
	                          : (const char *)t->rows + row * t->row_bytes;
	const char *text;
	uint32_t n32;
	int64_t n64;

	if (!is_given(t, c, at, row))
		return missing_value();
	switch (c->type) {
	case OMPP_COLUMN_TEXT:
	case OMPP_COLUMN_KNOWN_TEXT:
		memcpy(&text, at + c->offset, sizeof(text));
		return c->type == OMPP_COLUMN_TEXT || text[0] ? text_value(text) : missing_value();
	case OMPP_COLUMN_U64:
	case OMPP_COLUMN_KNOWN64:
	case OMPP_COLUMN_I64:
	case OMPP_COLUMN_MILLI:
	case OMPP_COLUMN_SHARE:
	case OMPP_COLUMN_ERROR:
		memcpy(&n64, at + c->offset, sizeof(n64));
		return value_of_64(c->type, n64);
	default:
		memcpy(&n32, at + c->offset, sizeof(n32));
		return value_of_32(c->type, n32);
	}
}

/* ---- tables ---- */

static struct path *make_paths(const struct ompp_analysis *a)
{
	const struct ompp_profile *p = a->profile;
	struct path *list = ompp_analysis_array(a, p->n_nodes + 1, sizeof(*list), 0);

	for (uint32_t i = 0; list && i < p->n_nodes; i++)
		list[i] = (struct path){ p->nodes[i].parent,
			                 p->nodes[i].region,
			                 i ? ompp_construct_name(p->nodes[i].construct) : "",
			                 a->wall_ns[i],
			                 ompp_analysis_exclusive_ns(a, i),
			                 ompp_untimed_wall_error_ns(a, i),
			                 ompp_untimed_exclusive_error_ns(a, i) };
	return list;
}

/* Gets the path and the construct of each cell. */
static int find_paths(const struct ompp_analysis *a, struct of_cell **of, uint8_t **constructs)
{
	const struct ompp_profile *p = a->profile;

	*of = ompp_analysis_array(a, p->n_cells + 1, sizeof(**of), 0);
	*constructs = ompp_analysis_array(a, p->n_cells + 1, 1, 0);
	if (!*of || !*constructs)
		return -ENOMEM;
	for (uint32_t i = 0; i < p->n_nodes; i++)
		for (uint32_t k = 0; k < p->nodes[i].n_cells; k++) {
			(*of)[p->nodes[i].first_cell + k].path = i;
			(*constructs)[p->nodes[i].first_cell + k] = i ? (uint8_t)p->nodes[i].construct
			                                              : (uint8_t)OMPP_USER_REGION;
		}
	return 0;
}

static struct ompp_data_table section_table(const struct ompp_profile *p, enum ompp_section section)
{
	struct ompp_data_table t = { .name = sections[section].name,
		                     .sentence = sections[section].sentence,
		                     .columns = sections[section].columns() };

	if (!p)
		return t;
	t.n_rows = ompp_records(section, p, &t.rows);
	t.row_bytes = ompp_schemas[section].record_bytes;
	return t;
}

static int add_paths(struct ompp_data_table *t, const struct ompp_analysis *a)
{
	t->second = make_paths(a);
	t->second_bytes = sizeof(struct path);
	t->n_rows = a->profile->n_nodes;
	return t->second ? 0 : -ENOMEM;
}

/* Adds the values of cells that are columns of the table but not members of the record. */
static int add_to_cells(struct ompp_data_table *t, const struct ompp_analysis *a)
{
	struct of_cell *of;
	uint8_t *constructs;
	int rc = find_paths(a, &of, &constructs);

	t->second = of;
	t->second_bytes = sizeof(*of);
	t->constructs = constructs;
	return rc;
}

static int add_flat(struct ompp_data_table *t, const struct ompp_analysis *a)
{
	struct ompp_flat flat;
	uint8_t *constructs;

	if (ompp_flat(a, &flat))
		return -ENOMEM;
	constructs = ompp_analysis_array(a, flat.n + 1, 1, 0);
	if (!constructs)
		return -ENOMEM;
	for (size_t i = 0; i < flat.n; i++)
		constructs[i] = (uint8_t)flat.lines[i].construct;
	t->second = flat.lines;
	t->rows = flat.n ? &flat.lines->cell : NULL;
	t->second_bytes = t->row_bytes = sizeof(*flat.lines);
	t->n_rows = flat.n;
	t->constructs = constructs;
	return 0;
}

static int add_parallel(struct ompp_data_table *t, const struct ompp_analysis *a)
{
	struct ompp_classes *classes = ompp_analysis_array(a, 1, sizeof(*classes), 0);

	if (!classes || ompp_classes(a, classes))
		return -ENOMEM;
	t->second = classes->list;
	t->second_bytes = sizeof(*classes->list);
	t->n_rows = classes->n;
	return 0;
}

static int add_efficiency(struct ompp_data_table *t, const struct ompp_analysis *a)
{
	const struct ompp_efficiencies *all = ompp_efficiencies(a);

	if (!all)
		return -ENOMEM;
	t->second = all->list;
	t->second_bytes = sizeof(*all->list);
	t->n_rows = all->n;
	return 0;
}

static int add_roofline(struct ompp_data_table *t, const struct ompp_analysis *a)
{
	const struct ompp_roofline *r = ompp_roofline_is_there(a->profile) ? ompp_roofline(a) : NULL;

	if (!ompp_roofline_is_there(a->profile))
		return 0;
	t->second = r ? r->lines : NULL;
	t->second_bytes = r ? sizeof(*r->lines) : 0;
	t->n_rows = r ? r->n : 0;
	return r ? 0 : -ENOMEM;
}

struct ompp_data_table ompp_data_head(const struct ompp_profile *p)
{
	return (struct ompp_data_table){ .name = "run",
		                         .sentence = "what ran, when, how long",
		                         .columns = columns_of_HEAD(),
		                         .n_rows = p ? 1 : 0,
		                         .rows = p,
		                         .row_bytes = sizeof(*p) };
}

/* Fills in the tables of time: paths, their cells, and what these add up to.  Returns their number, or -ENOMEM. */
static int put_times(const struct ompp_analysis *a, struct ompp_data_table *t)
{
	int rc;

	t[0] = table_paths();
	t[1] = section_table(a ? a->profile : NULL, OMPP_SECTION_CELLS);
	t[1].first = columns_of_cells();
	t[2] = table_flat();
	t[2].columns = columns_of_CELLS();
	t[3] = table_parallel();
	t[4] = table_efficiency();
	t[5] = table_roofline();
	if (!a)
		return 6;
	rc = add_paths(&t[0], a);
	if (!rc)
		rc = add_to_cells(&t[1], a);
	if (!rc)
		rc = add_flat(&t[2], a);
	if (!rc)
		rc = add_parallel(&t[3], a);
	if (!rc)
		rc = add_efficiency(&t[4], a);
	if (!rc)
		rc = add_roofline(&t[5], a);
	return rc ? rc : 6;
}

int ompp_data_tables(const struct ompp_analysis *a, struct ompp_data_table tables[OMPP_MAX_DATA_TABLES])
{
	int n = 0;

	for (int i = OMPP_SECTION_HEAD + 1; i < OMPP_SECTION_VALUES; i++) {
		int more = 0;

		if (i == OMPP_SECTION_CELLS)
			more = put_times(a, &tables[n]);
		else if (sections[i].name[0])
			tables[n + more++] = section_table(a ? a->profile : NULL, i);
		if (more < 0)
			return more;
		n += more;
	}
	return n;
}
