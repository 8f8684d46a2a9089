/*
 * User: the functions of ompp.h, for C and Fortran.
 */
#include "runtime/ompp.h"

#include <stdint.h>
#include <string.h>

#include "runtime/access/access_member.h"
#include "runtime/adapters/user.h"
#include "runtime/collect/dump.h"
#include "runtime/core/region.h"
#include "runtime/core/session.h"
#include "runtime/core/thread.h"
#include "runtime/events/visit.h"
#include "runtime/host/note.h"
#include "runtime/host/published.h"
#include "runtime/ranges/range.h"
#include "runtime/session/naming.h"
#include "runtime/session/register.h"
#include "runtime/session/session_start.h"
#include "runtime/terms/build_stamp.h"
#include "runtime/terms/option.h"

enum { N_CACHED = 64, LONGEST_NAME = 255 };

#define FRAME OMPP_STACK()

/* A name is found again by its address.  The text is compared, as a program may reuse the memory. */
static struct ompp_region_def *cache[N_CACHED];

static unsigned int cache_slot(const char *name)
{
	return (unsigned int)((uintptr_t)name >> 2) % N_CACHED;
}

/* Begins a region that the return of the function which began it does not leave: as if that stood above all others,
 * and at a place of its own, as a visit that is entered again at one place was left.  By the stack of the caller it
 * is seen what was left before. */
static void region_enter_open(const struct ompp_region_def *def, struct ompp_caller caller)
{
	struct ompp_frame *f = ompp_visit_enter(def->key, caller);

	if (f)
		OMPP_STORE(&f->stack, UINTPTR_MAX - 1 - (uintptr_t)(f - ompp_self->frames));
}

/* is_open: 1 when it goes on where the caller returns */
static void region_begin(const char *name, const char *file, int line, int is_open, struct ompp_caller caller)
{
	unsigned int i = cache_slot(name);
	struct ompp_region_def *def = __atomic_load_n(&cache[i], __ATOMIC_ACQUIRE);

	if (!def || strcmp(def->name, name) || strcmp(def->file, file) || def->begin_line != (uint32_t)line) {
		def = ompp_register_named(OMPP_USER_REGION, name, file, (uint32_t)line);
		__atomic_store_n(&cache[i], def, __ATOMIC_RELEASE);
	}
	if (!def || def->off)
		return;
	if (__builtin_expect(is_open || OMPP_LOAD(&def->is_open), 0))
		region_enter_open(def, caller);
	else
		ompp_visit_enter(def->key, caller);
}

/* A region whose end comes when it is no longer open was begun by a function that did not end it, such as a
 * constructor, and its return was taken for its end: from now on it is not.  COLD. */
static void region_goes_on(const char *name)
{
	struct ompp_region_def *def = __atomic_load_n(&cache[cache_slot(name)], __ATOMIC_ACQUIRE);

	if (def && def->off && !strcmp(def->name, name)) /* each end of a filtered region is one */
		return;
	for (size_t i = 0; i < N_CACHED; i++) {
		def = __atomic_load_n(&cache[i], __ATOMIC_ACQUIRE);
		if (def && !strcmp(def->name, name))
			OMPP_STORE(&def->is_open, 1);
	}
}

/* Ends the innermost open user region of that name in this thread. */
static void region_end(const char *name)
{
	struct ompp_thread *t = ompp_self;
	const struct ompp_frame *f;

	for (f = t->top; f > t->base; f--) {
		const struct ompp_region_def *def = ompp_region_by_id(OMPP_KEY_ID(f->key));

		if (def && def->construct == OMPP_USER_REGION && !strcmp(def->name, name)) {
			ompp_visit_exit(f->key);
			return;
		}
	}
	/* No such region is open: the end is stray, unless the region is filtered and was never entered. */
	if (t->limit && !ompp_session.options.text[OMPP_OPT_FILTER][0])
		OMPP_ADD(&t->n_stray, 1);
	region_goes_on(name);
}

void ompp_region_begin_at(const char *name, const char *file, int line)
{
	region_begin(name, file ? file : "", line, 0, OMPP_CALLER());
}

void ompp_region_open(const char *name)
{
	region_begin(name, "", 0, 1, OMPP_CALLER());
}

void ompp_region_end(const char *name)
{
	region_end(name);
}

void ompp_off(void)
{
	ompp_session_switch(1);
}

void ompp_on(void)
{
	ompp_session_switch(0);
}

/* Names memory.  The program may do this in a constructor that runs before ours. */
static uint64_t name_memory(const struct ompp_name *n, const void *caller)
{
	if (!ompp_session_start())
		return 0;
	ompp_access_member_named(n->text, (uintptr_t)caller);
	return ompp_name(n);
}

void ompp_data_begin(const void *address, size_t n_bytes, const char *name)
{
	name_memory(&(struct ompp_name){ .text = name,
	                                 .origin = OMPP_ORIGIN_CALL,
	                                 .address = (uintptr_t)address,
	                                 .n_bytes = address ? n_bytes : 0 },
	            __builtin_return_address(0));
}

void ompp_papi_set_drange(const void *address, size_t n_bytes, const char *name)
{
	ompp_data_begin(address, n_bytes, name);
}

void ompp_data_end(const char *name)
{
	ompp_unname(name);
}

const void *ompp_data_enter(const void *address, size_t n_bytes, const char *name, int flags)
{
	return (const void *)(uintptr_t)name_memory(&(struct ompp_name){ .text = name,
	                                                                 .origin = OMPP_ORIGIN_PRAGMA,
	                                                                 .address = (uintptr_t)address,
	                                                                 .n_bytes = address ? n_bytes : 0,
	                                                                 .flags = flags,
	                                                                 .scope = FRAME },
	                                            __builtin_return_address(0));
}

const void *ompp_data_follow(const void *container, size_t n_bytes,
                             void (*look)(const void *container, const void **data, size_t *n_bytes), const char *name,
                             int flags)
{
	return (const void *)(uintptr_t)name_memory(&(struct ompp_name){ .text = name,
	                                                                 .origin = OMPP_ORIGIN_PRAGMA,
	                                                                 .address = (uintptr_t)container,
	                                                                 .n_bytes = n_bytes,
	                                                                 .look = look,
	                                                                 .flags = flags,
	                                                                 .scope = FRAME },
	                                            __builtin_return_address(0));
}

void ompp_data_leave(const void **entered)
{
	if (*entered)
		ompp_range_end((uintptr_t)*entered);
}

void ompp_dump(void)
{
	ompp_dump_incremental();
}

void ompp_label(const char *text)
{
	ompp_session_start();
	ompp_published_label(text ? text : "");
}

void ompp_sensor_set(const char *name, long long number)
{
	ompp_session_start();
	if (name)
		ompp_published_set(name, number);
}

void ompp_access_files(unsigned int n_hooked, unsigned int n_unhooked, const char *unhooked)
{
	ompp_session.n_hooked += n_hooked;
	ompp_session.n_unhooked += n_unhooked;
	if (unhooked[0])
		ompp_session.unhooked = unhooked;
}

void ompp_access_uncounted(const char *files)
{
	ompp_session.uncounted = files;
}

void ompp_build_stamp(const char *stamp, const char *commit, int64_t commit_unix_s, int is_modified, int of_program)
{
	ompp_build_stamp_keep(stamp, commit, commit_unix_s, is_modified, of_program);
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

	region_begin(c_name(copy, name, n), "", 0, 0, OMPP_CALLER());
}

void ompp_region_open_(const char *name, size_t n)
{
	char copy[LONGEST_NAME + 1];

	region_begin(c_name(copy, name, n), "", 0, 1, OMPP_CALLER());
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

void ompp_label_(const char *text, size_t n)
{
	char copy[LONGEST_NAME + 1];

	ompp_label(c_name(copy, text, n));
}

void ompp_sensor_set_(const char *name, const int64_t *number, size_t n)
{
	char copy[LONGEST_NAME + 1];

	ompp_sensor_set(c_name(copy, name, n), *number);
}

void ompp_data_begin_(const void *address, const int64_t *n_bytes, const char *name, size_t n)
{
	char copy[LONGEST_NAME + 1];

	name_memory(&(struct ompp_name){ .text = c_name(copy, name, n),
	                                 .origin = OMPP_ORIGIN_CALL,
	                                 .address = (uintptr_t)address,
	                                 .n_bytes = *n_bytes > 0 ? (size_t)*n_bytes : 0 },
	            __builtin_return_address(0));
}

void ompp_data_begin4_(const void *address, const int32_t *n_bytes, const char *name, size_t n)
{
	int64_t wide = *n_bytes;

	ompp_data_begin_(address, &wide, name, n);
}

void ompp_papi_set_drange4_(const void *address, const int32_t *n_bytes, const char *name, size_t n)
{
	ompp_data_begin4_(address, n_bytes, name, n);
}

void ompp_papi_set_drange_(const void *address, const int64_t *n_bytes, const char *name, size_t n)
{
	ompp_data_begin_(address, n_bytes, name, n);
}

void ompp_data_end_(const char *name, size_t n)
{
	char copy[LONGEST_NAME + 1];

	ompp_unname(c_name(copy, name, n));
}

/* Names data for kinst's pragma "inst data" in Fortran.  A range on the stack ends with ompp_data_leave_(), which is
 * called before the subprogram returns.  It ends the ranges that this call of the subprogram has named, and not its
 * callers'. */
void ompp_data_enter_(const void *address, const int64_t *n_bytes, const char *name, const int32_t *flags, size_t n)
{
	char copy[LONGEST_NAME + 1];

	name_memory(&(struct ompp_name){ .text = c_name(copy, name, n),
	                                 .origin = OMPP_ORIGIN_PRAGMA,
	                                 .address = (uintptr_t)address,
	                                 .n_bytes = *n_bytes > 0 ? (size_t)*n_bytes : 0,
	                                 .flags = *flags,
	                                 .scope = FRAME },
	            __builtin_return_address(0));
}

void ompp_data_leave_(const char *name, size_t n)
{
	char copy[LONGEST_NAME + 1];

	ompp_unname_scoped(c_name(copy, name, n), FRAME);
}

/* Names an array by its ISO C descriptor.
 * n_bytes: its size; a negative number means from its first to its last element */
void ompp_data_array_(const struct ompp_array *array, int64_t n_bytes, const char *name, int64_t n, int32_t flags)
{
	ptrdiff_t lo = 0, hi = (ptrdiff_t)array->elem_bytes;
	char copy[LONGEST_NAME + 1];
	int i;

	c_name(copy, name, n > 0 ? (size_t)n : 0);
	for (i = 0; i < array->rank && n_bytes < 0; i++) {
		ptrdiff_t d = (array->dim[i].extent - 1) * array->dim[i].stride_bytes;

		if (array->dim[i].extent == -1)
			ompp_note_say(
				"inst data: the size of an assumed-size array is not known; write DATA(array, bytes)");
		if (array->dim[i].extent <= 0)
			return;
		if (d < 0)
			lo += d;
		else
			hi += d;
	}
	if (n_bytes >= 0) {
		lo = 0;
		hi = (ptrdiff_t)n_bytes;
	}
	if (array->base)
		name_memory(&(struct ompp_name){ .text = copy,
		                                 .origin = OMPP_ORIGIN_PRAGMA,
		                                 .address = (uintptr_t)array->base + (uintptr_t)lo,
		                                 .n_bytes = (size_t)(hi - lo),
		                                 .flags = flags,
		                                 .scope = FRAME },
		            __builtin_return_address(0));
}
