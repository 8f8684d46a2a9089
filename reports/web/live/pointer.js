// pointer: what the mouse and fingers do on plots: a range is chosen by dragging, and the values there are told.
let hovered = null, selection = null;

function draw_selection(c, bottom, width, colours) {
	if (!selection)
		return;
	const a = x_of(selection[0], width), b = x_of(selection[1], width);
	c.fillStyle = colours.link;
	c.globalAlpha = 0.2;
	c.fillRect(Math.min(a, b), TOP, Math.abs(b - a), bottom - TOP);
	c.globalAlpha = 1;
}

// Makes a plot answer the pointer; hover(x, y) gives the lines of the tip, [[name, value, colour]], or null.
function handle_plot(canvas, hover) {
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
		showTip(tip_lines(hover(x, y)), event.clientX, event.clientY);
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
		showTip(null);
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

// The lines of a tip: names and values, a name in the colour of its series.
function tip_lines(lines) {
	return lines && lines.map(([name, value, colour]) => h("div", {}, h("span", { style: colour && "color:" + colour }, name), h("b", {}, value)));
}
