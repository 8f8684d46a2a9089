"""Input of Extra-P: metrics of call paths by parameters, as its text format has them.

A point is a run, or several of the same size, which are repetitions.  A call path is written where all points have it
with a known value, as the format has no missing ones; a comment names those that are left out.
"""
from . import Error
from .text import shown

# Name, unit as Extra-P shows it, and the value of a call path.
METRICS = {
    "time": "wall-clock time with what is below, seconds",
    "exclusive_time": "wall-clock time at the call path itself, seconds",
    "executions": "of all threads",
}


def _word(text):
    """A name without what the format takes for something else: blanks that it folds, arrows between parts of a path; and
    without what a terminal would obey."""
    return shown(" ".join(text.replace("->", "- >").split())) or "?"


def _callpath(profile, path):
    paths, parts = profile.columns("paths"), []
    while path:
        parts.append(_word(profile.path_title(path)))
        path = paths["parent"][path]
    return "->".join(["program"] + parts[::-1])


def _seconds(ns):
    return None if ns is None else ("-" if ns < 0 else "") + "%d.%09d" % divmod(abs(ns), 10**9)


def _values(profile, metric):
    """The values of all call paths, as text or None."""
    paths, cells, out = profile.columns("paths"), profile.columns("cells"), {}
    names = [_callpath(profile, path) for path in range(len(paths["parent"]))]
    if metric in ("time", "exclusive_time"):
        values = paths["wall_ns" if metric == "time" else "exclusive_wall_ns"]
    else:
        values = [0 if path else None for path in range(len(names))]
        for path, n in zip(cells["path"], cells["executions"]):
            if path:
                values[path] += n
    for name, value in zip(names, values):  # regions whose names fold to the same are one
        out[name] = value if name not in out else None if None in (value, out[name]) else out[name] + value
    return {k: str(v) if metric == "executions" and v is not None else _seconds(v) for k, v in out.items()}


def threads(profile):
    """The usual parameter: the most threads that can run at a time, of all processes."""
    return profile.run["threads"]


def text(profiles, points=None, parameters=("threads",), metrics=tuple(METRICS)):
    """Returns the text.  points: by profile a number, or a tuple with one for each parameter; without, its threads."""
    points = [threads(p) for p in profiles] if points is None else list(points)
    points = [tuple(p) if isinstance(p, (list, tuple)) else (p,) for p in points]
    if not profiles or len(points) != len(profiles):
        raise Error("%d profiles and %d points; give a point for each profile" % (len(profiles), len(points)))
    if not 1 <= len(parameters) <= 4 or any(len(p) != len(parameters) for p in points):
        raise Error("a point needs a number for each parameter, of which Extra-P has up to four")
    for metric in metrics:
        if metric not in METRICS:
            raise Error("%s: unknown metric; there are: %s" % (metric, ", ".join(METRICS)))
    order = sorted(set(points))
    points_text = [" ".join("%.12g" % n for n in p) for p in order]
    lines = ["PARAMETER " + _word(name).replace(" ", "_") for name in parameters]
    lines.append("POINTS " + " ".join(s if len(parameters) == 1 else "(%s)" % s for s in points_text))
    for metric in metrics:
        lines += ["", "# %s: %s" % (metric, METRICS[metric]), "METRIC " + metric]
        of = [_values(p, metric) for p in profiles]
        for name in dict.fromkeys(name for values in of for name in values):
            data = [[v.get(name) for v, p in zip(of, points) if p == point] for point in order]
            if any(None in values for values in data):
                if metric != "executions" or name != "program":
                    lines.append("# left out, as not all points have it: " + name)
                continue
            lines.append("REGION " + name)
            lines += ["DATA " + " ".join(values) for values in data]
    return "\n".join(lines) + "\n"
