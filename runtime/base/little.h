/*
 * Little: words in little-endian order, as files have them.
 */
#ifndef OMPP_BASE_LITTLE_H
#define OMPP_BASE_LITTLE_H

#include <stdint.h>

static inline void ompp_put64(unsigned char *p, uint64_t v)
{
	for (int i = 0; i < 8; i++)
		p[i] = (unsigned char)(v >> 8 * i);
}

static inline void ompp_put32(unsigned char *p, uint32_t v)
{
	for (int i = 0; i < 4; i++)
		p[i] = (unsigned char)(v >> 8 * i);
}

static inline uint32_t ompp_get32(const unsigned char *p)
{
	return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static inline uint64_t ompp_get64(const unsigned char *p)
{
	return ompp_get32(p) | (uint64_t)ompp_get32(p + 4) << 32;
}

#endif
