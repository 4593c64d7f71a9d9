"""Which words an agent reads of a mail (mail.md §13)."""

MULTI = "MIME-Version: 1.0\nContent-Type: multipart/{}; boundary=cut{}\n"


def parts(*parts):
    return "".join(f"--cut\n{head}\n\n{body}\n" for head, body in parts) + "--cut--\n"


def plain(inbox, text, more="", subject="Words"):
    return inbox.mail(f"Subject: {subject}\nMIME-Version: 1.0\nContent-Type: text/plain; charset=utf-8{more}\n", text)


def several_parts(report, server):
    """What stands one after another is shown one after another."""
    inbox = server.inbox()
    html = ("Content-Type: text/html; charset=utf-8", "<p>The lamp 5150 is broken.</p>")
    footer = ("Content-Type: text/plain; charset=us-ascii\nContent-Disposition: inline", "-- \nlamps mailing list")
    message = inbox.mail("Subject: Lamp\n" + MULTI.format("mixed", ""), parts(html, footer))
    for member in ("text", "preview", "extracted_text"):
        report.check(f"HTML above a footer is in {member}", "lamp 5150" in message.get(member, ""), message)
    report.check("a search finds it", inbox.finds("5150"))
    for name, blank in report.some({"spaces": "  \n\n ", "hard spaces": "\u00a0\u00a0", "no width": "\u200b\ufeff"}.items()):
        text = ("Content-Type: text/plain; charset=utf-8", blank)
        message = inbox.mail("Subject: Blank\n" + MULTI.format("alternative", ""), parts(text, html))
        report.check(f"a text of {name} hides no HTML", message.get("preview") == "The lamp 5150 is broken.", message)


def related_parts(report, server):
    """The root of related parts is found wherever it stands."""
    inbox = server.inbox()
    picture = ("Content-Type: image/gif; name=dot.gif\nContent-ID: <dot@lamps>\nContent-Transfer-Encoding: base64", "R0lGODlhAQABAAAAACw=")
    html = ("Content-Type: text/html; charset=utf-8\nContent-ID: <root@lamps>", '<p>See <img src="cid:dot@lamps"> here.</p>')
    other = ("Content-Type: text/html; charset=utf-8\nContent-ID: <other@lamps>", "<p>Not this one.</p>")
    kinds = {"first": ("", (picture, html)), "start": ("; start=\"<root@lamps>\"", (other, picture, html))}
    for name, (start, pieces) in report.some(kinds.items()):
        message = inbox.mail("Subject: Picture\n" + MULTI.format("related", start), parts(*pieces))
        report.check(f"{name}: the HTML is shown", "See" in message.get("html", ""), message)
        file = next((file for file in message["attachments"] if file.get("filename") == "dot.gif"), {})
        report.check(f"{name}: the picture is inline", file.get("content_disposition") == "inline", message["attachments"])
    message = inbox.mail("Subject: Mixed\n" + MULTI.format("mixed", ""), parts(html, picture))
    shown = message["attachments"][0]
    report.check("a picture that the HTML shows is inline in mixed parts too", shown["content_disposition"] == "inline", shown)


def odd_names(report, server):
    """Names of files are found in odd places."""
    pieces = [("Content-Type: text/plain", "Two files."),
              ("Content-Type: image/gif; filename=\"map.gif\"\nContent-Transfer-Encoding: base64", "R0lGODlh"),
              ("Content-Type: application/pdf\nContent-Disposition: filename=\"plan.pdf\"", "%PDF-1.4")]
    message = server.inbox().mail("Subject: Files\n" + MULTI.format("mixed", ""), parts(*pieces))
    names = [file.get("filename") for file in message["attachments"]]
    report.check("both are named", names == ["map.gif", "plan.pdf"], names)


def own_words(report, server):
    """What is not certainly a program's stays."""
    inbox = server.inbox()
    kept = ["Confidential: we ask 3.4 million for the house.", "Disclaimer: nobody tried this. Turn valve 9 first.",
            "To unsubscribe the two test users, run job 77.", "Sent by courier, waybill 8812", "View online says error 31.",
            "Sent from the Hamburg office, box 12", "Please consider the environment variable PATH_9.",
            "If you are not the intended reader of plan B, call 110."]
    for words in report.some(kept):
        message = plain(inbox, f"Hello,\n\n{words}\n")
        report.check(f"\"{words}\"", words in message.get("extracted_text", "") and words in message["preview"], message)
    table = "<p>Two rooms:</p><table><tr><td>Private: 90</td></tr><tr><td>Confidential: 120</td></tr></table><p>Which?</p>"
    message = inbox.mail("Subject: Rooms\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n", table)
    report.check("rows of a table", all(word in message["extracted_text"] for word in ("90", "120", "Which?")), message)
    answers = "<p>My answers:</p><blockquote>When?</blockquote><p>At noon.</p><blockquote>Where?</blockquote><p>In Bonn.</p>"
    message = inbox.mail("Subject: Re: Trip\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n", answers)
    report.check("HTML answers between quotes", all(word in message["extracted_text"] for word in ("noon", "Bonn")), message)
    quote = "As my teacher said:\n\n> measure twice\n\nOn 3 Oct 2026, at 09:00, Jo <jo@reader.test> wrote:\n\n> old words\n"
    kept = plain(inbox, quote)["extracted_text"]
    report.check("a quotation of one's own", "> measure twice" in kept and "old words" not in kept, kept)


def quoted_words(report, server):
    """What programs add around an answer goes."""
    inbox = server.inbox()
    old = "\n> Is the lamp broken?\n"
    added = {
        "an attribution in Hebrew with marks of direction":
            "\u202bבתאריך יום ה׳, 3 בספט׳ 2026 ב-9:00 מאת \u202aJo\u202c\u200f <\u202ajo@reader.test\u202c\u200f>:\u202c\n" + old,
        "said": "On 3 Sep 2026 at 09:00:10, Jo Reader (jo@reader.test) said:\n\n\nIs the lamp broken?\n",
        "three brackets": ">>> Jo Reader <jo@reader.test> 9/3/2026 9:00 AM >>>\nIs the lamp broken?\nJo\n",
        "a ticket's line": "=-=-= Please reply above this line =-=-=\n\nTicket 5 changed.\nIs the lamp broken?\n",
        "a device in French": "Envoyé de mon iPhone\n",
        "a program in German": "Gesendet mit der Outlook App für Android\n",
    }
    for name, tail in report.some(added.items()):
        message = plain(inbox, f"Yes it is.\n\n{tail}", subject="Re: Lamp")
        report.check(name, message.get("extracted_text", "").strip() == "Yes it is.", message)


def charsets(report, server):
    """Words are read in the charset that they are in."""
    inbox = server.inbox()
    russian = "Заказ лампы"
    message = inbox.mail(b"Subject: " + russian.encode("koi8-r") + b"\nMIME-Version: 1.0\n"
                         b"Content-Type: text/plain; charset=koi8-r\nContent-Transfer-Encoding: 8bit\n", russian.encode("koi8-r"))
    report.check("a raw header in the charset of the text", message["subject"] == russian, message["subject"])
    typed = "Content-Type: text/plain; charset={}\nContent-Transfer-Encoding: 8bit\n"
    kinds = {"UTF-8 under a label of one octet": ("windows-1252", "Grün – “ja”", "utf-8"),
             "no UTF-8 under its label": ("utf-8", "Grün – “ja”", "windows-1252")}
    for name, (label, words, real) in report.some(kinds.items()):
        message = inbox.mail("Subject: Words\nMIME-Version: 1.0\n" + typed.format(label), words.encode(real))
        report.check(name, message["text"].strip() == words and message["preview"] == words, message["text"])
    raw = {"a raw header in UTF-8": ("Grüße", "utf-8"), "a raw header in neither": ("Grüße", "windows-1252")}
    for name, (words, real) in report.some(raw.items()):
        message = inbox.mail(b"Subject: " + words.encode(real) + b"\n")
        report.check(name, message["subject"] == words, message["subject"])
    message = inbox.mail("Subject: =?iso-8859-1?Q?Gr=C3=BC=C3=9Fe?=\n")
    report.check("an encoded word in UTF-8 under another label", message["subject"] == "Grüße", message["subject"])


def flowed(report, server):
    """Flowed text is joined where it is read, and kept where it is shown."""
    body = "These lines be \nlong toge \nther.\n >is no quotation\n-- \nAnn\n"
    message = plain(server.inbox(), body, "; format=flowed; delsp=yes")
    report.check("joined", "These lines belong together." in message["extracted_text"], message)
    report.check("in the preview", message["preview"].startswith("These lines belong together."), message["preview"])
    report.check("a stuffed line is the author's own", ">is no quotation" in message["extracted_text"], message)
    report.check("text as it was sent", "These lines be \nlong toge \nther." in message["text"], message["text"])


def forwards(report, server):
    """A forward is what was forwarded."""
    inbox = server.inbox()
    pieces = [("Content-Type: text/plain", "See."),
              ("Content-Type: text/csv; charset=iso-8859-15; header=present; name=\"a.csv\"\nContent-Disposition: attachment", "a;b"),
              ("Content-Type: text/calendar; method=CANCEL; charset=utf-8", "BEGIN:VCALENDAR\nEND:VCALENDAR")]
    fields = "Subject: Files\nDate: Tue, 3 Nov 2026 08:30:00 -0500\n" + MULTI.format("mixed", "")
    message = inbox.mail(fields, parts(*pieces))
    sent = inbox.reply(message["message_id"], "forward", to="jo@reader.test")["message_id"]
    raw = inbox.raw(sent).lower().replace("\r\n\t", " ").replace("\r\n ", " ")
    for parameter in ("charset=iso-8859-15", "header=present", "method=cancel"):
        report.check(f"keeps {parameter}", parameter in raw, raw)
    report.check("shows its author's date", "Date: Tue, 3 Nov 2026 08:30:00 -0500" in inbox.get(sent)["text"])


CASES = [several_parts, related_parts, odd_names, own_words, quoted_words, charsets, flowed, forwards]
