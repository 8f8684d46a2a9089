// live_page: the elements of the page, its head with the state of the recording, and the buttons there.
const SPANS = [["10 s", 10], ["1 min", 60], ["5 min", 300], ["10 min", 600], ["all", Infinity]];
const INTERVALS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000];
const GROUPS = [["unit", "unit"], ["event", "event"], ["source", "CPU, node, device"], ["sensor", "sensor"]];

const view = { from: 0, to: 60, span: 60, is_following: true, is_log: false, is_share: true, group: "unit" };

const el = {};
function build() {
	const options = (pairs, chosen) => pairs.map(([value, text]) => h("option", { value, selected: value == chosen }, text));
	document.body.append(
		h("header", {},
			el.title = h("h1", {}, "ompp live"),
			el.state = h("span", { id: "state", role: "status" }),
			el.pause = h("button", { id: "pause", title: "space", onclick: toggle_pause }, "Pause"),
			el.stop = h("button", { id: "stop", title: "ends the watching for all pages", onclick: stop }, "Stop"),
			el.interval_label = h("label", {}, "every",
				el.interval = h("input", { id: "interval", type: "range", min: 0, max: INTERVALS.length - 1, step: 1,
					"aria-label": "interval", oninput: show_interval, onchange: send_interval }),
				el.interval_text = h("output", { id: "interval_text" })),
			h("label", {}, "range", el.span = h("select", { id: "span", onchange: choose_span },
				...options(SPANS.map(([text, s]) => [s, text]), view.span))),
			h("label", {}, "plots by", el.group = h("select", { id: "group", onchange: choose_group },
				...options(GROUPS, view.group))),
			el.share = h("button", { id: "share", title: "p: per cent of the limit, where one is known", "aria-pressed": "true",
				hidden: true, onclick: toggle_share }, "%"),
			el.log = h("button", { id: "log", title: "l: logarithmic", "aria-pressed": "false", onclick: toggle_log }, "log"),
			h("button", { id: "in", title: "zoom in", "aria-label": "zoom in", onclick: () => zoom(0.5) }, "+"),
			h("button", { id: "out", title: "zoom out", "aria-label": "zoom out", onclick: () => zoom(2) }, "−"),
			el.follow = h("button", { id: "follow", title: "f: go on with what comes", "aria-pressed": "true",
				onclick: follow }, "follow"),
			themeButton({ title: "dark or light", "aria-label": "dark or light" }, "◐"),
			h("button", { id: "ask", title: "keys", "aria-label": "keys", onclick: help }, "?"),
			el.said = h("p", { id: "said", role: "alert", hidden: true })),
		h("main", {},
			h("aside", { "aria-label": "events" },
				el.search = h("input", { type: "search", id: "search", placeholder: "search events  ( / )",
					"aria-label": "search events", oninput: filter_events }),
				el.events = h("div", { id: "events" })),
			h("section", {},
				el.empty = h("p", { id: "empty" }, "Nothing has been read yet."),
				el.bands = h("div", { id: "bands", hidden: true },
					h("h2", {}, "Threads in regions",
						h("small", {}, "  as seen at each sample; hatched: waits")),
					el.band_legend = h("div", { class: "legend" }),
					el.band_canvas = h("canvas", { role: "img", "aria-label": "the region of each thread over time" })),
				el.charts = h("div", { id: "charts" }),
				el.table = h("div", { id: "table", hidden: true },
					h("h2", {}, "Totals of the range ", el.range_text = h("small", {})),
					totals.element))),
		el.help = h("div", { id: "help", role: "dialog", "aria-label": "keys", hidden: true }));
	for (const [keys, text] of [["space", "pause and resume reading"], ["← →", "move"], ["+ −", "zoom; or drag over a plot"],
		["f", "follow what comes"], ["l", "logarithmic"], ["p", "per cent of limits"], ["g", "group otherwise"], ["/", "search events"], ["Esc", "all again"],
		["twice", "on a name over a plot: it alone, or all again"]])
		el.help.append(h("p", {}, h("kbd", {}, keys), " " + text));
	redrawn(el.charts, () => { is_layout_new = true; touch(); });
	handle_plot(el.band_canvas, hover_bands);
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
	return ms >= 1000 ? brief(ms / 1000) + " s" : brief(ms) + " ms";
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

function help() {
	el.help.hidden = !el.help.hidden;
}
