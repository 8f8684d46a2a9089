/*
 * Real: see real.h.
 *
 * The list of loaded objects that the dynamic linker keeps for debuggers (_r_debug) can be read without calling a
 * function.  It is read once, at the start, when no other thread loads anything; later we call dl_iterate_phdr(), which
 * takes the lock.
 */
#define _GNU_SOURCE
#include "runtime/host/real.h"

#include <elf.h>
#include <stdatomic.h>
#include <string.h>

#include "runtime/base/auxv.h"
#include "runtime/host/dynamic.h"

/* A function's name, its place in struct ompp_real, and the name that a static C library alone has for it. */
#define FUNCTIONS(F) \
	F(dl_iterate_phdr, dl_iterate_phdr, __dl_iterate_phdr) \
	F(register_atfork, __register_atfork, __register_atfork) \
	F(at_quick_exit, __cxa_at_quick_exit, __cxa_at_quick_exit) \
	F(sigaction, sigaction, __sigaction) \
	F(key_create, pthread_key_create, __pthread_key_create) \
	F(setspecific, pthread_setspecific, __pthread_setspecific) \
	F(attr_init, pthread_attr_init, __pthread_attr_init) \
	F(attr_setdetachstate, pthread_attr_setdetachstate, __pthread_attr_setdetachstate) \
	F(attr_setstacksize, pthread_attr_setstacksize, __pthread_attr_setstacksize) \
	F(thread_create, pthread_create, __pthread_create) \
	F(fflush, fflush, _IO_fflush)

extern struct r_debug _r_debug __attribute__((weak)); /* not in static programs */

/* Threads that are the first at the same time fill one each, so that none writes what another one reads, and a signal
 * handler waits for nobody; the first that is full is everybody's. */
enum { MOST_AT_ONCE = 64 };
static struct ompp_real reals[MOST_AT_ONCE];
static _Atomic unsigned int n_reals;
static struct ompp_real *_Atomic bound;
static int is_host; /* of an emulated program, which has no libraries that are loaded */

/* ---- a static program ---- */

/* They are hidden, so that a library or a dynamic program does not import them; there they are NULL. */
#define DECLARE(member, name, alone) extern void alone(void) __attribute__((weak, visibility("hidden")));
FUNCTIONS(DECLARE)

static void bind_static(struct ompp_real *real)
{
#define TAKE(member, name, alone) real->member = (__typeof__(real->member))(void *)alone;
	FUNCTIONS(TAKE)
}

/* ---- the C library in memory ---- */

/* Before glibc 2.34 threads were in a library of their own. */
static int is_libc(const char *name)
{
	return !strcmp(name, "libc.so.6") || !strcmp(name, "libpthread.so.0");
}

static void bind_to(struct ompp_real *real, const struct ompp_dynamic *libc)
{
#define LOOK_UP(member, name, alone) \
	if (!real->member) \
		real->member = (__typeof__(real->member))ompp_dynamic_function(libc, #name);
	FUNCTIONS(LOOK_UP)
	if (!real->find_object)
		real->find_object = (__typeof__(real->find_object))ompp_dynamic_function(libc, "_dl_find_object");
}

const struct ompp_real *ompp_real(void)
{
	struct ompp_real *real = atomic_load_explicit(&bound, memory_order_acquire), *other = NULL;
	const struct link_map *m = &_r_debug ? _r_debug.r_map : NULL;
	struct ompp_dynamic d;
	unsigned int n;

	if (real)
		return real;
	n = atomic_fetch_add(&n_reals, 1);
	real = &reals[n < MOST_AT_ONCE ? n : MOST_AT_ONCE - 1];
	bind_static(real);
	for (; m; m = m->l_next)
		if (!ompp_dynamic_open(&d, m->l_addr, m->l_ld) && is_libc(d.name))
			bind_to(real, &d);
	return atomic_compare_exchange_strong(&bound, &other, real) ? real : other;
}

/* ---- what is loaded ---- */

/* Fills what is told of the program alone, as the kernel has loaded it. */
static int program_alone(int (*each)(struct dl_phdr_info *, size_t, void *), void *data)
{
	struct dl_phdr_info info = { .dlpi_name = "",
		                     .dlpi_phdr = (const ElfW(Phdr) *)ompp_auxv(AT_PHDR),
		                     .dlpi_phnum = (ElfW(Half))ompp_auxv(AT_PHNUM),
		                     .dlpi_adds = 1 };

	for (int i = 0; info.dlpi_phdr && i < info.dlpi_phnum; i++) {
		const ElfW(Phdr) *segment = &info.dlpi_phdr[i];
		ElfW(Addr) headers = (ElfW(Addr))info.dlpi_phdr;

		if (segment->p_type == PT_PHDR)
			info.dlpi_addr = headers - segment->p_vaddr;
		else if (segment->p_type == PT_LOAD && !segment->p_offset) /* static-pie has no PT_PHDR */
			info.dlpi_addr = headers - sizeof(ElfW(Ehdr)) - segment->p_vaddr;
	}
	if (info.dlpi_addr % ompp_auxv(AT_PAGESZ)) /* the headers are not where all linkers put them */
		return 0;
	return info.dlpi_phdr ? each(&info, sizeof(info), data) : 0;
}

__thread int ompp_real_is_away __attribute__((tls_model("initial-exec")));

int ompp_real_each(int (*each)(struct dl_phdr_info *, size_t, void *), void *data)
{
	if (__builtin_expect(is_host, 0))
		return program_alone(each, data);
	return ompp_real_each_here(each, data);
}

int ompp_real_each_here(int (*each)(struct dl_phdr_info *, size_t, void *), void *data)
{
	const struct ompp_real *r = ompp_real();

	if (__builtin_expect(ompp_real_is_away, 0))
		return 0;
	return r->dl_iterate_phdr ? r->dl_iterate_phdr(each, data) : program_alone(each, data);
}

void ompp_real_become_host(void)
{
	ompp_real();
	atomic_load(&bound)->find_object = NULL;
	is_host = 1;
}

struct wanted {
	const char *name;
	void *function, *found;
};

static int look_in(struct dl_phdr_info *info, size_t size, void *data)
{
	struct wanted *w = data;
	struct ompp_dynamic d;

	(void)size;
	if (!ompp_dynamic_holds(info, (uintptr_t)w->function))
		return 0;
	if (!ompp_dynamic_of(&d, info))
		w->found = ompp_dynamic_function(&d, w->name);
	return 1;
}

void *ompp_real_version(const char *name, void *function)
{
	struct wanted w = { name, function, NULL };

	if (function)
		ompp_real_each(look_in, &w);
	return w.found ? w.found : function;
}

/* Of each sanitizer's run-time library. */
extern void __sanitizer_print_stack_trace(void) __attribute__((weak));

/* The program is the first. */
static int look_in_program(struct dl_phdr_info *info, size_t size, void *data)
{
	struct wanted *w = data;
	struct ompp_dynamic d;

	(void)size;
	if (!ompp_dynamic_of(&d, info))
		w->found = ompp_dynamic_function(&d, w->name);
	return 1;
}

int ompp_real_is_programs(const char *name)
{
	struct wanted w = { name, NULL, NULL };

	if (!__sanitizer_print_stack_trace)
		ompp_real_each(look_in_program, &w);
	return w.found != NULL;
}

static int holds_both(struct dl_phdr_info *info, size_t size, void *data)
{
	const void *const *pair = data;

	(void)size;
	return ompp_dynamic_holds(info, (uintptr_t)pair[0]) && ompp_dynamic_holds(info, (uintptr_t)pair[1]);
}

int ompp_real_are_together(const void *a, const void *b)
{
	const void *pair[] = { a, b };

	return ompp_real_each(holds_both, pair);
}
