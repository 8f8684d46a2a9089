/*
 * Map: tables of a trace that grow, and hash tables.
 */
#include <stdlib.h>
#include <string.h>

#include "reports/flow/flow.h"
#include "runtime/base/check.h"
#include "runtime/base/checksum.h"

enum { FIRST_SLOTS = 64, FIRST_ENTRIES = 16, REST_STEPS = 1 << 16 };

static __thread char message[512];

int ompp_flow_fail(enum ompp_flow_error error, const char *what)
{
	strncpy(message, what, sizeof(message) - 1);
	return error;
}

const char *ompp_flow_message(void)
{
	return message;
}

static size_t slot_of(const struct ompp_flow_map *map, uint64_t key)
{
	uint64_t h = key * 0x9E3779B97F4A7C15u;
	size_t at = (size_t)(h ^ h >> 32);

	ompp_assert(map->n_slots && !(map->n_slots & (map->n_slots - 1)) && 2 * map->n_used <= map->n_slots);
	while (map->values[at & (map->n_slots - 1)] && map->keys[at & (map->n_slots - 1)] != key)
		at++;
	return at & (map->n_slots - 1);
}

static int make_room(struct ompp_flow_map *map)
{
	struct ompp_flow_map larger = { .n_slots = map->n_slots ? 2 * map->n_slots : FIRST_SLOTS };

	if (2 * map->n_used < map->n_slots)
		return 0;
	larger.keys = calloc(larger.n_slots, sizeof(*larger.keys));
	larger.values = calloc(larger.n_slots, sizeof(*larger.values));
	if (!larger.keys || !larger.values) {
		free(larger.keys);
		free(larger.values);
		return -1;
	}
	for (size_t i = 0; i < map->n_slots; i++) {
		size_t at;

		if (!map->values[i])
			continue;
		at = slot_of(&larger, map->keys[i]);
		larger.keys[at] = map->keys[i];
		larger.values[at] = map->values[i];
	}
	larger.n_used = map->n_used;
	free(map->keys);
	free(map->values);
	*map = larger;
	return 0;
}

uint32_t *ompp_flow_map_at(struct ompp_flow_map *map, uint64_t key)
{
	size_t at;

	if (make_room(map))
		return NULL;
	at = slot_of(map, key);
	if (!map->values[at]) {
		map->keys[at] = key;
		map->n_used++; /* the caller fills it, or ends with an error */
	}
	return &map->values[at];
}

uint32_t ompp_flow_map_find(const struct ompp_flow_map *map, uint64_t key)
{
	return map->n_slots ? map->values[slot_of(map, key)] - 1 : OMPP_FLOW_NONE;
}

void ompp_flow_map_free(struct ompp_flow_map *map)
{
	free(map->keys);
	free(map->values);
	memset(map, 0, sizeof(*map));
}

uint64_t ompp_flow_hash_text(uint64_t hash, const char *text)
{
	return ompp_checksum(hash, text, strlen(text) + 1);
}

uint64_t ompp_flow_hash_number(uint64_t hash, uint64_t number)
{
	hash = (hash ^ number) * 0x9E3779B97F4A7C15u;
	return hash ^ hash >> 31;
}

void *ompp_flow_more(void *table, size_t *n, struct ompp_flow_room *room, size_t n_more, size_t entry_bytes)
{
	char **all = table;

	if (*n + n_more >= UINT32_MAX || ompp_flow_room_grow(room, (*n + n_more) * entry_bytes))
		return NULL;
	*all = room->at;
	ompp_assert((*n + n_more) * entry_bytes <= room->n_bytes);
	*n += n_more;
	return *all + (*n - n_more) * entry_bytes;
}

void ompp_flow_walked(const struct ompp_flow *flow, size_t n_steps)
{
	if (n_steps % REST_STEPS)
		return;
	ompp_flow_room_rest(&flow->records_room);
	ompp_flow_room_rest(&flow->order_room);
	ompp_flow_room_rest(&flow->uses_room);
}

void *ompp_flow_grow(void *table, size_t *n, size_t *have, size_t entry_bytes)
{
	char **all = table, *more;

	if (*n == *have) {
		size_t n_more = *have ? 2 * *have : FIRST_ENTRIES;

		if (*n >= UINT32_MAX - 1 || n_more > SIZE_MAX / entry_bytes)
			return NULL;
		more = realloc(*all, n_more * entry_bytes);
		if (!more)
			return NULL;
		*all = more;
		*have = n_more;
	}
	ompp_assert(*n < *have);
	memset(*all + *n * entry_bytes, 0, entry_bytes);
	return *all + (*n)++ * entry_bytes;
}
