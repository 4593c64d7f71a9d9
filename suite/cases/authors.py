"""Who wrote it, and who is written to (rulings 90, 91, 95, 96, 106, 107, 114)."""

import re

from reading import plain
from world import quoted

ODD = ['"Field, Jo (Sales)"', '"third@victim.test, Jo"', '"Jo \\"J\\" Field"', "=?utf-8?Q?a=40victim=2Etest=2C_Jo?=",
       "=?utf-8?Q?x_=3Ca=40victim=2Etest=3E?=", '"Jo; Field: [x]"', "Jo Q. Field", "=?utf-8?B?8J+agCBKbw==?="]


def strict(text):
    """The address of a text that is one mailbox by RFC 5322; None for any other text."""
    atom = r"(?:[^\x00-\x20()<>\[\]:;@\\,.\"]|[^\x00-\x7f])+"
    string = r'"(?:[^"\\]|\\.)*"'
    found = re.fullmatch(rf"(?:(?:{atom}|{string})(?:[ \t.]+|{atom}|{string})* )?<({atom}(?:\.{atom})*@[\w.-]+)>", text)
    return found[1] if found else text if re.fullmatch(rf"{atom}(?:\.{atom})*@[\w.-]+", text) else None


def names(report, server):
    """Whatever its name, a string is one mailbox, and reaches it when it is given back."""
    inbox = server.inbox()
    for name in report.some(ODD):
        message = inbox.mail(f"From: {name} <jo@writer.test>\nCc: {name} <al@writer.test>\nSubject: Names\n", sender="jo@writer.test")
        shown = message["from"]
        report.check(f"{name} is shown as one mailbox", strict(shown) == "jo@writer.test", shown)
        report.check(f"{name}: from_address", message["from_address"] == "jo@writer.test", message)
        given = {"to": shown, "list": [shown], "cc": message["cc"]}
        for form, value in given.items():
            body = {"cc" if form == "cc" else "to": value}
            sent = inbox.send(**({"to": []} | body))
            seen = inbox.get(sent["message_id"]) if sent.status == 200 else {}
            to = [strict(each) for each in seen.get("to", []) + seen.get("cc", [])]
            report.check(f"{name} given back as {form}", to == ["al@writer.test" if form == "cc" else "jo@writer.test"], sent)


def addresses(report, server):
    """An element of a list is one mailbox, and a string is a list."""
    inbox = server.inbox()
    draft = lambda to: inbox.post("/drafts", {"to": to})
    one = draft(["Field, Jo <jo@reader.test>"])
    report.check("a name with a bare comma is a name", [strict(each) for each in one["to"] or []] == ["jo@reader.test"], one)
    two = draft('"Field, Jo" <jo@reader.test>, al@reader.test')
    report.check("a string of two", [strict(each) for each in two["to"] or []] == ["jo@reader.test", "al@reader.test"], two)
    wrong = draft(["al@reader.test", "Jo Field"])
    report.check("an error quotes the element", wrong.status == 400 and "Jo Field" in wrong["errors"][0]["message"]
                 and wrong["errors"][0]["path"] == ["to", 1], wrong)
    empty = draft(["", "al@reader.test"])
    report.check("an empty one counts as left out", empty["to"] == ["al@reader.test"], empty)


def no_authors(report, server):
    """A phrase that a comma cuts off belongs to the address behind it, and what is no address is no author."""
    inbox = server.inbox()
    message = inbox.mail("From: Field, Jo <jo@writer.test>\nCc: Pond, Al <al@writer.test>\nSubject: Comma\n", sender="jo@writer.test")
    report.check("From", strict(message["from"]) == "jo@writer.test", message["from"])
    report.check("Cc", [strict(each) for each in message["cc"]] == ["al@writer.test"], message["cc"])
    report.check("it is authenticated", "unauthenticated" not in message["labels"], message["labels"])
    for call in ("reply", "reply-all"):
        answer = inbox.reply(message["message_id"], call)
        report.check(call, [strict(each) for each in answer["to"] or []] == ["jo@writer.test"], answer)
    for name in report.some(["jo@[127.0.0.1]", "jo@writer.test@victim.test", "nobody", "jo@writer..test"]):
        message = inbox.mail(f"From: {name}\nSubject: None\n")
        report.check(f"{name} is no author", "unauthenticated" in message["labels"], message)
    message = inbox.mail("From: Jo <mailto:jo@writer.test>\nSubject: Link\n", sender="jo@writer.test")
    report.check("a link in brackets is an address", message["from"] == "Jo <jo@writer.test>", message["from"])


def blocked_replies(report, server):
    """Who is on the receive block list is blocked in replies too."""
    inbox = server.inbox()
    sent = inbox.send(to="jo@writer.test")
    made = inbox.post("/lists/receive/block", {"entry": "jo@writer.test"})
    report.check("the entry is made", made.status == 200, made)
    message = inbox.mail(f"From: jo@writer.test\nSubject: Re: x\nIn-Reply-To: {sent['message_id']}\n", sender="jo@writer.test")
    report.check("the reply is blocked", "blocked" in message["labels"], message["labels"])


def machines(report, server):
    """Mail that asks for no answer by machines was not written by one."""
    inbox = server.inbox()
    person = inbox.mail("Subject: Bill\nX-Auto-Response-Suppress: All\n")
    report.check("a person behind Exchange", "auto-reply" not in person["labels"], person["labels"])
    machine = inbox.mail("Subject: Away\nX-Auto-Response-Suppress: All\nAuto-Submitted: auto-replied\n")
    report.check("a machine that says so", "auto-reply" in machine["labels"], machine["labels"])


def envelope(report, server):
    """A message tells by which addresses of the envelope it came."""
    inbox, other = server.inbox(), server.inbox()
    tag = lambda word: inbox.address.replace("@", f"+{word}@")
    blind = "From: Jo <jo@writer.test>\nTo: all@lists.test\nSubject: Blind\nMessage-ID: <{}@writer.test>\n"
    message = inbox.mail(blind.format("tags"), to=[tag("One"), other.address, tag("two")])
    report.check("both tags, as written", message.get("delivered_to") == [tag("One"), tag("two")], message)
    again = inbox.mail(blind.format("tags"), to=[tag("three")])
    report.check("another transaction to another tag is another message", again.get("delivered_to") == [tag("three")], again)


def idempotency(report, server):
    """A key of idempotency counts for one inbox, and is any word."""
    first, second = server.inbox(), server.inbox()
    for key in report.some(["reply/17", "<17@writer.test>", "{17}", "~" * 256]):
        send = lambda inbox: inbox.post("/messages/send", {"to": "jo@reader.test", "text": "x"},
                                        headers={"Idempotency-Key": key, "Content-Type": "application/json"})
        one, again, other = send(first), send(first), send(second)
        report.check(f"{key[:20]} is taken", one.status == 200 and one["message_id"] == again["message_id"], again)
        report.check(f"{key[:20]} of another inbox is another", other.status == 200 and other["message_id"] != one["message_id"], other)
    for key in report.some(["two words", "ü", "x" * 257]):
        answer = first.post("/messages/send", {"to": "jo@reader.test"},
                            headers={"Idempotency-Key": key, "Content-Type": "application/json"})
        report.check(f"{key[:20]} is refused", answer.status == 400, answer)


def hidden_parents(report, server):
    """A message that a key may not see is no parent of what it sends."""
    inbox = server.inbox()
    hidden = inbox.mail("From: nobody\nSubject: Hidden\nMessage-ID: <hidden@writer.test>\n")
    key = server.http("POST", "/v0/api-keys", {"permissions": {"message_send": True, "message_read": True}})
    report.check("a key without the labels is made", key.status == 200, key)
    send = lambda name, key: inbox.post("/messages/send", {"to": "jo@reader.test", "headers": {"In-Reply-To": name}}, key=key)
    known = send("<hidden@writer.test>", key["api_key"])
    report.check("it begins a thread", known.status == 200 and known["thread_id"] != hidden["thread_id"], known)
    whole = send("<hidden@writer.test>", True)
    report.check("for a key that may see it, it does not", whole["thread_id"] == hidden["thread_id"], whole)


def results(report, server):
    """The results of the checks have both names."""
    message = plain(server.inbox(), "Hello.\n")
    words = message.get("authentication_results", {})
    report.check("three lower-case words", sorted(words) == ["dkim", "dmarc", "spf"]
                 and all(re.fullmatch("[a-z]+", word) for word in words.values()), words)
    report.check("the same as in authentication", words.get("spf") == message["authentication"]["spf"]["result"], message)


def own_copies(report, server):
    """Everybody gets one copy, and nobody writes to himself."""
    inbox = server.inbox()
    message = inbox.mail(f"From: Jo <jo@writer.test>\nTo: {inbox.address.upper()}, Al <al@writer.test>, BOX\nSubject: All\n",
                         sender="jo@writer.test")
    answer = inbox.reply(message["message_id"], "reply-all")
    everybody = [strict(each) for member in ("to", "cc") for each in answer[member] or []]
    report.check("reply-all leaves the inbox out", sorted(everybody) == ["al@writer.test", "jo@writer.test"], answer)
    sent = inbox.send(to=["jo@reader.test", "Jo <jo@reader.test>"])
    mails = server.http("GET", f"{inbox.path}/messages/{quoted(sent['message_id'])}")["deliveries"]
    report.check("one copy for who is named twice", len(mails) == 1, mails)


CASES = [names, addresses, no_authors, blocked_replies, machines, envelope, idempotency, hidden_parents, results, own_copies]
