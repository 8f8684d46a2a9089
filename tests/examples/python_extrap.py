# Reads the text format of Extra-P by its rules, and checks it against the profiles in JSON.
# Usage: python_extrap.py TEXT THREADS=FILE.json…
import json, sys


def read(path):
    """Parameters, points, and values by metric, region and point."""
    parameters, points, data, metric, region, at = [], [], {}, None, None, 0
    for line in open(path, encoding="utf-8"):
        line = " ".join(line.split())
        if not line or line[0] == "#":
            continue
        word, _, rest = line.partition(" ")
        if word == "PARAMETER":
            parameters += rest.split(" ")
        elif word == "POINTS":
            assert parameters
            points += [tuple(map(float, p.strip("( ").split(" "))) for p in rest.split(")") if p] if "(" in rest else [(float(p),) for p in rest.split(" ")]
            assert all(len(p) == len(parameters) for p in points) and len(set(points)) == len(points)
        elif word == "METRIC":
            assert rest not in data, "a metric twice, which Extra-P mistakes for another"
            metric, region = rest, None
            data[metric] = {}
        elif word == "REGION":
            assert rest not in data[metric], "a region twice: " + rest
            region, at = rest, 0
            data[metric][region] = {}
        else:
            assert word == "DATA" and region is not None, line
            data[metric][region][points[at]] = [float(v) for v in rest.split(" ")]
            at += 1
    assert all(set(of) == set(points) for regions in data.values() for of in regions.values()), "regions without all points"
    return parameters, points, data


def main():
    parameters, points, data = read(sys.argv[1])
    runs = {}
    for argument in sys.argv[2:]:
        n, path = argument.split("=", 1)
        runs.setdefault((float(n),), []).append(json.load(open(path, encoding="utf-8")))
    assert parameters == ["threads"] and points == sorted(runs) and set(data) == {"time", "exclusive_time", "executions"}
    assert data["time"]["program"] == {n: [int(r["paths"]["wall_ns"][0]) / 1e9 for r in of] for n, of in runs.items()}
    for metric, column in ("time", "wall_ns"), ("exclusive_time", "exclusive_wall_ns"):
        for n, of in runs.items():
            for i, run in enumerate(of):
                want = sorted(int(v) / 1e9 for v in run["paths"][column])
                got = sorted(values[n][i] for values in data[metric].values())
                assert want == got or len(got) < len(want) and set(got) <= set(want), (metric, n, want, got)
    for n, of in runs.items():
        for i, run in enumerate(of):
            sums = {}
            for path, k in zip(run["cells"]["path"], run["cells"]["executions"]):
                sums[path] = sums.get(path, 0) + int(k)
            assert sorted(v for p, v in sums.items() if p) == sorted(values[n][i] for values in data["executions"].values())
    # a call path is below that of its parent
    for region in data["time"]:
        assert region == "program" or region.rpartition("->")[0] in data["time"], region
    return len(data["time"])


if __name__ == "__main__":
    assert main() > 3
