# bash completion for ompp, which tells its own words: `ompp help --words`.
_ompp() {
	local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]}
	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(ompp help --words 2>/dev/null | cut -f 1)" -- "$cur")
		return
	fi
	case $command/$cur in
	*/-*)
		mapfile -t COMPREPLY < <(compgen -W "$(ompp help --words "$command" 2>/dev/null | cut -f 1)" -- "$cur")
		[[ ${COMPREPLY[0]:-} == *= ]] && compopt -o nospace 2>/dev/null
		;;
	counters/*) mapfile -t COMPREPLY < <(compgen -W "$(ompp counters --format=csv 2>/dev/null | sed -e 1d -e 's/,.*//' -e 's/"//g')" -- "$cur") ;;
	help/*) mapfile -t COMPREPLY < <(compgen -W "variables $(ompp help --words 2>/dev/null | cut -f 1)" -- "$cur") ;;
	*) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
	esac
}
complete -F _ompp ompp
