# report_check.awk: does a report contradict itself?  Usage: awk -f report_check.awk REPORT.csv
# Prints each contradiction, and ends with 1 if there was one.  What must hold:
#
#   shares      none is above 100 %, none below 0
#   times       none is below 0
#   parts       those of a row add up to its execT; the rows of a table add up to SUM
#   classes     add up to the overheads, which are not more than the total
#   the run     no thread was in a region for longer than the program ran
#   the whole   what is inside takes no longer than what it is in, by call path and thread; exclusive is not above inclusive
#   tasks       in each team a thread's waits name no more tasks' time (taskT) than its tasks took, and no less where all of
#               its tasks ran in waits; and its tasks and its waits together took no longer than the team
#   objects     the regions' counts add up to the program's
#   samples     those of the regions and of their threads add up to the program's; the known levels to 100 %
#   properties  are numbered: what would save most first, then the most severe of those of which that is not known
#
# TIGHT is how much times that were measured apart may differ: the profiler's own cost is taken out of each by itself.
# Tasks have many events in little time, so what is compared of them may also differ by as much as the report says that
# its own cost may be wrong; with the fake clock, where it is 0, by nothing more.

BEGIN { TIGHT = 0.001; LEAST = 0.000002 }

function complain(what) {
	printf "%s:%d: %s\n", FILENAME, FNR, what
	bad = 1
}

function quotes(line) {
	return gsub(/"/, "", line)
}

# The fields of a record, unquoted.
function fields(line, f,   n, c, i, quoted, word) {
	if (!index(line, "\"")) {               # by far the quicker way
		n = split(line, f, ",")
		for (i = n + 1; i in f; i++)
			f[i] = ""
		return n
	}
	n = 1
	word = ""
	for (i = 1; i <= length(line); i++) {
		c = substr(line, i, 1)
		if (quoted && c == "\"" && substr(line, i + 1, 1) == "\"") {
			word = word c
			i++
		} else if (c == "\"") {
			quoted = !quoted
		} else if (c == "," && !quoted) {
			f[n++] = word
			word = ""
		} else {
			word = word c
		}
	}
	f[n] = word
	for (i = n + 1; i in f; i++)
		f[i] = ""
	return n
}

# A number; what was not measured is nothing.
function number(text) {
	return text == "-" ? 0 : text + 0
}

function has(name) {
	return (table, name) in column
}

function text_of(name) {
	return has(name) ? field[column[table, name]] : ""
}

function value(name) {
	return has(name) ? number(field[column[table, name]]) : 0
}

# The first of these columns that there is.
function first_of(a, b) {
	return has(a) ? value(a) : value(b)
}

function body() {
	if (has("bodyT") || has("bodyT/I"))
		return first_of("bodyT", "bodyT/I")
	if (has("sectT") || has("sectT/I"))
		return first_of("sectT", "sectT/I")
	return first_of("singleT", "singleT/I")
}

function is_apart(a, b, least) {
	return a - b > least || b - a > least
}

# Is a longer than b?  Both were measured.
function is_longer(a, b) {
	return a > b * (1 + TIGHT) + LEAST
}

function check_shares(   i, k) {
	for (k = 1; (table, k) in share_column; k++) {
		i = share_column[table, k]
		if (field[i] != "-" && field[i] != "" &&
		    (number(field[i]) > 100.005 || number(field[i]) < -0.005))
			complain("a share of " field[i] " %: " $0)
	}
}

# Columns of times are named so, with /I or /E for inclusive and exclusive ones.
function is_time(name) {
	return name ~ /T(\/[IE])?$/
}

function check_row(where,   i, parts, n_rows) {
	check_shares()
	for (i = 2; i <= n_columns; i++)
		if (is_time(title[i]) && number(field[i]) < 0)
			complain("a time below 0: " title[i] " of " where ", " $0)
	if (type == "PARALLEL" || type ~ /^PARALLEL / || type == "LOOP" || type == "WORKSHARE" || type == "SECTIONS" ||
	    type == "CRITICAL" || type == "ORDERED" || type == "LOCK" || type == "NEST LOCK" || type == "SCOPE") {
		parts = body() + value("exitBarT") + value("taskT") + value("startupT") + value("shutdwnT") + value("mgmtT")
		parts += value("enterT") + value("exitT")
		if (type != "PARALLEL SECTIONS" && text_of("exitBarT") != "-" && text_of("mgmtT") != "-" &&
		    is_apart(parts, value("execT"), 0.00000002 + 0.000000005 * n_rows_seen))
			complain("the parts of " where " add up to " parts ", not to execT: " $0)
	}
	if ((type == "SINGLE" || type == "SECTIONS") && is_longer(body() + value("exitBarT") + value("taskT"), value("execT")))
		complain("the parts of " where " are more than execT: " $0)
	for (i = 2; i <= n_columns; i++)
		if (title[i] ~ /T\/I$/ && is_longer(value(substr(title[i], 1, length(title[i]) - 1) "E"), number(field[i])))
			complain("exclusive above inclusive: " title[i] " of " where ", " $0)
	if (field[1] == "SUM") {
		check_sum(where)
		return
	}
	if (text_of("execC") == "-")            # it has counts of data alone
		return
	n_rows_seen++
	for (i = 2; i <= n_columns; i++) {
		sum[table, i] += number(field[i])
		if (field[i] == "-")
			missing[table, i] = 1
	}
	longest(where, type == "LOCK" || type == "NEST LOCK" ? value("enterT") + value("exitT") : value("execT"))
}

function check_sum(where,   i) {
	for (i = 2; i <= n_columns; i++)
		if (title[i] ~ /^[a-zA-Z]+[TC](\/[IE])?$/ && title[i] !~ /[A-Z][A-Z]/ && !((table, i) in missing) && field[i] != "-" &&
		    is_apart(sum[table, i], number(field[i]), 0.00000002 + 0.000000005 * n_rows_seen))
			complain("the rows of " where " add up to " sum[table, i] ", not to SUM: " title[i] ", " field[i])
}

# How long the run was is said at the end.
function longest(where, seconds) {
	n_long++
	long_seconds[n_long] = seconds
	long_what[n_long] = where ", row " field[1]
}

# The row of what it is in: the same, or of rank 0 of an inner team the one that forked it.
function row_above(path, row,   up) {
	if ((path, row) in path_time)
		return row
	up = row
	return sub(/\.0$/, "", up) && (path, up) in path_time ? up : ""
}

# How much of this row must be in the row above.  A TASKEXEC is without the other tasks that its thread ran meanwhile, and
# what waits in it has them: what says how long they took is compared without them, what may have a waiting inside and
# does not say it is not compared.  In recursion through tasks a region's time counts where it is innermost, so that what
# waits in it outside may be longer by what the inner visit did outside of its own wait: it is compared in the same way.
function part_of_above(seconds) {
	if (in_tasks && (type == "TASKWAIT" || type == "TASKYIELD" || type == "BARRIER" || type == "TASKGROUP"))
		return seconds - value("taskT")
	if (above_type != "TASKEXEC" || type == "PARALLEL" || type ~ /^PARALLEL /)
		return seconds
	return type ~ /^(USER REGION|FUNCTION|CRITICAL)$/ ? 0 : seconds - value("taskT")
}

function check_path(   row, seconds, up) {
	if (field[1] == "SUM")
		return
	row = field[1]
	seconds = type == "LOCK" || type == "NEST LOCK" ? value("enterT") + value("exitT") : value("execT")
	if (!value("execC"))
		return
	path_time[path, row] = seconds
	if (above == "")
		return
	up = row_above(above, row)
	if (up != "" && is_longer(part_of_above(seconds), path_time[above, up]))
		complain(type " " region ", row " row ": " seconds " s, in " above_type " of " path_time[above, up] " s")
}

# What a thread did in a team, by the team's path and the thread's row: a wait outside of tasks names all tasks that ran
# in it, those inside these too; a TASKEXEC is without those inside it.  So what was executed is what is named, but for
#   creations      a task may run where it is made (undeferred ones, or a full queue), which no column names
#   recursion      of a wait, what was in the same wait inside tasks counts there alone (reports/analysis/NOTES)
#   own barriers   whose tasks are not known
# A TASKGROUP and a TASKLOOP name what the waits inside them name, too.
function note_tasks(   row, key, wait) {
	row = field[1]
	if (row == "SUM" || !value("execC") && !value("execT"))
		return
	key = team SUBSEP row
	if (type == "TASKEXEC") {
		teams[key] = 1
		executed[key] += value("execT")
	} else if (in_tasks) {
		if (has("taskT"))
			again[key, type, region] += value("execT")
	} else if (type == "TASK" || text_of("taskT") == "-")
		has_unnamed[key] = 1
	else if (has("taskT")) {
		if (path == team)
			lasted[key] = value("execT")
		if (!in_group)
			named[key] += value("taskT")
		is_wait[key, type, region] = 1
		wait = type == "TASKWAIT" ? value("waitT") : type == "BARRIER" || type == "TASKYIELD" ? value("execT") - value("taskT") : \
		       value("exitBarT")
		waited[key] += wait
	}
}

# Is a longer than b, by more than the own cost may be wrong?  The report says that at its end.
function note_longer(a, b, what) {
	if (!is_longer(a, b))
		return
	n_longer++
	longer_by[n_longer] = a - b * (1 + TIGHT) - LEAST
	longer_what[n_longer] = FNR ": " what
}

function end_longer(   i) {
	for (i = 1; i <= n_longer; i++)
		if (longer_by[i] > own_most - own_least) {
			printf "%s:%s\n", FILENAME, longer_what[i]
			bad = 1
		}
}

function end_tasks(   key, name, what, repeated) {
	for (key in again)
		if (key in is_wait) {
			split(key, name, SUBSEP)
			repeated[name[1], name[2]] += again[key]
		}
	for (key in teams) {
		split(key, name, SUBSEP)
		what = "tasks of row " name[2] " in " name[1] " took " executed[key] " s"
		note_longer(named[key], executed[key], "waits name " named[key] " s of tasks; " what)
		if (!(key in has_unnamed))
			note_longer(executed[key], named[key] + repeated[key],
			            "waits name only " named[key] + repeated[key] " s of tasks; " what)
		if (key in lasted)
			note_longer(executed[key] + waited[key], lasted[key],
			            what ", and it waited " waited[key] " s, in " lasted[key] " s")
	}
}

# Is called for each line of a path: which team it is in, and whether tasks or what names their time are between.
function note_path() {
	if (type == "PARALLEL" || type ~ /^PARALLEL /) {
		team = path
		in_tasks = in_group = 0
	} else if (above_type == "TASKEXEC") {
		in_tasks = 1
		in_group = 0
	} else if (above_type == "TASKGROUP" || above_type == "TASKLOOP")
		in_group = 1
}

function check_classes(   sums) {
	sums = value("Synch") + value("Imbal") + value("Limpar") + value("Mgmt")
	if (is_apart(sums, value("Ovhds"), 0.00000002))
		complain("the classes add up to " sums ": " $0)
	if (is_longer(value("Ovhds"), value("Total")))
		complain("more overhead than time: " $0)
	check_shares()
}

function check_callgraph(   level) {
	level = value("level")
	check_shares()
	if (is_longer(value("Exclusive"), value("Inclusive")))
		complain("exclusive above inclusive: " $0)
	if (level && is_longer(value("Inclusive"), inclusive[level - 1]))
		complain("longer than what it is in: " $0)
	inclusive[level] = value("Inclusive")
}

function check_object(   i, k, key) {
	check_shares()
	for (k = 1; (table, k) in count_column; k++) {
		i = count_column[table, k]
		if (field[i] == "-")
			continue
		key = field[1] SUBSEP title[i]
		if (section == "data objects")
			object[key] = field[i] + 0
		else if (key in object)
			of_regions[key] += field[i]
	}
}

function end_objects(   key, name) {
	for (key in of_regions)
		if (of_regions[key] != object[key]) {
			split(key, name, SUBSEP)
			complain("the regions have " of_regions[key] " " name[2] " of " name[1] ", the program " object[key])
		}
}

# The columns of samples begin with object and kind; those of levels are from L1 to unknown, and add up to the whole.
function check_samples(   i, key, levels, is_level, is_known) {
	for (i = 1; i <= n_columns; i++) {
		if (title[i] == "samples" || title[i] == "accesses") {
			key = field[1] SUBSEP field[2] SUBSEP title[i]
			sampled[section, key] += field[i]
			sampled_keys[key] = 1
		}
		is_level = is_level || title[i] == "L1"
		if (is_level && field[i] != "-") {
			levels += field[i]
			is_known = 1
		}
		is_level = is_level && title[i] != "unknown"
	}
	if (is_known && (levels < 99.99 || levels > 100.01))
		complain("the levels of " field[1] " " field[2] " add up to " levels " %: " $0)
}

function end_samples(   key, name, all) {
	for (key in sampled_keys) {
		split(key, name, SUBSEP)
		all = sampled["sampled accesses", key]
		if (sampled[section, key] != all)
			complain("the parts of " section " have " sampled[section, key] + 0 " " name[3] " of " name[1] " " \
			         name[2] ", the program " all + 0)
	}
}

# Properties have no line of titles; the ninth field is the severity, the eleventh what it would save.
function check_property() {
	if (number(field[9]) > 100.005 || number(field[9]) < 0)
		complain("a share of " field[9] " %: " $0)
	gain = field[11] == "-" ? -1 : number(field[11])
	if (last_property != "" && gain > last_gain)
		complain("properties do not save the most first: " $0)
	if (last_property != "" && gain == -1 && last_gain == -1 && number(field[9]) > last_severity + 0.0000005)
		complain("properties of unknown saving are not the most severe first: " $0)
	if (duration && gain > duration) # what accesses tell has no share of the run, and may save something
		complain("a property saves more than it can: " $0)
	last_gain = gain
	if (field[1] <= last_property)
		complain("properties are not numbered: " $0)
	last_property = field[1]
	last_severity = number(field[9])
}

# Titles of the table's columns, by number and by name.
function titles(   i, n_shares, n_counts) {
	table++                                 # arrays are by table, as some awks crash when they are emptied
	n_rows_seen = 0
	n_columns = fields($0, title)
	for (i = 1; i <= n_columns; i++) {
		if (!has(title[i]))
			column[table, title[i]] = i
		if (title[i] == "(%)" || title[i] == "imbal")
			share_column[table, ++n_shares] = i
		if (title[i] ~ /^(loads|stores|atomics|accesses|bytes|L[123] misses)$/)
			count_column[table, ++n_counts] = i
	}
	has_titles = 1
}

function kind_of(section) {
	if (section ~ /^R[0-9]+ flat profile$/)
		return "flat"
	if (section ~ /^R[0-9]+ callgraph profile$/)
		return "callpath"
	if (section ~ /^overheads /)
		return "classes"
	if (section ~ /^data objects/)
		return "objects"
	if (section ~ /^sampled accesses/)
		return "samples"
	if (section ~ /^header/)
		return "header"
	return section == "ompp callgraph" ? "callgraph" : section == "performance properties report" ? "properties" : \
	       section == "overhead analysis report" ? "overhead" : ""
}

# A record goes on in the next line while a quoted field is open: CSV-RAW has names as they are.
index($0, "\"") {
	while (quotes($0) % 2 && (getline more) > 0)
		$0 = $0 "\n" more
}
/^##BEG / {
	section = substr($0, 7)
	kind = kind_of(section)
	has_titles = 0
	path = above = region = type = last_property = team = ""
	in_tasks = in_group = 0
	next
}
/^##END / {
	if ($0 == "##END callgraph region profiles")
		end_tasks()
	if ($0 == "##END data objects by region")
		end_objects()
	if (kind == "samples" && section != "sampled accesses")
		end_samples()
	kind = ""
	next
}
kind == "header" && /^Note,.*the profile file is damaged/ { is_damaged = 1 }
kind == "header" && /^Duration,/ && !duration { duration = substr($0, 10) * 1.01 + 0.02 }
kind == "overhead" && /^Total runtime/ { fields($0, field); duration = field[2] + 0 }
kind == "overhead" && /^Own cost at (least|most)/ {
	fields($0, field)
	if ($0 ~ /least/)
		own_least = number(field[2])
	else
		own_most = number(field[2])
}
kind == "overhead" && /^(Parallel coverage|Measuring off|Own cost|Waiting it may)/ {
	fields($0, field)
	if (number(field[3]) > 100.005 || number(field[3]) < 0)
		complain("a share of " field[3] " %: " $0)
}
kind == "overhead" && /^region,type,/ { titles(); next }
kind == "overhead" && has_titles { fields($0, field); check_shares() }
kind == "flat" && region == "" { fields($0, field); region = field[1]; type = field[2]; next }
kind == "callpath" && /^\[/ {
	fields($0, field)
	if (field[1] !~ /^\[\*/) {
		above = path
		above_type = type
		path = path "/" field[2] " " field[3]
		region = field[2]
		type = field[3]
		note_path()
	}
	next
}
kind == "properties" && /^P[0-9]+,/ { fields($0, field); check_property() }
kind == "" || kind == "header" || kind == "overhead" || kind == "properties" { next }
!has_titles { titles(); next }
{
	fields($0, field)
	if (kind == "flat")
		check_row(type " " region)
	else if (kind == "callpath") {
		check_row("call path" path)
		check_path()
		note_tasks()
	} else if (kind == "classes")
		check_classes()
	else if (kind == "callgraph")
		check_callgraph()
	else if (kind == "objects")
		check_object()
	else if (kind == "samples")
		check_samples()
}

END {
	end_longer()
	for (i = 1; i <= n_long && duration; i++)
		if (long_seconds[i] > duration * (1 + TIGHT) + LEAST) {
			printf "%s: longer than the run of %s s: %s, %s s\n", FILENAME, duration, long_what[i], long_seconds[i]
			bad = 1
		}
	exit is_damaged ? 0 : bad
}
