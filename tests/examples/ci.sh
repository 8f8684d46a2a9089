# ci: the examples for GitHub Actions and GitLab CI are YAML of the members that these read, install nothing but Debian
# packages, and their shell steps, run here with the built tree, pass while nothing changed, tell a slower commit, and fail then
. "$srcdir/tests/lib.sh"
need git
need python3
python3 -c 'import yaml' 2>/dev/null || skip 'python3-yaml is not installed'
export HOME="$work/home"
own_git
unset KINST_FLAGS
mkdir home

# The steps become scripts: what a service does by itself (checkout, cache) stands for itself here, and apt-get is looked at, not
# run.  GitHub runs each step by bash -e, GitLab all lines in one shell.
python3 - "$srcdir/examples/ci" <<'P' || fail 'YAML'
import sys
import yaml

folder = sys.argv[1]
github = yaml.safe_load(open(folder + "/github.yml"))
assert set(github) <= {"name", True, "on", "permissions", "env", "jobs"}, github  # YAML 1.1 takes on for true
assert github[True] == ["push"] and github["permissions"] == {"contents": "read"}
job = github["jobs"]["times"]
assert set(job) == {"runs-on", "container", "steps"}
uses = [s["uses"] for s in job["steps"] if "uses" in s]
assert uses == ["actions/checkout@v4", "actions/cache/restore@v4", "actions/cache/save@v4"], uses
assert all(set(s) <= {"name", "run", "uses", "with", "if"} and ("run" in s) != ("uses" in s) for s in job["steps"])
# the history is kept also when the job fails: saved behind the measurement, and whatever the steps said
order = [s.get("name") or s["uses"] for s in job["steps"]]
restore, save = (s for s in job["steps"] if s.get("uses", "").startswith("actions/cache"))
assert order.index("actions/cache/restore@v4") < order.index("measure") < order.index("actions/cache/save@v4"), order
assert save["if"] == "always()" and sum("if" in s for s in job["steps"]) == 1
assert all(restore["with"][k] == save["with"][k] for k in ("path", "key")) and restore["with"]["path"] == "history"
assert restore["with"]["key"].startswith(restore["with"]["restore-keys"])
with open("github", "w") as script:
    for step in job["steps"]:
        if "run" in step:
            script.write("(\nset -e\n" + step["run"] + ") || exit 1\n")
gitlab = yaml.safe_load(open(folder + "/gitlab.yml"))
assert set(gitlab) == {"variables", "times"}
times = gitlab["times"]
assert set(times) == {"image", "cache", "before_script", "script", "artifacts"}
assert times["cache"]["paths"] == ["history"] and gitlab["variables"]["GIT_DEPTH"] == "0"
with open("gitlab", "w") as script:
    script.write("set -e\n" + "\n".join(times["before_script"] + times["script"]) + "\n")
for name, variables in (("github", github["env"]), ("gitlab", gitlab["variables"])):
    with open(name + ".env", "w") as env:
        for key, value in variables.items():
            env.write(f"{key}='{value}'\nexport {key}\n")
P
mkdir bin
# each package has to be one that Debian has, or one of ours
cat >bin/apt-get <<'S'
#!/bin/sh
[ "$1" != update ] || exit 0
shift
for word; do
	case $word in
	-*) ;;
	kinst | git | ca-certificates | make | gcc | libc6-dev) echo "$word" >>"$PACKAGES" ;;
	*) echo "apt-get: $word?" >&2; exit 100 ;;
	esac
done
S
chmod +x bin/apt-get
PACKAGES=$work/packages
export PACKAGES

# commit MS MESSAGE: a commit of a program that sleeps so long
commit() {
	printf '#include <unistd.h>\nint main(void)\n{\n#pragma omp parallel num_threads(2)\n\tusleep(%s000);\n\treturn 0;\n}\n' "$1" >prog.c
	git add prog.c Makefile .gitignore
	GIT_COMMITTER_DATE="$((1700000000 + $2 * 100)) +0000" git commit -q --allow-empty -m "commit $2"
}

# push SERVICE: what it does for a push
push() {
	(
		. "$work/$1.env"
		PATH="$work/bin:$PATH"
		GITHUB_STEP_SUMMARY=$work/summary
		export GITHUB_STEP_SUMMARY
		bash "$work/$1"
	) >"$work/out" 2>&1
}

attempt() {
	rm -rf "$work/repository"
	mkdir "$work/repository"
	cd "$work/repository"
	git init -q
	printf 'prog: prog.c\n\trm -f prog\n\t$(CC) -fopenmp -o prog prog.c\n.PHONY: prog\n' >Makefile
	printf 'history/\nprog\nbrief.md\n' >.gitignore
	for i in 1 2 3 4 5; do
		commit 100 $i
		push "$1" || { cat "$work/out"; return 1; }
	done
	commit 400 6
	status=0
	push "$1" || status=$?
	[ $status -ne 0 ] && grep -q 'slower (.*) from .* on$' "$work/out" || { cat "$work/out"; return 1; }
}
for service in github gitlab; do
	rm -f packages summary
	retry 4 attempt $service || fail "$service"
	grep -qx kinst packages || fail "$service: kinst is not installed"
	summary=$([ $service = github ] && echo summary || echo repository/brief.md)
	grep -q '^# prog' "$summary" || fail "$service: no summary"
	[ "$(find repository/history -name '*.ompp' | wc -l)" = 30 ] || fail "$service: profiles"
done
