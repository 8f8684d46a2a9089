/*
 * main: see command.c.
 */
#include "reports/ompp/ompp.h"

int main(int argc, char **argv)
{
	return ompp_main(argc, argv);
}
