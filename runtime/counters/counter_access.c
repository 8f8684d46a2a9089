/*
 * Counter access: the counts of the access hooks, as counters.  The hooks count; reports sum their counts.
 */
#include <errno.h>
#include <string.h>

#include "runtime/base/text.h"
#include "runtime/counters/counter_list.h"

/* clang-format off */
static const struct { const char *name, *unit, *what; } rows[OMPP_ACC_N] = {
	[OMPP_ACC_LD]       = { "ACC_LD", "", "loads" },
	[OMPP_ACC_ST]       = { "ACC_ST", "", "stores" },
	[OMPP_ACC_LST]      = { "ACC_LST", "", "loads and stores" },
	[OMPP_ACC_ATOMIC]   = { "ACC_ATOMIC", "", "atomic accesses" },
	[OMPP_ACC_LD_BYTES] = { "ACC_LD_BYTES", "bytes", "bytes loaded" },
	[OMPP_ACC_ST_BYTES] = { "ACC_ST_BYTES", "bytes", "bytes stored" },
	[OMPP_ACC_BYTES]    = { "ACC_BYTES", "bytes", "bytes loaded and stored" },
};
/* clang-format on */

static void counter_access_fill(struct ompp_counter *counter, size_t i)
{
	counter->kind = OMPP_COUNTER_ACCESS;
	counter->access = (enum ompp_access_counter)i;
	counter->unit = rows[i].unit;
	counter->what = rows[i].what;
	counter->source = "hooks";
}

/* Reads the object in "(object)", which follows the name in "ACC_LD(object)".  The object's own name may contain
 * parentheses.  Returns 0, or -EINVAL with why. */
static int counter_access_object(const char *text, size_t n, struct ompp_counter *counter, struct ompp_text *why)
{
	if (text[n - 1] != ')' || n < 3) {
		ompp_text_str(why, n < 3 && text[n - 1] == ')' ? "no object in ( )" : "')' is missing");
		ompp_text_str(why, "; write ACC_LD(object)");
		return -EINVAL;
	}
	if (n - 2 >= sizeof(counter->object)) {
		ompp_text_str(why, "the object's name is too long; give it a shorter one");
		return -EINVAL;
	}
	memcpy(counter->object, text + 1, n - 2);
	counter->object[n - 2] = '\0';
	return 0;
}

int ompp_counter_access_find(const char *name, size_t n_name, struct ompp_counter *counter, struct ompp_text *why)
{
	const char *open = memchr(name, '(', n_name);
	size_t n = open ? (size_t)(open - name) : n_name;

	for (size_t i = 0; i < OMPP_ACC_N; i++) {
		if (!ompp_text_same(name, n, rows[i].name, strlen(rows[i].name)))
			continue;
		counter_access_fill(counter, i);
		if (open && counter_access_object(open, n_name - n, counter, why))
			return -EINVAL;
		if (ompp_counter_hooked)
			return 0;
		ompp_text_str(why, "the program has no access hooks; build it with kinst --access");
		return -ENODEV;
	}
	return -ENOENT;
}

int ompp_counter_access_each(ompp_counter_found found, void *context)
{
	int rc = 0;

	for (size_t i = 0; i < OMPP_ACC_N && !rc; i++) {
		struct ompp_counter counter;

		ompp_counter_entry(&counter, rows[i].name, "hooks", rows[i].what);
		counter_access_fill(&counter, i);
		rc = found(context, &counter);
	}
	return rc;
}
