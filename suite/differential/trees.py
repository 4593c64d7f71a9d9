"""The leaves of messages as Python's email package sees them, in the shape that Trees.java prints."""

import email
import email.header
import email.policy
import hashlib
import re


def digest(octets):
    return f"{len(octets)} {hashlib.sha256(octets).hexdigest()[:16]}"


def safe(name):
    """A file name as it may be shown: the last part of a path, without what file systems refuse."""
    name = re.split(r"[/\\]", name or "")[-1]
    return "".join(c for c in name if c.isprintable() and c not in '<>:"|?*').strip().rstrip(". ")


def name_of(part):
    name = part.get_filename()
    try:
        return safe(str(email.header.make_header(email.header.decode_header(name))) if name else "")
    except (LookupError, UnicodeError, ValueError):
        return safe(name)


def leaves(part):
    if part.get_content_maintype() == "multipart" and part.is_multipart():
        return [leaf for child in part.get_payload() for leaf in leaves(child)]
    media = part.get_content_type()
    octets = b"" if media.startswith("message/") else part.get_payload(decode=True) or b""
    return [{"type": media, "name": name_of(part), "content": "" if media.startswith("message/") else digest(octets)}]


def tree(raw):
    return leaves(email.message_from_bytes(raw, policy=email.policy.compat32))
