/*
 * The page of ompp live, and of a recording: reads the lines of a recording (ompp-stat(1)), from the server by server-sent
 * events or from the element #recording of a file, and draws them.
 *
 * What strangers wrote (names, labels) is put into the page as text alone.
 */
"use strict";
(() => {
const NUMBERS = 16e6;        // how many numbers are kept in all
const MOST_SAMPLES = 600000; // and how many samples
const MOST_RUNS = 200000;    // of threads in regions
const MOST_MARKS = 5000;
const SPANS = [["10 s", 10], ["1 min", 60], ["5 min", 300], ["10 min", 600], ["all", Infinity]];
const INTERVALS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000];
const GROUPS = [["unit", "unit"], ["event", "event"], ["source", "CPU, node, device"], ["sensor", "sensor"]];

// ---- what is known ----

const times = { at: new Float64Array(1024), n: 0, gone: 0 }; // of the samples, in s since the start of the first recording
const sensors = new Map();  // name: what it is, its events, and the width of each sample (the time in which counters grew)
const series = new Map();   // key: a column, with its numbers
const threads = [];         // by number: runs [time, region, waits]
const marks = [];           // labels and pauses
const regions = [];         // names
let columns = [], order = [];
let offset = 0, first_start = null, n_missed = 0, n_unread = 0, n_runs = 0;
let program = null, state = {}, catalog = null, is_ended = false, is_connected = false, is_static = false;
const view = { from: 0, to: 60, span: 60, is_following: true, is_log: false, is_share: true, group: "unit" };

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

// ---- where it comes from ----

let stream = null, last_id = 0, retry = null, heard = 0;
const patience = 15000; // the server says something every 5 s
function hear() {
	heard = Date.now();
}
setInterval(() => {
	if (stream && is_connected && Date.now() - heard > patience) {
		stream.close();
		is_connected = false;
		show_state();
		connect();
	}
}, 1000);
function connect() {
	clearTimeout(retry);
	hear();
	stream = new EventSource("events" + (last_id ? "?after=" + last_id : ""));
	stream.onopen = () => { hear(); is_connected = true; show_state(); };
	stream.addEventListener("alive", hear);
	stream.onmessage = event => {
		hear();
		last_id = Number(event.lastEventId) || last_id;
		take(JSON.parse(event.data));
	};
	stream.addEventListener("state", event => {
		hear();
		state = JSON.parse(event.data);
		if (state.replay)
			is_static = true;
		say(state.why ? state.about + ": " + state.why : "");
		is_layout_new = true;
		show_state();
	});
	stream.addEventListener("catalog", event => { catalog = JSON.parse(event.data); show_events(); });
	stream.addEventListener("missed", event => {
		n_missed += Number(event.data);
		say(n_missed + " lines came faster than this page took them, and are missing here");
		if (times.n)
			gap(times.at[times.n - 1] + 1e-9);
	});
	stream.onerror = () => {
		is_connected = false;
		if (is_ended || state.ended || is_static)
			stream.close();
		else if (stream.readyState === 2)
			retry = setTimeout(connect, 2000);
		show_state();
	};
}

async function command(text) {
	try {
		const answer = await fetch("command", { method: "POST", body: text });
		if (!answer.ok)
			say(await answer.text());
	} catch (error) {
		say("ompp does not answer");
	}
}

// Reads the lines that stand in the page, some thousands at a time.  One that is cut off ends it, as in any recording.
function read_text(text) {
	let at = 0;
	const more = () => {
		for (let i = 0; i < 4000 && at < text.length; i++) {
			let end = text.indexOf("\n", at);
			end = end < 0 ? text.length : end;
			const line = text.slice(at, end);
			at = end + 1;
			if (!line)
				continue;
			try {
				take(JSON.parse(line));
			} catch (error) {
				say("the recording is damaged, or was cut off; it ends with what was written before");
				at = text.length;
			}
		}
		if (at < text.length)
			setTimeout(more, 0);
		else
			show_all();
	};
	more();
}

// ---- the page ----

function make(name, attributes, ...inside) {
	const element = document.createElement(name);
	for (const [key, value] of Object.entries(attributes || {}))
		if (key.startsWith("on"))
			element.addEventListener(key.slice(2), value);
		else if (key === "text")
			element.textContent = value;
		else if (value !== null && value !== false)
			element.setAttribute(key, value === true ? "" : value);
	element.append(...inside.filter(one => one));
	return element;
}

const el = {};
function build() {
	const options = (pairs, chosen) => pairs.map(([value, text]) => make("option", { value, text, selected: value == chosen }));
	document.body.append(
		make("header", {},
			el.title = make("h1", { text: "ompp live" }),
			el.state = make("span", { id: "state", role: "status" }),
			el.pause = make("button", { id: "pause", text: "Pause", title: "space", onclick: toggle_pause }),
			el.stop = make("button", { id: "stop", text: "Stop", title: "ends the watching for all pages", onclick: stop }),
			el.interval_label = make("label", {}, "every",
				el.interval = make("input", { id: "interval", type: "range", min: 0, max: INTERVALS.length - 1, step: 1,
					"aria-label": "interval", oninput: show_interval, onchange: send_interval }),
				el.interval_text = make("output", { id: "interval_text" })),
			make("label", {}, "range", el.span = make("select", { id: "span", onchange: choose_span },
				...options(SPANS.map(([text, s]) => [s, text]), view.span))),
			make("label", {}, "plots by", el.group = make("select", { id: "group", onchange: choose_group },
				...options(GROUPS, view.group))),
			el.share = make("button", { id: "share", text: "%", title: "p: per cent of the limit, where one is known", "aria-pressed": "true",
				hidden: true, onclick: toggle_share }),
			el.log = make("button", { id: "log", text: "log", title: "l: logarithmic", "aria-pressed": "false", onclick: toggle_log }),
			make("button", { id: "in", text: "+", title: "zoom in", "aria-label": "zoom in", onclick: () => zoom(0.5) }),
			make("button", { id: "out", text: "−", title: "zoom out", "aria-label": "zoom out", onclick: () => zoom(2) }),
			el.follow = make("button", { id: "follow", text: "follow", title: "f: go on with what comes", "aria-pressed": "true",
				onclick: follow }),
			make("button", { id: "theme", text: "◐", title: "dark or light", "aria-label": "dark or light", onclick: theme }),
			make("button", { id: "ask", text: "?", title: "keys", "aria-label": "keys", onclick: help }),
			el.said = make("p", { id: "said", role: "alert", hidden: true })),
		make("main", {},
			make("aside", { "aria-label": "events" },
				el.search = make("input", { type: "search", id: "search", placeholder: "search events  ( / )",
					"aria-label": "search events", oninput: filter_events }),
				el.events = make("div", { id: "events" })),
			make("section", {},
				el.empty = make("p", { id: "empty", text: "Nothing has been read yet." }),
				el.bands = make("div", { id: "bands", hidden: true },
					make("h2", { text: "Threads in regions" },
						make("small", { text: "  as seen at each sample; hatched: waits" })),
					el.band_legend = make("div", { class: "legend" }),
					el.band_canvas = make("canvas", { role: "img", "aria-label": "the region of each thread over time" })),
				el.charts = make("div", { id: "charts" }),
				el.table = make("div", { id: "table", hidden: true },
					make("h2", { text: "Totals of the range " }, el.range_text = make("small", {})),
					make("div", { class: "scroll" }, make("table", {},
						make("thead", {}, el.head = make("tr")), el.rows = make("tbody")))))),
		el.help = make("div", { id: "help", role: "dialog", "aria-label": "keys", hidden: true }));
	for (const [keys, text] of [["space", "pause and resume reading"], ["← →", "move"], ["+ −", "zoom; or drag over a plot"],
		["f", "follow what comes"], ["l", "logarithmic"], ["p", "per cent of limits"], ["g", "group otherwise"], ["/", "search events"], ["Esc", "all again"],
		["twice", "on a name over a plot: it alone, or all again"]])
		el.help.append(make("p", {}, make("kbd", { text: keys }), " " + text));
	make_head();
	handle_plot(el.band_canvas, hover_bands, el.bands);
}

function say(text) {
	el.said.textContent = text;
	el.said.hidden = !text;
}

function show_state() {
	const is_live = !is_static, is_over = is_ended || state.ended;
	const text = is_static ? "a recording" : is_over ? "it has ended" : !is_connected ? "not connected, trying again" :
		state.paused ? "paused" : "live";
	el.state.textContent = text;
	el.state.className = is_live && !is_connected && !is_over ? "warn" : "";
	el.pause.textContent = state.paused ? "Play" : "Pause";
	for (const one of [el.pause, el.stop, el.interval_label])
		one.hidden = !is_live || is_over;
	el.title.textContent = state.file || (program ? program.join(" ") : is_static ? "a recording of ompp" : "ompp live");
	document.title = el.title.textContent + " – ompp";
	if (state.interval_ns && document.activeElement !== el.interval) {
		const ms = state.interval_ns / 1e6;
		let near = 0;
		INTERVALS.forEach((one, i) => { if (Math.abs(Math.log(one / ms)) < Math.abs(Math.log(INTERVALS[near] / ms))) near = i; });
		el.interval.value = near;
		el.interval_text.textContent = interval_text(ms);
	}
}

function interval_text(ms) {
	return ms >= 1000 ? short(ms / 1000) + " s" : short(ms) + " ms";
}

function show_interval() {
	el.interval_text.textContent = interval_text(INTERVALS[el.interval.value]);
}

function send_interval() {
	command("interval " + INTERVALS[el.interval.value] + "ms");
}

function toggle_pause() {
	if (!is_static && !is_ended)
		command(state.paused ? "resume" : "pause");
}

let asked = null;
function stop() {
	if (asked) {
		command("stop");
		return;
	}
	el.stop.textContent = "Stop for all?";
	asked = setTimeout(() => { asked = null; el.stop.textContent = "Stop"; }, 3000);
}

function theme() {
	const root = document.documentElement;
	const is_dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
	root.dataset.theme = is_dark ? "light" : "dark";
	is_layout_new = true;
	touch();
}

function help() {
	el.help.hidden = !el.help.hidden;
}

// ---- the list of events ----

let rows = []; // of events: { element, words, sensor, event, together, each }

function show_events() {
	const list = catalog ? catalog.sensors : [...sensors].map(([name, one]) => ({
		sensor: name, what: "", of: one.of, sources: 0,
		events: [...one.events.values()].map(e => ({ name: e.name, unit: e.unit, what: e.what, gauge: e.kind === "gauge" })),
	}));
	const open = new Set([...el.events.querySelectorAll("details[open]")].map(one => one.dataset.sensor));
	rows = [];
	el.events.textContent = "";
	for (const one of list) {
		const details = make("details", { "data-sensor": one.sensor, open: open.has(one.sensor) },
			make("summary", {}, one.sensor + " ", make("small", { text: one.what })));
		if (one.why)
			details.append(make("div", { class: "why", text: "not here: " + one.why }));
		else if (one.events.length > 1)
			details.append(make("div", { class: "whole" },
				make("button", { text: "all on", "data-sensor": one.sensor, "data-on": "1", onclick: () => switch_sensor(one.sensor, true) }),
				make("button", { text: "all off", "data-sensor": one.sensor, onclick: () => switch_sensor(one.sensor, false) })));
		for (const event of one.events)
			details.append(event_row(one, event));
		el.events.append(details);
	}
	filter_events();
	show_ticks();
}

function event_row(sensor, event) {
	const box = (kind, text, hint) => {
		const input = make("input", { type: "checkbox", "data-event": sensor.sensor + ":" + event.name, "data-kind": kind,
			onchange: () => switch_event(sensor.sensor, event.name, kind, input.checked) });
		return [input, make("label", { title: hint }, input, " " + text)];
	};
	const [together, one] = box("all", "all", "all sources together"), [each, many] = box("each", "each", "each source by itself");
	const element = make("div", { class: "event" }, one, many,
		make("span", { text: event.name + " " }), make("small", { text: event.what + ", " + event.unit + (event.gauge ? "" : "/s") }));
	rows.push({ element, words: (sensor.sensor + ":" + event.name + " " + event.what).toLowerCase(), sensor: sensor.sensor,
		event: event.name, together, each, label: many, sources: sensor.sources });
	return element;
}

function filter_events() {
	const words = el.search.value.toLowerCase().split(/\s+/).filter(one => one);
	for (const row of rows)
		row.element.hidden = !words.every(word => row.words.includes(word));
	for (const details of el.events.children) {
		const any = [...details.querySelectorAll(".event")].some(one => !one.hidden);
		details.hidden = words.length > 0 && !any;
		if (words.length)
			details.open = any;
	}
}

function columns_of(sensor, event, kind) {
	return columns.filter(one => one.sensor === sensor && one.event === event && (kind === "all") === (one.source === null));
}

function show_ticks() {
	for (const row of rows) {
		for (const [box, kind] of [[row.together, "all"], [row.each, "each"]]) {
			const found = is_static ? [...series.values()].filter(one => one.sensor === row.sensor && one.event === row.event &&
				(kind === "all") === (one.source === null)) : columns_of(row.sensor, row.event, kind);
			box.checked = found.some(one => !one.is_hidden);
			box.disabled = is_static && !found.length;
		}
		row.label.hidden = !row.each.checked && (is_static ? row.each.disabled : row.sources === 1);
	}
}

// Lets ompp read an event, or hides it.  What a wider pattern of the command line asks for goes on being read, and is
// hidden on this page alone.
function switch_event(sensor, event, kind, is_on) {
	const pattern = sensor + ":" + event + (kind === "each" ? "@*" : ""), patterns = state.patterns || [];
	for (const one of series.values())
		if (one.sensor === sensor && one.event === event && (kind === "all") === (one.source === null))
			one.is_hidden = !is_on;
	if (!is_static && !is_ended) {
		if (is_on && !columns_of(sensor, event, kind).length)
			command("enable " + pattern);
		else if (!is_on && patterns.includes(pattern))
			command("disable " + pattern);
	}
	is_layout_new = true;
	touch();
}

// The same for all events of a sensor.
function switch_sensor(sensor, is_on) {
	for (const one of series.values())
		if (one.sensor === sensor)
			one.is_hidden = !is_on;
	if (!is_static && !is_ended) {
		if (is_on)
			command("enable " + sensor);
		else
			for (const pattern of state.patterns || [])
				if (pattern === sensor || pattern.startsWith(sensor + ":") || pattern.startsWith(sensor + "@"))
					command("disable " + pattern);
	}
	is_layout_new = true;
	touch();
}

// Shows a series alone in its plot, or all of them again.
function show_alone(chart, one) {
	const is_alone = chart.series.every(other => other.is_hidden === (other !== one));
	for (const other of chart.series)
		other.is_hidden = !is_alone && other !== one;
	is_layout_new = true;
	touch();
}

// ---- the range ----

function last_time() {
	return times.n ? times.at[times.n - 1] : 0;
}

function set_view() {
	if (!view.is_following)
		return;
	const first = times.n ? times.at[0] : 0;
	view.to = last_time();
	if (view.to - view.span >= first && view.n_columns) { // whole columns, so that pictures move on as they are
		const step = view.span / view.n_columns;
		view.to = Math.ceil(view.to / step) * step;
	}
	view.from = view.span === Infinity ? first : Math.max(Math.min(first, view.to), view.to - view.span);
	if (!is_static && !is_ended && view.to > view.from) // what grows does so in steps, so that few pictures are drawn anew
		view.to = Math.min(view.from + view.span, view.from + STEP ** Math.ceil(Math.log(view.to - view.from) / Math.log(STEP) - 1e-9));
	if (view.to - view.from < 1e-3)
		view.from = view.to - 1e-3;
}

function look_at(from, to) {
	const least = 1e-4;
	if (to - from < least)
		[from, to] = [(from + to - least) / 2, (from + to + least) / 2];
	view.is_following = false;
	view.from = from;
	view.to = to;
	touch();
}

function zoom(by, around) {
	const middle = around === undefined ? (view.from + view.to) / 2 : around;
	look_at(middle - (middle - view.from) * by, middle + (view.to - middle) * by);
}

function move(by) {
	const d = (view.to - view.from) * by;
	look_at(view.from + d, view.to + d);
}

function follow() {
	view.is_following = true;
	touch();
}

function show_all() {
	if (is_static) {
		view.span = Infinity;
		el.span.value = "Infinity";
	}
	show_events();
	follow();
}

function choose_span() {
	view.span = Number(el.span.value);
	follow();
}

function choose_group() {
	view.group = el.group.value;
	is_layout_new = true;
	touch();
}

function toggle_share() {
	view.is_share = !view.is_share;
	el.share.setAttribute("aria-pressed", view.is_share);
	is_layout_new = true;
	touch();
}

function toggle_log() {
	view.is_log = !view.is_log;
	el.log.setAttribute("aria-pressed", view.is_log);
	touch();
}

document.addEventListener("keydown", event => {
	const at = event.target;
	if (event.ctrlKey || event.metaKey || event.altKey)
		return;
	if (at.matches("input, select") && event.key !== "Escape")
		return;
	const keys = {
		" ": toggle_pause, ArrowLeft: () => move(-0.25), ArrowRight: () => move(0.25), "+": () => zoom(0.5), "-": () => zoom(2),
		f: follow, l: toggle_log, p: toggle_share, "?": help, "/": () => el.search.focus(),
		g: () => { el.group.selectedIndex = (el.group.selectedIndex + 1) % GROUPS.length; choose_group(); },
		Escape: () => { el.help.hidden = true; el.search.value = ""; filter_events(); at.blur(); say(""); follow(); },
	};
	if (!keys[event.key] || (event.key === " " && at.matches("button, summary")))
		return;
	event.preventDefault();
	keys[event.key]();
});

// ---- numbers ----

// Writes a number with four digits.
function short(number) {
	if (!isFinite(number))
		return "-";
	const size = Math.abs(number), steps = [[1e15, "P"], [1e12, "T"], [1e9, "G"], [1e6, "M"], [1e4, "k"]];
	for (const [step, letter] of steps)
		if (size >= step)
			return String(Number((number / (step === 1e4 ? 1e3 : step)).toPrecision(4))) + letter;
	return size && size < 1e-4 ? number.toExponential(2) : String(Number(number.toPrecision(4)));
}

function unit_of(one) {
	return one.unit + (one.is_gauge ? "" : "/s");
}

// Is the series drawn in per cent of its limit?
function is_share(one) {
	return view.is_share && one.limit > 0 && one.unit !== "%";
}

function shown_unit(one) {
	return is_share(one) ? "% of the limit" : unit_of(one);
}

// Returns what a series is at sample i: of a counter the growth a second.
function value_at(one, i) {
	return one.is_gauge ? one.at[i] : one.at[i] / one.told.at[i];
}

// Returns the first sample at the time or behind it.
function index_of(t) {
	let from = 0, to = times.n;
	while (from < to) {
		const middle = (from + to) >> 1;
		if (times.at[middle] < t)
			from = middle + 1;
		else
			to = middle;
	}
	return from;
}

function clock(t) {
	return short(t) + " s";
}

// ---- plots ----

const sheet = document.createElement("canvas"); // between the points of a plot's lines and its canvas
let n_looked = 0, n_drawn = 0; // values that plots have looked at, and pictures; for tests
let charts = [], is_layout_new = true, is_dirty = true, drawn = 0, cost = 0, tabled = -1e9, table_cost = 0, later = null, seen_columns = -1;
const MOST_POINTS = 400000; // of a plot: columns of all its series; above that they are as wide as the page's points
const STEP = 1.02;
const HEIGHT = 170, LEFT = 58, BOTTOM = 20, TOP = 6, BAND = 16;

function touch() {
	if (is_dirty)
		return;
	is_dirty = true;
	requestAnimationFrame(draw_soon);
}

function draw_soon() {
	const wait = Math.max(15, 2 * cost) - (performance.now() - drawn);
	if (wait > 0)
		setTimeout(() => requestAnimationFrame(draw_all), wait);
	else
		draw_all();
}

function draw_all() {
	const start = performance.now();
	is_dirty = false;
	set_view();
	if (is_layout_new)
		lay_out();
	el.follow.setAttribute("aria-pressed", view.is_following);
	const style = getComputedStyle(document.documentElement);
	const colours = Object.fromEntries(["back", "panel", "ink", "soft", "line", "grid", "link", "moment"].map(
		name => [name, style.getPropertyValue("--" + name).trim()]));
	for (const chart of charts)
		if (is_seen(chart.canvas))
			draw_chart(chart, colours);
		else
			chart.lines.forget();
	draw_bands(colours);
	drawn = performance.now();
	cost = drawn - start;
	const pause = Math.max(500, 20 * table_cost); // the table adds up all of the range
	if (start - tabled > pause) {
		tabled = start;
		show_table();
		table_cost = performance.now() - drawn;
	} else if (!later) {
		later = setTimeout(() => { later = null; touch(); }, pause + 10);
	}
	n_drawn++;
}

let is_printing = false;
function is_seen(canvas) {
	if (is_printing)
		return true;
	const box = canvas.getBoundingClientRect();
	return box.bottom > -200 && box.top < innerHeight + 200;
}

function group_of(one) {
	const unit = shown_unit(one);
	const names = { unit, event: one.sensor + ":" + one.event + "  " + unit, sensor: one.sensor + "  " + unit,
		source: (one.source === null ? "all together" : one.source) + "  " + unit };
	return names[view.group];
}

function name_of(one) {
	return view.group === "source" && one.source !== null ? one.sensor + ":" + one.event : one.key;
}

// The colours of one of many, which are the same on light and dark paper; beyond them they come again.
const ONES = [];

function colour_of_one(number) {
	const style = getComputedStyle(document.documentElement);
	while (style.getPropertyValue("--one-" + ONES.length))
		ONES.push(style.getPropertyValue("--one-" + ONES.length).trim());
	return ONES[number % ONES.length];
}

// Makes the plots for the series that there are.  What is no more read stays, as long as it is in memory.
function lay_out() {
	const groups = new Map();
	is_layout_new = false;
	el.share.hidden = ![...series.values()].some(one => one.limit > 0 && one.unit !== "%");
	for (const one of series.values()) {
		one.factor = is_share(one) ? 100 / one.limit : 1;
		if (one.is_hidden && !(is_static || columns.includes(one)))
			continue;
		const name = group_of(one);
		if (!groups.has(name))
			groups.set(name, []);
		groups.get(name).push(one);
	}
	const before = new Map(charts.map(chart => [chart.name, chart]));
	charts = [];
	for (const [name, list] of groups) {
		let chart = before.get(name);
		before.delete(name);
		if (!chart) {
			chart = { name, lines: new ompp_lines.Lines(), canvas: make("canvas", { role: "img", "aria-label": "plot of " + name }) };
			chart.legend = make("div", { class: "legend" });
			chart.element = make("div", { class: "chart", "data-name": name }, make("h2", { text: name }), chart.legend, chart.canvas);
			handle_plot(chart.canvas, (x, y) => hover_chart(chart, x, y), chart.element);
		}
		const factors = list.map(one => one.factor).join();
		if (chart.factors !== factors)
			chart.lines.forget();
		Object.assign(chart, { series: list, factors, is_share: list.some(is_share) });
		list.forEach((one, i) => { one.colour = colour_of_one(i); });
		chart.legend.textContent = "";
		for (const one of list) {
			const swatch = make("i");
			swatch.style.background = one.colour;
			chart.legend.append(make("button", { "aria-pressed": String(!one.is_hidden), "data-key": one.key,
				title: (one.what ? one.what + "\n" : "") + "click: hide or show; twice: alone, or all again",
				ondblclick: () => show_alone(chart, one), onclick: event => { one.is_hidden = !one.is_hidden; event.currentTarget.setAttribute("aria-pressed", !one.is_hidden);
					show_ticks(); touch(); } }, swatch, name_of(one)));
		}
		charts.push(chart);
	}
	for (const chart of before.values())
		chart.element.remove();
	charts.forEach((chart, i) => {
		if (el.charts.children[i] !== chart.element)
			el.charts.insertBefore(chart.element, el.charts.children[i] || null);
	});
	el.empty.hidden = charts.length > 0;
	el.table.hidden = !charts.length;
	if (!catalog && seen_columns !== series.size) {
		seen_columns = series.size;
		show_events();
	}
	show_ticks();
}

function size(canvas, height) {
	const ratio = devicePixelRatio || 1, width = canvas.parentElement.clientWidth - 18;
	if (canvas.width !== Math.round(width * ratio) || canvas.height !== Math.round(height * ratio)) {
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round(height * ratio);
		canvas.style.height = height + "px";
	}
	const context = canvas.getContext("2d");
	context.setTransform(ratio, 0, 0, ratio, 0, 0);
	context.clearRect(0, 0, width, height);
	context.font = "11px system-ui, sans-serif";
	return [context, width];
}

function x_of(t, width) {
	return LEFT + (t - view.from) / (view.to - view.from) * (width - LEFT - 6);
}

function t_of(x, width) {
	return view.from + (x - LEFT) / (width - LEFT - 6) * (view.to - view.from);
}

function step_for(range, n) {
	const raw = range / n, power = 10 ** Math.floor(Math.log10(raw));
	return [1, 2, 5, 10].map(one => one * power).find(one => one >= raw);
}

function draw_times(c, width, height, colours) {
	const step = step_for(view.to - view.from, Math.max(2, width / 110)), digits = Math.max(0, -Math.floor(Math.log10(step)));
	c.strokeStyle = colours.grid;
	c.fillStyle = colours.soft;
	c.textAlign = "center";
	c.beginPath();
	for (let k = Math.ceil(view.from / step); k * step <= view.to; k++) {
		const x = Math.round(x_of(k * step, width)) + 0.5;
		c.moveTo(x, TOP);
		c.lineTo(x, height - BOTTOM);
		c.fillText((k * step).toFixed(digits) + (k === Math.ceil(view.from / step) ? " s" : ""), x, height - 6);
	}
	c.stroke();
}

function draw_marks(c, width, height, colours, with_text) {
	c.strokeStyle = c.fillStyle = colours.moment;
	c.textAlign = "left";
	let until = -1;
	for (const one of marks) {
		if (one.t < view.from || one.t > view.to)
			continue;
		const x = Math.round(x_of(one.t, width)) + 0.5, text = one.text.length > 40 ? one.text.slice(0, 39) + "…" : one.text;
		c.setLineDash([3, 3]);
		c.beginPath();
		c.moveTo(x, TOP);
		c.lineTo(x, height - BOTTOM);
		c.stroke();
		c.setLineDash([]);
		if (with_text && x > until) {
			const room = c.measureText(text).width + 3, is_left = x + room > width - 6 && x - room > Math.max(LEFT, until);
			c.fillText(text, is_left ? x - room : x + 3, TOP + 9);
			until = is_left ? x : x + room + 3;
		}
	}
}

function draw_chart(chart, colours) {
	const [c, width] = size(chart.canvas, HEIGHT), bottom = HEIGHT - BOTTOM;
	const plot = width - LEFT - 6, shown = chart.series.filter(one => !one.is_hidden), ratio = devicePixelRatio || 1;
	const fine = plot * shown.length * ratio > MOST_POINTS ? 1 : ratio, n = Math.round(plot * fine);
	const step = (view.to - view.from) / n;
	n_looked += chart.lines.take(times, shown, step, Math.floor(view.from / step + 1e-6), n);
	view.n_columns = n;
	const [least, most, positive] = chart.lines.bounds();
	draw_times(c, width, HEIGHT, colours);
	c.fillStyle = colours.soft;
	if (!(most >= least)) {
		c.textAlign = "center";
		c.fillText("nothing is known of this range", width / 2, HEIGHT / 2);
		chart.y_of = null;
		return;
	}
	const is_log = view.is_log && positive < Infinity;
	let y_of, scale;
	c.textAlign = "right";
	c.strokeStyle = colours.grid;
	c.beginPath();
	if (is_log) {
		const low = Math.floor(Math.log10(positive)), high = Math.max(low + 1, Math.ceil(Math.log10(most)));
		scale = { low, high, is_log };
		y_of = v => bottom - (Math.log10(Math.max(v, 10 ** low)) - low) / (high - low) * (bottom - TOP);
		for (let k = low; k <= high; k += Math.ceil((high - low) / 6)) {
			c.moveTo(LEFT, y_of(10 ** k));
			c.lineTo(width - 6, y_of(10 ** k));
			c.fillText(short(10 ** k), LEFT - 5, y_of(10 ** k) + 4);
		}
	} else {
		const is_far = !chart.is_share && least > 0 && (most - least) < least * 0.2 && most > least; // a gauge that hardly changes
		let low = is_far ? least : Math.min(0, least), high = chart.is_share ? Math.max(100, most) : most > low ? most : low + 1;
		const step = step_for(high - low, 4);
		low = Math.floor(low / step) * step;
		high = Math.ceil(high / step - 1e-9) * step;
		scale = { low, high, is_log };
		y_of = v => bottom - (v - low) / (high - low) * (bottom - TOP);
		for (let k = 0; low + k * step <= high + step / 2; k++) {
			const y = Math.round(y_of(low + k * step)) + 0.5;
			c.moveTo(LEFT, y);
			c.lineTo(width - 6, y);
			c.fillText(short(low + k * step), LEFT - 5, y + 4);
		}
	}
	c.stroke();
	chart.y_of = y_of;
	c.save();
	c.beginPath();
	c.rect(LEFT, 0, width - LEFT - 6, HEIGHT);
	c.clip();
	const picture = chart.lines.picture(Math.round((bottom - TOP) * fine), scale, 1.4 * fine);
	if (sheet.width !== picture.width || sheet.height !== picture.height)
		Object.assign(sheet, { width: picture.width, height: picture.height });
	sheet.getContext("2d").putImageData(picture, 0, 0);
	const spare = ompp_lines.SPARE / fine;
	c.drawImage(sheet, LEFT, TOP - spare, plot, bottom - TOP + 2 * spare);
	draw_marks(c, width, HEIGHT, colours, true);
	if (hovered !== null) {
		c.strokeStyle = colours.soft;
		c.beginPath();
		c.moveTo(x_of(hovered, width), TOP);
		c.lineTo(x_of(hovered, width), bottom);
		c.stroke();
	}
	draw_selection(c, bottom, width, colours);
	c.restore();
}

// ---- threads in regions ----

let n_legend = 0;
function draw_bands(colours) {
	el.bands.hidden = !threads.length;
	if (!threads.length || !is_seen(el.bands))
		return;
	if (n_legend !== regions.length) {
		n_legend = regions.length;
		el.band_legend.textContent = "";
		regions.forEach((name, i) => {
			const swatch = make("i");
			swatch.style.background = colour_of_one(i);
			el.band_legend.append(make("button", { "aria-pressed": "true", tabindex: -1 }, swatch, name));
		});
	}
	const height = TOP + threads.length * BAND + BOTTOM, [c, width] = size(el.band_canvas, height), now = last_time();
	draw_times(c, width, height, colours);
	threads.forEach((runs, i) => {
		const y = TOP + i * BAND;
		c.fillStyle = colours.soft;
		c.textAlign = "right";
		c.fillText(String(i), LEFT - 5, y + 12);
		c.save();
		c.beginPath();
		c.rect(LEFT, y, width - LEFT - 6, BAND - 2);
		c.clip();
		let k = runs.findIndex(one => one[0] > view.from);
		k = Math.max(0, (k < 0 ? runs.length : k) - 1);
		for (; k < runs.length && runs[k][0] < view.to; k++) {
			const [t, region, waits] = runs[k], until = k + 1 < runs.length ? runs[k + 1][0] : now;
			if (region < 0)
				continue;
			const x = x_of(t, width), w = Math.max(1, x_of(until, width) - x);
			c.fillStyle = colour_of_one(region);
			c.globalAlpha = waits ? 0.45 : 1;
			c.fillRect(x, y, w, BAND - 2);
			c.globalAlpha = 1;
			if (waits && w > 3) {
				c.strokeStyle = colour_of_one(region);
				c.save();
				c.beginPath();
				c.rect(x, y, w, BAND - 2);
				c.clip();
				c.beginPath();
				for (let at = Math.max(x, LEFT) - BAND; at < Math.min(x + w, width); at += 6) {
					c.moveTo(at, y + BAND);
					c.lineTo(at + BAND, y);
				}
				c.stroke();
				c.restore();
			}
		}
		c.restore();
	});
	c.save();
	c.beginPath();
	c.rect(LEFT, 0, width - LEFT - 6, height);
	c.clip();
	draw_marks(c, width, height, colours, false);
	draw_selection(c, height - BOTTOM, width, colours);
	c.restore();
}

function hover_bands(x, y) {
	const width = el.band_canvas.clientWidth, t = t_of(x, width), i = Math.floor((y - TOP) / BAND);
	if (!threads[i] || t > last_time())
		return null;
	let found = null;
	for (const one of threads[i])
		if (one[0] <= t)
			found = one;
	const text = !found || found[1] < 0 ? "in no region" : regions[found[1]] + (found[2] ? ", waits" : "");
	return [["thread " + i + " at " + clock(t), ""], [text, ""]];
}

// ---- the mouse, fingers ----

let hovered = null, selection = null;
const tip = make("div", { class: "tip", hidden: true });

function draw_selection(c, bottom, width, colours) {
	if (!selection)
		return;
	const a = x_of(selection[0], width), b = x_of(selection[1], width);
	c.fillStyle = colours.link;
	c.globalAlpha = 0.2;
	c.fillRect(Math.min(a, b), TOP, Math.abs(b - a), bottom - TOP);
	c.globalAlpha = 1;
}

function handle_plot(canvas, hover, box) {
	let down = null;
	const place = event => {
		const at = canvas.getBoundingClientRect();
		return [event.clientX - at.left, event.clientY - at.top];
	};
	canvas.addEventListener("pointerdown", event => {
		if (event.button)
			return;
		const [x] = place(event);
		down = { x, from: view.from, to: view.to, is_touch: event.pointerType === "touch" };
		canvas.setPointerCapture(event.pointerId);
	});
	canvas.addEventListener("pointermove", event => {
		const [x, y] = place(event), width = canvas.clientWidth;
		hovered = t_of(x, width);
		if (down && Math.abs(x - down.x) > 4) {
			if (down.is_touch) {
				const d = (x - down.x) / (width - LEFT - 6) * (down.to - down.from);
				look_at(down.from - d, down.to - d);
			} else {
				selection = [t_of(down.x, width), hovered];
			}
		}
		show_tip(hover(x, y), box, x + 9, y + canvas.offsetTop);
		touch();
	});
	canvas.addEventListener("pointerup", () => {
		if (selection)
			look_at(Math.min(...selection), Math.max(...selection));
		selection = down = null;
	});
	canvas.addEventListener("pointercancel", () => { selection = down = null; });
	canvas.addEventListener("pointerleave", () => {
		hovered = null;
		tip.hidden = true;
		touch();
	});
	canvas.addEventListener("dblclick", follow);
	canvas.addEventListener("wheel", event => {
		if (!event.ctrlKey)
			return;
		event.preventDefault();
		zoom(event.deltaY > 0 ? 1.25 : 0.8, t_of(place(event)[0], canvas.clientWidth));
	}, { passive: false });
}

function show_tip(lines, box, x, y) {
	tip.hidden = !lines;
	if (!lines)
		return;
	tip.textContent = "";
	for (const [name, value, colour] of lines) {
		const text = make("span", { text: name });
		if (colour)
			text.style.color = colour;
		tip.append(make("div", {}, text, make("b", { text: value })));
	}
	box.append(tip);
	tip.style.left = Math.max(0, Math.min(x + 12, box.clientWidth - tip.offsetWidth - 8)) + "px";
	tip.style.top = y + 12 + "px";
}

// Returns a value with its unit; of a share the value beside it.
function text_of(one, v) {
	const text = (isFinite(v) ? short(v) : "-") + " " + unit_of(one);
	return is_share(one) && isFinite(v) ? short(v * one.factor) + " % (" + text + ")" : text;
}

// Names the series at the sample that is nearest, the one under the mouse first.
function hover_chart(chart, x, y) {
	const t = t_of(x, chart.canvas.clientWidth);
	let i = index_of(t);
	if (!times.n || !chart.y_of)
		return null;
	if (i > 0 && (i === times.n || t - times.at[i - 1] < times.at[i] - t))
		i--;
	const found = [];
	for (const one of chart.series) {
		const v = value_at(one, i);
		if (!one.is_hidden)
			found.push([name_of(one), text_of(one, v), one.colour,
				isFinite(v) ? Math.abs(chart.y_of(v * one.factor) - y) : Infinity]);
	}
	found.sort((a, b) => a[3] - b[3]);
	const near = marks.filter(m => Math.abs(x_of(m.t, chart.canvas.clientWidth) - x) < 6).map(m => [m.text, clock(m.t)]);
	return [["at", clock(times.at[i])], ...near, ...found.slice(0, 12),
		...(found.length > 12 ? [["and " + (found.length - 12) + " more", ""]] : [])];
}

// ---- totals ----

const HEADS = [["event", "name"], ["unit", "unit"], ["count", "count"], ["mean, or a second", "mean"], ["least", "least"], ["most", "most"],
	["share of the plot", "share"], ["mean of the limit", "used"]];
let sorted = null, is_up = false;

function make_head() {
	for (const [text, key] of HEADS)
		el.head.append(make("th", {}, make("button", { text, "data-key": key, onclick: () => {
			is_up = sorted === key ? !is_up : key === "name" || key === "unit";
			sorted = key;
			show_table();
		} })));
}

// Adds up what is in the range.  A counter's count is its growth in the samples of the range; its rate is over their time.
function total(one, from, to) {
	let sum = 0, time = 0, n = 0, least = Infinity, most = -Infinity;
	const widths = one.told.at;
	for (let i = from; i < to; i++) {
		const v = value_at(one, i);
		if (!isFinite(v))
			continue;
		n++;
		sum += one.at[i];
		time += one.is_gauge ? 1 : widths[i];
		if (v < least) least = v;
		if (v > most) most = v;
	}
	return { one, name: one.key, unit: one.unit, count: one.is_gauge || !n ? NaN : sum, mean: n ? sum / time : NaN,
		least: n ? least : NaN, most: n ? most : NaN, share: NaN, used: n && one.limit > 0 ? sum / time / one.limit : NaN };
}

function show_table() {
	const from = index_of(view.from), to = index_of(view.to + 1e-9), lines = [];
	for (const chart of charts) {
		const some = chart.series.filter(one => !one.is_hidden).map(one => total(one, from, to));
		let sum = 0;
		const known = some.filter(line => line.count >= 0);
		for (const line of known)
			sum += line.count;
		for (const line of known)
			line.share = known.length > 1 && sum > 0 ? line.count / sum : NaN;
		lines.push(...some);
	}
	if (sorted)
		lines.sort((a, b) => {
			const x = a[sorted], y = b[sorted];
			const by = typeof x === "string" ? x.localeCompare(y) : (isNaN(x) ? -Infinity : x) - (isNaN(y) ? -Infinity : y);
			return is_up ? by : -by;
		});
	el.range_text.textContent = clock(view.from) + " to " + clock(Math.max(view.from, Math.min(view.to, last_time()))) + ", " + (to - from) + " samples" +
		(n_unread ? ", " + n_unread + " intervals without one" : "") +
		(n_missed ? ", " + n_missed + " lines missed" : "");
	const body = lines.slice(0, 400).map(line => make("tr", {}, make("td", { text: line.name, title: line.one.what }),
		make("td", { text: line.unit }), ...["count", "mean", "least", "most"].map(key => make("td", { text: short(line[key]) })),
		...["share", "used"].map(key => make("td", { text: isFinite(line[key]) ? (line[key] * 100).toFixed(1) + " %" : "-" }))));
	el.rows.replaceChildren(...body);
	for (const button of el.head.querySelectorAll("button"))
		button.parentElement.setAttribute("aria-sort", button.dataset.key !== sorted ? "none" : is_up ? "ascending" : "descending");
}

// ---- the start ----

addEventListener("resize", touch);
addEventListener("beforeprint", () => { is_printing = true; draw_all(); });
addEventListener("afterprint", () => { is_printing = false; });
addEventListener("scroll", touch, { passive: true });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { is_layout_new = true; touch(); });
document.addEventListener("DOMContentLoaded", () => {
	const text = document.getElementById("recording");
	build();
	is_dirty = false;
	is_static = text !== null;
	show_state();
	touch();
	if (text)
		read_text(text.textContent);
	else
		connect();
});
// For tests, and for the console of who is curious.
window.ompp_page = { times, series, sensors, threads, regions, marks, view, value_at, total, take, get state() { return state; },
	get cost() { return cost; }, get n_looked() { return n_looked; },
	get n_drawn() { return n_drawn; }, get charts() { return charts; }, stream: () => stream, command };
})();
