/*
 * Options: see option.h.
 */
#include "runtime/terms/option.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/nearest.h"
#include "runtime/base/text.h"
#include "runtime/terms/words.h"

enum { MOST_EDITS = 3 }; /* more is another word */

const struct ompp_option_info ompp_option_table[OMPP_N_OPTIONS] = {
#define OPTION(name, type, def, min, max, unit, doc) { #name, OMPP_TYPE_##type, def, min, max, unit, doc },
#include "env/options.def"
#undef OPTION
};

static int parse_bool(const char *s, int64_t *v)
{
	static const char *const yes[] = { "1", "on", "yes", "true", NULL }, *const no[] = { "0", "off", "no", "false",
		                                                                             NULL };
	int i;

	for (i = 0; yes[i]; i++) {
		if (ompp_text_same(s, strlen(s), yes[i], strlen(yes[i])))
			return *v = 1, 0;
		if (ompp_text_same(s, strlen(s), no[i], strlen(no[i])))
			return *v = 0, 0;
	}
	return -EINVAL;
}

/* Reads digits into *v.  Returns the rest of the string, or NULL when there are no digits or too many. */
static const char *option_digits(const char *s, int64_t *v)
{
	const char *start = s;

	for (*v = 0; *s >= '0' && *s <= '9'; s++) {
		if (*v > (INT64_MAX - 9) / 10)
			return NULL;
		*v = *v * 10 + (*s - '0');
	}
	return s == start ? NULL : s;
}

static int parse_size(const char *s, int64_t *v)
{
	static const char units[] = "KMGT";
	const char *u;
	int shift = 0;

	s = option_digits(s, v);
	if (!s)
		return -EINVAL;
	if (*s && (u = strchr(units, *s >= 'a' ? *s - 32 : *s))) {
		shift = 10 * (int)(u - units + 1);
		s++;
		if ((*s == 'i' || *s == 'I') && (s[1] == 'B' || s[1] == 'b'))
			s++;
	}
	if (*s == 'B' || *s == 'b')
		s++;
	if (*s)
		return -EINVAL;
	if (*v > INT64_MAX >> shift)
		return -ERANGE;
	*v <<= shift;
	return 0;
}

/* Reads a number with decimals and an optional unit, times 10^9. */
static int parse_decimal(const char *s, char unit, int64_t *v)
{
	int64_t whole = 0, scale = 1000000000;

	if (*s != '.') {
		s = option_digits(s, &whole);
		if (!s || whole > INT64_MAX / 2000000000)
			return -EINVAL;
	} else if (s[1] < '0' || s[1] > '9') {
		return -EINVAL;
	}
	*v = whole * scale;
	if (*s == '.')
		for (s++; *s >= '0' && *s <= '9'; s++) {
			scale /= 10;
			*v += (*s - '0') * scale;
		}
	if (*s == unit)
		s++;
	return *s ? -EINVAL : 0;
}

size_t ompp_list_next(const char **list, const char **item)
{
	const char *s = *list, *end;

	while (*s == ',' || *s == ' ')
		s++;
	*item = s;
	end = s + strcspn(s, ",");
	*list = end;
	while (end > s && end[-1] == ' ')
		end--;
	return (size_t)(end - s);
}

int ompp_list_has(const char *list, const char *word, size_t word_bytes)
{
	const char *item;
	size_t n;

	while ((n = ompp_list_next(&list, &item)))
		if (ompp_text_same(item, n, word, word_bytes))
			return 1;
	return 0;
}

/* Returns the place of a word among the choices, or -1 when it is none of them. */
static int option_choice(const char *choices, const char *word, size_t n_word)
{
	const char *item;
	size_t n;

	for (int i = 0; (n = ompp_list_next(&choices, &item)); i++)
		if (ompp_text_same(item, n, word, n_word))
			return i;
	return -1;
}

static int parse_choices(const struct ompp_option_info *info, const char *s, int64_t *last)
{
	const char *item;
	size_t n;

	*last = -1;
	while ((n = ompp_list_next(&s, &item))) {
		*last = option_choice(info->unit, item, n);
		if (*last < 0)
			break;
	}
	return *last < 0 ? -EINVAL : 0;
}

/* Where 0 and 1 are among the words, all others that mean the same are. */
static int parse_choice(const struct ompp_option_info *info, const char *s, int64_t *v)
{
	const char *item, *other;
	int64_t is_on;
	size_t n = ompp_list_next(&s, &item);

	if (ompp_list_next(&s, &other))
		return -E2BIG;
	*v = option_choice(info->unit, item, n);
	if (*v < 0 && !parse_bool(item, &is_on))
		*v = option_choice(info->unit, is_on ? "1" : "0", 1);
	return *v < 0 ? -EINVAL : 0;
}

int ompp_option_value(const struct ompp_option_info *info, const char *text, int64_t *number)
{
	int64_t v = 0, scale = 1;
	const char *rest;
	int rc = 0;

	switch (info->type) {
	case OMPP_TYPE_BOOL:
		rc = parse_bool(text, &v);
		break;
	case OMPP_TYPE_INT:
		rest = option_digits(text, &v);
		rc = rest && !*rest ? 0 : -EINVAL;
		break;
	case OMPP_TYPE_SIZE:
		rc = parse_size(text, &v);
		break;
	case OMPP_TYPE_SECONDS:
		rc = parse_decimal(text, 's', &v);
		scale = 1000000000;
		break;
	case OMPP_TYPE_PERCENT:
		rc = parse_decimal(text, '%', &v);
		v /= 100;
		scale = 10000000;
		break;
	case OMPP_TYPE_CHOICE:
		rc = parse_choice(info, text, &v);
		break;
	case OMPP_TYPE_CHOICES:
		rc = parse_choices(info, text, &v);
		break;
	default:
		break;
	}
	if (!rc && (info->min || info->max) && (v < info->min * scale || v > info->max * scale))
		rc = -ERANGE;
	if (!rc)
		*number = v;
	return rc;
}

/* The older names, each with its default. */
static const struct ompp_option_info older[OMPP_N_DISABLED] = {
#define DISABLED(name, word) { "DISABLE_" #name, OMPP_TYPE_BOOL, "0", 0, 0, "", "" },
#include "env/disabled.def"
#undef DISABLED
};

static const char *option_name(size_t i)
{
	return i < OMPP_N_OPTIONS                   ? ompp_option_table[i].name
	     : i - OMPP_N_OPTIONS < OMPP_N_DISABLED ? older[i - OMPP_N_OPTIONS].name
	                                            : NULL;
}

static void say_unknown(const char *name, size_t n, void (*say)(const char *))
{
	char line[256];
	struct ompp_text t;
	const char *near = ompp_nearest(name, n, option_name, ompp_nearest_most(n));

	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, "OMPP_");
	ompp_text_strn(&t, name, n > 64 ? 64 : n);
	ompp_text_str(&t, ": unknown variable: not used");
	if (near) {
		ompp_text_str(&t, "; did you mean OMPP_");
		ompp_text_str(&t, near);
		ompp_text_str(&t, "?");
	} else {
		ompp_text_str(&t, "; 'ompp help variables' lists them");
	}
	say(line);
}

/* Adds the choice that is nearest to the first word that is none, as a question.  Returns 1 when there is one. */
static int put_nearest(struct ompp_text *t, const char *choices, const char *value)
{
	const char *word, *item, *best = NULL;
	size_t n_word, n, n_best = 0;
	unsigned int least = MOST_EDITS;

	while ((n_word = ompp_list_next(&value, &word)) && option_choice(choices, word, n_word) >= 0)
		;
	while (n_word && (n = ompp_list_next(&choices, &item))) {
		unsigned int d = ompp_distance(item, n, word, n_word);

		if (d < least && d < n) {
			least = d;
			best = item;
			n_best = n;
		}
	}
	if (!best)
		return 0;
	ompp_text_str(t, "; did you mean ");
	ompp_text_strn(t, best, n_best);
	ompp_text_char(t, '?');
	return 1;
}

int ompp_option_explain(struct ompp_text *t, const struct ompp_option_info *info, const char *value, int rc)
{
	static const char *const wanted[] = {
		[OMPP_TYPE_BOOL] = "0 or 1",
		[OMPP_TYPE_INT] = "a number",
		[OMPP_TYPE_SIZE] = "bytes, with K, M or G",
		[OMPP_TYPE_SECONDS] = "seconds",
		[OMPP_TYPE_PERCENT] = "per cent",
		[OMPP_TYPE_CHOICE] = "one of ",
		[OMPP_TYPE_CHOICES] = "of ",
	};
	int has_words = info->type == OMPP_TYPE_CHOICE || info->type == OMPP_TYPE_CHOICES;

	ompp_text_char(t, '\'');
	ompp_text_strn(t, value, strnlen(value, 64));
	ompp_text_str(t, rc == -ERANGE  ? "': out of range: "
	                 : rc == -E2BIG ? "': several words: "
	                                : "': not understood: ");
	if (rc == -ERANGE) {
		ompp_text_i64(t, info->min);
		ompp_text_str(t, " to ");
		ompp_text_i64(t, info->max);
		ompp_text_str(t, info->unit[0] ? " " : "");
		ompp_text_str(t, info->unit);
		return 0;
	}
	ompp_text_str(t, wanted[info->type] ? wanted[info->type] : "");
	ompp_text_str(t, has_words ? info->unit : "");
	return has_words && rc == -EINVAL && put_nearest(t, info->unit, value);
}

static void say_bad(const struct ompp_option_info *info, const char *value, int rc, void (*say)(const char *))
{
	char line[256];
	struct ompp_text t;

	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, "OMPP_");
	ompp_text_str(&t, info->name);
	ompp_text_str(&t, ": ");
	ompp_text_str(&t, ompp_option_explain(&t, info, value, rc) ? " using " : "; using ");
	ompp_text_str(&t, info->fallback[0] ? info->fallback : "the default");
	say(line);
}

/* Returns the number of a name, as option_name() takes it; behind the last one that of none. */
static size_t option_find(const char *name, size_t n)
{
	size_t i = 0;

	while (option_name(i) && (strlen(option_name(i)) != n || memcmp(option_name(i), name, n)))
		i++;
	return i;
}

/* Adds what a value of OMPP_DISABLE, whose words are known, switches off. */
static void option_disable(struct ompp_options *options, const char *words)
{
	const char *item;
	size_t n;

	while ((n = ompp_list_next(&words, &item)))
		options->disabled |= 1u << option_choice(OMPP_DISABLED, item, n);
}

static void parse_older(struct ompp_options *options, size_t i, const char *value, void (*say)(const char *line))
{
	int64_t is_off = 0;
	int rc = ompp_option_value(&older[i], value, &is_off);

	if (rc)
		say_bad(&older[i], value, rc, say);
	else if (is_off)
		options->disabled |= 1u << i;
}

void ompp_options_parse(struct ompp_options *options, char *const *envp, void (*say)(const char *line))
{
	size_t i;

	memset(options, 0, sizeof(*options));
	for (i = 0; i < OMPP_N_OPTIONS; i++) {
		options->text[i] = ompp_option_table[i].fallback;
		ompp_option_value(&ompp_option_table[i], options->text[i], &options->number[i]);
	}
	for (; envp && *envp; envp++) {
		const char *name = *envp, *eq = strchr(name, '=');
		int rc;

		if (!eq || strncmp(name, "OMPP_", 5))
			continue;
		name += 5;
		i = option_find(name, (size_t)(eq - name));
		if (!option_name(i)) {
			if (strncmp(name, "PAGER=", 6)) /* that of ompp's reports */
				say_unknown(name, (size_t)(eq - name), say);
			continue;
		}
		if (!eq[1])
			continue; /* set but empty: as if not set */
		if (i >= OMPP_N_OPTIONS) {
			parse_older(options, i - OMPP_N_OPTIONS, eq + 1, say);
			continue;
		}
		rc = ompp_option_value(&ompp_option_table[i], eq + 1, &options->number[i]);
		if (rc) {
			say_bad(&ompp_option_table[i], eq + 1, rc, say);
			continue;
		}
		options->text[i] = eq + 1;
		options->given[i] = 1;
		if (i == OMPP_OPT_DISABLE)
			option_disable(options, eq + 1);
	}
}

const char *ompp_environment(char *const *envp, const char *name)
{
	size_t n = strlen(name);

	for (; envp && *envp; envp++)
		if (!strncmp(*envp, name, n) && (*envp)[n] == '=')
			return *envp + n + 1;
	return NULL;
}

int ompp_options_silent(const struct ompp_options *options)
{
	const char *file = options->text[OMPP_OPT_REPORTFILE];

	return !strcmp(file, "none") || !strcmp(file, "/dev/null");
}
