/*
 * Load ahead: see load_ahead.h.
 */
#include "reports/show/load_ahead.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reports/show/show.h"

/* Reads a whole file, if it has at most `most` bytes.  Returns their number; 0: it is not read here. */
static size_t image_read(const char *path, unsigned char *bytes, size_t most)
{
	size_t n = 0, n_want = 0;
	struct stat st;
	ssize_t more = 0;
	int fd;

	if (stat(path, &st) || !S_ISREG(st.st_mode)) /* a pipe that is opened is one to its writer */
		return 0;
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return 0;
	if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size > 0 && (uintmax_t)st.st_size <= most)
		n_want = (size_t)st.st_size;
	while (n < n_want && ((more = read(fd, bytes + n, n_want - n)) > 0 || (more < 0 && errno == EINTR)))
		n += more > 0 ? (size_t)more : 0;
	close(fd);
	return n == n_want ? n : 0;
}

/* Reads the files from number i on. */
static void ahead_read(struct ompp_load_ahead *ahead, size_t i)
{
	size_t used = 0;

	ahead->first = i;
	ahead->n_images = 0;
	if (!ahead->bytes)
		ahead->bytes = ompp_arena_alloc(&ahead->arena, OMPP_LOAD_AHEAD_BYTES);
	while (ahead->bytes && ahead->n_images < OMPP_PROFILE_IMAGES && i < ahead->n) {
		struct ompp_profile_image *image = &ahead->images[ahead->n_images];

		*image = (struct ompp_profile_image){ .data = ahead->bytes + used };
		image->n_bytes = image_read(ahead->paths[i++], ahead->bytes + used, OMPP_LOAD_AHEAD_BYTES - used);
		if (!image->n_bytes)
			break;
		used += image->n_bytes;
		ahead->n_images++;
	}
	ompp_profile_sum(ahead->images, ahead->n_images);
}

int ompp_load_ahead(struct ompp_load_ahead *ahead, size_t i, struct ompp_arena *arena, struct ompp_profile *profile)
{
	const char *why;

	if (i >= ahead->first + ahead->n_images)
		ahead_read(ahead, i);
	/* what cannot be read, or is damaged, is complained of there */
	if (i >= ahead->first + ahead->n_images ||
	    ompp_profile_parse_image(&ahead->images[i - ahead->first], arena, profile, &why) || profile->is_damaged)
		return ompp_load(ahead->paths[i], arena, profile);
	return 0;
}

void ompp_load_ahead_fini(struct ompp_load_ahead *ahead)
{
	ompp_arena_fini(&ahead->arena);
}
