// containers_plugin: names the program's container, and is unloaded before that ends.
#include <vector>

extern "C" void name(std::vector<double> &v);
void name(std::vector<double> &v)
{
#pragma pomp inst data(v, "lent")
}
