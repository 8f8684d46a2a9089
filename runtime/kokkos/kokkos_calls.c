/*
 * Kokkos calls: libompp_kokkos, which a program that uses Kokkos loads by KOKKOS_TOOLS_LIBS (KOKKOS_PROFILE_LIBRARY
 * before Kokkos 4), and of which Kokkos calls the functions below, as its tools' interface has them (C, versions
 * 20150628 to 20240906).
 *
 * Each kernel, deep copy, fence, profile region and section is a user region by its label, around whatever else libompp
 * measures in it; each View in the host's memory is a data object by its label.  Without libompp in the program nothing
 * happens.  A kernel begins and ends in one thread, so that its region does.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* What libompp's ompp.h has; found in the program, which may have libompp or not. */
static void (*open_named)(const char *name);
static void (*end_named)(const char *name);
static void (*put_label)(const char *text);
static const void *(*data_enter)(const void *address, size_t n_bytes, const char *name, int flags);

enum { DATA_SUM = 8 }; /* objects of one name are one, as of ompp_data_enter() */

/* The interface's: a memory space, "Host" or "HBW" where the host's threads use it, and what a tool asks for. */
struct kokkos_space {
	char name[64];
};
struct kokkos_settings {
	_Bool requires_global_fencing, padding[255];
};

/* ---- names ---- */

/* Names of kernels live until the program ends, as the end of one is told by the number that its begin gave: the
 * address of its name.  Once written, a name and its slot do not change. */
enum { NAME_BYTES = 256, N_SLOTS = 4096, POOL_BYTES = 256 << 10 };
static _Atomic(const char *) slots[N_SLOTS];
static char pool[POOL_BYTES];
static atomic_size_t pool_used;

/* Returns a copy of the name; NULL where there is no room. */
static const char *name_copy(const char *name)
{
	size_t n = strlen(name) + 1, at = atomic_load(&pool_used);

	do
		if (n > POOL_BYTES || at > POOL_BYTES - n)
			return NULL;
	while (!atomic_compare_exchange_weak(&pool_used, &at, at + n));
	return memcpy(pool + at, name, n);
}

/* Returns the one copy of the name; where there is no room for more names, one that all others share. */
static const char *name_kept(const char *name)
{
	const char *copy = NULL;
	uint32_t hash = 2166136261;

	for (const char *c = name; *c; c++)
		hash = (hash ^ (unsigned char)*c) * 16777619;
	for (uint32_t i = 0; i < N_SLOTS; i++) {
		_Atomic(const char *) *slot = &slots[(hash + i) % N_SLOTS];
		const char *there = atomic_load_explicit(slot, memory_order_acquire);

		if (!there) {
			copy = copy ? copy : name_copy(name);
			if (!copy)
				break;
			if (atomic_compare_exchange_strong(slot, &there, copy))
				return copy;
		}
		if (!strcmp(there, name))
			return there;
	}
	return "further names of Kokkos";
}

/* Writes the name of something that Kokkos does: "parallel_for axpy". */
static const char *name_of(const char *kind, const char *label)
{
	char text[NAME_BYTES];

	snprintf(text, sizeof(text), "%s %s", kind, label && label[0] ? label : "(no label)");
	return name_kept(text);
}

/* ---- what Kokkos calls ---- */

static void region_begin(const char *name)
{
	if (open_named)
		open_named(name);
}

static void region_end(const char *name)
{
	if (end_named && name)
		end_named(name);
}

static void kernel_begin(const char *kind, const char *label, uint64_t *number)
{
	const char *name = name_of(kind, label);

	*number = (uintptr_t)name;
	region_begin(name);
}

EXPORT void kokkosp_init_library(int order, uint64_t version, uint32_t n_devices, void *devices);
void kokkosp_init_library(int order, uint64_t version, uint32_t n_devices, void *devices)
{
	int error = errno;

	(void)order, (void)version, (void)n_devices, (void)devices;
	*(void **)&open_named = dlsym(RTLD_DEFAULT, "ompp_region_open");
	*(void **)&end_named = dlsym(RTLD_DEFAULT, "ompp_region_end");
	*(void **)&put_label = dlsym(RTLD_DEFAULT, "ompp_label");
	*(void **)&data_enter = dlsym(RTLD_DEFAULT, "ompp_data_enter");
	errno = error;
}

/* Fences around each kernel would change how the program runs. */
EXPORT void kokkosp_request_tool_settings(uint32_t n, struct kokkos_settings *settings);
void kokkosp_request_tool_settings(uint32_t n, struct kokkos_settings *settings)
{
	(void)n;
	settings->requires_global_fencing = 0;
}

#define KERNEL(kind) \
	EXPORT void kokkosp_begin_##kind(const char *label, uint32_t device, uint64_t *number); \
	void kokkosp_begin_##kind(const char *label, uint32_t device, uint64_t *number) \
	{ \
		(void)device; \
		kernel_begin(#kind, label, number); \
	} \
	EXPORT void kokkosp_end_##kind(uint64_t number); \
	void kokkosp_end_##kind(uint64_t number) \
	{ \
		region_end((const char *)(uintptr_t)number); \
	}
KERNEL(parallel_for)
KERNEL(parallel_reduce)
KERNEL(parallel_scan)
KERNEL(fence)

/* The ends of deep copies and of profile regions are told without a name: each ends what this thread began last of
 * them, of which this keeps the names.  What is deeper than MOST_OPEN is measured with what is around it.  It is small,
 * as what a library that is loaded late may have of it is. */
enum { MOST_OPEN = 24 };
static __thread struct {
	uint32_t n;
	const char *names[MOST_OPEN];
} opened __attribute__((tls_model("initial-exec")));

static void opened_begin(const char *name)
{
	if (opened.n < MOST_OPEN) {
		opened.names[opened.n] = name;
		region_begin(name);
	}
	opened.n++;
}

static void opened_end(void)
{
	if (!opened.n)
		return;
	opened.n--;
	if (opened.n < MOST_OPEN)
		region_end(opened.names[opened.n]);
}

EXPORT void kokkosp_push_profile_region(const char *name);
void kokkosp_push_profile_region(const char *name)
{
	opened_begin(name_kept(name && name[0] ? name : "(no label)"));
}

EXPORT void kokkosp_pop_profile_region(void);
void kokkosp_pop_profile_region(void)
{
	opened_end();
}

EXPORT void kokkosp_begin_deep_copy(struct kokkos_space to, const char *to_label, const void *to_address,
                                    struct kokkos_space from, const char *from_label, const void *from_address,
                                    uint64_t n_bytes);
void kokkosp_begin_deep_copy(struct kokkos_space to, const char *to_label, const void *to_address,
                             struct kokkos_space from, const char *from_label, const void *from_address,
                             uint64_t n_bytes)
{
	char text[NAME_BYTES];

	(void)to_address, (void)from_address, (void)n_bytes;
	snprintf(text, sizeof(text), "deep_copy %.64s:%.48s to %.64s:%.48s", from.name, from_label ? from_label : "",
	         to.name, to_label ? to_label : "");
	opened_begin(name_kept(text));
}

EXPORT void kokkosp_end_deep_copy(void);
void kokkosp_end_deep_copy(void)
{
	opened_end();
}

/* ---- sections, which may overlap ---- */

enum { MOST_SECTIONS = 256 };
static _Atomic(const char *) sections[MOST_SECTIONS];
static atomic_uint n_sections;

EXPORT void kokkosp_create_profile_section(const char *name, uint32_t *number);
void kokkosp_create_profile_section(const char *name, uint32_t *number)
{
	*number = atomic_fetch_add(&n_sections, 1);
	if (*number < MOST_SECTIONS)
		atomic_store(&sections[*number], name_of("section", name));
}

EXPORT void kokkosp_start_profile_section(uint32_t number);
void kokkosp_start_profile_section(uint32_t number)
{
	if (number < MOST_SECTIONS && atomic_load(&sections[number]))
		region_begin(atomic_load(&sections[number]));
}

EXPORT void kokkosp_stop_profile_section(uint32_t number);
void kokkosp_stop_profile_section(uint32_t number)
{
	if (number < MOST_SECTIONS)
		region_end(atomic_load(&sections[number]));
}

EXPORT void kokkosp_profile_event(const char *name);
void kokkosp_profile_event(const char *name)
{
	if (put_label && name)
		put_label(name);
}

/* ---- Views ---- */

/* A View's memory begins behind a header of Kokkos's, which is a part of the object.  It ends with its block. */
enum { HEADER_BYTES = 128 };
EXPORT void kokkosp_allocate_data(struct kokkos_space space, const char *label, const void *address, uint64_t n_bytes);
void kokkosp_allocate_data(struct kokkos_space space, const char *label, const void *address, uint64_t n_bytes)
{
	if (data_enter && label && label[0] && (!strcmp(space.name, "Host") || !strcmp(space.name, "HBW")))
		data_enter(address, n_bytes + HEADER_BYTES, name_kept(label), DATA_SUM);
}
