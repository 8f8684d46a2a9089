// time_range: the range of time that plots show: it follows what comes, or stays where the reader has put it; keys.
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
