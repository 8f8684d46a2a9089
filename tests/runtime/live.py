"""live: asks the server of ompp live as browsers do, and as those do who have no business with it.

    live.py ADDRESS FIFO RECORDING    FIFO: of the watcher; RECORDING: what it writes meanwhile
    live.py --lines ADDRESS           prints the lines of a stream up to its end
    live.py --flood ADDRESS           10,000 connections without the token, while no page is open
"""

import json
import os
import socket
import sys
import threading
import time

ADDRESS = sys.argv[2] if sys.argv[1].startswith("--") else sys.argv[1]
HOST = ADDRESS.split("/")[2]
TOKEN = ADDRESS.split("/")[3]
PORT = int(HOST.rsplit(":", 1)[1])


def dial():
    return socket.create_connection(("127.0.0.1", PORT), timeout=20)


def raw(request, most=1 << 20, seconds=20):
    """Sends bytes, and returns what comes back up to the end, or up to when nothing comes for so long."""
    answer = b""
    with dial() as s:
        s.settimeout(seconds)
        try:
            s.sendall(request)
            s.shutdown(socket.SHUT_WR)
        except OSError:
            pass
        try:
            while len(answer) < most:
                some = s.recv(65536)
                if not some:
                    break
                answer += some
        except OSError:
            pass
    return answer


def ask(path, method="GET", host=HOST, headers=(), body=None):
    """Returns the status, and the headers and the body."""
    lines = ["%s %s HTTP/1.1" % (method, path)]
    lines += ["Host: " + one for one in ([host] if isinstance(host, str) else host or [])]
    lines += list(headers) + ["Connection: close"]
    if body is not None:
        lines.append("Content-Length: %d" % len(body))
    answer = raw("\r\n".join(lines).encode() + b"\r\n\r\n" + (body or b""))
    head, _, rest = answer.partition(b"\r\n\r\n")
    return int(head.split(b" ")[1]) if head.startswith(b"HTTP/") else 0, head.decode("latin-1"), rest


def own(name=""):
    return "/%s/%s" % (TOKEN, name)


def check(what, found, *expected):
    assert found in expected, "%s: %r, not %s" % (what, found, " or ".join(map(repr, expected)))


class Stream:
    """The events of a stream, as (kind, id, text)."""

    def __init__(self, after=None, buffer=None):
        self.s = socket.socket()
        if buffer:
            self.s.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
        self.s.settimeout(20)
        self.s.connect(("127.0.0.1", PORT))
        more = "Last-Event-ID: %d\r\n" % after if after else ""
        self.s.sendall(("GET %s HTTP/1.1\r\nHost: %s\r\n%s\r\n" % (own("events"), HOST, more)).encode())
        self.file = self.s.makefile("rb")
        status = self.file.readline()
        assert b" 200 " in status, status
        while self.file.readline().strip():
            pass
        self.bytes = b""

    def chunk(self):
        n = int(self.file.readline() or b"0", 16)
        some = self.file.read(n)
        self.file.readline()
        return some

    def events(self):
        while True:
            while b"\n\n" not in self.bytes:
                some = self.chunk()
                if not some:
                    return
                self.bytes += some
            one, _, self.bytes = self.bytes.partition(b"\n\n")
            fields = dict(line.split(": ", 1) for line in one.decode().split("\n") if not line.startswith(":"))
            if fields:
                yield fields.get("event", "line"), int(fields.get("id", 0)), fields["data"]

    def until(self, wanted, seconds=20):
        """Returns the first event for which wanted() is true."""
        end = time.monotonic() + seconds
        for event in self.events():
            if wanted(event):
                return event
            assert time.monotonic() < end, "waited in vain"
        raise AssertionError("the stream has ended")

    def close(self):
        self.file.close()
        self.s.close()


def command(text):
    return ask(own("command"), "POST", body=text.encode())[0]


def state(stream, wanted):
    return json.loads(stream.until(lambda e: e[0] == "state" and wanted(json.loads(e[2])))[2])


# ---- what is right ----

def the_page():
    status, head, body = ask(own())
    check("the page", status, 200)
    assert b"live.js" in body and b"//" not in body, body
    for words in ("Content-Security-Policy: default-src 'none'", "X-Content-Type-Options: nosniff", "no-store",
                  "Referrer-Policy: no-referrer", "X-Frame-Options: DENY"):
        assert words in head, head
    for name, kind in (("base.js", "text/javascript"), ("live.js", "text/javascript"), ("style.css", "text/css")):
        status, head, body = ask(own(name))
        check(name, status, 200)
        assert kind in head and len(body) > 1000, head
        body = body.replace(b"http://www.w3.org/2000/svg", b"")  # a name, which nobody asks for
        assert b"https:" not in body and b"http:" not in body, name
    check("localhost", ask(own(), host="localhost:%d" % PORT)[0], 200)
    check("its own origin", ask(own(), headers=["Origin: http://" + HOST, "Sec-Fetch-Site: same-origin"])[0], 200)
    check("no such name", ask(own("nothing"))[0], 404)


def the_stream():
    stream, sensors, columns, n, kinds, last = Stream(), {}, None, 0, [], 0
    for kind, number, text in stream.events():
        data = json.loads(text)
        kinds.append(kind)
        if kind != "line":
            continue
        if "sensor" in data:
            sensors[data["sensor"]] = data
        elif "columns" in data:
            columns = data["columns"]
            assert all(c[0] in sensors for c in columns), columns
        elif "v" in data:
            assert len(data["v"]) == len(columns), data
            assert number > last, "numbers of lines grow"
            last = number
            n += 1
            if n == 20:
                break
    assert kinds[:2] == ["state", "catalog"], kinds[:4]
    # Who comes back gets what is next.
    again = Stream(after=last)
    number = again.until(lambda e: e[0] == "line" and e[1])[1]
    check("the line after %d" % last, number, last + 1)
    # Two see the same.
    lines = [dict(), dict()]
    for seen, one in zip(lines, (stream, again)):
        for kind, number, text in one.events():
            if kind == "line" and number:
                seen[number] = text
                if number >= last + 30:
                    break
    common = [number for number in lines[0] if number in lines[1]]
    assert len(common) >= 20 and all(lines[0][i] == lines[1][i] for i in common), "two pages see different lines"
    stream.close()
    again.close()


def the_commands():
    stream = Stream()
    first = state(stream, lambda s: True)
    check("pause", command("pause"), 202)
    state(stream, lambda s: s["paused"])
    check("a silent stream", stream.until(lambda e: e[0] != "state" and e[0] != "line")[2], "{}")
    check("interval", command("interval 25ms"), 202)
    state(stream, lambda s: s["interval_ns"] == 25000000)
    check("resume", command("resume"), 202)
    state(stream, lambda s: not s["paused"])
    check("enable", command("enable vmstat:pgalloc_normal"), 202)
    state(stream, lambda s: "vmstat:pgalloc_normal" in s["patterns"])
    stream.until(lambda e: e[0] == "line" and '["vmstat","pgalloc_normal",null]' in e[2])
    check("disable", command("disable vmstat:pgalloc_normal"), 202)
    after = state(stream, lambda s: "vmstat:pgalloc_normal" not in s["patterns"])
    check("patterns", after["patterns"], first["patterns"])
    check("enable nonsense", command("enable <b>stat</b>"), 202)
    told = state(stream, lambda s: "why" in s)
    check("about", told["about"], "<b>stat</b>")
    check("interval", command("interval 20ms"), 202)
    # Nothing else can be written: neither files nor what only the FIFO may.
    for text in ("record /tmp/from-the-web", "label x", "pause\nrecord x", "pause\r\n", "", "paus", "pause x", "enable",
                 "enable \x1b[2J", "x" * 5000, "interval " + "9" * 511):
        check("the command %r" % text[:20], command(text), 400, 413)
    check("a NUL", ask(own("command"), "POST", body=b"pause\0record x")[0], 400)
    check("GET command", ask(own("command"))[0], 405)
    stream.close()


def the_labels(fifo):
    texts = ["<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", "\"},{\"label\":\"x", "a\\b\x1b[31m\x07",
             "\u2028\u2029\u202e right to left", "event: state data: x"]
    stream = Stream()
    stream.until(lambda e: e[0] == "line" and e[1])
    for text in texts:
        with open(fifo, "w", encoding="utf-8") as f:
            f.write("label " + text + "\n")
        event = stream.until(lambda e: e[0] == "line" and '"label"' in e[2])
        check("a label", json.loads(event[2])["label"], text)
        assert "<" not in event[2] and "\x1b" not in event[2] and "\u2028" not in event[2], event
    stream.close()


# ---- what is not ----

def the_strangers():
    other = TOKEN[:-1] + ("0" if TOKEN[-1] != "0" else "1")
    for path in ("/", "", "/events", "/command", "/live.js", "//", "/" + TOKEN, "/" + TOKEN[:-1] + "/", "/" + other + "/",
                 "/" + other + "/events", "/" + TOKEN.upper() + "x/", "/?token=" + TOKEN, "/%00" + TOKEN + "/",
                 "/" + "0" * 32 + "/", "/../" + TOKEN + "/", "/" + TOKEN[:16] + "%00" + TOKEN[16:] + "/"):
        if path == own():
            continue
        status, head, body = ask(path)
        check("the path %r" % path, status, 403, 400)
        assert TOKEN.encode() not in body and b"live.js" not in body, body
    check("a wrong token with a command", ask("/" + other + "/command", "POST", body=b"stop")[0], 403)
    for host in ("evil.example", "evil.example:%d" % PORT, "127.0.0.1", "127.0.0.1:1", "127.0.0.1.evil.example:%d" % PORT,
                 "", None, [HOST, HOST], [HOST, "evil.example"]):
        for name in ("", "events"):
            check("the host %r" % (host,), ask(own(name), host=host)[0], 403, 400)
    for origin in ("http://evil.example", "null", "https://" + HOST, "http://" + HOST + ".evil.example", "http://127.0.0.1:1",
                   "http://localhost:%d" % PORT, ""):
        check("the origin %r" % origin, ask(own("command"), "POST", headers=["Origin: " + origin], body=b"stop")[0], 403)
    for site in ("cross-site", "same-site"):
        check(site, ask(own(), headers=["Sec-Fetch-Site: " + site])[0], 403)
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "QUERY"):
        check(method, ask(own(), method)[0], 403, 404, 405, 501)
        check(method, ask(own("events"), method)[0], 403, 404, 405, 501)


def the_malformed():
    start = ("GET %s HTTP/1.1\r\nHost: %s\r\n" % (own(), HOST)).encode()
    post = ("POST %s HTTP/1.1\r\nHost: %s\r\n" % (own("command"), HOST)).encode()
    for request in (b"", b"\0" * 5000, os.urandom(20000), b"\r\n" * 5000, b"GET", b"GET / HTTP/9.9\r\n\r\n", b"\x16\x03\x01" * 99,
                    start[:-20] + b"\n\n", start + b"X: " + b"y" * 300000 + b"\r\n\r\n", start + b"X: y\r\n" * 50000 + b"\r\n",
                    b"GET /" + b"a" * 300000 + b" HTTP/1.1\r\n\r\n", start + b"no colon\r\n\r\n",
                    post + b"Content-Length: -5\r\n\r\nstop", post + b"Content-Length: 99999999999999999999\r\n\r\nstop",
                    post + b"Content-Length: 4\r\nContent-Length: 50\r\n\r\nxtop",
                    post + b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nstop\r\n",
                    post + b"Transfer-Encoding: chunked\r\n\r\nzz\r\nxtop\r\n0\r\n\r\n",
                    post + b"Content-Length: 4000000\r\n\r\n" + b"x" * 4000000, post + b"Content-Length: 9\r\n\r\nst"):
        answer = raw(request, seconds=0.3)
        assert b" 202 " not in answer[:20], "%r is taken: %r" % (request[:60], answer[:60])
    check("the page after that", ask(own())[0], 200)


def the_slow():
    """Connections that say nothing, little, or read nothing; and more of them than are taken."""
    idle, streams = [], []
    for _ in range(4):  # pages that never read
        streams.append(Stream(buffer=4096))
    for i in range(1000):
        s = socket.socket()
        s.setblocking(False)
        s.connect_ex(("127.0.0.1", PORT))
        idle.append(s)
    time.sleep(0.2)
    for s in idle[::2]:
        try:
            s.send(b"GET /")
        except OSError:
            pass
    end = time.monotonic() + 3
    while time.monotonic() < end:  # byte by byte
        for s in idle[:200]:
            try:
                s.send(b"a")
            except OSError:
                pass
        time.sleep(0.3)
    answered("the page beside 1,000 connections")
    for s in idle:
        s.close()
    for s in streams:
        s.close()
    many = []
    try:
        for _ in range(40):
            many.append(Stream())
    except AssertionError as error:
        assert b" 503 " in error.args[0], error
    assert 4 <= len(many) <= 16, "%d streams" % len(many)
    for s in many:
        s.close()


# ---- floods ----

KNOCKS = {
    "closed at once": None,
    "silent": b"",
    "half a line": b"GET /" + TOKEN[:8].encode(),
    "a wrong token": b"GET /" + b"0" * 32 + b"/ HTTP/1.1\r\nHost: " + HOST.encode() + b"\r\n\r\n",
    "no HTTP": b"\x16\x03\x01" * 40,
}


def knock(number, says):
    """Opens a connection without the token; the addresses differ, so that no port runs out."""
    s = socket.socket()
    s.bind(("127.0.%d.%d" % (1 + number // 250, 1 + number % 250), 0))
    s.setblocking(False)
    s.connect_ex(("127.0.0.1", PORT))
    if says:
        try:
            s.send(says)
        except OSError:
            pass
    if says is None:
        s.close()
    return s


def answered(what, most=1.0, tries=3):
    """The page comes within a second; a machine that does other things may try again."""
    times = []
    while not times or min(times) > most and len(times) < tries:
        begin = time.monotonic()
        try:
            check(what, ask(own())[0], 200)
            times.append(time.monotonic() - begin)
        except OSError:
            times.append(99)
    assert min(times) <= most, "%s: %s s" % (what, times)
    return min(times)


def the_flood(n=10000, held=400):
    """After and during floods of each kind who has the token is served."""
    number = 0
    for kind, says in KNOCKS.items():
        here, slowest = [], 0
        for i in range(n // len(KNOCKS)):
            here.append(knock(number, says))
            number += 1
            if len(here) == held:
                slowest = max(slowest, answered("during '%s'" % kind))
                for s in here:
                    s.close()
                here = []
        for s in here:
            s.close()
        print("%s: %.3f s during it, %.3f s after it" % (kind, slowest, answered("after '%s'" % kind)))
    # It does not come back after all places were taken and left at rest, either.
    here = [knock(number + i, b"") for i in range(held)]
    time.sleep(0.5)
    for s in here:
        s.close()
    time.sleep(7)
    answered("after a pause")
    # A page that is open stays so.
    stream = Stream()
    here = [knock(number + i, b"GET") for i in range(held)]
    stream.until(lambda e: e[0] == "line" and e[1])
    answered("beside a page")
    for s in here:
        s.close()
    stream.close()


def times_of(path):
    with open(path) as f:
        return [json.loads(line)["t"] / 1e9 for line in f if line.startswith('{"t"') and '"v"' in line]


if sys.argv[1] == "--lines":
    for kind, number, text in Stream().events():
        print(kind, text, flush=True)
    sys.exit()
if sys.argv[1] == "--flood":
    the_flood()
    sys.exit()
fifo, recording = sys.argv[2], sys.argv[3]
the_page()
the_stream()
the_commands()
the_labels(fifo)
with open(fifo, "w") as f:
    f.write("record %s\n" % recording)
attacks = [threading.Thread(target=one) for one in (the_strangers, the_malformed)]
failed = []
threading.excepthook = lambda what: (failed.append(what), sys.__excepthook__(*what[:3]))
for one in attacks:
    one.start()
for one in attacks:
    one.join()
the_slow()
time.sleep(0.3)
assert not failed
# Nothing of that has kept the watcher from its work.
at = times_of(recording)
gaps = sorted(b - a for a, b in zip(at, at[1:]))
assert len(at) > 100, "%d samples" % len(at)
print("samples %d, the longest time between two %.3f s, of half of them %.3f s" % (len(at), gaps[-1], gaps[len(gaps) // 2]))
assert gaps[len(gaps) // 2] < 0.03 and gaps[-1] < 1.5, "the watcher was kept from reading"
