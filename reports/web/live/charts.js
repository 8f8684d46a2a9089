// charts: plots of series, a plot for all of one unit, event, source or sensor; live_lines.js makes their lines.  What strangers
// wrote (names, labels) is put into the page as text alone.
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
	while (color("one-" + ONES.length))
		ONES.push(color("one-" + ONES.length));
	return ONES[number % ONES.length];
}

function swatch(colour) {
	return h("i", { style: "background:" + colour });
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
			chart = { name, lines: new ompp_lines.Lines(), canvas: h("canvas", { role: "img", "aria-label": "plot of " + name }) };
			chart.legend = h("div", { class: "legend" });
			chart.element = h("div", { class: "chart", "data-name": name }, h("h2", {}, name), chart.legend, chart.canvas);
			handle_plot(chart.canvas, (x, y) => hover_chart(chart, x, y));
		}
		const factors = list.map(one => one.factor).join();
		if (chart.factors !== factors)
			chart.lines.forget();
		Object.assign(chart, { series: list, factors, is_share: list.some(is_share) });
		list.forEach((one, i) => { one.colour = colour_of_one(i); });
		chart.legend.textContent = "";
		for (const one of list) {
			chart.legend.append(h("button", { "aria-pressed": String(!one.is_hidden), "data-key": one.key,
				title: (one.what ? one.what + "\n" : "") + "click: hide or show; twice: alone, or all again",
				ondblclick: () => show_alone(chart, one), onclick: event => { one.is_hidden = !one.is_hidden; event.currentTarget.setAttribute("aria-pressed", !one.is_hidden);
					show_ticks(); touch(); } }, swatch(one.colour), name_of(one)));
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

function draw_chart(chart, colours) {
	const [c, width] = plot_context(chart.canvas, HEIGHT), bottom = HEIGHT - BOTTOM;
	const plot = width - LEFT - 6, shown = chart.series.filter(one => !one.is_hidden), ratio = pixelRatio();
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
			c.fillText(brief(10 ** k), LEFT - 5, y_of(10 ** k) + 4);
		}
	} else {
		const is_far = !chart.is_share && least > 0 && (most - least) < least * 0.2 && most > least; // a gauge that hardly changes
		let low = is_far ? least : Math.min(0, least), high = chart.is_share ? Math.max(100, most) : most > low ? most : low + 1;
		const step = stepOf(high - low, 4);
		low = Math.floor(low / step) * step;
		high = Math.ceil(high / step - 1e-9) * step;
		scale = { low, high, is_log };
		y_of = v => bottom - (v - low) / (high - low) * (bottom - TOP);
		for (let k = 0; low + k * step <= high + step / 2; k++) {
			const y = Math.round(y_of(low + k * step)) + 0.5;
			c.moveTo(LEFT, y);
			c.lineTo(width - 6, y);
			c.fillText(brief(low + k * step), LEFT - 5, y + 4);
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

// Returns a value with its unit; of a share the value beside it.
function text_of(one, v) {
	const text = brief(v) + " " + unit_of(one);
	return is_share(one) && isFinite(v) ? brief(v * one.factor) + " % (" + text + ")" : text;
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
