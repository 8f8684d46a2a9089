/*
 * Access: the counts of accesses to data objects, and the origins of the objects' names.
 */
#ifndef OMPP_TERMS_ACCESS_FIELDS_H
#define OMPP_TERMS_ACCESS_FIELDS_H

/* Where the name of an object comes from. */
enum ompp_origin {
	OMPP_ORIGIN_NONE,    /* (other) and (stack) */
	OMPP_ORIGIN_PRAGMA,  /* inst data in the source */
	OMPP_ORIGIN_CALL,    /* ompp_data_begin, ompp_papi_set_drange */
	OMPP_ORIGIN_ADDRESS, /* OMPP_DATA_ADDR */
	OMPP_ORIGIN_SYMBOL,  /* OMPP_DATA_NAME, found in a symbol table */
	OMPP_ORIGIN_HEAP,    /* OMPP_OBJECTS=all: the blocks that one site allocated */
	OMPP_ORIGIN_FILE     /* OMPP_OBJECTS=all: other data of a loaded file */
};

/* The two objects that are always there. */
enum { OMPP_OBJECT_OTHER, OMPP_OBJECT_STACK, OMPP_OBJECT_FIRST_NAMED };

/* What is counted.  A block copy or fill is one access of all its bytes.  Atomics are successful read-modify-writes; an
 * atomic load or store counts as a load or store, a failed compare-exchange as a load. */
enum ompp_access_field {
	OMPP_ACCESS_LOADS,
	OMPP_ACCESS_STORES,
	OMPP_ACCESS_ATOMICS,
	OMPP_ACCESS_LOAD_BYTES,
	OMPP_ACCESS_STORE_BYTES,
	OMPP_ACCESS_ATOMIC_BYTES,
	OMPP_ACCESS_ALL, /* loads + stores + atomics; the only one that breakpoints always give */
	OMPP_ACCESS_L1_MISSES,
	OMPP_ACCESS_L2_MISSES,
	OMPP_ACCESS_L3_MISSES, /* modelled; missing without OMPP_CACHE */
	OMPP_N_ACCESS_FIELDS
};

enum { OMPP_ACCESS_LEVELS = OMPP_N_ACCESS_FIELDS - OMPP_ACCESS_L1_MISSES }; /* of modelled caches */

/* A walk through structures, some members of which are used, misses near the miss before, now ahead and now behind. Few
 * structures are larger; accesses at random to what does not fit into a cache are seldom so near. */
enum { OMPP_NEAR_BYTES = 1024 };

#endif
