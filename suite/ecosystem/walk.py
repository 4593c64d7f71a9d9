"""One walk with the Python client: what an agent does in its first hour. Prints a line for each step; see walk.js."""

import os
import smtplib
import sys
import time
import traceback
import urllib.request
from email.message import EmailMessage

from agentmail import AgentMail, AgentMailEnvironment, MessageReceivedEvent, Subscribe, Subscribed
from agentmail.core.api_error import ApiError
from agentmail.errors import NotFoundError, ValidationError
from agentmail.inboxes.types import CreateInboxRequest

URL = os.environ["INBOXD_URL"]
HOST, PORT = os.environ["INBOXD_SMTP"].split(":")
WORD = os.environ["WORD"]

environment = AgentMailEnvironment(http=URL, websockets=URL.replace("http", "ws", 1))
client = AgentMail(environment=environment, api_key=os.environ["INBOXD_KEY"])


def mail(to, subject):
    """Sends a mail with an attachment over SMTP."""
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "Jo <jo@elsewhere.example>", to, subject
    message["Message-ID"] = f"<{time.monotonic_ns()}.{WORD}@elsewhere.example>"
    message.set_content("Noon, or one?\n")
    message.add_attachment(b"soup,4\n", maintype="text", subtype="csv", filename="menu.csv")
    with smtplib.SMTP(HOST, int(PORT), "elsewhere.example", 30) as session:
        session.send_message(message, "jo@elsewhere.example", [to])


def found(ask):
    end = time.monotonic() + 50
    while time.monotonic() < end:
        answer = ask()
        if answer:
            return answer
        time.sleep(0.05)
    raise AssertionError("not within 50 s")


def refused(kind, call, status):
    try:
        call()
    except ApiError as fault:
        assert isinstance(fault, kind), f"{type(fault).__name__}: {fault.body}"
        assert fault.status_code == status, fault.status_code
        return fault
    raise AssertionError(f"no {kind.__name__}")


class Walk:
    def an_inbox_is_made(self):
        self.inbox = client.inboxes.create(request=CreateInboxRequest(username=WORD, display_name="Lunch")).inbox_id
        assert client.inboxes.get(self.inbox).display_name == "Lunch"
        assert self.inbox in [each.inbox_id for each in client.inboxes.list(limit=100).inboxes]

    def a_mail_is_received_and_read(self):
        mail(self.inbox, "Lunch?")
        self.message = found(lambda: client.inboxes.messages.list(self.inbox).messages)[0]
        assert self.message.subject == "Lunch?" and "unread" in self.message.labels, self.message
        whole = client.inboxes.messages.get(self.inbox, self.message.message_id)
        assert whole.text.strip() == "Noon, or one?" and whole.from_ == "Jo <jo@elsewhere.example>", whole
        assert whole.timestamp.year >= 2025
        raw = client.inboxes.messages.get_raw(self.inbox, self.message.message_id)
        with urllib.request.urlopen(raw.download_url) as octets:
            assert b"Subject: Lunch?" in octets.read()

    def an_attachment_is_fetched(self):
        whole = client.inboxes.messages.get(self.inbox, self.message.message_id)
        assert [each.filename for each in whole.attachments] == ["menu.csv"]
        found = client.inboxes.messages.get_attachment(
            self.inbox, self.message.message_id, whole.attachments[0].attachment_id)
        with urllib.request.urlopen(found.download_url) as octets:
            assert octets.read() == b"soup,4\n"

    def it_is_answered_in_its_thread(self):
        sent = client.inboxes.messages.reply(
            self.inbox, self.message.message_id, text="One.",
            attachments=[{"filename": "seat.txt", "content": "NA==", "content_type": "text/plain"}])
        assert sent.thread_id == self.message.thread_id
        thread = client.inboxes.threads.get(self.inbox, sent.thread_id)
        assert [each.message_id for each in thread.messages] == [self.message.message_id, sent.message_id], thread
        assert thread.message_count == 2
        assert sent.thread_id in [each.thread_id for each in client.threads.list().threads]

    def labels_are_changed(self):
        client.inboxes.messages.update(
            self.inbox, self.message.message_id, add_labels=["lunch"], remove_labels=["unread"])
        listed = client.inboxes.messages.list(self.inbox, labels=["lunch"]).messages
        assert [each.message_id for each in listed] == [self.message.message_id]
        assert "unread" not in listed[0].labels

    def a_draft_is_written_and_sent(self):
        draft = client.inboxes.drafts.create(self.inbox, to=["jo@elsewhere.example"], subject="Table", text="For two")
        draft = client.inboxes.drafts.update(self.inbox, draft.draft_id, text="For three")
        assert client.inboxes.drafts.get(self.inbox, draft.draft_id).text == "For three"
        assert draft.draft_id in [each.draft_id for each in client.inboxes.drafts.list(self.inbox).drafts]
        sent = client.inboxes.drafts.send(self.inbox, draft.draft_id)
        assert client.inboxes.messages.get(self.inbox, sent.message_id).subject == "Table"

    def a_mail_is_sent_and_forwarded(self):
        sent = client.inboxes.messages.send(
            self.inbox, to=["jo@elsewhere.example"], subject="Offer", html="<p>Ten</p>", text="Ten", labels=["offer"])
        assert "offer" in client.inboxes.messages.get(self.inbox, sent.message_id).labels
        client.inboxes.messages.forward(self.inbox, self.message.message_id, to=["kim@elsewhere.example"], text="FYI")

    def a_webhook_is_made(self):
        made = client.webhooks.create(
            url="http://127.0.0.1:9/hook", event_types=["message.received"], inbox_ids=[self.inbox], client_id=WORD)
        assert made.secret.startswith("whsec_")
        assert client.webhooks.get(made.webhook_id).url == "http://127.0.0.1:9/hook"
        client.webhooks.delete(made.webhook_id)
        refused(NotFoundError, lambda: client.webhooks.get(made.webhook_id), 404)

    def a_websocket_tells_of_mail(self):
        with client.websockets.connect() as socket:
            socket.send_subscribe(Subscribe(inbox_ids=[self.inbox], event_types=["message.received"]))
            assert isinstance(socket.recv(), Subscribed)
            mail(self.inbox, "Dinner?")
            event = socket.recv()
            assert isinstance(event, MessageReceivedEvent), event
            assert event.message.subject == "Dinner?", event

    def metrics_and_the_organization_are_read(self):
        assert client.organizations.get().inbox_count >= 1
        assert client.inboxes.metrics.query(self.inbox) is not None

    def keys_are_made_and_taken_away(self):
        key = client.inboxes.api_keys.create(self.inbox, name="walk")
        alone = AgentMail(environment=environment, api_key=key.api_key)
        assert [each.inbox_id for each in alone.inboxes.list().inboxes] == [self.inbox]
        client.inboxes.api_keys.delete(self.inbox, key.api_key_id)
        refused(ApiError, lambda: alone.inboxes.list(), 401)

    def errors_are_of_its_own_kinds(self):
        nobody = "nobody@" + self.inbox.split("@")[1]
        assert refused(NotFoundError, lambda: client.inboxes.get(nobody), 404).body.message
        taken = CreateInboxRequest(username=WORD)
        assert refused(ApiError, lambda: client.inboxes.create(request=taken), 403).body["name"] == "IsTakenError"
        bad = refused(ValidationError, lambda: client.inboxes.create(request=CreateInboxRequest(username="a b")), 400)
        assert bad.body.errors, bad.body
        stranger = AgentMail(environment=environment, api_key="inb_nobody")
        refused(ApiError, lambda: stranger.inboxes.list(), 401)

    def what_was_made_is_deleted(self):
        client.inboxes.threads.delete(self.inbox, self.message.thread_id)
        client.inboxes.delete(self.inbox)
        refused(NotFoundError, lambda: client.inboxes.messages.list(self.inbox), 404)


walk = Walk()
for name in [each for each in vars(Walk) if not each.startswith("_")]:
    try:
        getattr(walk, name)()
        print("ok", name.replace("_", " "), flush=True)
    except Exception as fault:
        where = traceback.extract_tb(sys.exc_info()[2])
        here = next((each.lineno for each in reversed(where) if each.filename == __file__), 0)
        print("FAIL", name.replace("_", " "), f"line {here}: {type(fault).__name__}: {fault}".replace("\n", " "), flush=True)
