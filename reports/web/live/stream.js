// stream: where lines come from: the server, by server-sent events, or the element #recording of a file; and commands to
// the server.
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
