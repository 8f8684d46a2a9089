"""Commands: python3 -m ompp regions|hatchet|extrap FILE…

    regions FILE...     the time of all threads in each region itself, most first; files of all ranks are added up
    hatchet FILE...     the call tree as JSON, for hatchet.GraphFrame.from_literal(json.load(f))
    extrap [--parameter=NAME=N,N,...]... FILE...    several runs as input of Extra-P; without parameter by their threads
"""
import json
import sys

from . import Error, calltree, extrap, load
from .stacks import PARTS
from .text import shown


def _regions(files):
    for r in load(files).regions():
        times = [r[p] for p in PARTS]
        times.insert(0, None if None in times else sum(times))
        print(" ".join("%12s" % ("-" if t is None else "%.6f" % (t / 1e9)) for t in times), shown(r["title"]))


def _extrap(arguments):
    names, values, files = [], [], []
    for a in arguments:
        if not a.startswith("--parameter="):
            files.append(a)
            continue
        name, _, numbers = a[len("--parameter=") :].partition("=")
        try:
            values.append([float(n) for n in numbers.split(",")])
        except ValueError:
            raise Error("--parameter: '%s' is no list of numbers; give NAME=N,N,..." % numbers) from None
        names.append(name)
    if any(len(v) != len(files) for v in values):
        raise Error("--parameter: %d files; give a number for each" % len(files))
    profiles = [load(f) for f in files]
    sys.stdout.write(extrap.text(profiles, list(zip(*values)), names) if names else extrap.text(profiles))


def main(arguments):
    if len(arguments) < 2 or arguments[0] not in ("regions", "hatchet", "extrap"):
        sys.stderr.write(__doc__)
        return 2
    try:
        if arguments[0] == "regions":
            print("%12s %12s %12s %12s region, seconds of all threads" % ("time", "work", "waiting", "management"))
            _regions(arguments[1:])
        elif arguments[0] == "hatchet":
            json.dump(calltree.literal(load(arguments[1:])), sys.stdout)
            print()
        else:
            _extrap(arguments[1:])
        sys.stdout.flush()
    except Error as e:
        sys.stderr.write("%s\n" % e)
        return 1
    except BrokenPipeError:
        sys.stderr.close()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
