"""What clients do out of habit (rulings 92, 111, 112, 116, 119 to 125, 129)."""

from authors import strict
from world import eventually, quoted


def empties(report, server):
    """An empty string counts as left out."""
    inbox = server.inbox()
    for body in report.some([{"text": "x", "html": ""}, {"html": "<p>x</p>", "text": ""}, {"text": "x", "html": " \u200b"}]):
        sent = inbox.send(**{"text": None} | body)
        raw = inbox.raw(sent["message_id"])
        report.check(f"no empty part leaves with {body}", sent.status == 200 and "multipart/alternative" not in raw, raw)
    for name in report.some(["in_reply_to", "forward_of", "send_at", "client_id", "subject"]):
        draft = inbox.post("/drafts", {"to": "jo@reader.test", name: ""})
        report.check(f"a draft with {name} empty", draft.status == 200, draft)
    draft = inbox.post("/drafts", {"subject": "Gone", "text": "Gone"})["draft_id"]
    changed = server.http("PATCH", f"{inbox.path}/drafts/{draft}", {"subject": "", "text": ""})
    report.check("in a change it clears", changed.status == 200 and not changed["subject"] and not changed["text"], changed)
    named = server.inbox(display_name="Desk")
    cleared = server.http("PATCH", named.path, {"display_name": ""})
    report.check("a name too", cleared.status == 200 and cleared["display_name"] is None, cleared)


def arrays(report, server):
    """All spellings of an array are the same, and another name is no filter that is passed over."""
    inbox = server.inbox()
    for word in ("keep", "drop"):
        inbox.send(labels=[word, "all"])
    for query in report.some(["labels[]=drop", "labels=drop&labels=all", "labels=%5B%22drop%22%5D", "labels%5B0%5D=drop", "labels=drop,all"]):
        answer = server.http("GET", f"{inbox.path}/messages?{query}")
        report.check(query, answer.status == 200 and answer["count"] == 1, answer)
    for query, right in report.some({"label=drop": "labels", "includeSpam=true": "include_spam", "pageToken=x": "page_token"}.items()):
        answer = server.http("GET", f"{inbox.path}/messages?{query}")
        report.check(f"{query} is refused with {right}", answer.status == 400 and right in answer["message"], answer)
    answer = inbox.send(replyTo="al@reader.test")
    report.check("replyTo is refused with reply_to", answer.status == 400 and "reply_to" in answer["message"], answer)
    answer = inbox.send(headers={"X-replyTo": "free"})
    report.check("names that callers choose are free", answer.status == 200, answer)
    for word in report.some(["Yes", "on", "ENABLED", "1"]):
        answer = server.http("GET", f"{inbox.path}/messages?ascending={word}")
        first = answer["messages"][0]["labels"] if answer.status == 200 else []
        report.check(f"ascending={word}", "keep" in first, answer)


def newcomers(report, server):
    """A newcomer's first mail is in the list, and the ready block says why."""
    inbox = server.inbox()
    message = inbox.mail("Subject: First\n", "My first 7391.\n")
    listed = server.http("GET", f"{inbox.path}/messages")["messages"]
    report.check("in the list", [each["subject"] for each in listed] == ["First"], listed)
    report.check("aligned", message["authentication"]["aligned"] is True, message["authentication"])
    events = server.http("GET", f"/v0/events?event_types=message.received&inbox_ids={quoted(inbox.address)}")["events"]
    report.check("message.received", len(events) == 1, events)
    report.check("found", inbox.finds("7391"))
    report.check("the block", "INBOXD_DNS_SERVERS" in server.shown, server.shown)
    own = inbox.mail(f"From: Boss <boss@{server.domain}>\nSubject: Pay\n")
    report.check("not in the name of this service", "unauthenticated" in own["labels"], own["labels"])


def sent_drafts(report, server):
    """A draft that was sent leads to its message."""
    inbox = server.inbox()
    path = f"{inbox.path}/drafts/" + inbox.post("/drafts", {"to": "jo@reader.test", "text": "x"})["draft_id"]
    sent = server.http("POST", f"{path}/send", {})["message_id"]
    report.check("the message names it", inbox.get(sent).get("draft_id") == path.rsplit("/", 1)[1], inbox.get(sent))
    gone = server.http("GET", path)
    report.check("its 404 names the message", gone.status == 404 and sent in gone["fix"], gone)


def permissions(report, server):
    """Both names of a permission are known."""
    made = server.http("POST", "/v0/api-keys", {"permissions": {"app_connect": True, "thread_read": True}})
    held = made["permissions"] or {}
    report.check("answers have both", held.get("app_connect") and held.get("provider_connect"), made)
    report.check("thread_read is message_read", held.get("message_read") is True, made)
    clash = server.http("POST", "/v0/api-keys", {"permissions": {"app_connect": True, "provider_connect": False}})
    report.check("a contradiction is refused", clash.status == 400, clash)


def bodies(report, server):
    """JSON is taken from whoever presents a key, whatever its type says."""
    for kind in report.some(["application/x-www-form-urlencoded", "text/plain", "APPLICATION/JSON; Charset=utf-8"]):
        made = server.http("POST", "/v0/inboxes", b'{"display_name": "Any"}', {"Content-Type": kind})
        report.check(kind, made.status == 200 and made["display_name"] == "Any", made)
    marked = server.http("POST", "/v0/inboxes", "\ufeff{}".encode(), {"Content-Type": "application/json"})
    report.check("a byte order mark is taken, or named", marked.status == 200 or "byte order mark" in marked["message"], marked)
    strange = server.http("POST", "/v0/agent/sign-up", b"{}", {"Content-Type": "text/plain"}, key=None)
    report.check("sign-up stays strict", strange.status == 400, strange)


def helpful(report, server):
    """Answers say what to do."""
    inbox = server.inbox()
    taken = server.http("POST", "/v0/inboxes", {"username": "postmaster"})
    free = taken["suggestions"] or []
    report.check("three names that are free", len(free) == 3 and all(name in taken["fix"] for name in free), taken)
    made = server.http("POST", "/v0/inboxes", {"username": free[0]}) if free else taken
    report.check("they are", made.status == 200, made)
    wrong = server.http("POST", "/v0/webhooks", {"url": "https://hooks.test", "event_types": ["message_received"]})
    error = (wrong["errors"] or [{}])[0]
    report.check("an error has a code and what is expected", error.get("code") and "message.received" in error.get("expected", ""), wrong)
    message = inbox.mail("X-Nothing: 1\n")
    report.check("no subject is no member", "subject" not in message, message)


def places(report, server):
    """What lies in an inbox says where, behind all other members."""
    inbox = server.inbox()
    message = inbox.mail("Subject: Where\n")
    thread = server.http("GET", f"{inbox.path}/threads/{message['thread_id']}").json
    draft = inbox.post("/drafts", {"to": "jo@reader.test"}).json
    for name, shown in {"message": message, "thread": thread, "draft": draft}.items():
        report.check(name, shown.get("organization_id") and list(shown)[-1] == "pod_id", list(shown))


def answers(report, server):
    """The recipients of a reply pass the send lists, and its answer names them."""
    inbox = server.inbox()
    message = inbox.mail("Subject: Ask\nReply-To: help@writer.test\nCc: al@quiet.test\n")
    answer = inbox.reply(message["message_id"], "reply-all")
    named = [strict(each) for member in ("to", "cc") for each in answer[member] or []]
    report.check("it names them", named == ["help@writer.test", "al@quiet.test"], answer)
    inbox.post("/lists/send/block", {"entry": "quiet.test"})
    refused = inbox.reply(message["message_id"], "reply-all")
    report.check("one that is blocked is refused by name", refused.status == 403 and "al@quiet.test" in refused["message"], refused)


def waits(report, server):
    """A wait answers what comes, and an answer that is there."""
    inbox = server.inbox()
    wait = lambda query: server.http("GET", f"{inbox.path}/messages/wait?{query}")
    inbox.mail("Subject: Old\n", "Your code is 111222.\n")
    begin = wait("timeout=0&extract=code")
    report.check("an old code is not answered", begin.status == 200 and begin["message"] is None, begin)
    inbox.mail("Subject: New\n", "Your code is 333444.\n")
    found = wait(f"timeout=5&extract=code&cursor={begin['next_cursor']}")["message"] or {}
    report.check("a new one is", found.get("extracted") == {"code": "333444"}, found)
    since = quoted(found.get("created_at", ""))
    inbox.mail("Subject: Link\n", "Confirm: https://shop.test/verify?t=9\n\nUnsubscribe: https://shop.test/u\n")
    inbox.mail("Subject: Newest\n", "Confirm: https://shop.test/verify?t=10\n")
    link = wait(f"timeout=5&extract=link&since={since}")["message"] or {}
    report.check("of two links the newer", link.get("extracted") == {"link": "https://shop.test/verify?t=10"}, link)
    asked = inbox.send()["message_id"]
    inbox.mail(f"Subject: Re\nIn-Reply-To: {asked}\n")
    answer = eventually(lambda: wait(f"timeout=1&in_reply_to={quoted(asked)}")["message"]) or {}
    report.check("an answer that is there is found", answer.get("subject") == "Re", answer)


CASES = [empties, arrays, newcomers, sent_drafts, permissions, bodies, helpful, places, answers, waits]
