/*
 * Calls: see sum_calls.h.
 */
#include "runtime/data_sums/sum_calls.h"

#include <errno.h>
#include <string.h>

#include "runtime/base/program_file.h"
#include "runtime/base/text.h"
#include "runtime/sums/index.h"

enum { MOST_ASKED = 5000 }; /* calls whose locations are asked for; a question takes some 50 us */

/* A location that calls are told apart by: of the source, or an instruction of a file. */
struct location {
	const char *file; /* one of `texts` */
	uint64_t where;   /* line and column; where in the file */
	int is_instruction;
};

struct ompp_calls {
	struct ompp_arena *arena;
	const char *app;
	ompp_call_find *find;
	void *context;
	struct ompp_call **all;
	size_t n, have;
	struct ompp_index index;
	const char **texts; /* each once */
	size_t n_texts, have_texts;
	struct ompp_index text_index;
	struct location *locations;
	size_t n_locations, have_locations;
	struct ompp_index location_index;
	uint64_t n_unasked;
};

struct ompp_calls *ompp_calls_new(struct ompp_arena *arena, const char *app, ompp_call_find *find, void *context)
{
	struct ompp_calls *calls = ompp_arena_alloc(arena, sizeof(*calls));

	if (!calls)
		return NULL;
	*calls = (struct ompp_calls){ .arena = arena, .app = app, .find = find, .context = context };
	return calls;
}

uint64_t ompp_calls_unasked(const struct ompp_calls *calls)
{
	return calls->n_unasked;
}

static uint32_t calls_mix(uint64_t x)
{
	return (uint32_t)(x * 0x9E3779B97F4A7C15u >> 32);
}

static uint32_t text_hash(const char *text)
{
	uint64_t h = 0;

	for (; *text; text++)
		h = (h ^ (unsigned char)*text) * 0x100000001B3u;
	return calls_mix(h);
}

static uint32_t hash_of_text(const void *context, uint32_t i)
{
	return text_hash(((const struct ompp_calls *)context)->texts[i]);
}

/* Returns the one copy of a text; NULL without memory. */
static const char *keep_text(struct ompp_calls *calls, const char *text)
{
	size_t at = text_hash(text);
	const char **all;
	uint32_t i;

	while ((i = ompp_index_next(&calls->text_index, &at)) != OMPP_INDEX_FREE)
		if (!strcmp(calls->texts[i], text))
			return calls->texts[i];
	all = ompp_arena_grow(calls->arena, calls->texts, &calls->have_texts, calls->n_texts + 1, sizeof(*all));
	if (!all)
		return NULL;
	calls->texts = all;
	all[calls->n_texts] = ompp_arena_strdup(calls->arena, text);
	if (!all[calls->n_texts] ||
	    ompp_index_put(&calls->text_index, calls->arena, (uint32_t)calls->n_texts, hash_of_text, calls))
		return NULL;
	return all[calls->n_texts++];
}

static uint32_t location_hash(const struct location *p)
{
	return calls_mix(p->where ^ (uintptr_t)p->file << 20 ^ (uint64_t)p->is_instruction << 63);
}

static uint32_t hash_of_location(const void *context, uint32_t i)
{
	return location_hash(&((const struct ompp_calls *)context)->locations[i]);
}

/* Finds the number of a location.  Returns 0 or -ENOMEM. */
static int number_location(struct ompp_calls *calls, struct location location, uint32_t *number)
{
	size_t at = location_hash(&location);
	struct location *all;

	while ((*number = ompp_index_next(&calls->location_index, &at)) != OMPP_INDEX_FREE) {
		const struct location *p = &calls->locations[*number];

		if (p->file == location.file && p->where == location.where &&
		    p->is_instruction == location.is_instruction)
			return 0;
	}
	all = ompp_arena_grow(calls->arena, calls->locations, &calls->have_locations, calls->n_locations + 1,
	                      sizeof(*all));
	if (!all)
		return -ENOMEM;
	calls->locations = all;
	*number = (uint32_t)calls->n_locations;
	all[*number] = location;
	calls->n_locations++;
	return ompp_index_put(&calls->location_index, calls->arena, *number, hash_of_location, calls);
}

/* Keeps what an answer says.  Returns 0 or -ENOMEM. */
static int keep_answer(struct ompp_calls *calls, struct ompp_call *call, const struct ompp_debug_call *answer)
{
	struct ompp_debug_frame *frames = ompp_arena_alloc(calls->arena, (answer->n_frames + 1) * sizeof(*frames));

	call->at = *answer;
	call->at.offset++;
	call->at.frames = frames;
	call->at.symbol = keep_text(calls, answer->symbol);
	if (!frames || !call->at.symbol)
		return -ENOMEM;
	for (size_t i = 0; i < answer->n_frames; i++) {
		frames[i] = answer->frames[i];
		frames[i].file = keep_text(calls, frames[i].file);
		frames[i].function = keep_text(calls, frames[i].function);
		if (!frames[i].file || !frames[i].function)
			return -ENOMEM;
		if (!call->own && !call->is_ours && frames[i].line && !frames[i].is_of_system)
			call->own = &frames[i];
	}
	return 0;
}

/* Finds where in the source a call is.  Returns 0 or -ENOMEM. */
static int calls_ask(struct ompp_calls *calls, struct ompp_call *call)
{
	struct ompp_call_file file = { 0 };
	struct ompp_debug_call answer;
	struct ompp_arena arena;
	int rc;

	call->loaded = call->at.symbol = "";
	call->app = calls->app;
	rc = calls->find(calls->context, call->address - 1, &file);
	call->is_ours = file.is_ours;
	if (rc)
		return 0;
	call->offset = file.offset + 1;
	call->loaded = keep_text(calls, file.shown);
	if (!call->loaded)
		return -ENOMEM;
	if (calls->n > MOST_ASKED) {
		calls->n_unasked++;
		return 0;
	}
	ompp_arena_init(&arena, 0);
	if (!ompp_debuginfo_call(file.path, file.offset, &arena, &answer))
		rc = keep_answer(calls, call, &answer);
	ompp_arena_fini(&arena);
	return rc;
}

/* Finds the locations of a call: those of its frames, and its instruction where not all of these are known. */
static int find_locations(struct ompp_calls *calls, struct ompp_call *call)
{
	uint32_t *locations = ompp_arena_alloc(calls->arena, (call->at.n_frames + 1) * sizeof(*locations));
	int is_sure = call->at.n_frames > 0;

	if (!locations)
		return -ENOMEM;
	for (size_t i = 0; i < call->at.n_frames; i++) {
		const struct ompp_debug_frame *f = &call->at.frames[i];

		is_sure &= f->line && f->column;
		if (number_location(calls, (struct location){ f->file, (uint64_t)f->line << 32 | f->column, 0 },
		                    &locations[call->n_locations++]))
			return -ENOMEM;
	}
	if (!is_sure &&
	    number_location(calls, (struct location){ call->loaded, call->offset ? call->offset : call->address, 1 },
	                    &locations[call->n_locations++]))
		return -ENOMEM;
	call->locations = locations;
	return 0;
}

static uint32_t hash_of_call(const void *context, uint32_t i)
{
	return calls_mix(((const struct ompp_calls *)context)->all[i]->address);
}

const struct ompp_call *ompp_call_at(struct ompp_calls *calls, uintptr_t address)
{
	size_t at = calls_mix(address);
	struct ompp_call **all, *call;
	uint32_t i;

	while ((i = ompp_index_next(&calls->index, &at)) != OMPP_INDEX_FREE)
		if (calls->all[i]->address == address)
			return calls->all[i];
	all = ompp_arena_grow(calls->arena, calls->all, &calls->have, calls->n + 1, sizeof(*all));
	call = ompp_arena_alloc(calls->arena, sizeof(*call));
	if (!all || !call)
		return NULL;
	calls->all = all;
	all[calls->n] = call;
	call->address = address;
	if (calls_ask(calls, call) || find_locations(calls, call) ||
	    ompp_index_put(&calls->index, calls->arena, (uint32_t)calls->n, hash_of_call, calls))
		return NULL;
	calls->n++;
	return call;
}

static const char *base_of(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

void ompp_call_put_frame(struct ompp_text *t, const struct ompp_debug_frame *frame)
{
	ompp_text_str(t, base_of(frame->file));
	ompp_text_char(t, ':');
	ompp_text_u64(t, frame->line);
}

void ompp_call_put_address(struct ompp_text *t, const struct ompp_call *call)
{
	ompp_text_str(t, call->at.symbol[0]                         ? call->at.symbol
	                 : !call->loaded[0]                         ? "(unloaded)"
	                 : !strcmp(call->loaded, ompp_program_file) ? call->app
	                                                            : base_of(call->loaded));
	ompp_text_str(t, "+0x");
	ompp_text_hex(t, call->at.symbol[0] ? call->at.offset : call->offset);
}
