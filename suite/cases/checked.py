"""What needs name servers and a relay: whose mail it is, what trust needs, ids of a relay (rulings 93, 94, 96, 99, 115)."""

import re

from world import eventually

PASSES = ["v=spf1 ip4:127.0.0.1 -all"]


def label(message, name):
    return name in message["labels"]


def own_domain(report, server):
    """Mail from outside in the name of this service is nobody's word."""
    server.names.texts["other.test"] = PASSES
    inbox = server.inbox()
    message = inbox.mail(f"From: Boss <boss@{server.domain}>\nSubject: Pay\n", sender="x@other.test")
    report.check("although another domain passed", label(message, "unauthenticated"), message)
    message = inbox.mail("From: Boss <boss@other.test>\nSubject: Pay\n", sender="x@other.test")
    report.check("the domain that passed vouches for its own", not label(message, "unauthenticated"), message["labels"])
    report.check("and is aligned", message["authentication"]["aligned"] is True, message["authentication"])
    message = inbox.mail("From: Boss <boss@shop.test>\nSubject: Pay\n", sender="x@other.test")
    report.check("a pass of another domain is not aligned", message["authentication"]["aligned"] is False, message)
    message = inbox.mail("From: Boss <boss@shop.test>\nSubject: Pay\n", sender="x@silent.test")
    report.check("nothing passed", label(message, "unauthenticated"), message["labels"])


def trust(report, server):
    """An allow list believes only the author's own domain."""
    server.names.texts["friend.test"] = server.names.texts["other.test"] = PASSES
    inbox = server.inbox()
    made = inbox.post("/lists/receive/allow", {"entry": "friend.test"})
    report.check("the entry is made", made.status == 200, made)
    real = inbox.mail("From: jo@friend.test\nSubject: Real\n", sender="jo@friend.test")
    report.check("the friend", not label(real, "blocked"), real["labels"])
    false = inbox.mail("From: jo@friend.test\nSubject: False\n", sender="x@other.test")
    report.check("somebody else under that name", label(false, "blocked"), false["labels"])


def replies(report, server):
    """A reply is by somebody who was written to."""
    server.names.texts["friend.test"] = server.names.texts["other.test"] = PASSES
    inbox = server.inbox()
    inbox.post("/lists/receive/allow", {"entry": "nobody.test"})
    sent = inbox.send(to="jo+lamp@friend.test")["message_id"]
    fields = f"Subject: Re: x\nIn-Reply-To: {sent}\n"
    real = inbox.mail("From: Jo <Jo@friend.test>\n" + fields, sender="jo@friend.test")
    report.check("who was asked passes the list", not label(real, "blocked"), real["labels"])
    stranger = inbox.mail("From: al@friend.test\n" + fields, sender="al@friend.test")
    report.check("who only names the message does not", label(stranger, "blocked"), stranger["labels"])
    report.check("and is in the thread all the same", stranger["thread_id"] == real["thread_id"], stranger)


def complaints(report, server):
    """A complaint is by a role, never by a recipient."""
    server.names.texts["reader.test"] = PASSES
    inbox = server.inbox()
    sent = inbox.send(to=["jo@reader.test", "al@reader.test"])["message_id"]
    report.check("the message is out", eventually(lambda: label(inbox.get(sent), "delivered")), inbox.get(sent))
    arf = ("From: {0}\nSubject: Complaint\nMIME-Version: 1.0\n"
           "Content-Type: multipart/report; report-type=feedback-report; boundary=cut\n")
    body = ("--cut\nContent-Type: text/plain\n\nSomebody complained.\n--cut\nContent-Type: message/feedback-report\n\n"
            f"Feedback-Type: abuse\nUser-Agent: case/1\nVersion: 1\nOriginal-Rcpt-To: jo@reader.test\n\n--cut\n"
            f"Content-Type: message/rfc822\n\nFrom: {inbox.address}\nTo: jo@reader.test\nMessage-ID: {sent}\n\nHello.\n--cut--\n")
    for author in report.some(["al@reader.test", "jo@reader.test", "max@reader.test"]):
        inbox.mail(arf.format(author), body, sender=author)
        report.check(f"{author} is not believed", not label(inbox.get(sent), "complained"))
    code, reply = server.deliver("abuse@reader.test", [inbox.address], arf.format("abuse@reader.test") + f"To: {inbox.address}\n\n" + body)
    report.check("a role is", code == 250 and eventually(lambda: label(inbox.get(sent), "complained")), reply)


def relay_ids(report, server):
    """A conversation goes on behind a relay that replaces Message-ID."""
    server.names.texts["reader.test"] = PASSES
    for domain in report.some(["email.amazonses.com", "eu-central-1.amazonses.com"]):
        inbox, known = server.inbox(), len(server.relay.ids)
        sent = inbox.send(to="jo@reader.test", subject="Lamp")
        report.check("the relay took it", eventually(lambda: len(server.relay.ids) > known), sent)
        references = re.search(r"^References: (.*)$", server.relay.mails[known], re.M)
        report.check("a first mail names itself in References", references and sent["message_id"] in references[1], references)
        report.check("it is known as delivered", eventually(lambda: label(inbox.get(sent["message_id"]), "delivered")))
        name = f"<{server.relay.ids[known]}@{domain}>"
        message = inbox.mail(f"From: jo@reader.test\nSubject: Re: Lamp\nIn-Reply-To: {name}\nReferences: {name}\n", sender="jo@reader.test")
        report.check(f"an answer to its id at {domain} joins the thread", message["thread_id"] == sent["thread_id"], message)


CASES = [own_domain, trust, replies, complaints, relay_ids]
