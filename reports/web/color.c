#include "reports/web/color.h"

#include "runtime/base/array.h"

static const char *const colors[] = {
#define OMPP_COLOR(name, light, dark) light,
#include "reports/web/color.def"
};

static const char *const of_one[] = {
#define OMPP_COLOR_OF_ONE(k, color) color,
#include "reports/web/color.def"
};

const char *ompp_color(enum ompp_color color)
{
	return colors[color];
}

const char *ompp_color_of_one(size_t number)
{
	return of_one[number % OMPP_COUNT_OF(of_one)];
}
