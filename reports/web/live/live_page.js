// live_page: the elements of the page, its head with the state of the recording, and the buttons there.
const SPANS = [["10 s", 10], ["1 min", 60], ["5 min", 300], ["10 min", 600], ["all", Infinity]];
const INTERVALS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000];
const GROUPS = [["unit", "unit"], ["event", "event"], ["source", "CPU, node, device"], ["sensor", "sensor"]];

const view = { from: 0, to: 60, span: 60, is_following: true, is_log: false, is_share: true, group: "unit" };

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
