"""The package in a bare Debian: no Java, no package beyond the smallest set."""

import os
import shutil
import subprocess

from started import Started

# With what every running system mounts, in a mount namespace that ends with the server.
ENTER = ('mount -t proc proc "$0/proc" && mkdir -p "$0/dev/shm" && mount -t tmpfs -o mode=1777 tmpfs "$0/dev/shm"'
         ' && exec chroot "$0" /usr/bin/env -i PATH= "$@"')


def run(archive, folder, check):
    """Unpacks and starts it there; says so where there cannot be such a system."""
    if os.geteuid() != 0 or not shutil.which("debootstrap"):
        print("not tried: a bare Debian, which needs root and debootstrap (Debian: apt install debootstrap)", flush=True)
        return
    root = folder / "bare"
    made = subprocess.run(["debootstrap", "--variant=minbase", "stable", str(root)], capture_output=True, text=True)
    if made.returncode:
        print(f"not tried: a bare Debian, which debootstrap could not fetch: {made.stdout[-300:]}", flush=True)
        return
    check("no Java is there", not list(root.glob("usr/bin/java")) and not list(root.glob("usr/lib/jvm")))
    subprocess.run(["tar", "xzf", str(archive), "-C", str(root / "opt")], check=True)
    program = f"/opt/{archive.name.removesuffix('.tar.gz')}/bin/inboxd"
    for times, name in enumerate([program, "/usr/local/bin/inboxd"]):
        server = Started(["unshare", "--mount", "sh", "-c", ENTER, str(root), name], "/var/lib/inboxd", dict(os.environ))
        print(f"bare Debian, start {times + 1}: ready after {server.seconds:.2f} s", flush=True)
        if times == 0:
            listed = server.first_mail()
            check("a bare Debian takes a mail over SMTP and lists it over HTTP", listed == ["The first mail"], listed)
            # As the documentation says, and found by its name.
            (root / "usr/local/bin/inboxd").symlink_to(program)
        check("it stops there with status 0", server.stop() == 0, server.shown)
