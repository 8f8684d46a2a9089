// cells: the numbers of a thread, or of all threads, in a region, and how their time divides into parts.
// Given: lists that page_threads.c has encoded.
const timesOf = ["exec", "body", "enter", "exit", "exitBar", "startup", "shutdown", "mgmt", "task", "incl", "cost", "error",
	"bodyError", "enterError", "exitError"];
const countsOf = ["count", "bodies"], bytesOf = ["mapTo", "mapFrom"];

const digit = new Uint8Array(128);
for (const [i, c] of [..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].entries()) digit[c.charCodeAt(0)] = i;

// Returns n numbers that page_threads.c has encoded.
function decode(text, n) {
	const numbers = new Array(n).fill(0);
	if (!text) return numbers;
	for (let k = 0, at = 0, before = 0; k < n; k++) {
		if (text[at] === "-") {
			numbers[k] = null;
			at++;
			continue;
		}
		let value = 0, d, scale = 1;
		do {
			d = digit[text.charCodeAt(at++)];
			value += (d & 31) * scale;
			scale *= 32;
		} while (d & 32);
		before += value % 2 ? -(value + 1) / 2 : value / 2;
		numbers[k] = before;
	}
	return numbers;
}

// Returns the cells of the threads; null when the file has the sums alone.
function decodeCells(encoded) {
	if (!encoded) return null;
	const n = encoded.n, columns = {};
	for (const name of ["rows", ...countsOf, ...timesOf, ...bytesOf, ...P.metrics.map((_, m) => "metric" + m)]) columns[name] = decode(encoded[name], n);
	return columns.rows.map((row, i) => {
		const cell = { row, label: threads[row] };
		for (const name of [...countsOf, ...timesOf, ...bytesOf]) cell[name] = columns[name][i];
		cell.metrics = P.metrics.map((_, m) => columns["metric" + m][i]);
		return cell;
	});
}

const known = (ns) => ns || 0;

// How the time of a cell divides: [{ ns, color, name, tip }].
function partsOf(construct, cell) {
	const c = constructs[construct], x = (ns, color, name, tip) => ({ ns: Math.max(0, known(ns)), color, name, tip });
	const rest = (...parts) => cell.exec - parts.reduce((sum, ns) => sum + known(ns), 0);
	const lost = { synchronisation: "synch", imbalance: "imbal", "limited parallelism": "limpar", management: "mgmt" }[c.overhead] || "work";
	const body = ["body", "the useful part: what stands inside of the construct, with the regions in it"];
	const tasks = x(cell.task, "task", "tasks", "tasks that the thread ran while it waited");
	switch (c.form) {
	case "plain": case "target": case "message": case "task":
		return [x(cell.exec, lost, lost === "work" ? "body" : c.overhead, c.form === "task" ? "without other tasks that ran meanwhile" : "")];
	case "tasks":
		return [x(rest(cell.task), lost, lost === "synch" ? "waiting" : lost === "work" ? "body" : c.overhead), tasks];
	case "wait":
		return [x(cell.incl, "synch", "waiting", "in which no task was run"), tasks];
	case "critical": case "lock":
		return [{ ...x(cell.enter, "synch", "waiting to enter"), error: cell.enterError }, { ...x(cell.body, "work", ...body), error: cell.bodyError },
			{ ...x(cell.exit, "mgmt", "leaving"), error: cell.exitError }];
	case "loop":
		return [x(cell.body, "work", ...body), x(cell.exitBar, lost, "waiting at the end", "until all threads are there"), tasks];
	case "single": case "sections":
		return [x(cell.body, "work", ...body), x(cell.exitBar, c.form === "sections" && cell.bodies < cell.count ? "limpar" : lost,
			"waiting at the end", "until all threads are there"), tasks, x(cell.mgmt, "mgmt", "handing out")];
	default:
		return [x(cell.startup, "mgmt", "making the team"), x(cell.body, "work", ...body),
			x(cell.exitBar, lost, "waiting at the end", "until all threads are there"), tasks, x(cell.shutdown, "mgmt", "ending the team")];
	}
}

const waitingOf = (construct, cell) => partsOf(construct, cell).filter((p) => p.name.startsWith("waiting"))
	.reduce((sum, p) => sum + p.ns, 0);
const hasBody = (construct) => !["plain", "target", "task", "tasks", "wait"].includes(constructs[construct].form);
