# fish completion for ompp, which tells its own words: `ompp help --words`.
function __ompp_command
    set -l words (commandline -opc)
    test (count $words) -gt 1; and echo $words[2]
end
# The options of the command; after --option= the words of its value, which may be a list with commas.
function __ompp_options
    set -l command (__ompp_command)
    test -n "$command"; or return
    set -l now (commandline -ct)
    if not string match -q -- '-*=*' $now
        ompp help --words $command 2>/dev/null
        return
    end
    set -l option (string replace -r -- '=.*' '' $now)
    set -l before (string replace -r -- '[^=,]*$' '' $now)
    for value in (ompp help --words $command (string replace -- '--' '' $option) 2>/dev/null)
        echo $before$value
    end
end
# The files that the command reads, and folders.
function __ompp_files
    set -l suffix (ompp help --files (__ompp_command) 2>/dev/null)
    set -l now (commandline -ct)
    for file in (complete -C "__ompp_no_command $now")
        if test -z "$suffix"; or string match -q -- "*.$suffix" $file; or string match -q -- '*/' $file
            echo $file
        end
    end
end
complete -c ompp -f
complete -c ompp -n 'not __ompp_command >/dev/null' -a '(ompp help --words 2>/dev/null)'
complete -c ompp -n 'string match -q -- "-*" (commandline -ct)' -a '(__ompp_options)'
complete -c ompp -n '__ompp_command >/dev/null; and not string match -q -- "-*" (commandline -ct)' -a '(__ompp_files)'
complete -c ompp -n 'string match -q help (__ompp_command)' -a '(ompp help --words 2>/dev/null)'
