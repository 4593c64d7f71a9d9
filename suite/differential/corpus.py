"""Writes the messages of mail/src/test/resources/corpus that are made by rule, and what is expected of them.

The expectation is what was put in, and Python's email package has to read the same out of the message, else nothing is
written: inboxd has no part in it. Run it by hand after adding a case; the files are committed.

    python3 suite/differential/corpus.py
"""

import base64
import email
import email.header
import email.policy
import json
import os
import quopri
import shutil

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "src", "test", "resources", "corpus")
counts = {}


def write(category, name, raw, expected, note):
    counts[category] = counts.get(category, 0) + 1
    folder = os.path.join(ROOT, category)
    os.makedirs(folder, exist_ok=True)
    stem = os.path.join(folder, f"{counts[category]:02d}-{name}")
    if isinstance(raw, str):
        raw = raw.encode("utf-8")
    with open(stem + ".eml", "wb") as file:
        file.write(raw)
    with open(stem + ".json", "w", encoding="utf-8") as file:
        json.dump({"note": note, **expected}, file, ensure_ascii=False, indent=1)
        file.write("\n")


def part_text(part):
    """The text of a leaf as Python decodes it."""
    return part.get_payload(decode=True).decode(part.get_content_charset("utf-8"))


def agree(name, mine, pythons):
    if mine != pythons:
        raise SystemExit(f"{name}: put in {mine!r}, and Python reads {pythons!r}")


# --- charsets: what mail in each language looked like before UTF-8

SAMPLES = [
    ("us-ascii", "Plain words, no more."),
    ("utf-8", "Zażółć gęślą jaźń – 東京 – Привет – שלום – 😀"),
    ("iso-8859-2", "Příliš žluťoučký kůň úpěl ďábelské ódy, zażółć gęślą jaźń."),
    ("iso-8859-3", "Eĥoŝanĝo ĉiuĵaŭde, ġurnata sabiħa."),
    ("iso-8859-4", "Ēģipte, šķēršļi, ąžuolas ir ūkis."),
    ("iso-8859-5", "Съешь ещё этих мягких французских булок."),
    ("iso-8859-6", "مرحبا بالعالم من البريد القديم"),
    ("iso-8859-7", "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία."),
    ("iso-8859-8", "דג סקרן שט בים מאוכזב ולפתע מצא חברה"),
    ("iso-8859-9", "Pijamalı hasta yağız şoföre çabucak güvendi."),
    ("iso-8859-13", "Įlinkdama fechtuotojo špaga sublykčiojusi pragręžė."),
    ("iso-8859-15", "Cœur, 100 €, Žižka, œuvre, Ÿ."),
    ("iso-8859-16", "Știm că țara așteaptă, în liniște, și ei."),
    ("windows-1250", "Příliš žluťoučký kůň – „zażółć” – 5 €."),
    ("windows-1251", "Съешь же ещё этих мягких французских булок – № 5."),
    ("windows-1252", "“Quoted” – naïve café, 10 €…"),
    ("windows-1253", "Γαζέες και μυρτιές – «ναι» – 5 €."),
    ("windows-1254", "Şişli’de güneş, çığlık – 5 €."),
    ("windows-1255", "שלום – „ציטוט” – 5 €"),
    ("windows-1256", "مرحبا – پول – 5 €"),
    ("windows-1257", "Glāžšķūņa rūķīši – „taip” – 5 €."),
    ("windows-1258", "Đây là thư, 5 €."),
    ("koi8-r", "В чащах юга жил бы цитрус? Да!"),
    ("koi8-u", "Жебракують філософи при ґанку церкви в Гадячі, її ще й."),
    ("ibm437", "Äpfel, naïve, ½ dozen."),
    ("ibm850", "Größe, año, ça, Øre."),
    ("ibm852", "Žluťoučký kůň, łódź."),
    ("ibm855", "Привет, мир."),
    ("ibm857", "Güneş, ışık, çay."),
    ("ibm862", "שלום עולם"),
    ("ibm866", "Привет из ДОС."),
    ("macintosh", "“Mac” café – naïve."),
    ("tis-620", "สวัสดีชาวโลก"),
    ("shift_jis", "いろはにほへと、東京からこんにちは。"),
    ("euc-jp", "いろはにほへと、京都からこんにちは。"),
    ("iso-2022-jp", "いろはにほへと、大阪からこんにちは。"),
    ("euc-kr", "안녕하세요, 서울에서 보냅니다."),
    ("iso-2022-kr", "안녕하세요, 부산에서 보냅니다."),
    ("gb2312", "你好，这是从北京寄来的信。"),
    ("gbk", "你好，這是繁體字，還有囧。"),
    ("gb18030", "你好，𠮷野家，還有€。"),
    ("big5", "你好，這是從臺北寄來的信。"),
    ("big5-hkscs", "你好，香港嘅朋友，嚟飲茶。"),
    ("utf-16", "Sixteen bits – שלום – 東京"),
    ("utf-16le", "Little – שלום – 東京"),
    ("utf-16be", "Big – שלום – 東京"),
    ("utf-32", "Thirty-two – 東京"),
    ("utf-7", "Seven – 東京 – naïve"),
]
WIDE = ("utf-16", "utf-16le", "utf-16be", "utf-32")


def charsets():
    for charset, text in SAMPLES:
        octets = (text + "\r\n").encode(charset)
        head = f"From: a@example.com\r\nTo: b@example.net\r\nMIME-Version: 1.0\r\nContent-Type: text/plain; charset={charset}\r\n"
        for encoding in ("8bit", "base64", "quoted-printable"):
            if charset in WIDE and encoding != "base64":
                continue
            body = {"8bit": lambda: octets, "base64": lambda: base64.encodebytes(octets).replace(b"\n", b"\r\n"),
                    "quoted-printable": lambda: quopri.encodestring(octets).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")}[encoding]()
            raw = head.encode() + f"Content-Transfer-Encoding: {encoding}\r\n\r\n".encode() + body
            if encoding == "quoted-printable":
                agree(charset, text, part_text(email.message_from_bytes(raw)).rstrip("\r\n"))
            else:
                agree(charset, text + "\r\n", part_text(email.message_from_bytes(raw)))
            write("charset", f"{charset}-{encoding}", raw, {"text": text + "\n"}, f"A body in {charset}, {encoding}.")
        if charset in WIDE or charset == "utf-7":
            continue
        word = base64.b64encode(text.encode(charset)).decode()
        q = "".join(chr(o) if chr(o).isalnum() and o < 128 else f"={o:02X}" for o in text.encode(charset))
        raw = (f"From: =?{charset}?B?{word}?= <a@example.com>\r\nTo: b@example.net\r\n"
               f"Subject: =?{charset}?Q?{q}?=\r\n\r\nx\r\n")
        parsed = email.message_from_bytes(raw.encode())
        agree(charset, text, str(email.header.make_header(email.header.decode_header(parsed["subject"]))))
        write("charset", f"{charset}-words", raw, {"subject": text, "text": "x\n", "from": [f'{quoted(text)} <a@example.com>']},
              f"Encoded words in {charset}, Q in the subject and B in the name.")


def quoted(name):
    """RFC 5322 3.2.5: a name with specials is shown as a quoted string."""
    if not set(name) & set('<>()[],;:@\\"'):
        return name
    return '"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"'


# --- structure: every tree that programs make

PNG = bytes.fromhex("89504e470d0a1a0a")
T, H = ("text/plain", "The text.\r\n"), ("text/html", "<p>The html.</p>\r\n")


def file(media, name, octets, disposition="attachment", cid=None):
    return {"media": media, "name": name, "octets": octets, "disposition": disposition, "cid": cid}


def lines_of(node, level=0):
    """A tree as the octets of an entity, header and body."""
    if isinstance(node, tuple) and node[0].startswith("text/"):
        return [f"Content-Type: {node[0]}; charset=utf-8", "", node[1].removesuffix("\r\n")]
    if isinstance(node, dict):
        head = [f'Content-Type: {node["media"]}', "Content-Transfer-Encoding: base64"]
        if node["disposition"]:
            name = f'; filename="{node["name"]}"' if node["name"] else ""
            head.append(f'Content-Disposition: {node["disposition"]}{name}')
        if node["cid"]:
            head.append(f'Content-ID: <{node["cid"]}>')
        return head + ["", base64.b64encode(node["octets"]).decode()]
    kind, children = node
    boundary = f"=_level{level}_{kind}"
    out = [f'Content-Type: multipart/{kind}; boundary="{boundary}"', ""]
    for child in children:
        out += ["--" + boundary, *lines_of(child, level + 1)]
    return out + [f"--{boundary}--", ""]


def python_leaves(raw):
    return [(p.get_content_type(), p.get_payload(decode=True)) for p in email.message_from_bytes(raw).walk()
            if not p.is_multipart()]


def structure(name, tree, expected, note):
    raw = "\r\n".join(["From: a@example.com", "To: b@example.net", "Subject: " + name, "MIME-Version: 1.0", *lines_of(tree)])
    raw = (raw + "\r\n").encode()
    leaves = python_leaves(raw)

    def count(node):
        return 1 if isinstance(node, dict) or node[0].startswith("text/") else sum(count(c) for c in node[1])

    agree(name, count(tree), len(leaves))
    shown = sum(octets.decode().rstrip("\r\n") in ((expected.get("text") or "") + (expected.get("html") or ""))
                for media, octets in leaves if media.startswith("text/"))
    agree(name + ": leaves shown or attached", len(leaves),
          shown + sum(1 for a in expected.get("attachments", []) if not a["mediaType"].startswith("text/")
                      or a["filename"]) if expected.pop("all", True) else len(leaves))
    for a in expected.get("attachments", []):
        agree(name, a["size"], len(leaves[a["index"]][1]))
        agree(name, a["mediaType"], leaves[a["index"]][0])
    write("structure", name, raw, {"subject": name, **expected}, note)


def att(index, media, size, filename=None, inline=False, cid=None):
    a = {"index": index, "mediaType": media, "size": size}
    if filename:
        a["filename"] = filename
    if cid:
        a["contentId"] = cid
    if inline:
        a["inline"] = True
    return a


def structures():
    text, html = "The text.", "<p>The html.</p>"
    pdf = file("application/pdf", "a.pdf", b"%PDF-1.4")
    png = file("image/png", "p.png", PNG)
    inline = file("image/png", "logo.png", PNG, "inline", "logo@x")
    cid_html = ("text/html", '<p><img src="cid:logo@x"></p>\r\n')
    cid = '<p><img src="cid:logo@x"></p>'
    for kind in ("mixed", "alternative", "related", "parallel", "unknown-kind", "report", "signed"):
        structure(f"one-text-in-{kind}", (kind, [T]), {"text": text}, f"A single text in a multipart/{kind}.")
        structure(f"text-and-file-in-{kind}", (kind, [T, pdf]), {"text": text, "attachments": [att(1, "application/pdf", 8, "a.pdf")]},
                  f"A text and a file in a multipart/{kind}.")
    structure("alternative", ("alternative", [T, H]), {"text": text, "html": html}, "Text and HTML.")
    structure("alternative-reversed", ("alternative", [H, T]), {"text": text, "html": html}, "HTML first: the order does not matter.")
    structure("alternative-with-calendar", ("alternative", [T, H, file("text/calendar", "", b"BEGIN:VCALENDAR\r\n", None)]),
              {"text": text, "html": html, "attachments": [att(2, "text/calendar", 17)], "all": False}, "An invitation beside text and HTML.")
    structure("mixed-text-file", ("mixed", [T, pdf]), {"text": text, "attachments": [att(1, "application/pdf", 8, "a.pdf")]}, "Text and a file.")
    structure("mixed-html-file", ("mixed", [H, pdf]), {"html": html, "attachments": [att(1, "application/pdf", 8, "a.pdf")]}, "HTML and a file.")
    structure("mixed-file-text", ("mixed", [pdf, T]), {"text": text, "attachments": [att(0, "application/pdf", 8, "a.pdf")]}, "The file first.")
    structure("mixed-file-only", ("mixed", [pdf]), {"attachments": [att(0, "application/pdf", 8, "a.pdf")]}, "A file and no text.")
    structure("mixed-ten-files", ("mixed", [T] + [file("application/x-n", f"f{i}.bin", b"x" * i) for i in range(10)]),
              {"text": text, "attachments": [att(i + 1, "application/x-n", i, f"f{i}.bin") for i in range(10)]}, "Ten files of zero to nine octets.")
    structure("mixed-alternative-file", ("mixed", [("alternative", [T, H]), pdf]),
              {"text": text, "html": html, "attachments": [att(2, "application/pdf", 8, "a.pdf")]}, "The usual mail with a file.")
    structure("mixed-file-alternative", ("mixed", [pdf, ("alternative", [T, H])]),
              {"text": text, "html": html, "attachments": [att(0, "application/pdf", 8, "a.pdf")]}, "The file before the text.")
    structure("alternative-related", ("alternative", [T, ("related", [cid_html, inline])]),
              {"text": text, "html": cid, "attachments": [att(2, "image/png", 8, "logo.png", True, "logo@x")]}, "HTML with its picture beside text.")
    structure("related-alternative", ("related", [("alternative", [T, cid_html]), inline]),
              {"text": text, "html": cid, "attachments": [att(2, "image/png", 8, "logo.png", True, "logo@x")]}, "Apple and others put related outside.")
    structure("mixed-related-alternative", ("mixed", [("related", [("alternative", [T, cid_html]), inline]), pdf]),
              {"text": text, "html": cid, "attachments": [att(2, "image/png", 8, "logo.png", True, "logo@x"), att(3, "application/pdf", 8, "a.pdf")]},
              "Outlook with a file.")
    structure("mixed-alternative-related", ("mixed", [("alternative", [T, ("related", [cid_html, inline])]), pdf]),
              {"text": text, "html": cid, "attachments": [att(2, "image/png", 8, "logo.png", True, "logo@x"), att(3, "application/pdf", 8, "a.pdf")]},
              "Gmail with a picture and a file.")
    structure("alternative-mixed-html-file", ("alternative", [T, ("mixed", [H, pdf])]),
              {"text": text, "html": html, "attachments": [att(2, "application/pdf", 8, "a.pdf")]}, "Apple Mail with a file within the HTML.")
    structure("related-html-picture", ("related", [cid_html, inline]),
              {"html": cid, "attachments": [att(1, "image/png", 8, "logo.png", True, "logo@x")]}, "HTML only, with its picture.")
    structure("related-attached-picture-referred", ("related", [cid_html, file("image/png", "logo.png", PNG, "attachment", "logo@x")]),
              {"html": cid, "attachments": [att(1, "image/png", 8, "logo.png", True, "logo@x")]},
              "The HTML refers to it: it is inline whatever its disposition says.")
    structure("mixed-inline-picture", ("mixed", [T, file("image/png", "p.png", PNG, "inline")]),
              {"text": text, "attachments": [att(1, "image/png", 8, "p.png", True)]}, "An inline picture that nothing refers to.")
    structure("signed", ("signed", [("mixed", [T, pdf]), file("application/pgp-signature", "signature.asc", b"-----BEGIN PGP")]),
              {"text": text, "attachments": [att(1, "application/pdf", 8, "a.pdf"), att(2, "application/pgp-signature", 14, "signature.asc")]},
              "A signed mail with a file (RFC 3156).")
    structure("encrypted", ("encrypted", [file("application/pgp-encrypted", "", b"Version: 1", None), file("application/octet-stream", "encrypted.asc", b"-----", "inline")]),
              {"attachments": [att(0, "application/pgp-encrypted", 10), att(1, "application/octet-stream", 5, "encrypted.asc", True)]}, "An encrypted mail (RFC 3156).")
    structure("deep-mixed", ("mixed", [("mixed", [("mixed", [("mixed", [("mixed", [T, png])])])])]),
              {"text": text, "attachments": [att(1, "image/png", 8, "p.png")]}, "Five levels.")
    structure("empty-text", ("mixed", [("text/plain", ""), pdf]), {"text": "", "attachments": [att(1, "application/pdf", 8, "a.pdf")]}, "An empty text part.")
    structure("two-texts", ("mixed", [T, ("text/plain", "More.\r\n")]), {"text": "The text.\nMore."}, "Two texts follow each other.")
    structure("text-file-text", ("mixed", [T, pdf, ("text/plain", "More.\r\n")]),
              {"text": "The text.\nMore.", "attachments": [att(1, "application/pdf", 8, "a.pdf")]}, "Text around a file, as Apple Mail writes.")
    structure("html-file-html", ("mixed", [H, pdf, ("text/html", "<p>More.</p>\r\n")]),
              {"html": "<p>The html.</p>\n<p>More.</p>", "attachments": [att(1, "application/pdf", 8, "a.pdf")]}, "HTML around a file.")
    structure("text-then-html-mixed", ("mixed", [T, H]), {"text": text, "html": html}, "Text and HTML that are no alternatives.")
    for media in ("text/csv", "text/calendar", "text/x-python", "text/markdown", "text/rtf", "text/xml", "application/json", "audio/wav", "video/mp4", "font/woff2", "model/stl", "chemical/x-pdb"):
        structure("file-" + media.replace("/", "-"), ("mixed", [T, file(media, "f.x", b"abc")]),
                  {"text": text, "attachments": [att(1, media, 3, "f.x")]}, f"A file of type {media}.")
    structure("text-attached", ("mixed", [T, file("text/plain", "notes.txt", b"notes")]),
              {"text": text, "attachments": [att(1, "text/plain", 5, "notes.txt")]}, "A text that is attached is a file.")
    structure("html-attached", ("mixed", [T, file("text/html", "page.html", b"<p>x")]),
              {"text": text, "attachments": [att(1, "text/html", 4, "page.html")]}, "HTML that is attached is a file.")


# --- headers

def field(name, line, note, pythons=None, **expected):
    raw = f"{line}\r\n" if "From:" in line else f"From: a@example.com\r\n{line}\r\n"
    raw = raw.replace("\n", "\r\n").replace("\r\r\n", "\r\n") + "\r\nx\r\n"
    if pythons is not None:
        parsed = email.message_from_bytes(raw.encode("utf-8", "surrogateescape"), policy=email.policy.default)
        for key, value in pythons.items():
            agree(name, value, str(parsed[key]))
    write("header", name, raw, {"text": "x\n", **expected}, note)


def headers():
    def subject(name, value, text, note, agreed=True):
        field(name, "Subject: " + value, note, {"subject": text} if agreed else None, subject=text)

    subject("plain", "Hello", "Hello", "Nothing special.")
    subject("spaces-around", "   Hello   ", "Hello", "Spaces around a value do not count.", False)
    subject("folded", "one\r\n two\r\n\tthree", "one two three", "A fold is a space, whatever white space it begins with.", False)
    subject("word-q", "=?utf-8?q?caf=C3=A9?=", "café", "Q.")
    subject("word-q-underscore", "=?utf-8?q?two_words?=", "two words", "An underscore is a space (RFC 2047 4.2).")
    subject("word-b", "=?utf-8?b?Y2Fmw6k=?=", "café", "B.")
    subject("word-capitals", "=?UTF-8?B?Y2Fmw6k=?=", "café", "Names in capitals.")
    subject("word-language", "=?utf-8*en?q?caf=C3=A9?=", "café", "With a language (RFC 2231 5).")
    subject("two-words-joined", "=?utf-8?q?one?= =?utf-8?q?two?=", "onetwo", "Space between encoded words does not count.")
    subject("two-words-folded", "=?utf-8?q?one?=\r\n =?utf-8?q?two?=", "onetwo", "Nor does a fold.")
    subject("word-then-plain", "=?utf-8?q?one?= two", "one two", "Space to plain text counts.")
    subject("plain-then-word", "one =?utf-8?q?two?=", "one two", "So does space from it.")
    subject("word-space-in-words", "=?utf-8?q?one_?= =?utf-8?q?two?=", "one two", "A space that is meant stands in the word.")
    subject("mixed-encodings", "=?utf-8?q?one_?= =?utf-8?b?dHdv?=", "one two", "Q and B beside each other.")
    subject("mixed-charsets", "=?iso-8859-1?q?caf=E9_?= =?utf-8?q?=E6=9D=B1?=", "café 東", "Two charsets beside each other.")
    subject("empty-word", "a =?utf-8?q??= b", "a  b", "An encoded word with nothing in it.", False)
    subject("not-a-word", "a =? b ?= c", "a =? b ?= c", "Signs of encoded words alone.", False)
    subject("unknown-encoding-x", "=?utf-8?x?abc?=", "=?utf-8?x?abc?=", "An encoding that does not exist stays.", False)
    subject("utf8-raw", "東京 café", "東京 café", "UTF-8 as it is (RFC 6532).")
    subject("emoji-b", "=?utf-8?b?8J+YgCDwn5iA?=", "😀 😀", "Outside the basic plane.")
    subject("tab", "a\tb", "a b", "A tab is shown as a space.", False)
    subject("empty", "", "", "An empty subject.", False)
    subject("colon", "Re: a: b", "Re: a: b", "Colons in a value.")
    subject("long", "word " * 60 + "end", "word " * 60 + "end", "Three hundred characters in a line.", False)
    for count, note in ((3, "three"), (20, "twenty")):
        words = "\r\n ".join(f"=?utf-8?b?{base64.b64encode(f'w{i} '.encode()).decode()}?=" for i in range(count)) + "\r\n end"
        subject(f"words-{note}", words, "".join(f"w{i} " for i in range(count)) + " end", f"A subject of {note} encoded words and a plain one.", False)

    def people(name, line, note, **expected):
        field(name, line, note, None, **expected)

    people("from-bare", "From: jo@example.com", "A bare address.", **{"from": ["jo@example.com"]})
    people("from-angle", "From: <jo@example.com>", "Brackets alone.", **{"from": ["jo@example.com"]})
    people("from-name", "From: Jo Doe <jo@example.com>", "A name.", **{"from": ["Jo Doe <jo@example.com>"]})
    people("from-quoted", 'From: "Doe, Jo" <jo@example.com>', "A quoted name with a comma.", **{"from": ['"Doe, Jo" <jo@example.com>']})
    people("from-escaped", 'From: "Jo \\"J\\" Doe" <jo@example.com>', "Escaped quotes.", **{"from": ['"Jo \\"J\\" Doe" <jo@example.com>']})
    people("from-comment", "From: jo@example.com (Jo Doe)", "A comment is no name (RFC 5322 3.4), though it was used as one in the eighties.", **{"from": ["jo@example.com"]})
    people("from-domain-case", "From: Jo@EXAMPLE.Com", "The domain is shown in small letters, the local part as it is.", **{"from": ["Jo@example.com"]})
    people("from-word", "From: =?utf-8?q?J=C3=B6?= <jo@example.com>", "An encoded name.", **{"from": ["Jö <jo@example.com>"]})
    people("from-two", "From: a@example.com, b@example.com", "Two authors (RFC 5322 3.6.2).", **{"from": ["a@example.com", "b@example.com"]})
    people("to-three", "To: a@example.com, B <b@example.com>,\r\n c@example.com", "A folded list.", to=["a@example.com", "B <b@example.com>", "c@example.com"])
    people("to-group", "To: friends: a@example.com, b@example.com;", "A group is its members.", to=["a@example.com", "b@example.com"])
    people("to-undisclosed", "To: undisclosed-recipients:;", "A group without members.", to=[])
    people("to-empty-members", "To: a@example.com,, b@example.com,", "Commas too many.", to=["a@example.com", "b@example.com"])
    people("cc-and-bcc", "Cc: a@example.com\r\nBcc: b@example.com", "Copies.", cc=["a@example.com"], bcc=["b@example.com"])
    people("reply-to", "Reply-To: List <list@example.com>", "Where answers go.", replyTo=["List <list@example.com>"])
    people("to-quoted-local", 'To: "a b"@example.com', "A quoted local part.", to=['"a b"@example.com'])
    people("to-plus", "To: a+tag=x@example.com", "Signs in a local part.", to=["a+tag=x@example.com"])
    people("to-utf8", "To: джо@пример.example", "An address in UTF-8 (RFC 6531).", to=["джо@пример.example"])
    people("to-apostrophe", "To: 'Jo' <jo@example.com>", "Outlook's apostrophes around a name are part of it.", to=["'Jo' <jo@example.com>"])
    for number, (value, iso) in enumerate((
            ("Mon, 5 May 2025 10:02:11 +0200", "2025-05-05T08:02:11Z"), ("5 May 2025 10:02:11 +0000", "2025-05-05T10:02:11Z"),
            ("Mon, 5 May 2025 10:02 GMT", "2025-05-05T10:02:00Z"), ("Mon, 05 May 2025 10:02:11 -0000 (UTC)", "2025-05-05T10:02:11Z"),
            ("Mon, 5 May 2025 10:02:11 EST", "2025-05-05T15:02:11Z"), ("Mon, 5 May 2025 10:02:11 PDT", "2025-05-05T17:02:11Z"),
            ("Thu, 29 Feb 2024 23:59:59 +1400", "2024-02-29T09:59:59Z"), ("Sat, 31 Dec 1999 23:59:59 -0800", "2000-01-01T07:59:59Z"))):
        parsed = email.utils.parsedate_to_datetime(value)
        agree(value, iso, parsed.astimezone(email.utils.datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ"))
        field(f"date-{number + 1}", "Date: " + value, "A date: " + value + ".", None, date=iso)
    field("message-id", "Message-ID: <a.b+c@x.example>", "An id.", None, messageId="<a.b+c@x.example>")
    field("references-folded", "References: <1@x>\r\n <2@x>\r\n\t<3@x>\r\nIn-Reply-To: <3@x>", "Ids over several lines.", None,
          references=["<1@x>", "<2@x>", "<3@x>"], inReplyTo=["<3@x>"])
    field("references-no-spaces", "References: <1@x><2@x>", "Ids without spaces between.", None, references=["<1@x>", "<2@x>"])
    field("in-reply-to-words", "In-Reply-To: Your message of Monday <1@x>", "Words around an id, as RFC 822 had it.", None, inReplyTo=["<1@x>"])
    field("repeated", "X-A: 1\r\nX-B: 2\r\nx-a: 3", "A repeated field is joined under its first spelling.", None, headers={"X-A": "1, 3", "X-B": "2"})


# --- parameters (RFC 2231), on both fields

def parameters():
    cases = [
        ("plain", "filename=a.txt", "a.txt", "A token."),
        ("quoted", 'filename="a b.txt"', "a b.txt", "Quoted."),
        ("quoted-semicolon", 'filename="a;b.txt"', "a;b.txt", "A semicolon within quotes."),
        ("escaped-letter", 'filename="a\\_b.txt"', "_b.txt", "A backslash before a letter is a path that was not escaped: it is cut."),
        ("escaped-quote", 'filename="a\\"b.txt"', "ab.txt", "An escaped quote is one, and names do not keep quotes."),
        ("capitals", "FILENAME=A.TXT", "A.TXT", "Names of parameters know no case, values do."),
        ("spaces", "filename = a.txt", "a.txt", "Spaces around the sign, which are wrong and common."),
        ("folded", 'x=1;\r\n filename="a.txt"', "a.txt", "On a line of its own."),
        ("extended", "filename*=utf-8''%e2%82%ac.txt", "€.txt", "RFC 2231 4."),
        ("extended-language", "filename*=utf-8'en'%e2%82%ac.txt", "€.txt", "With a language."),
        ("extended-latin", "filename*=iso-8859-1''caf%E9.txt", "café.txt", "Another charset."),
        ("continued", 'filename*0="a"; filename*1="b.txt"', "ab.txt", "RFC 2231 3."),
        ("continued-reversed", 'filename*1="b.txt"; filename*0="a"', "ab.txt", "Pieces in any order."),
        ("continued-extended", "filename*0*=utf-8''%e2%82; filename*1*=%ac.txt", "€.txt", "A character cut in two."),
        ("continued-mixed", "filename*0*=utf-8''%e2%82%ac; filename*1=\"%41.txt\"", "€%41.txt", "Only starred pieces are decoded."),
        ("continued-ten", "; ".join(f"filename*{i}={chr(97 + i)}" for i in range(12)), "abcdefghijkl", "Twelve pieces: 10 comes after 9."),
        ("encoded-word", 'filename="=?utf-8?q?caf=C3=A9.txt?="', "café.txt", "An encoded word, which RFC 2047 5 forbids and many send."),
        ("encoded-word-b", 'filename="=?utf-8?b?Y2Fmw6kudHh0?="', "café.txt", "The same in base64."),
        ("utf8", 'filename="café.txt"', "café.txt", "UTF-8 as it is."),
        ("both", "filename=b.txt; filename*=utf-8''%e2%82%ac.txt", "€.txt", "The extended one counts (RFC 6266 4.3)."),
        ("path-unix", 'filename="../../etc/passwd"', "passwd", "A path is cut."),
        ("path-windows", 'filename="C:\\\\Users\\\\a.txt"', "a.txt", "On Windows too."),
        ("parentheses", "filename=a (1).txt", "a (1).txt", "What looks like a comment belongs to a name that should have been quoted."),
        ("trailing-semicolon", "filename=a.txt;", "a.txt", "A semicolon too many."),
        ("empty-parameters", ";; filename=a.txt", "a.txt", "Semicolons before."),
        ("dots", 'filename="a.tar.gz"', "a.tar.gz", "Several dots."),
        ("long", 'filename="' + "n" * 200 + '.txt"', "n" * 200 + ".txt", "Two hundred letters."),
        ("percent-plain", 'filename="100%.txt"', "100%.txt", "A percent sign in a plain one is itself."),
        ("apostrophe", 'filename="it\'s.txt"', "it's.txt", "An apostrophe."),
    ]
    for name, parameter, expected, note in cases:
        raw = ("From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: application/x-file\r\n"
               f"Content-Disposition: attachment; {parameter}\r\n\r\nabc")
        write("parameter", "disposition-" + name, raw, {"attachments": [att(0, "application/x-file", 3, expected)]}, note)
        typed = parameter.replace("filename", "name").replace("FILENAME", "NAME")
        raw = f"From: a@example.com\r\nMIME-Version: 1.0\r\nContent-Type: application/x-file; {typed}\r\n\r\nabc"
        write("parameter", "type-" + name, raw, {"attachments": [att(0, "application/x-file", 3, expected)]},
              note[:-1] + ", as name of the Content-Type.")


if __name__ == "__main__":
    for made in ("charset", "structure", "header", "parameter"):
        shutil.rmtree(os.path.join(ROOT, made), ignore_errors=True)
    charsets()
    structures()
    headers()
    parameters()
    print(counts, sum(counts.values()))
