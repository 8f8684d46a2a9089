/*
 * Geometry: see geometry.h.
 */
#include "runtime/terms/geometry.h"

#include <errno.h>
#include <string.h>

#include "runtime/terms/option.h"

enum { HEAD_BYTES = 3 /* "L1=" */, VALUE_BYTES = 32 };

unsigned int ompp_geometry_level(const char *item, size_t n, unsigned int n_levels)
{
	unsigned int level = n > HEAD_BYTES ? (unsigned int)item[1] - '1' : n_levels;

	return level < n_levels && ompp_text_lower(item[0]) == 'l' && item[2] == '=' ? level : n_levels;
}

int ompp_geometry_number(const char **at, const char *end, uint64_t *number)
{
	static const struct ompp_option_info any = { "GEOMETRY", OMPP_TYPE_SIZE, "", 0, INT64_MAX, "", "" };
	const char *slash = memchr(*at, '/', (size_t)(end - *at));
	size_t n = (size_t)((slash ? slash : end) - *at);
	char digits[VALUE_BYTES];
	int64_t value = 0;

	*number = 0;
	if (n >= sizeof(digits))
		return -EINVAL;
	memcpy(digits, *at, n);
	digits[n] = '\0';
	*at = slash ? slash + 1 : end;
	if (ompp_option_value(&any, digits, &value))
		return -EINVAL;
	*number = (uint64_t)value;
	return 0;
}

int ompp_geometry_numbers(const char *item, size_t n, uint64_t numbers[OMPP_GEOMETRY_NUMBERS])
{
	const char *at = item + HEAD_BYTES, *end = item + n;

	for (int i = 0; i < OMPP_GEOMETRY_NUMBERS; i++)
		if (ompp_geometry_number(&at, end, &numbers[i]))
			return -EINVAL;
	return at != end || end[-1] == '/' ? -EINVAL : 0;
}

int ompp_geometry_say(struct ompp_text *why, const char *what, size_t n_bytes, const char *cause)
{
	ompp_text_strn(why, what, n_bytes);
	ompp_text_str(why, cause);
	return -EINVAL;
}
