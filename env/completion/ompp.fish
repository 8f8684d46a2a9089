# fish completion for ompp, which tells its own words: `ompp help --words`.
function __ompp_command
    set -l words (commandline -opc)
    test (count $words) -gt 1; and echo $words[2]
end
function __ompp_options
    set -l command (__ompp_command)
    test -n "$command"; and ompp help --words $command 2>/dev/null
end
complete -c ompp -n 'test -z "(__ompp_command)"' -f -a '(ompp help --words 2>/dev/null)'
complete -c ompp -n 'string match -q -- "-*" (commandline -ct)' -a '(__ompp_options)'
complete -c ompp -n 'test "(__ompp_command)" = help' -f -a '(ompp help --words 2>/dev/null)'
