/*
 * Zone: see zone.h.  Files are described in RFC 8536: a header with six counts, times of changes, the kind of time
 * after each, the kinds; the same again with 64 bits a time; and a rule for what comes after the last change.
 */
#include "runtime/base/zone.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/file.h"
#include "runtime/base/text.h"

enum { FILE_BYTES = 16384, PATH_BYTES = 1024, HEAD_BYTES = 44, KIND_BYTES = 6, RULE_BYTES = 256 };
enum { HOUR_S = 3600, DAY_S = 86400 };

/* ---- rules ---- */

struct change {
	char form;
	int month, week, day;
	int64_t second;
}; /* of forms M m.w.d, J n, and n alone ('0') */

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

static int is_leap(int64_t year)
{
	return (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
}

/* Returns the days from 1970 to the first of January of a year. */
static int64_t days_to_year(int64_t year)
{
	int64_t y = year - 1;

	return 365 * (year - 1970) + (floor_div(y, 4) - 492) - (floor_div(y, 100) - 19) + (floor_div(y, 400) - 4);
}

static int64_t year_of(int64_t day)
{
	int64_t year = 1970 + floor_div(day, 366);

	while (days_to_year(year + 1) <= day)
		year++;
	return year;
}

/* Skips a name: three letters or more, or anything in <>.  Returns what follows, or NULL when there is no name. */
static const char *skip_name(const char *s)
{
	const char *start = s;

	if (*s == '<') {
		s = strchr(s, '>');
		return s ? s + 1 : NULL;
	}
	while ((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z'))
		s++;
	return s - start >= 3 ? s : NULL;
}

/* Reads "[+-]hh[:mm[:ss]]" as seconds. */
static const char *read_time(const char *s, int64_t *seconds)
{
	int negative = *s == '-';
	int64_t unit = HOUR_S;

	s += *s == '-' || *s == '+';
	if (*s < '0' || *s > '9')
		return NULL;
	for (*seconds = 0; unit; unit /= 60) {
		uint64_t n = ompp_text_digits(&s);

		*seconds += (int64_t)(n < 168 ? n : 168) * unit;
		if (*s != ':' || unit == 1)
			break;
		s++;
	}
	if (negative)
		*seconds = -*seconds;
	return s;
}

static const char *read_change(const char *s, struct change *c)
{
	c->form = *s == 'M' || *s == 'J' ? *s++ : '0';
	c->second = 2 * HOUR_S;
	if (*s < '0' || *s > '9')
		return NULL;
	if (c->form == 'M') {
		c->month = (int)ompp_text_digits(&s);
		s += *s == '.';
		c->week = (int)ompp_text_digits(&s);
		s += *s == '.';
		if (c->month < 1 || c->month > 12 || c->week < 1 || c->week > 5)
			return NULL;
	}
	c->day = (int)ompp_text_digits(&s);
	return *s == '/' ? read_time(s + 1, &c->second) : s;
}

/* Returns the day of a year's change, counted from the first of January 1970. */
static int64_t day_of(const struct change *c, int64_t year)
{
	static const short before[] = { 0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365 };
	int64_t first = days_to_year(year), day;
	int length;

	if (c->form == 'J') /* 1 to 365: the 29th of February is never counted */
		return first + c->day - 1 + (is_leap(year) && c->day >= 60);
	if (c->form == '0')
		return first + c->day;
	length = before[c->month] - before[c->month - 1] + (c->month == 2 && is_leap(year));
	first += before[c->month - 1] + (c->month > 2 && is_leap(year));
	day = (c->day - (first + 4)) % 7; /* 1970 began on a Thursday, day 4 */
	day = (day + 7) % 7 + 7 * (c->week - 1);
	return first + (day >= length ? day - 7 : day);
}

/* Returns 1 in summer time, by both changes, each given in the time that was before it. */
static int is_summer(const struct change change[2], int64_t unix_s, int64_t winter, int64_t summer)
{
	int64_t year = year_of(floor_div(unix_s + winter, DAY_S));
	int64_t begin = day_of(&change[0], year) * DAY_S + change[0].second - winter;
	int64_t end = day_of(&change[1], year) * DAY_S + change[1].second - summer;

	return begin < end ? unix_s >= begin && unix_s < end : unix_s < end || unix_s >= begin;
}

int ompp_zone_rule(const char *rule, int64_t unix_s, int64_t *offset)
{
	struct change change[2];
	int64_t winter, summer;
	const char *s = skip_name(rule);

	s = s ? read_time(s, &winter) : NULL;
	if (!s)
		return -EINVAL;
	*offset = winter = -winter; /* rules say how far UTC is ahead */
	if (!*s)
		return 0;
	summer = winter + HOUR_S;
	s = skip_name(s);
	if (s && *s && *s != ',') {
		s = read_time(s, &summer);
		summer = -summer;
	}
	if (s && !*s)
		s = ",M3.2.0,M11.1.0";
	for (int i = 0; i < 2 && s; i++)
		s = *s == ',' ? read_change(s + 1, &change[i]) : NULL;
	if (!s || *s)
		return -EINVAL;
	if (is_summer(change, unix_s, winter, summer))
		*offset = summer;
	return 0;
}

/* ---- files ---- */

struct table {
	const unsigned char *times, *kinds_of, *kinds;
	size_t n_times, n_kinds, time_bytes;
};

static uint32_t zone_word(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

/* Reads one of the two tables of a file.  Returns what follows it, or NULL when it is not whole. */
static const unsigned char *read_table(const unsigned char *p, const unsigned char *end, size_t time_bytes,
                                       struct table *t)
{
	size_t n_utc, n_standard, n_leap, n_names, n_bytes;

	if (end - p < HEAD_BYTES || memcmp(p, "TZif", 4))
		return NULL;
	n_utc = zone_word(p + 20);
	n_standard = zone_word(p + 24);
	n_leap = zone_word(p + 28);
	t->n_times = zone_word(p + 32);
	t->n_kinds = zone_word(p + 36);
	n_names = zone_word(p + 40);
	p += HEAD_BYTES;
	n_bytes = t->n_times * (time_bytes + 1) + t->n_kinds * KIND_BYTES + n_names + n_leap * (time_bytes + 4) +
	          n_standard + n_utc;
	if (n_bytes > (size_t)(end - p))
		return NULL;
	t->times = p;
	t->kinds_of = p + t->n_times * time_bytes;
	t->kinds = t->kinds_of + t->n_times;
	t->time_bytes = time_bytes;
	return p + n_bytes;
}

static int64_t time_at(const struct table *t, size_t i)
{
	const unsigned char *p = t->times + i * t->time_bytes;

	return t->time_bytes == 8 ? (int64_t)((uint64_t)zone_word(p) << 32 | zone_word(p + 4)) : (int32_t)zone_word(p);
}

static int64_t offset_of_kind(const struct table *t, size_t kind)
{
	return kind < t->n_kinds ? (int32_t)zone_word(t->kinds + kind * KIND_BYTES) : 0;
}

/* Before the first change the time is the first kind that is not summer time. */
static int64_t offset_before(const struct table *t)
{
	size_t kind = 0;

	while (kind < t->n_kinds && t->kinds[kind * KIND_BYTES + 4])
		kind++;
	return offset_of_kind(t, kind < t->n_kinds ? kind : 0);
}

static int64_t offset_in(const struct table *t, const char *rule, int64_t unix_s)
{
	int64_t offset;
	size_t i = 0;

	while (i < t->n_times && time_at(t, i) <= unix_s)
		i++;
	if (i == t->n_times && rule[0] && !ompp_zone_rule(rule, unix_s, &offset))
		return offset;
	return i ? offset_of_kind(t, t->kinds_of[i - 1]) : offset_before(t);
}

static int by_file(const char *path, int64_t unix_s, int64_t *offset)
{
	static char data[FILE_BYTES]; /* read once, at the start */
	int n = ompp_file_read(path, data, sizeof(data));
	const unsigned char *p = (const unsigned char *)data, *end = p + (n > 0 ? n : 0);
	char rule[RULE_BYTES] = "";
	struct table table;

	p = read_table(p, end, 4, &table);
	if (!p)
		return -EINVAL;
	if (data[4] >= '2')
		p = read_table(p, end, 8, &table);
	if (!p)
		return -EINVAL;
	if (data[4] >= '2' && p < end && *p == '\n') {
		struct ompp_text t;

		ompp_text_init(&t, rule, sizeof(rule));
		ompp_text_strn(&t, (const char *)p + 1, strcspn((const char *)p + 1, "\n"));
	}
	*offset = offset_in(&table, rule, unix_s);
	return 0;
}

int64_t ompp_zone_offset(int64_t unix_s, const char *tz, const char *tzdir)
{
	char path[PATH_BYTES];
	struct ompp_text t;
	int64_t offset = 0;

	if (!tz)
		tz = "/etc/localtime";
	tz += *tz == ':';
	ompp_text_init(&t, path, sizeof(path));
	if (tz[0] != '/') {
		ompp_text_str(&t, tzdir && tzdir[0] ? tzdir : "/usr/share/zoneinfo");
		ompp_text_char(&t, '/');
	}
	ompp_text_str(&t, tz[0] ? tz : "Universal");
	if (by_file(path, unix_s, &offset))
		ompp_zone_rule(tz, unix_s, &offset);
	return offset;
}
