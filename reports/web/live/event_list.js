// event_list: the list of sensors and their events, which can be searched, and read or hidden.
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
		const details = h("details", { "data-sensor": one.sensor, open: open.has(one.sensor) },
			h("summary", {}, one.sensor + " ", h("small", {}, one.what)));
		if (one.why)
			details.append(h("div", { class: "why" }, "not here: " + one.why));
		else if (one.events.length > 1)
			details.append(h("div", { class: "whole" },
				h("button", { "data-sensor": one.sensor, "data-on": "1", onclick: () => switch_sensor(one.sensor, true) }, "all on"),
				h("button", { "data-sensor": one.sensor, onclick: () => switch_sensor(one.sensor, false) }, "all off")));
		for (const event of one.events)
			details.append(event_row(one, event));
		el.events.append(details);
	}
	filter_events();
	show_ticks();
}

function event_row(sensor, event) {
	const box = (kind, text, hint) => {
		const input = h("input", { type: "checkbox", "data-event": sensor.sensor + ":" + event.name, "data-kind": kind,
			onchange: () => switch_event(sensor.sensor, event.name, kind, input.checked) });
		return [input, h("label", { title: hint }, input, " " + text)];
	};
	const [together, one] = box("all", "all", "all sources together"), [each, many] = box("each", "each", "each source by itself");
	const element = h("div", { class: "event" }, one, many,
		h("span", {}, event.name + " "), h("small", {}, event.what + ", " + event.unit + (event.gauge ? "" : "/s")));
	rows.push({ element, words: sensor.sensor + ":" + event.name + " " + event.what, sensor: sensor.sensor,
		event: event.name, together, each, label: many, sources: sensor.sources });
	return element;
}

function filter_events() {
	const words = splitWords(el.search.value);
	for (const row of rows)
		row.element.hidden = !matches(row.words, words);
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
