// axes: what plots over time have in common: their canvas, the axis of time, and marks.
// The context of a plot's canvas, which is as wide as its box, and its width.
function plot_context(canvas, height) {
	const width = canvas.parentElement.clientWidth - 18, c = context(canvas, width, height);
	c.font = "11px system-ui, sans-serif";
	return [c, width];
}

function x_of(t, width) {
	return LEFT + (t - view.from) / (view.to - view.from) * (width - LEFT - 6);
}

function t_of(x, width) {
	return view.from + (x - LEFT) / (width - LEFT - 6) * (view.to - view.from);
}

function draw_times(c, width, height, colours) {
	const step = stepOf(view.to - view.from, Math.max(2, width / 110)), digits = Math.max(0, -Math.floor(Math.log10(step)));
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
