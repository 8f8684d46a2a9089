"""abi_hooks: prints what hooks in programs share with libompp, for gdb (abi_types.sh): each variable v1, v2 … is the
address of a function or of data of theirs.  What is reached through one is printed with its name: "== hooks NAME: struct
X".  The members of the hooks' per-thread data count as names by themselves, as a new one stands for a new layout.
"""
import gdb


def reached(name, of):
    """Prints the structures in a type, and those that its pointers lead to."""
    types, waiting = {}, [of]
    while waiting:
        of = waiting.pop().strip_typedefs().unqualified()
        if of.code in (gdb.TYPE_CODE_PTR, gdb.TYPE_CODE_ARRAY, gdb.TYPE_CODE_FUNC):
            waiting.append(of.target())
        if of.code in (gdb.TYPE_CODE_STRUCT, gdb.TYPE_CODE_UNION, gdb.TYPE_CODE_FUNC) and of.name not in types:
            if of.name and of.fields():
                types[of.name] = of
            waiting += [member.type for member in of.fields()]
    for struct in sorted(types):
        print(f"== hooks {name}: struct {struct}")
        gdb.execute(f"ptype /o struct {struct}")


gdb.execute("set max-value-size unlimited")
for line in open("names"):
    number, name = line.split(maxsplit=1)
    name = name.strip()
    of = gdb.parse_and_eval(f"v{number}").type.target()
    if of.name == "ompp_access_own":
        for member in of.fields():
            offset = member.bitpos // 8
            print(f"== hooks {name}+{offset}\n{member.type.sizeof}")
            reached(f"{name}+{offset}", member.type)
    else:
        print(f"== hooks {name}\n{of}")
        reached(name, of)
