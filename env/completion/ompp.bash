# bash completion for ompp, which tells its own words: `ompp help --words`.

# _ompp_values COMMAND OPTION BEGIN: words of the option's value, which may be a list with commas; files if it has none.
_ompp_values() {
	local words before=
	words=$(ompp help --words "$1" "$2" 2>/dev/null)
	if [ -z "$words" ]; then
		mapfile -t COMPREPLY < <(compgen -f -- "$3")
		compopt -o filenames 2>/dev/null
		return
	fi
	[[ $3 == *,* ]] && before=${3%,*},
	mapfile -t COMPREPLY < <(compgen -P "$before" -W "$words" -- "${3##*,}")
}

# _ompp_files COMMAND BEGIN: the files that the command reads, and folders.
_ompp_files() {
	local suffix
	suffix=$(ompp help --files "$1" 2>/dev/null)
	if [ -n "$suffix" ]; then
		mapfile -t COMPREPLY < <(compgen -f -X "!*.$suffix" -- "$2"; compgen -d -- "$2")
	else
		mapfile -t COMPREPLY < <(compgen -f -- "$2")
	fi
	compopt -o filenames 2>/dev/null
}

_ompp() {
	local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} option=
	COMPREPLY=()
	if [ "$COMP_CWORD" -eq 1 ]; then
		mapfile -t COMPREPLY < <(compgen -W "$(ompp help --words 2>/dev/null | cut -f 1)" -- "$cur")
		return
	fi
	# bash takes --option=value for three words, unless COMP_WORDBREAKS has no =.
	if [ "$cur" = = ]; then
		option=${COMP_WORDS[COMP_CWORD - 1]} cur=
	elif [ "${COMP_WORDS[COMP_CWORD - 1]}" = = ]; then
		option=${COMP_WORDS[COMP_CWORD - 2]}
	fi
	case $command/$option/$cur in
	*/--*/*) _ompp_values "$command" "${option#--}" "$cur" ;;
	*/-*=*)
		option=${cur%%=*}
		_ompp_values "$command" "${option#--}" "${cur#*=}"
		COMPREPLY=("${COMPREPLY[@]/#/$option=}")
		;;
	*/-*)
		mapfile -t COMPREPLY < <(compgen -W "$(ompp help --words "$command" 2>/dev/null | cut -f 1)" -- "$cur")
		[[ ${COMPREPLY[0]:-} == *= ]] && compopt -o nospace 2>/dev/null
		;;
	counters/*) mapfile -t COMPREPLY < <(compgen -W "$(ompp counters --format=csv 2>/dev/null | sed -e 1d -e 's/,.*//' -e 's/"//g')" -- "$cur") ;;
	help/*) mapfile -t COMPREPLY < <(compgen -W "variables $(ompp help --words 2>/dev/null | cut -f 1)" -- "$cur") ;;
	*) _ompp_files "$command" "$cur" ;;
	esac
}
complete -F _ompp ompp
