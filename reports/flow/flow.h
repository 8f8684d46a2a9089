/*
 * Flow: a trace in memory, as load.c makes it and query.c reads it.
 */
#ifndef OMPP_FLOW_FLOW_H
#define OMPP_FLOW_FLOW_H

#include <stddef.h>
#include <stdint.h>

#include "reports/flow/room.h"
#include "reports/ompp_flow.h"
#include "runtime/host/image.h"

/* A hash table from numbers to indices; all 0 at first. */
struct ompp_flow_map {
	uint64_t *keys;
	uint32_t *values; /* index + 1; 0 in free slots */
	size_t n_slots, n_used;
};

/* What few events change: those that have the same share one. */
struct ompp_flow_extra {
	uint64_t period, page_bytes, data_source;
	uint32_t tid, detail;
};

/* An event.  Numbers marked + are 0 where they are not known, else one more than themselves. */
struct ompp_flow_record {
	uint64_t time_ns, address, physical;
	union {
		struct {
			uint32_t ip, latency; /* ip: index */
		} access;
		struct {
			uint32_t cpu, node; /* + */
		} from;
		uint64_t bytes;
		uint32_t use; /* index */
	} of;
	uint32_t set;                                /* + its cover; of a block of memory its site */
	uint32_t region, extra;                      /* + */
	uint16_t thread, cpu, home, node, allocator; /* + */
	uint8_t kind, level;                         /* level * 4 + access */
};

/* How a thread used pages. */
struct ompp_flow_use {
	uint64_t until_ns, n_pages, loads, stores, parts, page_bytes, physical;
};

/* Objects that lie over one place. */
struct ompp_flow_cover {
	uint32_t first, n; /* of `members` */
};

/* A file that the program had in memory. */
struct ompp_flow_file {
	uint64_t number, lo, hi, bias; /* lo, hi: its addresses there; bias: what was added to those of the file */
	struct ompp_image image;
	const char *path;
	int is_program;
	int state; /* of who looks for it: 0 before */
};

/* The calls of a site. */
struct ompp_flow_calls {
	uint32_t site, first, n; /* of `callers` */
};

struct ompp_flow_ip {
	uint64_t ip, key;           /* key: as code.h has it, of its process */
	struct ompp_flow_line line; /* its line is 0 when not known */
};

struct ompp_flow_texts {
	struct ompp_flow_texts *next;
	size_t n_bytes, have;
	char bytes[];
};

/* The trace of a process within one of several: its records lie together, as do its threads. */
struct ompp_flow_part {
	struct ompp_flow_process process;
	size_t first_record;
};

struct ompp_flow {
	struct ompp_flow_info info;
	struct ompp_flow_part *parts; /* at least one */
	size_t n_parts, have_parts;
	struct ompp_flow_record *records; /* in their room, and so on */
	size_t n_records;
	uint32_t *order; /* of the records, by time */
	struct ompp_flow_extra *extras;
	size_t n_extras, have_extras;
	struct ompp_flow_use *uses;
	size_t n_uses;
	struct ompp_flow_room records_room, order_room, uses_room;
	struct ompp_flow_object *objects;
	size_t n_objects, have_objects;
	struct ompp_flow_site *sites;
	size_t n_sites, have_sites;
	struct ompp_flow_region *regions;
	size_t n_regions, have_regions;
	struct ompp_flow_thread *threads;
	size_t n_threads, have_threads;
	struct ompp_flow_variable *variables;
	size_t n_variables, have_variables;
	struct ompp_flow_cover *covers;
	size_t n_covers, have_covers;
	uint32_t *members; /* objects */
	size_t n_members, have_members;
	struct ompp_flow_ip *ips;
	size_t n_ips, have_ips;
	/* What names can be found by that the trace does not have; of one process alone. */
	struct ompp_flow_file *files;
	size_t n_files, have_files;
	struct ompp_flow_calls *calls;
	size_t n_calls, have_calls;
	uintptr_t *callers; /* keys */
	size_t n_callers, have_callers;
	/* The keys of ip_map are instructions; those of the others are the numbers in the file, of one process alone.
	 */
	struct ompp_flow_map object_map, site_map, region_map, cover_map, ip_map, extra_map;
	struct ompp_flow_texts *texts;
};

enum { OMPP_FLOW_MOST_THREADS = 1 << 14 }; /* of one process; of several it is what a record can have */

/* When it is not NULL, it finds the names that the trace of a program which did not come to its end lacks, once sites
 * are counted.  Returns 0, or -1 without memory.  ompp sets it before it opens a trace; the library for programs has no
 * such. */
extern int (*ompp_flow_find_names)(struct ompp_flow *flow);

/* Returns a copy of a text that lives as long as the trace; NULL without memory. */
const char *ompp_flow_keep(struct ompp_flow *flow, const char *text, size_t n_bytes);

/* Notes what was wrong, and returns the error. */
int ompp_flow_fail(enum ompp_flow_error error, const char *what);

/* Returns where the map has the key's index + 1, which is 0 when it is new; NULL without memory. */
uint32_t *ompp_flow_map_at(struct ompp_flow_map *map, uint64_t key);

/* Returns the index of a key; OMPP_FLOW_NONE when the map does not have it. */
uint32_t ompp_flow_map_find(const struct ompp_flow_map *map, uint64_t key);

void ompp_flow_map_free(struct ompp_flow_map *map);

/* Mixes a text, and a number, into a hash, which starts with any number. */
uint64_t ompp_flow_hash_text(uint64_t hash, const char *text);
uint64_t ompp_flow_hash_number(uint64_t hash, uint64_t number);

/* Gives a table room for one more entry, which is zeroed.  Returns it; NULL without memory. */
void *ompp_flow_grow(void *table, size_t *n, size_t *have, size_t entry_bytes);

/* Gives a table that lies in a room, of records or of uses, some more entries, which the caller fills.  Returns the
 * first one; NULL without memory, or when there are too many. */
void *ompp_flow_more(void *table, size_t *n, struct ompp_flow_room *room, size_t n_more, size_t entry_bytes);

/* Is called by who goes through the records, with the number of steps so far: gives back what they took of memory, now
 * and then. */
void ompp_flow_walked(const struct ompp_flow *flow, size_t n_steps);

/* Puts the records into the order of their times.  Returns 0 or -1 without memory. */
int ompp_flow_sort(struct ompp_flow *flow);

/* Finds which thread allocated the memory of each access, by the blocks of memory that began before it.  The records
 * are in order.  Returns 0 or -1 without memory. */
int ompp_flow_find_allocators(struct ompp_flow *flow);

/* Returns the number of the process that a record is of. */
uint32_t ompp_flow_part_of(const struct ompp_flow *flow, size_t record);

/* Returns a number for the page that holds the address in memory of this process: those of several processes have the
 * same addresses. */
uint64_t ompp_flow_page_key(uint32_t process, uint64_t address);

/* Returns the first address of the page of such a number. */
uint64_t ompp_flow_page_address(uint64_t key);

/* Adds the migrations, in order.  Returns 0 or -1. */
int ompp_flow_add_migrations(struct ompp_flow *flow);

/* Finds from which NUMA node most accesses of each thread came.  Returns 0 or -1 without memory. */
int ompp_flow_find_nodes(struct ompp_flow *flow);

/* Names the objects of blocks of memory, and counts what threads, objects and sites did.  Returns 0 or -1. */
int ompp_flow_count(struct ompp_flow *flow);

#endif
