/*
 * Look: see look.h.
 */
#include "reports/writers/look.h"

#include <string.h>

#include "reports/writers/decimal.h"
#include "runtime/base/array.h"
#include "runtime/base/clean.h"
#include "runtime/base/text.h"

/* Returns how many decimals a column of times has: three significant digits of its smallest time, but no wider than
 * seven columns for its largest (below 10 ms wider); at least two, at most nine. */
static unsigned int look_decimals(int64_t min_ns, int64_t max_ns)
{
	unsigned int most = 2, wanted = 2;

	for (int64_t bound = 1000000000000; most < 9 && max_ns < bound; bound /= 10)
		most += bound != 1000000000 && bound != 100000000; /* 0.01 s to 10 s: five */
	for (int64_t bound = 1000000000; wanted < most && min_ns < bound; bound /= 10)
		wanted++;
	return wanted;
}

const char *ompp_look_clean(const char *s, int keep_lines, struct ompp_arena *arena)
{
	const char *copy = ompp_clean_copy(s, keep_lines, arena);

	return copy ? copy : "(not enough memory)";
}

struct ompp_shown ompp_look_text(const char *s)
{
	return (struct ompp_shown){ s, strlen(s), ompp_text_columns(s) };
}

struct ompp_shown ompp_look_value(const struct ompp_value *v, unsigned int n_decimals, struct ompp_arena *arena,
                                  char buffer[OMPP_LOOK_BYTES])
{
	struct ompp_text t;

	ompp_text_init(&t, buffer, OMPP_LOOK_BYTES);
	switch (v->kind) {
	case OMPP_KIND_TEXT:
		return ompp_look_text(ompp_look_clean(v->text, 0, arena));
	case OMPP_KIND_NONE:
		ompp_text_char(&t, '-');
		break;
	case OMPP_KIND_COUNT:
		ompp_text_i64(&t, v->number);
		break;
	case OMPP_KIND_METRIC:
		ompp_text_grouped(&t, v->number);
		break;
	case OMPP_KIND_TIME:
		ompp_text_fixed(&t, v->number, 9, n_decimals);
		break;
	case OMPP_KIND_SHARE:
		ompp_text_fixed(&t, v->number, 7, v->number < 999950000 ? 2 : 1);
		ompp_text_pad_left(&t, 0, 5);
		memmove(buffer + 1, buffer, t.n_bytes + 1); /* at most 22 bytes */
		buffer[0] = '(';
		t.n_bytes++;
		ompp_text_str(&t, "%)");
		break;
	case OMPP_KIND_DECIMAL:
		ompp_decimal_short(&t, v->decimal);
		break;
	case OMPP_KIND_ROUNDED:
		ompp_decimal_plain(&t, v->decimal);
		break;
	case OMPP_KIND_RANGE:
		ompp_text_u64(&t, v->range.least);
		ompp_text_str(&t, v->range.most > v->range.least ? "-" : "");
		if (v->range.most > v->range.least)
			ompp_text_u64(&t, v->range.most);
		break;
	}
	return (struct ompp_shown){ buffer, t.n_bytes, t.n_bytes }; /* numbers are ASCII */
}

const char *ompp_look_title(const struct ompp_table *t, size_t c)
{
	const struct ompp_column *column = &t->columns[c];

	return ompp_look_clean(column->text_title ? column->text_title : column->title, 0, t->arena);
}

/* The smallest and the largest number of a kind in a column.  No number between them is wider than both of them. */
struct extremes {
	const struct ompp_value *least, *most;
};

static int has_extremes(enum ompp_kind kind)
{
	return kind == OMPP_KIND_COUNT || kind == OMPP_KIND_METRIC || kind == OMPP_KIND_TIME || kind == OMPP_KIND_SHARE;
}

static void look_widen(struct ompp_look *l, const struct ompp_value *v, struct ompp_arena *arena)
{
	char buffer[OMPP_LOOK_BYTES];
	size_t n = v ? ompp_look_value(v, l->n_decimals, arena, buffer).n_columns : 0;

	if (n > l->width)
		l->width = n;
}

struct ompp_look ompp_look(const struct ompp_table *t, size_t c, size_t n_rows)
{
	struct ompp_look l = { 2, ompp_text_columns(ompp_look_title(t, c)) };
	struct extremes extremes[OMPP_KIND_RANGE + 1] = { { NULL, NULL } };
	int64_t min_ns = INT64_MAX, max_ns = 0;

	for (size_t row = 0; row < n_rows; row++) {
		const struct ompp_value *v = &t->values[row * t->n_columns + c];
		struct extremes *e = &extremes[v->kind];
		int64_t ns = v->kind != OMPP_KIND_TIME ? 0 : v->number < 0 ? -v->number : v->number;

		if (ns > max_ns)
			max_ns = ns;
		if (ns && ns < min_ns)
			min_ns = ns;
		if (!has_extremes(v->kind)) {
			look_widen(&l, v, t->arena);
			continue;
		}
		if (!e->least || v->number < e->least->number)
			e->least = v;
		if (!e->most || v->number > e->most->number)
			e->most = v;
	}
	l.n_decimals = max_ns ? look_decimals(min_ns, max_ns) : 2;
	for (size_t k = 0; k < OMPP_COUNT_OF(extremes); k++) {
		look_widen(&l, extremes[k].least, t->arena);
		look_widen(&l, extremes[k].most, t->arena);
	}
	if (l.width < t->columns[c].min_width)
		l.width = t->columns[c].min_width;
	return l;
}

size_t ompp_look_line(const char *s, size_t width, int breaks_words)
{
	size_t i, n = 0, blank = 0;

	for (i = 0; s[i] && s[i] != '\n'; i++) {
		if (((unsigned char)s[i] & 0xc0) == 0x80)
			continue;
		if (s[i] == ' ')
			blank = i;
		if (++n > width && (blank || breaks_words))
			return blank ? blank : i;
	}
	return i;
}
