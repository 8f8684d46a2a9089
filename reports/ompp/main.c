/*
 * main: see command.c.
 */
#include "reports/ompp/ompp.h"
#include "runtime/host/helper.h"

int main(int argc, char **argv)
{
	ompp_helper_beside = 1;
	return ompp_main(argc, argv);
}
