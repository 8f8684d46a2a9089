/*
 * User: the functions of ompp.h, for C and Fortran.
 */
#include "runtime/ompp.h"

#include <stdint.h>
#include <string.h>

#include "runtime/adapters/user.h"
#include "runtime/collect/dump.h"
#include "runtime/core/region.h"
#include "runtime/core/thread.h"

enum { N_CACHED = 64, LONGEST_NAME = 255 };

/* Names are found again by their address; the text is compared, as a program may reuse the memory. */
static struct ompp_region_def *cache[N_CACHED];

static void region_begin(const char *name, const char *file, int line, struct ompp_where where)
{
	unsigned int i = (unsigned int)((uintptr_t)name >> 2) % N_CACHED;
	struct ompp_region_def *def = __atomic_load_n(&cache[i], __ATOMIC_ACQUIRE);

	if (!def || strcmp(def->name, name) || strcmp(def->file, file) || def->begin_line != (uint32_t)line) {
		def = ompp_region_named(OMPP_USER_REGION, name, file, (uint32_t)line);
		__atomic_store_n(&cache[i], def, __ATOMIC_RELEASE);
	}
	if (def && !def->off)
		ompp_enter(def->key, where);
}

/* The innermost open user region of that name in this thread. */
static void region_end(const char *name)
{
	struct ompp_thread *t = ompp_self;
	const struct ompp_frame *f;

	for (f = t->top; f > t->base; f--) {
		const struct ompp_region_def *def = ompp_region_by_id(OMPP_KEY_ID(f->key));

		if (def && def->construct == OMPP_USER_REGION && !strcmp(def->name, name)) {
			ompp_exit(f->key);
			return;
		}
	}
	/* None is open: stray, unless it is filtered and was never entered. */
	if (t->limit && !ompp_session.options.text[OMPP_OPT_FILTER][0])
		OMPP_ADD(&t->n_stray, 1);
}

void ompp_region_begin_at(const char *name, const char *file, int line)
{
	region_begin(name, file ? file : "", line, OMPP_WHERE());
}

void ompp_region_end(const char *name)
{
	region_end(name);
}

void ompp_off(void)
{
	__atomic_store_n(&ompp_session.off, 1, __ATOMIC_RELAXED);
}

void ompp_on(void)
{
	__atomic_store_n(&ompp_session.off, 0, __ATOMIC_RELAXED);
}

void ompp_dump(void)
{
	ompp_dump_incremental();
}

/* Fortran: a name has a length and is padded with blanks. */

static const char *c_name(char *to, const char *name, size_t n)
{
	while (n && name[n - 1] == ' ')
		n--;
	if (n > LONGEST_NAME)
		n = LONGEST_NAME;
	memcpy(to, name, n);
	to[n] = '\0';
	return to;
}

void ompp_region_begin_(const char *name, size_t n)
{
	char copy[LONGEST_NAME + 1];

	region_begin(c_name(copy, name, n), "", 0, OMPP_WHERE());
}

void ompp_region_end_(const char *name, size_t n)
{
	char copy[LONGEST_NAME + 1];

	region_end(c_name(copy, name, n));
}

void ompp_off_(void)
{
	ompp_off();
}

void ompp_on_(void)
{
	ompp_on();
}

void ompp_dump_(void)
{
	ompp_dump();
}
