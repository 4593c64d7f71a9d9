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


def hypertext(body):
    return "Subject: Words\nMIME-Version: 1.0\nContent-Type: text/html; charset=utf-8\n", body


def unmarked_words(report, server):
    """What has no mark of a program is the author's."""
    inbox = server.inbox()
    dashes = {"a postscript": "Please book room 12.\n\n--\nAnn Lee\n\nPS: take room 7714.\n", "a number": "Call me.\n\n--\nAnn\n+1 555 7714\n",
              "a list": "Please order\n--\nlamp 7714\nchair\n\nThanks\nAnn\n", "languages": "Guten Tag.\n-- \nRoom 7714.\n\n--\nBonjour.\n"}
    for name, text in report.some(dashes.items()):
        message = plain(inbox, text)
        report.check(f"{name} below dashes", message["extracted_text"].strip() == text.strip() and "7714" in message["preview"], message)
    quotes = {"at the end": "<p>Is this valid?</p><blockquote>Clause 7714.</blockquote>",
              "Gmail's indent": "<div>See:</div><blockquote style='margin:0 0 0 40px'>Clause 7714.<blockquote>Deeper.</blockquote></blockquote>",
              "Gmail's class": "<div>See:</div><blockquote class=gmail_quote>Clause 7714.</blockquote>"}
    for name, body in report.some(quotes.items()):
        message = inbox.mail(*hypertext(body))
        report.check(f"a blockquote {name}", "7714" in message["extracted_text"] and "7714" in message["extracted_html"], message)
    alike = ["I met Jo in 2019, and she said:\n\n> order 7714", "From: Paris to Rome\nTo: see room 7714\nCost: 400",
             "| From | Berlin |\n| To | Rome |\n| Subject | trip 7714 |", "Please sign above this line.\n\n7714", "Sent from Berlin by Jo, box 7714"]
    for text in report.some(alike):
        message = plain(inbox, text + "\n")
        report.check(f"\"{text.splitlines()[0]}\"", message["extracted_text"].strip() == text, message)


def attributions(report, server):
    """An attribution is known by its build, or as one of a known program."""
    inbox = server.inbox()
    old = "\n\n> Is the lamp broken?\n"
    lines = {
        "Belarusian": "пт, 27 лістапада 2026 г. у 10:00 Jo <jo@reader.test> піша:" + old,
        "Telugu, folded": "27, నవం 2026, శుక్రన 10:00కి Jo Reader\n<jo@reader.test> ఇలా రాసారు:" + old,
        "Armenian": "Ուրբ, 27 նոյ, 2026թ., 10:00-ին Jo <jo@reader.test> գրել է՝" + old,
        "without words": "Nov 27, 2026 10:00:00 AM Jo <jo@reader.test>:" + old,
        "name wrote on date": "Jo wrote on 27.11.2026 10:00:" + old,
        "Horde": "Zitat von Jo Reader <jo@reader.test>:" + old,
        "mutt": "* Jo Reader [2026-11-27 10:00:00 +0100]:" + old,
        "The Bat!": "Вы писали 27 ноября 2026 г., 10:00:00:" + old,
        "NetEase": "---- Replied Message ----\n| From | Jo<jo@reader.test> |\n| Date | 11/27/2026 10:00 |\nIs it?\n",
        "Zimbra": "----- Mail original -----\nDe: \"Jo\" <jo@reader.test>\nÀ: Ann <ann@writer.test>\nObjet: lamp\n\nIs it?\n",
        "a ticket": "--- Write ABOVE THIS LINE to post a reply ---\n\nIs it?\n",
        "a device with a link": "Sent from Mail<https://reader.test/link> for Windows\n",
        "a device in Chinese": "发自新浪邮箱客户端\n",
        "a program": "Sent with Workspace ONE Boxer\n",
        "a notice in Hungarian": "Ez az üzenet bizalmas, és kizárólag a címzettnek szól. Ha tévedésből kapta meg, kérjük, törölje.\n",
    }
    for name, tail in report.some(lines.items()):
        message = plain(inbox, f"Yes it is.\n\n{tail}", subject="Re: Lamp")
        report.check(name, message.get("extracted_text", "").strip() == "Yes it is.", message)
    marked = {"Lark": "<div class=history-quote-wrapper>Is it?</div>", "Lark's id": "<div id=lark-mail-quote-1748>Is it?</div>",
              "NetEase": "<div class=ntes-mailmaster-quote>Is it?</div>", "Zimbra": "<hr id=zwchr><div>Is it?</div>",
              "a plain blockquote": "<div>пт, 27 лістапада 2026 г. у 10:00 Jo &lt;jo@reader.test&gt; піша:</div><blockquote>Is it?</blockquote>"}
    for name, tail in report.some(marked.items()):
        message = inbox.mail(*hypertext(f"<div>Yes it is.</div>{tail}"))
        report.check(f"{name} in HTML", message["extracted_text"] == "Yes it is.", message)


def shown_html(report, server):
    """HTML as text has lines that were set, and what pictures say."""
    inbox = server.inbox()
    shown = {
        "pre": ("<p>Run:</p><pre>one\n  two\nthree</pre>", "Run:\n\none\n  two\nthree"),
        "code in pre": ("<pre><code>one\n  two</code></pre>", "one\n  two"),
        "pre-wrap": ("<div style='white-space:pre-wrap'>Name  Sum\nJo     12</div>", "Name  Sum\nJo     12"),
        "pre-line": ("<div style='white-space:pre-line'>one\n   two</div>", "one\ntwo"),
        "a sign": ("<p>Is Friday fine? <img alt='✅' src='cid:e'> yes</p>", "Is Friday fine? [✅] yes"),
        "a picture": ("<p>Our plan:</p><img src='https://reader.test/a.png' alt='Map of room 7'>", "Our plan:\n\n[Map of room 7]"),
        "a button": ("<a href='https://reader.test/go'><img src='https://reader.test/b.png' alt='Confirm booking 3391'></a>", "Confirm booking 3391"),
        "the same words": ("<p><img alt='Lamps'> Lamps of Bonn</p>", "Lamps of Bonn"),
        "what is not seen": ("Yes<img alt='pixel' width=1 height=1><img alt='gone' style='display:none'>", "Yes"),
    }
    for name, (body, text) in report.some(shown.items()):
        message = inbox.mail(*hypertext(body))
        report.check(name, message.get("extracted_text") == text, message)
        report.check(f"{name} in the preview", message.get("preview") == " ".join(text.split()), message)
    inbox.mail(*hypertext("<p>Your code:</p><img alt='483920'>"))
    held = server.http("GET", f"{inbox.path}/messages/wait?timeout=0&since=2000-01-01T00:00:00Z&extract=code")
    report.check("a code is never taken from a picture", "message" not in held.json, held)


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


CASES = [several_parts, related_parts, odd_names, own_words, quoted_words, unmarked_words,
         attributions, shown_html, charsets, flowed, forwards]
