// recording: what is known of a recording, as its lines (ompp-stat(1)) say: sensors, series of samples, marks, and in which
// region each thread was.  What there is no room for is forgotten, the oldest first.
const { h, brief, stepOf, firstOf, splitWords, matches, color, pixelRatio, context, redrawn, showTip, themeButton, Table } = ompp;

const NUMBERS = 16e6;        // how many numbers are kept in all
const MOST_SAMPLES = 600000; // and how many samples
const MOST_RUNS = 200000;    // of threads in regions
const MOST_MARKS = 5000;

const times = { at: new Float64Array(1024), n: 0, gone: 0 }; // of the samples, in s since the start of the first recording
const sensors = new Map();  // name: what it is, its events, and the width of each sample (the time in which counters grew)
const series = new Map();   // key: a column, with its numbers
const threads = [];         // by number: runs [time, region, waits]
const marks = [];           // labels and pauses
const regions = [];         // names
let columns = [], order = [];
let offset = 0, first_start = null, n_missed = 0, n_unread = 0, n_runs = 0;
let program = null, state = {}, catalog = null, is_ended = false, is_connected = false, is_static = false;

function key_of(sensor, event, source) {
	return sensor + ":" + event + (source === null ? "" : "@" + source);
}

function room_for(n_series) {
	return Math.max(2000, Math.min(MOST_SAMPLES, Math.floor(NUMBERS / Math.max(1, n_series))));
}

function longer(array, n) {
	const more = new Float64Array(n).fill(NaN);
	more.set(array.subarray(0, Math.min(n, array.length)));
	return more;
}

// Makes room for one more sample; where there is no more, the oldest quarter goes.
function grow() {
	const most = room_for(series.size + sensors.size);
	if (times.n < times.at.length)
		return;
	const all = [times, ...series.values(), ...sensors.values()];
	if (times.n * 2 <= most) {
		for (const one of all)
			one.at = longer(one.at, times.n * 2);
		return;
	}
	const gone = times.n >> 2;
	for (const one of all) {
		one.at.copyWithin(0, gone, times.n);
		one.at.fill(NaN, times.n - gone);
	}
	times.n -= gone;
	times.gone += gone;
}

function header(line) {
	const start = line.start_unix_ns / 1e9;
	if (first_start === null)
		first_start = start;
	offset = Math.max(0, start - first_start); // a file may have several recordings, and they go on here
	program = line.program;
	columns = [];
	show_state();
}

function sensor_line(line) {
	const known = sensors.get(line.sensor) || { at: new Float64Array(times.at.length).fill(NaN), events: new Map() };
	known.of = line.of;
	for (const event of line.events)
		known.events.set(event.name, event);
	sensors.set(line.sensor, known);
}

function columns_line(line) {
	columns = [];
	order = [];
	for (const [k, [sensor, event, source]] of line.columns.entries()) {
		const key = key_of(sensor, event, source), told = sensors.get(sensor), is = told && told.events.get(event);
		if (!is)
			continue;
		if (!series.has(key))
			series.set(key, {
				key, sensor, event, source, told, unit: is.unit, is_gauge: is.kind === "gauge", scale: is.scale, what: is.what,
				colour: "", is_hidden: false, limit: 0, factor: 1, at: new Float64Array(times.at.length).fill(NaN),
			});
		series.get(key).limit = line.limits && line.limits[k] || 0; // the last one holds for all that is shown
		if (!order.includes(sensor))
			order.push(sensor);
		columns.push(series.get(key));
	}
	is_layout_new = true;
}

function gap(t) {
	if (times.n && t <= times.at[times.n - 1])
		return;
	grow();
	times.at[times.n] = t;
	for (const one of [...series.values(), ...sensors.values()])
		one.at[times.n] = NaN;
	times.n++;
}

function sample(line) {
	const t = offset + line.t / 1e9;
	if (times.n && t <= times.at[times.n - 1])
		return; // it came twice
	grow();
	const i = times.n;
	times.at[i] = t;
	for (let k = 0; k < order.length; k++)
		sensors.get(order[k]).at[i] = line.dt[k] / 1e9;
	for (let k = 0; k < columns.length; k++)
		columns[k].at[i] = line.v[k] === null ? NaN : line.v[k] * columns[k].scale;
	times.n++;
}

function mark(line, text, kind) {
	const t = offset + line.t / 1e9;
	if (marks.some(m => m.t === t && m.text === text))
		return;
	marks.push({ t, text, kind });
	if (marks.length > MOST_MARKS)
		marks.splice(0, MOST_MARKS / 4);
}

// In which region each thread is at this sample; a line comes where something has changed.
function threads_line(line) {
	const t = offset + line.t / 1e9;
	line.threads.forEach((number, i) => {
		const name = number < 0 ? null : line.regions[number], waits = line.waits[i];
		let region = -1;
		if (name !== null && name !== undefined) {
			region = regions.indexOf(name);
			if (region < 0)
				region = regions.push(name) - 1;
		}
		run(i, t, region, waits);
	});
	for (let i = line.threads.length; i < threads.length; i++)
		run(i, t, -1, 0);
	if (n_runs > MOST_RUNS)
		for (const runs of threads)
			n_runs -= runs.splice(0, runs.length >> 2).length;
}

function run(thread, t, region, waits) {
	while (threads.length <= thread)
		threads.push([]);
	const runs = threads[thread], last = runs[runs.length - 1];
	if (last && ((last[1] === region && last[2] === waits) || last[0] >= t))
		return;
	runs.push([t, region, waits]);
	n_runs++;
}

function take(line) {
	if (line.ompp)
		header(line);
	else if (line.sensor)
		sensor_line(line);
	else if (line.columns)
		columns_line(line);
	else if (line.v) {
		n_unread += line.missed || 0;
		sample(line);
	}
	else if (line.threads)
		threads_line(line);
	else if (line.label !== undefined)
		mark(line, line.label, "label");
	else if (line.pause !== undefined) {
		mark(line, line.pause ? "pause" : "resume", "pause");
		gap(offset + line.t / 1e9);
		for (let i = 0; i < threads.length; i++)
			run(i, offset + line.t / 1e9, -1, 0);
	} else if (line.end) {
		is_ended = !is_static;
		show_state();
	}
	touch();
}
