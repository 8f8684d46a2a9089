"""Call trees as Hatchet and Thicket take them: a list of dicts of frame, metrics and children.

    graphframe = hatchet.GraphFrame.from_literal(ompp.calltree.literal(profile))

Metrics: "time" and "time (inc)", the wall-clock time at the call path itself and with those below, in nanoseconds, with
their standard errors where not all executions were timed; "work", "waiting" and "management", the time of all threads
at the path itself; "executions"; and each counter, with what is below, as "NAME (inc)".  What is not known is None, which
pandas has as NaN.
"""

TIMES = {"time (inc)": "wall_ns", "time": "exclusive_wall_ns", "time error (inc)": "wall_error_ns",
         "time error": "exclusive_wall_error_ns"}


def metadata(profile):
    """What Thicket wants to know of a run: all members of the run, and the conditions."""
    out = dict(profile.run)
    for condition in profile.conditions:
        out.setdefault(condition["label"], condition["value"])
    return out


def _sum(values):
    values = list(values)
    return None if not values or None in values else sum(values)


def literal(profile):
    paths, cells, regions = (profile.columns(t) for t in ("paths", "cells", "regions"))
    stacks, rows, children, nodes = {}, {}, {}, {}
    for row in profile.stacks():
        stacks.setdefault(row["path"], []).append(row)
    for i, path in enumerate(cells["path"]):
        rows.setdefault(path, []).append(i)
    counters = [c["name"] for c in profile.document["counters"]]
    for path in range(len(paths["parent"])):
        region = paths["region"][path]
        frame = {"name": profile.path_title(path), "type": "region" if path else "program"}
        if region is not None:
            frame["region"] = region
            frame["construct"] = paths["construct"][path]
            if regions["file"][region]:
                frame["file"] = regions["file"][region]
            if regions["begin_line"][region]:
                frame["line"] = regions["begin_line"][region]
        # The root has each metric, as Hatchet looks there for their names.
        metrics = {name: paths[column][path] for name, column in TIMES.items()}
        for part in "work", "waiting", "management":
            metrics[part] = _sum(row[part + "_ns"] for row in stacks.get(path, []))
        metrics["executions"] = _sum(cells["executions"][i] for i in rows.get(path, [])) if path else None
        for counter in counters:
            metrics[counter + " (inc)"] = _sum(cells[counter][i] for i in rows.get(path, [])) if path else None
        nodes[path] = {"frame": frame, "metrics": metrics, "children": []}
        if path:
            nodes[paths["parent"][path]]["children"].append(nodes[path])
    return [nodes[0]] if nodes else []
