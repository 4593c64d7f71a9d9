"""Holds what inboxd reads in mail against Python's email package; suite/differential/run starts this."""

import argparse
import fnmatch
import glob
import json
import os
import subprocess
import sys
import tempfile

import trees

HERE = os.path.dirname(os.path.abspath(__file__))


def known():
    """Pairs of a pattern for files and the reason why the two may disagree about them."""
    with open(os.path.join(HERE, "known.txt"), encoding="utf-8") as file:
        lines = [line.strip() for line in file]
    return [tuple(line.split(None, 1)) for line in lines if line and not line.startswith("#")]


def mails(folders):
    for folder in folders:
        for path in sorted(glob.glob(os.path.join(folder, "**", "*"), recursive=True)):
            if path.endswith((".eml", ".msg")):
                yield path


def ours(java, paths):
    """What inboxd reads: one object for each file."""
    with tempfile.NamedTemporaryFile("w", suffix=".txt", encoding="utf-8") as names:
        names.write("\n".join(paths) + "\n")
        names.flush()
        out = subprocess.run([*java, "dev.inboxd.mail.message.Trees", names.name], stdout=subprocess.PIPE, check=True).stdout
    return {tree["file"]: tree for tree in map(json.loads, out.decode().splitlines())}


def difference(mine, pythons):
    if [leaf["type"] for leaf in mine] != [leaf["type"] for leaf in pythons]:
        return f"leaves {[leaf['type'] for leaf in mine]}, and Python sees {[leaf['type'] for leaf in pythons]}"
    for number, (a, b) in enumerate(zip(mine, pythons)):
        for what in ("name", "content"):
            if a[what] != b[what]:
                return f"{what} of leaf {number} {a[what]!r}, and Python sees {b[what]!r}"
    return None


def structure(java, folders):
    """Compares the trees of all mail in the folders; returns how many agree or are explained, and how many are not."""
    paths = list(mails(folders))
    found = ours(java, paths)
    explained, used, agreed, failed = known(), set(), 0, 0
    for path in paths:
        with open(path, "rb") as file:
            differs = difference(found[path]["leaves"], trees.tree(file.read()))
        pattern = next((p for p, _ in explained if fnmatch.fnmatch(path, "*/" + p)), None)
        if differs and pattern:
            used.add(pattern)
        elif differs:
            failed += 1
            print(f"differential: {path}: {differs}")
        agreed += not differs
    print(f"differential: {len(paths)} messages, {agreed} read alike, {len(paths) - agreed - failed} differ for a known reason")
    for pattern, _ in explained:
        if pattern not in used and pattern.startswith("corpus/"):
            print(f"differential: known.txt: nothing differs any more in {pattern}")
            failed += 1
    return len(paths) - failed, failed


def origins(java, work):
    """Where mail is from, judged by npm's mailauth beside inboxd; returns how many cases agree or are explained, and how many are not."""
    others = os.environ.get("CORPORA", "../shared/corpora")
    ran = subprocess.run(["node", os.path.join(HERE, "origins.js"), "mail/src/test/resources/authentication", others, work, *java],
                         stdout=subprocess.PIPE, text=True)
    *lines, last = ran.stdout.splitlines() or [""]
    print("\n".join(lines))
    counts = last.split()
    return (int(counts[0]), int(counts[2])) if len(counts) == 4 else (0, 1)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--java", required=True, help="the command that starts Java with inboxd on its class path")
    parser.add_argument("--composed", help="a folder of composed mail, with what it is made of")
    parser.add_argument("--origins", help="a file for the cases of origins.js")
    parser.add_argument("folders", nargs="+")
    options = parser.parse_args()
    java = options.java.split("\n")
    passed, failed = structure(java, options.folders)
    if options.composed:
        import composed
        more, wrong = composed.check(options.composed, lambda paths: ours(java, paths))
        passed, failed = passed + more, failed + wrong
    if options.origins:
        more, wrong = origins(java, options.origins)
        passed, failed = passed + more, failed + wrong
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
