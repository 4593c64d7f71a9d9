"""reader.py FEED QUESTIONS: the dates of each event that recurring-ical-events finds, as JSON by UID.

A question is {uid, from, until}; UIDs that begin with it and a slash are parts of the same event.
"""
import datetime
import json
import sys

try:
    import icalendar
    import recurring_ical_events
except ImportError as missing:
    print(json.dumps({"missing": str(missing)}))
    sys.exit()


def utc(time):
    return time.astimezone(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def shown(event):
    start, end = event["DTSTART"].dt, event.get("DTEND", event["DTSTART"]).dt
    times = f"{utc(start)} {utc(end)}" if isinstance(start, datetime.datetime) else f"{start.isoformat()} "
    return f"{times} {event['SUMMARY']}"


def part(calendar, uid):
    """A calendar with the zones and the components of one event."""
    only = icalendar.Calendar()
    for name, value in calendar.property_items(recursive=False):
        if name not in ("BEGIN", "END"):
            only.add(name, value)
    for component in calendar.subcomponents:
        own = str(component.get("UID", ""))
        if component.name == "VTIMEZONE" or own == uid or own.startswith(uid + "/"):
            only.add_component(component)
    return only


def main():
    with open(sys.argv[1], "rb") as file:
        calendar = icalendar.Calendar.from_ical(file.read())
    answers = {}
    for question in json.loads(sys.argv[2]):
        only = part(calendar, question["uid"])
        start = datetime.datetime.fromisoformat(question["from"])
        until = datetime.datetime.fromisoformat(question["until"])
        try:
            found = recurring_ical_events.of(only).between(start, until)
            answers[question["uid"]] = sorted(shown(event) for event in found)
        except Exception as refusal:  # of this event alone
            answers[question["uid"]] = [f"{type(refusal).__name__}: {refusal}"]
    print(json.dumps(answers))


main()
