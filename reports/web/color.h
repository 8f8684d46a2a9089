/* Color: the colours of pictures, which are those of pages (color.def). */
#ifndef OMPP_WEB_COLOR_H
#define OMPP_WEB_COLOR_H

#include <stddef.h>

enum ompp_color {
#define OMPP_COLOR(name, light, dark) OMPP_COLOR_##name,
#include "reports/web/color.def"
};

/* Returns a colour as SVG writes it. */
const char *ompp_color(enum ompp_color color);

/* Returns the colour of a thread or NUMA node by its number; there are twelve, then they come again. */
const char *ompp_color_of_one(size_t number);

#endif
