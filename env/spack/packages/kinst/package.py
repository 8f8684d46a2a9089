# package.py: kinst for Spack.  The distribution (env/dist) lies in the folder in which Spack is called:
#   spack repo add env/spack && spack install kinst
# env/release adds the distribution's sha256 to the version; without it: spack install --no-checksum kinst
import os

from spack.package import *


class Kinst(AutotoolsPackage):
    """OpenMP region profiler that also tells which data structure costs what."""

    manual_download = True
    url = "file://{0}/kinst-1.0.0.tar.xz".format(os.getcwd())
    license("BSD-3-Clause")

    version("1.0.0")

    variant("papi", default=True, description="Names of counters by PAPI and libpfm4")
    variant("elfutils", default=True, description="Names of data by debug information")
    variant("numa", default=True, description="NUMA nodes of the machine")
    variant("microhttpd", default=True, description="The page of ompp live")
    variant("ncurses", default=True, description="The terminal of ompp tui")
    variant("zstd", default=True, description="Compressed traces")
    variant("sqlite", default=True, description="Databases of traces")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build")
    depends_on("gmake", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("papi", when="+papi")
    depends_on("libpfm4", when="+papi")
    depends_on("elfutils", when="+elfutils")
    depends_on("numactl", when="+numa")
    depends_on("libmicrohttpd@0.9.73:", when="+microhttpd")
    depends_on("ncurses", when="+ncurses")
    depends_on("zstd", when="+zstd")
    depends_on("sqlite", when="+sqlite")

    def configure_args(self):
        names = ["papi", "elfutils", "numa", "microhttpd", "ncurses", "zstd", "sqlite"]
        return [arg for name in names for arg in self.with_or_without(name)]

    def setup_run_environment(self, env):
        env.prepend_path("CPATH", self.prefix.include)
        env.prepend_path("LIBRARY_PATH", self.prefix.lib)
