/*
 * Debuginfo: see debuginfo.h.
 */
#include "runtime/program/debuginfo.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/arena.h"
#include "runtime/base/program_file.h"
#include "runtime/base/sys.h"
#include "runtime/base/text.h"
#include "runtime/host/helper.h"
#include "runtime/host/note.h"

enum { PATH_BYTES = 1024 };

static struct ompp_helper helper = {
	.file = "ompp-symbols",
	.version = OMPP_DEBUGINFO_VERSION,
	.why_not_installed = "its helper ompp-symbols is not installed; build kinst where elfutils (libdw) is",
	.why_not_runnable = "its helper ompp-symbols does not run; install elfutils (libdw1)",
	.why_other_version = "its helper ompp-symbols is of another version; install kinst again",
};

void ompp_debuginfo_put(struct ompp_message *m, const struct ompp_debug_variable *variable)
{
	ompp_message_put(m, variable, sizeof(*variable));
	ompp_message_put_text(m, variable->name);
	ompp_message_put_text(m, variable->scope);
	ompp_message_put_text(m, variable->unit);
	ompp_message_put_text(m, variable->file);
}

struct taker {
	ompp_debug_found found;
	void *context;
};

static int debuginfo_take(void *context, struct ompp_message *m)
{
	const struct taker *taker = context;
	struct ompp_debug_variable v;

	ompp_message_get(m, &v, sizeof(v));
	v.name = ompp_message_get_text(m);
	v.scope = ompp_message_get_text(m);
	v.unit = ompp_message_get_text(m);
	v.file = ompp_message_get_text(m);
	if (m->is_bad)
		return -EPROTO;
	taker->found(taker->context, &v);
	return 0;
}

int ompp_debuginfo_is_emulated;

/*
 * Returns 1 where QEMU's user mode runs the program: it answers /proc/self/exe by the program's file, while all other
 * processes find QEMU's own there.  It knows these words alone, not the same file by other ones.
 */
static int debuginfo_in_qemu(void)
{
	static const char *const names[] = { "/proc/self/exe", "/proc//self/exe" };
	char paths[2][PATH_BYTES];
	ssize_t n[2];

	for (int i = 0; i < 2; i++)
		n[i] = ompp_sys_readlink(names[i], paths[i], sizeof(paths[i]));
	return n[0] > 0 && n[1] > 0 && (n[0] != n[1] || memcmp(paths[0], paths[1], (size_t)n[0]));
}

/* Returns the path of the file for the helper, which is another process: there "/proc/self" would mean the helper. */
static const char *path_for_helper(const char *path, char buffer[PATH_BYTES])
{
	struct ompp_text t;

	if (strcmp(path, ompp_program_file))
		return path;
	if (ompp_debuginfo_is_emulated || debuginfo_in_qemu()) {
		ompp_program_path(buffer, PATH_BYTES);
		return buffer;
	}
	ompp_text_init(&t, buffer, PATH_BYTES);
	ompp_text_str(&t, "/proc/");
	ompp_text_u64(&t, (uint64_t)ompp_sys_gettid()); /* the main thread may have ended */
	ompp_text_str(&t, "/exe");
	return buffer;
}

void ompp_debuginfo_begin(struct ompp_message *m, int question, const char *path)
{
	char buffer[PATH_BYTES];

	ompp_message_begin(m, OMPP_HELPER_QUESTION);
	ompp_message_put_i64(m, question);
	ompp_message_put_text(m, path_for_helper(path, buffer));
}

int ompp_debuginfo_ask(struct ompp_message *m, int (*item)(void *context, struct ompp_message *m), void *context,
                       const char **why)
{
	return ompp_helper_ask(&helper, m, item, context, why);
}

int ompp_debuginfo_variables(const char *path, const char *source, const char *name, ompp_debug_found found,
                             void *context, const char **why)
{
	struct taker taker = { found, context };
	struct ompp_arena arena;
	struct ompp_message *m;
	int rc = -ENOMEM;

	ompp_arena_init(&arena, 0);
	m = ompp_arena_alloc(&arena, sizeof(*m));
	if (m) {
		ompp_debuginfo_begin(m, OMPP_DEBUGINFO_VARIABLES, path);
		ompp_message_put_text(m, source);
		ompp_message_put_text(m, name);
		rc = ompp_debuginfo_ask(m, debuginfo_take, &taker, why);
		if (!rc)
			rc = (int)ompp_message_get_i64(m);
	}
	ompp_arena_fini(&arena);
	return rc;
}

/* Asks PLACE or LINE.
 * function: NULL for PLACE */
static unsigned int ask_location(int question, const char *path, uintptr_t address, struct ompp_text *file,
                                 struct ompp_text *function)
{
	struct ompp_arena arena;
	struct ompp_message *m;
	int64_t line = 0;

	ompp_arena_init(&arena, 0);
	m = ompp_arena_alloc(&arena, sizeof(*m));
	if (m) {
		ompp_debuginfo_begin(m, question, path);
		ompp_message_put_i64(m, (int64_t)address);
		if (!ompp_debuginfo_ask(m, NULL, NULL, NULL)) {
			line = ompp_message_get_i64(m);
			ompp_text_str(file, ompp_message_get_text(m));
			if (function)
				ompp_text_str(function, ompp_message_get_text(m));
		}
	}
	ompp_arena_fini(&arena);
	if (line > 0 && line <= UINT32_MAX && file->n_bytes)
		return (unsigned int)line;
	file->data[0] = '\0';
	return 0;
}

unsigned int ompp_debuginfo_location(const char *path, uintptr_t address, char *file, size_t n_bytes)
{
	struct ompp_text t;

	ompp_text_init(&t, file, n_bytes);
	return ask_location(OMPP_DEBUGINFO_LOCATION, path, address, &t, NULL);
}

unsigned int ompp_debuginfo_line(const char *path, uintptr_t address, char *file, size_t n_bytes, char *function,
                                 size_t n_function)
{
	struct ompp_text t, f;

	ompp_text_init(&t, file, n_bytes);
	ompp_text_init(&f, function, n_function);
	return ask_location(OMPP_DEBUGINFO_LINE, path, address, &t, &f);
}

void ompp_debuginfo_put_frame(struct ompp_message *m, const struct ompp_debug_frame *frame)
{
	ompp_message_put_text(m, frame->file);
	ompp_message_put_text(m, frame->function);
	ompp_message_put_i64(m, frame->line);
	ompp_message_put_i64(m, frame->column);
	ompp_message_put_i64(m, frame->is_of_system);
}

/* The frames of a call as they come. */
struct frames {
	struct ompp_arena *arena;
	struct ompp_debug_frame all[OMPP_DEBUG_MOST_FRAMES];
	size_t n;
};

static int take_frame(void *context, struct ompp_message *m)
{
	struct frames *frames = context;
	struct ompp_debug_frame *f = &frames->all[frames->n];

	if (frames->n == OMPP_DEBUG_MOST_FRAMES)
		return -EPROTO;
	f->file = ompp_arena_strdup(frames->arena, ompp_message_get_text(m));
	f->function = ompp_arena_strdup(frames->arena, ompp_message_get_text(m));
	f->line = (unsigned int)ompp_message_get_i64(m);
	f->column = (unsigned int)ompp_message_get_i64(m);
	f->is_of_system = (int)ompp_message_get_i64(m);
	if (m->is_bad)
		return -EPROTO;
	frames->n++;
	return f->file && f->function ? 0 : -ENOMEM;
}

/* Takes the END of an answer about a call. */
static int take_call(struct ompp_message *m, struct ompp_arena *arena, const struct frames *frames,
                     struct ompp_debug_call *call)
{
	struct ompp_debug_frame *all = ompp_arena_alloc(arena, (frames->n + 1) * sizeof(*all));

	call->symbol = ompp_arena_strdup(arena, ompp_message_get_text(m));
	call->offset = (uintptr_t)ompp_message_get_i64(m);
	call->is_of_system = (int)ompp_message_get_i64(m);
	call->is_own = (int)ompp_message_get_i64(m);
	if (!all || !call->symbol)
		return -ENOMEM;
	memcpy(all, frames->all, frames->n * sizeof(*all));
	call->frames = all;
	call->n_frames = frames->n;
	return m->is_bad ? -EPROTO : 0;
}

/* Says once why functions have no names. */
static void say_nameless(const char *why)
{
	static const char what[] = "functions of hot spots and calls have no names: ";
	char line[256];
	struct ompp_text t;

	ompp_text_init(&t, line, sizeof(line));
	ompp_text_str(&t, what);
	ompp_text_str(&t, why);
	ompp_note_say_once(line, sizeof(what) - 1);
}

int ompp_debuginfo_call(const char *path, uintptr_t address, struct ompp_arena *arena, struct ompp_debug_call *call)
{
	struct ompp_arena own;
	struct ompp_message *m;
	struct frames *frames;
	const char *why = "";
	int rc = -ENOMEM;

	ompp_arena_init(&own, 0);
	m = ompp_arena_alloc(&own, sizeof(*m));
	frames = ompp_arena_alloc(&own, sizeof(*frames));
	if (m && frames) {
		*frames = (struct frames){ .arena = arena };
		ompp_debuginfo_begin(m, OMPP_DEBUGINFO_CALL, path);
		ompp_message_put_i64(m, (int64_t)address);
		rc = ompp_debuginfo_ask(m, take_frame, frames, &why);
		if (rc == -ENOENT && why[0])
			say_nameless(why);
		rc = rc ? rc : take_call(m, arena, frames, call);
	}
	ompp_arena_fini(&own);
	return rc;
}
