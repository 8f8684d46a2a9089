# Decodes a profile.proto by the rules of Protocol Buffers and the published numbers of its fields, and checks that all of its
# references lead somewhere.  read(PATH) returns {types, samples, comments, texts …}; it knows nothing of kinst.
import gzip


def varint(data, at):
    n = shift = 0
    while True:
        byte = data[at]
        n |= (byte & 127) << shift
        at, shift = at + 1, shift + 7
        if byte < 128:
            assert shift <= 70, "a number of more than ten bytes"
            return n, at


def fields(data):
    """All fields of a message: number, and an integer or bytes."""
    at = 0
    while at < len(data):
        key, at = varint(data, at)
        if key & 7 == 0:
            value, at = varint(data, at)
        else:
            assert key & 7 == 2, "wire type %d" % (key & 7)
            n, at = varint(data, at)
            value = data[at : at + n]
            assert len(value) == n, "a message that is cut off"
            at += n
        yield key >> 3, value


def message(data, several=()):
    """A message as {number: value}, where those of `several` are lists."""
    out = {k: [] for k in several}
    for k, v in fields(data):
        if k not in several:
            assert k not in out, "field %d twice" % k
            out[k] = v
        elif isinstance(v, bytes) and k in several and several[k] == "numbers":
            at = 0  # packed
            while at < len(v):
                n, at = varint(v, at)
                out[k].append(n)
        else:
            out[k].append(v)
    return out


def signed(n):
    return n - (1 << 64) if n >> 63 else n


def read(path):
    data = open(path, "rb").read()
    if data[:2] == b"\x1f\x8b":
        data = gzip.decompress(data)
    p = message(data, {1: "", 2: "", 3: "", 4: "", 5: "", 6: "", 13: "numbers"})
    texts = [t.decode("utf-8") for t in p[6]]
    assert texts[0] == ""
    functions, locations, mappings = {}, {}, {}
    for m in map(message, p[3]):
        mappings[m[1]] = texts[m.get(5, 0)]
    for m in map(message, p[5]):
        assert m[1] and m[1] not in functions
        functions[m[1]] = (texts[m[2]], texts[m.get(4, 0)], m.get(5, 0))
    for m in (message(x, {4: ""}) for x in p[4]):
        assert m[1] and m[1] not in locations and m[2] in mappings
        lines = [message(x) for x in m[4]]
        locations[m[1]] = [(functions[line[1]], line.get(2, 0)) for line in lines]
    types = [(texts[m[1]], texts[m[2]]) for m in map(message, p[1])]
    samples = []
    for m in (message(x, {1: "numbers", 2: "numbers", 3: ""}) for x in p[2]):
        assert len(m[2]) == len(types), "values of a sample"
        labels = {texts[x[1]]: texts[x[2]] for x in map(message, m[3])}
        stack = [frame for i in reversed(m[1]) for frame in locations[i]]  # the outermost first
        samples.append((stack, [signed(n) for n in m[2]], labels))
    return {"types": types, "samples": samples, "functions": functions, "mappings": mappings, "start_ns": p.get(9, 0),
            "duration_ns": p.get(10, 0), "comments": [texts[i] for i in p[13]], "default": texts[p.get(14, 0)]}
