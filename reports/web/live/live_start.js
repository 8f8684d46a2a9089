// live_start: builds the page, and reads what there is.
addEventListener("resize", touch);
addEventListener("beforeprint", () => { is_printing = true; draw_all(); });
addEventListener("afterprint", () => { is_printing = false; });
addEventListener("scroll", touch, { passive: true });
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
