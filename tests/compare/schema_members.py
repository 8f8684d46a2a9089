"""Whether a schema is no rubber stamp, for schema_check.py and history_schema.py."""
import copy


def _objects(value, path=()):
    """The path of one object of each kind."""
    if isinstance(value, dict):
        yield path
    if isinstance(value, (dict, list)):
        for key, v in value.items() if isinstance(value, dict) else enumerate(value[:1]):
            yield from _objects(v, path + (key,))


def _at(value, path):
    for key in path:
        value = value[key]
    return value


def check(validator, data, fail):
    """Calls fail(what) where the schema does not miss a member of some kind of object, or takes one that there is not.
    Returns the names of all members that it was asked about, once for each object."""
    seen = []
    for path in _objects(data):
        for key in _at(data, path):
            wrong = copy.deepcopy(data)
            del _at(wrong, path)[key]
            if validator.is_valid(wrong):
                fail("the schema does not miss %s of %s" % (key, path))
            seen.append(key)
        wrong = copy.deepcopy(data)
        _at(wrong, path)["guess"] = 1
        if validator.is_valid(wrong):
            fail("the schema takes a member that there is not in %s" % (path,))
    return seen
