"""Runs the Spack recipe as Spack does, with stand-ins for what it imports, and checks it.

Usage: spack.py RECIPE VERSION HELP-OF-CONFIGURE
Prints the arguments of configure without any variant.  Its directives must be ones that Spack has, a condition must be
one of its variants, and each variant an option of configure and the other way round.
"""
import re
import sys
import types

recipe, version, help_file = sys.argv[1:]
calls = []


def directive(name):
    return lambda *words, **options: calls.append((name, words, options))


class AutotoolsPackage:
    wanted = False

    def with_or_without(self, name):
        assert name in variants, name + ": no variant"
        return ["--%s-%s" % ("with" if self.wanted else "without", name)]


package = types.ModuleType("spack.package")
package.AutotoolsPackage = AutotoolsPackage
for name in ["version", "variant", "depends_on", "license", "conflicts", "patch", "maintainers"]:
    setattr(package, name, directive(name))
sys.modules["spack"] = types.ModuleType("spack")
sys.modules["spack.package"] = package

names = {}
exec(compile(open(recipe).read(), recipe, "exec"), names)
kinst = names["Kinst"]()
variants = [words[0] for name, words, _ in calls if name == "variant"]
assert [words[0] for name, words, _ in calls if name == "version"][0] == version, "version"
assert kinst.url.endswith("/kinst-%s.tar.xz" % version), kinst.url
conditions = [options["when"] for name, _, options in calls if name == "depends_on" and "when" in options]
assert sorted(set(conditions)) == sorted("+" + name for name in variants), (conditions, variants)

options = re.findall(r"--without-([a-z0-9]+)", open(help_file).read())
assert sorted(set(options) - {"PACKAGE", "gnu"}) == sorted(variants), (options, variants)
arguments = kinst.configure_args()
assert len(arguments) == len(variants), arguments
print("\n".join(arguments))


class Environment:
    def prepend_path(self, name, path):
        assert name in ("CPATH", "LIBRARY_PATH") and path in ("include", "lib"), (name, path)


kinst.prefix = types.SimpleNamespace(include="include", lib="lib")
kinst.setup_run_environment(Environment())
