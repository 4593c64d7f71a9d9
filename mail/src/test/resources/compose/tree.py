"""Reads messages (the files named) with Python's email package and prints what each holds, one part a line."""
import email
import email.header
import email.policy
import email.utils
import hashlib
import sys

def show(part, depth):
    content = b"" if part.is_multipart() else part.get_payload(decode=True)
    digest = "" if part.is_multipart() else hashlib.sha256(content).hexdigest()
    name = part.get_filename()
    print("  " * depth + " ".join([part.get_content_type(), part.get_content_disposition() or "-",
                                   ascii(name) if name else "-", part.get("content-id", "-"), digest]).rstrip())
    if part.defects:
        print("  " * depth + "defects", part.defects)
    for child in part.iter_parts() if part.is_multipart() else []:
        show(child, depth + 1)


def decoded(words):
    return ascii(str(email.header.make_header(email.header.decode_header(words))))


for path in sys.argv[1:]:
    with open(path, "rb") as file:
        octets = file.read()
    message = email.message_from_bytes(octets, policy=email.policy.default)
    plain = email.message_from_bytes(octets)
    # The default policy puts a space between adjacent encoded words of a name (RFC 2047 §6.2 says none), so the older one is asked.
    for name in ("From", "To", "Cc", "Reply-To"):
        if name in plain:
            print(name, [decoded(n) + " " + a for n, a in email.utils.getaddresses([plain[name].replace("\r\n", "")])])
    print("Subject", ascii(message["Subject"]))
    print("Message-ID", message["Message-ID"])
    print("References", str(message.get("References", "")).split())
    print("Date", message["Date"].datetime.isoformat())
    for name in message.keys():
        if name.startswith("X-"):
            print(name, ascii(message[name]))
    show(message, 0)
    print("----")
