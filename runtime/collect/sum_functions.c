/*
 * Functions: see sum_functions.h.
 *
 * Debug information is read when a report is made, and not when a function is first called: the helper that reads it
 * must not be started, or have a descriptor, while the program runs.
 */
#define _GNU_SOURCE
#include "runtime/collect/sum_functions.h"

#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/program_file.h"
#include "runtime/base/text.h"
#include "runtime/core/region.h"
#include "runtime/core/session.h"
#include "runtime/host/helper.h"
#include "runtime/host/loaded.h"
#include "runtime/program/debuginfo.h"

/* Names a call by the symbol before it (main+0x1f) and a body by its function (main._omp_fn.0); both by the file when
 * it has no symbols. */
static void functions_name(struct ompp_region_def *def, const struct ompp_loaded *file)
{
	char name[OMPP_LOADED_PATH_BYTES];
	const char *slash = strrchr(file->path, '/');
	struct ompp_debug_call call = { .symbol = "", .offset = 0 };
	struct ompp_arena arena;
	struct ompp_text t;

	ompp_arena_init(&arena, 0);
	ompp_text_init(&t, name, sizeof(name));
	if (ompp_debuginfo_call(file->path, file->offset - 1, &arena, &call) || !call.symbol[0]) {
		ompp_text_str(&t, slash && strcmp(file->path, ompp_program_file) ? slash + 1 : ompp_session_app());
		call.offset = file->offset - 1;
	} else {
		ompp_text_str(&t, call.symbol);
	}
	if (call.offset) {
		ompp_text_str(&t, "+0x");
		ompp_text_hex(&t, call.offset);
	}
	ompp_region_found_behind(def, name);
	ompp_arena_fini(&arena);
}

/* Names the callable that std::thread runs: the symbol
 * std::thread::_State_impl<std::thread::_Invoker<std::tuple<X>>>::_M_run belongs to the library's function for X.
 * std::async nests one in another. */
static void thread_name(struct ompp_region_def *def)
{
	static const char begin[] = "::_Invoker<std::tuple<", of_state[] = "std::thread::_State_impl<";
	const char *at = def->symbol, *found = NULL;
	char name[OMPP_LOADED_PATH_BYTES];
	struct ompp_text t;
	size_t n = 0, depth = 1;

	if (strncmp(at, of_state, sizeof(of_state) - 1) != 0)
		return;
	while ((at = strstr(at, begin)))
		found = at += sizeof(begin) - 1;
	if (!found)
		return;
	for (; found[n] && depth; n += depth != 0)
		depth += (size_t)(found[n] == '<') - (found[n] == '>' && n && found[n - 1] != '-');
	ompp_text_init(&t, name, sizeof(name));
	ompp_text_str(&t, "std::thread ");
	ompp_text_strn(&t, found, n);
	ompp_region_found_behind(def, name);
}

/* Finds where a thread's function begins, or where a call waits: in the innermost inlined function that is not from a
 * header of the compiler or a library. */
static void functions_ask_thread(struct ompp_region_def *def, const struct ompp_loaded *file)
{
	struct ompp_debug_call call = { .n_frames = 0 };
	struct ompp_arena arena;
	size_t i = 0;

	ompp_arena_init(&arena, 0);
	if (ompp_debuginfo_call(file->path, file->offset - 1, &arena, &call))
		call.n_frames = 0;
	while (i < call.n_frames && call.frames[i].is_of_system)
		i++;
	ompp_region_found_at(def, i < call.n_frames ? call.frames[i].file : "",
	                     i < call.n_frames ? call.frames[i].line : 0);
	ompp_arena_fini(&arena);
	if (def->construct == OMPP_THREAD || !def->source[0])
		functions_name(def, file);
	if (def->construct == OMPP_THREAD)
		thread_name(def);
}

/* Finds where a function begins; or the call that stands for a construct, by the call's last byte, since the address
 * is the return address. */
static void functions_ask(struct ompp_region_def *def)
{
	char source[OMPP_LOADED_PATH_BYTES], function[1];
	struct ompp_loaded file;
	unsigned int line = 0;
	int is_found = !ompp_loaded_find(&file, def->address);

	if (is_found && (def->construct == OMPP_THREAD || ompp_construct_is_wait(def->construct))) {
		functions_ask_thread(def, &file);
		return;
	}
	source[0] = '\0';
	if (is_found)
		line = def->construct == OMPP_FUNCTION
		             ? ompp_debuginfo_location(file.path, file.offset, source, sizeof(source))
		             : ompp_debuginfo_line(file.path, file.offset - 1, source, sizeof(source), function,
		                                   sizeof(function));
	ompp_region_found_at(def, source, line);
	if (def->construct != OMPP_FUNCTION && !source[0] && is_found)
		functions_name(def, &file);
}

/* Do both have the same symbol, or none? */
static int has_symbol_of(const struct ompp_region_def *x, const struct ompp_region_def *y)
{
	return x->symbol && y->symbol ? !strcmp(x->symbol, y->symbol) : x->symbol == y->symbol;
}

/* Returns the id of the first function that has the same name and location. */
static uint32_t first_like(const struct ompp_region_def *def, uint32_t id)
{
	for (uint32_t i = 1; i < id && def->source[0]; i++) {
		const struct ompp_region_def *other = ompp_region_by_id(i);

		if (other && other->source && other->source_line == def->source_line &&
		    other->construct == def->construct && !strcmp(other->name, def->name) &&
		    has_symbol_of(other, def) && !strcmp(other->source, def->source))
			return i;
	}
	return id;
}

void ompp_functions_locate(void)
{
	uint32_t n = ompp_region_count();
	int asked = 0;

	for (uint32_t id = 1; id <= n; id++) {
		struct ompp_region_def *def = ompp_region_by_id(id);

		if (!def || !ompp_region_is_code(def) || def->source)
			continue;
		functions_ask(def);
		def->shown_as = first_like(def, id);
		asked = 1;
	}
	if (asked)
		ompp_helper_end();
}
