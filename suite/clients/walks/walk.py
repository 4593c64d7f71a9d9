"""Calls routes with the client that openapi-generator makes for Python."""

import os

import inboxes


def step(title, answer):
    print("ok", title)
    return answer


client = inboxes.ApiClient(
    inboxes.Configuration(host=os.environ["INBOXD_URL"], access_token=os.environ["INBOXD_KEY"])
)
mailboxes = inboxes.InboxesApi(client)
inbox = step("createInbox", mailboxes.create_inbox(inboxes.CreateInbox(display_name="Walk")))
me = inbox.inbox_id
assert step("getInbox", mailboxes.get_inbox(me)).display_name == "Walk"
step("listInboxes", mailboxes.list_inboxes(limit=5))
assert step("updateInbox", mailboxes.update_inbox(me, inboxes.UpdateInbox(display_name=None))).display_name is None
people = ["a@example.com", "b@example.com"]
mail = inboxes.CreateMessage(to=people, labels=["one", "two"], text="T")
sent = step("sendMessage", inboxes.SendingApi(client).send_message(me, mail))
messages = inboxes.MessagesApi(client)
assert step("getMessage", messages.get_message(me, sent.message_id)).to == people
step("listMessages", messages.list_messages(me, labels=["one", "two"]))
drafts = inboxes.DraftsApi(client)
draft = step("createDraft", drafts.create_draft(me, inboxes.CreateDraft(to=people)))
step("updateDraft", drafts.update_draft(me, draft.draft_id, inboxes.UpdateDraft(cc=["c@example.com"])))
hook = inboxes.CreateWebhook(url="https://shop.example/hook", event_types=["message.received", "message.sent"])
step("createWebhook", inboxes.WebhooksApi(client).create_webhook(hook))
dates = [
    inboxes.RecurrenceDate("2099-11-01T10:00:00"),
    inboxes.RecurrenceDate(inboxes.RecurrencePeriod(start="2099-11-02T10:00:00", duration="PT2H")),
]
event = inboxes.CreateCalendarEvent(
    title="Series",
    start="2099-10-15T10:00:00",
    end="2099-10-15T11:00:00",
    recurrence=inboxes.Recurrence(rule="FREQ=DAILY;COUNT=3", rdates=dates),
)
made = step("createCalendarEvent", inboxes.CalendarsApi(client).create_calendar_event(me, event))
assert len(made.event.recurrence.rdates) == 2
mailboxes.delete_inbox(me)
step("deleteInbox", me)
