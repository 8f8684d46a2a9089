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

/* A hash table from numbers to indices; initialised with all 0. */
struct ompp_flow_map {
	uint64_t *keys;
	uint32_t *values; /* index + 1; 0 in free slots */
	size_t n_slots, n_used;
};

/* Fields that rarely change; events with equal values share one of these. */
struct ompp_flow_extra {
	uint64_t period, page_bytes, data_source;
	uint32_t tid, detail;
};

/* An event.  Members marked + are the number + 1, or 0 when not known. */
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
		struct {
			uint32_t tag, comm;
		} message; /* of MPI; address: its bytes + 1, physical: when it was posted, set: + its partner */
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

/* A cover: the objects over one piece of memory. */
struct ompp_flow_cover {
	uint32_t first, n; /* of `members` */
};

/* A file that the program had in memory. */
struct ompp_flow_file {
	uint64_t number, lo, hi, bias; /* lo, hi: where it is mapped; bias: mapped address - address in the file */
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

/* One process of a trace of several: its records are contiguous, and so are its threads. */
struct ompp_flow_part {
	struct ompp_flow_process process;
	size_t first_record;
};

struct ompp_flow {
	struct ompp_flow_info info;
	uint32_t mpi_rank, mpi_size;  /* of a single process */
	struct ompp_flow_part *parts; /* at least one */
	size_t n_parts, have_parts;
	struct ompp_flow_record *records; /* in records_room, and so on */
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
	/* What is needed to find names that are not in the trace; only with a single process. */
	struct ompp_flow_file *files;
	size_t n_files, have_files;
	struct ompp_flow_calls *calls;
	size_t n_calls, have_calls;
	uintptr_t *callers; /* keys */
	size_t n_callers, have_callers;
	/* The keys of ip_map are instructions; those of the other maps are the numbers in the file, only with a single
	 * process.
	 */
	struct ompp_flow_map object_map, site_map, region_map, cover_map, ip_map, extra_map;
	struct ompp_flow_texts *texts;
};

enum { OMPP_FLOW_MOST_THREADS = 1 << 14 }; /* of one process; of several, as many as records can hold */

/* Hook to find the names that are missing in the trace of a program that did not end properly; called after sites are
 * counted.  Returns 0, or -1 without memory.  ompp sets it before it opens a trace; in libompp_flow it is NULL. */
extern int (*ompp_flow_find_names)(struct ompp_flow *flow);

/* Returns a copy of a text that lives as long as the trace; NULL without memory. */
const char *ompp_flow_keep(struct ompp_flow *flow, const char *text, size_t n_bytes);

/* Notes what was wrong, and returns the error. */
int ompp_flow_fail(enum ompp_flow_error error, const char *what);

/* Returns a pointer to the key's index + 1, which is 0 if the key is new; NULL without memory. */
uint32_t *ompp_flow_map_at(struct ompp_flow_map *map, uint64_t key);

/* Returns the index of a key; OMPP_FLOW_NONE when the map does not have it. */
uint32_t ompp_flow_map_find(const struct ompp_flow_map *map, uint64_t key);

void ompp_flow_map_free(struct ompp_flow_map *map);

/* Mix a text, or a number, into a hash, whose start value is arbitrary. */
uint64_t ompp_flow_hash_text(uint64_t hash, const char *text);
uint64_t ompp_flow_hash_number(uint64_t hash, uint64_t number);

/* Appends a zeroed entry to a table.  Returns it; NULL without memory. */
void *ompp_flow_grow(void *table, size_t *n, size_t *have, size_t entry_bytes);

/* Appends entries, which the caller fills, to a table in a room (of records or of uses).  Returns the first one; NULL
 * without memory, or when there are too many. */
void *ompp_flow_more(void *table, size_t *n, struct ompp_flow_room *room, size_t n_more, size_t entry_bytes);

/* To be called by a walk over all records, with the number of steps so far; now and then it releases the memory of
 * records in files. */
void ompp_flow_walked(const struct ompp_flow *flow, size_t n_steps);

/* Sorts the records by time.  Returns 0 or -1 without memory. */
int ompp_flow_sort(struct ompp_flow *flow);

/* Finds the thread that allocated the memory of each access, from the blocks that were allocated before it.  The
 * records must be sorted.  Returns 0 or -1 without memory. */
int ompp_flow_find_allocators(struct ompp_flow *flow);

/* Returns the number of a record's process. */
uint32_t ompp_flow_part_of(const struct ompp_flow *flow, size_t record);

/* Returns a key for the page of an address in a process; it includes the process, as processes use the same
 * addresses. */
uint64_t ompp_flow_page_key(uint32_t process, uint64_t address);

/* Returns the first address of the page with this key. */
uint64_t ompp_flow_page_address(uint64_t key);

/* Adds the events of migrations, keeping the order.  Returns 0 or -1. */
int ompp_flow_add_migrations(struct ompp_flow *flow);

/* Finds the NUMA node from which most accesses of each thread came.  Returns 0 or -1 without memory. */
int ompp_flow_find_nodes(struct ompp_flow *flow);

/* Names the objects of blocks of memory, and computes the counts of threads, objects and sites.  Returns 0 or -1. */
int ompp_flow_count(struct ompp_flow *flow);

#endif
