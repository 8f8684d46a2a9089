/*
 * Array: the number of elements of an array.
 *
 * gcc warns where the argument is a pointer (-Wsizeof-pointer-div, part of -Wall).
 */
#ifndef OMPP_BASE_ARRAY_H
#define OMPP_BASE_ARRAY_H

#define OMPP_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#endif
