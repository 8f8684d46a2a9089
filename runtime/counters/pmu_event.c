/*
 * PMU event: encodes an event from its terms and the PMU's format, and finds the unit of its counts.  See pmu.h.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/base/array.h"
#include "runtime/base/nearest.h"
#include "runtime/base/text.h"
#include "runtime/counters/counter.h"
#include "runtime/counters/pmu.h"

enum { LINE_BYTES = 4096, NAME_BYTES = 128 };

static unsigned int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned int)(c - '0');
	return c >= 'a' && c <= 'f' ? (unsigned int)(c - 'a') + 10 : 16;
}

/* Reads the whole text as a number, which is hexadecimal when it begins with 0x.  Returns 0 or -EINVAL. */
static int pmu_event_number(const char *text, size_t n, uint64_t *value)
{
	unsigned int base = 10, digit;
	size_t i = 0;

	if (n > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X')) {
		base = 16;
		i = 2;
	}
	for (*value = 0; i < n; i++) {
		char c = ompp_text_lower(text[i]);

		digit = digit_of(c);
		if (digit >= base || *value > (UINT64_MAX - digit) / base)
			return -EINVAL;
		*value = *value * base + digit;
	}
	return n ? 0 : -EINVAL;
}

static uint64_t *word_of(struct ompp_event_code *code, const char *name, size_t n)
{
	if (n == 6 && !strncmp(name, "config", n))
		return &code->config;
	if (n == 7 && !strncmp(name, "config1", n))
		return &code->config1;
	return n == 7 && !strncmp(name, "config2", n) ? &code->config2 : NULL;
}

/* Puts a value into bits such as "config:0-7,32-35", the lowest bit first.  Returns 0, or -ERANGE when the value has
 * more bits than there are. */
static int pmu_event_deposit(const char *format, uint64_t value, struct ompp_event_code *code)
{
	size_t n = strcspn(format, ":");
	uint64_t *word = word_of(code, format, n);
	const char *p = format + n;

	if (!word)
		return -EINVAL;
	while (*p) {
		const char *end = p + 1;
		uint64_t from = ompp_text_digits(&end), to = from;

		if (*end == '-' && end++)
			to = ompp_text_digits(&end);
		if (from > to || to > 63 || end == p + 1)
			return -EINVAL;
		for (uint64_t bit = from; bit <= to; bit++, value >>= 1)
			*word = (*word & ~(1ULL << bit)) | (value & 1) << bit;
		p = end;
	}
	return value ? -ERANGE : 0;
}

static int bad_term(struct ompp_text *why, const struct ompp_pmu *pmu, const char *term, size_t n, const char *what)
{
	ompp_text_str(why, "'");
	ompp_text_strn(why, term, n);
	ompp_text_str(why, "' is ");
	ompp_text_str(why, what);
	ompp_text_str(why, " of the PMU ");
	ompp_text_str(why, pmu->name);
	ompp_text_str(why, "; see its folders events and format in ");
	ompp_text_str(why, ompp_pmu_root);
	return -EINVAL;
}

struct near {
	const char *term;
	size_t n_term;
	unsigned int best;
	char name[NAME_BYTES];
};

static int pmu_event_nearer(void *context, const char *name)
{
	struct near *near = context;
	unsigned int d = ompp_distance(near->term, near->n_term, name, strlen(name));

	if (d < near->best && strlen(name) < sizeof(near->name)) {
		near->best = d;
		strcpy(near->name, name);
	}
	return 0;
}

/* Writes an error for a word that is neither event nor field, with the nearest word that is one.  Returns -EINVAL. */
static int unknown_term(struct ompp_text *why, const struct ompp_pmu *pmu, const char *term, size_t n)
{
	struct near near = { .term = term, .n_term = n, .best = (unsigned int)n / 3 + 2 };

	ompp_pmu_events(pmu, pmu_event_nearer, &near);
	ompp_pmu_fields(pmu, pmu_event_nearer, &near);
	if (!near.name[0])
		return bad_term(why, pmu, term, n, "no event and no field");
	ompp_text_str(why, "'");
	ompp_text_strn(why, term, n);
	ompp_text_str(why, "' is no event and no field of the PMU ");
	ompp_text_str(why, pmu->name);
	ompp_text_str(why, "; did you mean ");
	ompp_text_str(why, near.name);
	ompp_text_char(why, '?');
	return -EINVAL;
}

static int pmu_event_encode(const struct ompp_pmu *pmu, const char *terms, size_t n_terms, int depth,
                            struct ompp_event_code *code, struct ompp_text *why);

/* Encodes one of the terms: field, field=value, config=value, or an event's name.  Returns 0, or -errno with why. */
static int encode_term(const struct ompp_pmu *pmu, const char *term, size_t n, int depth, struct ompp_event_code *code,
                       struct ompp_text *why)
{
	const char *equals = memchr(term, '=', n);
	size_t n_field = equals ? (size_t)(equals - term) : n;
	uint64_t value = 1, *word = word_of(code, term, n_field);
	char line[LINE_BYTES];
	int rc;

	if (equals && n == n_field + 2 && equals[1] == '?')
		return 0; /* the user has to fill in this value */
	if (equals && pmu_event_number(equals + 1, n - n_field - 1, &value))
		return bad_term(why, pmu, term, n, "without a number, as a field");
	if (word && equals) {
		*word = value;
		return 0;
	}
	if (n_field < NAME_BYTES && ompp_pmu_line(pmu, "format", term, n_field, line, sizeof(line)) > 0) {
		rc = pmu_event_deposit(line, value, code);
		if (rc == -ERANGE)
			return bad_term(why, pmu, term, n, "more than fits into the field");
		return rc ? bad_term(why, pmu, term, n, "an unreadable field") : 0;
	}
	if (!equals && !depth && n < NAME_BYTES && ompp_pmu_line(pmu, "events", term, n, line, sizeof(line)) > 0)
		return pmu_event_encode(pmu, line, strlen(line), depth + 1, code, why);
	return unknown_term(why, pmu, term, n_field);
}

static int pmu_event_encode(const struct ompp_pmu *pmu, const char *terms, size_t n_terms, int depth,
                            struct ompp_event_code *code, struct ompp_text *why)
{
	const char *end = terms + n_terms;
	int rc = 0;

	while (terms < end && !rc) {
		const char *comma = memchr(terms, ',', (size_t)(end - terms));
		size_t n = (size_t)((comma ? comma : end) - terms);

		rc = encode_term(pmu, terms, n, depth, code, why);
		terms += n + 1;
	}
	return rc;
}

int ompp_pmu_encode(const struct ompp_pmu *pmu, const char *terms, size_t n_terms, struct ompp_event_code *code,
                    struct ompp_text *why)
{
	memset(code, 0, sizeof(*code));
	code->type = pmu->type;
	code->factor = 1;
	return pmu_event_encode(pmu, terms, n_terms, 0, code, why);
}

/* Reads a number of decimal digits, of which at most 18 significant ones go to the mantissa, and its power of ten.
 * Returns the end of the number. */
static const char *pmu_event_decimal(const char *p, uint64_t *mantissa, int *exponent)
{
	int n_digits = 0, seen_point = 0;

	*mantissa = 0;
	*exponent = 0;
	for (; (*p >= '0' && *p <= '9') || (*p == '.' && !seen_point); p++) {
		if (*p == '.') {
			seen_point = 1;
			continue;
		}
		if (n_digits < 18) {
			*mantissa = *mantissa * 10 + (uint64_t)(*p - '0');
			n_digits += *mantissa != 0;
			*exponent -= seen_point;
		} else {
			*exponent += !seen_point;
		}
	}
	return p;
}

/* Adds the number after the 'e' to the exponent.  Returns the end of that number. */
static const char *ten_to(const char *p, int *exponent)
{
	int negative = *p == '-';
	uint64_t n;

	p += *p == '-' || *p == '+';
	n = ompp_text_digits(&p);
	n = n < 1000 ? n : 1000; /* far more than an exponent can be */
	*exponent += negative ? -(int)n : (int)n;
	return p;
}

int ompp_pmu_scale_parse(const char *text, uint64_t times, int32_t *mul, int32_t *shift)
{
	uint64_t mantissa;
	int exponent;
	const char *p = pmu_event_decimal(text, &mantissa, &exponent);
	unsigned __int128 value;

	if (p == text || !mantissa || !times)
		return -EINVAL;
	if (*p == 'e' || *p == 'E')
		p = ten_to(p + 1, &exponent);
	if (*p || exponent > 9 || exponent < -40 || times >> 32)
		return -EINVAL;
	value = (unsigned __int128)mantissa * times;
	for (; exponent > 0; exponent--)
		value *= 10;
	for (*shift = 0; exponent < 0; exponent++) {
		for (; !(value >> 120); (*shift)++)
			value <<= 1;
		value = value / 10 + (value % 10 >= 5);
	}
	for (; value >> 31; (*shift)--)
		value = (value >> 1) + ((value & 1) && (value >> 32) == 0);
	for (; value && !(value & 1); (*shift)--)
		value >>= 1;
	for (; *shift < 0 && !(value >> 30); (*shift)++)
		value <<= 1;
	*mul = (int32_t)value;
	return value && *shift >= 0 && *shift < 64 ? 0 : -EINVAL;
}

int ompp_pmu_scale(const struct ompp_pmu *pmu, const char *event, size_t n_event, int32_t *mul, int32_t *shift,
                   const char **unit)
{
	static const struct {
		const char *sysfs, *unit;
		uint32_t times;
	} units[] = {
		{ "MiB", "bytes", 1U << 20 }, { "KiB", "bytes", 1U << 10 }, { "Bytes", "bytes", 1 },
		{ "B", "bytes", 1 },          { "Joules", "uJ", 1000000 },  { "ns", "ns", 1 },
	};
	char file[160], line[64];
	struct ompp_text t;
	size_t i;

	ompp_text_init(&t, file, sizeof(file));
	ompp_text_strn(&t, event, n_event);
	ompp_text_str(&t, ".unit");
	if (ompp_pmu_line(pmu, "events", file, t.n_bytes, line, sizeof(line)) <= 0)
		return -ENOENT;
	for (i = 0; i < OMPP_COUNT_OF(units) && strcmp(units[i].sysfs, line); i++)
		;
	ompp_text_init(&t, file, sizeof(file));
	ompp_text_strn(&t, event, n_event);
	ompp_text_str(&t, ".scale");
	if (i == OMPP_COUNT_OF(units) || ompp_pmu_line(pmu, "events", file, t.n_bytes, line, sizeof(line)) <= 0)
		return -ENOENT;
	*unit = units[i].unit;
	return ompp_pmu_scale_parse(line, units[i].times, mul, shift) ? -ENOENT : 0;
}
