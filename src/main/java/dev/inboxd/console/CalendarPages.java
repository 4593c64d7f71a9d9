package dev.inboxd.console;

import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.http.LocalCall;
import dev.inboxd.platform.http.Response;
import dev.inboxd.platform.json.JsonObject;
import dev.inboxd.platform.json.JsonTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The calendar of an inbox: what takes place, invitations, and their answers. */
final class CalendarPages {
    /** Events whose attendees are shown on a page. */
    private static final int MOST_ATTENDED = 20;

    void mount(ConsolePages pages) {
        pages.page("/inboxes/{inbox_id}/calendar", CalendarPages::agenda)
                .form("/inboxes/{inbox_id}/calendar", CalendarPages::act);
    }

    private static Response agenda(Visit visit) {
        visit.live();
        String inbox = visit.path("inbox_id");
        JsonTree calendar = visit.readIfAllowed(LocalCall.get("inboxes", inbox, "calendar"));
        JsonTree agenda = calendar.isEmpty()
                ? JsonTree.EMPTY
                : visit.read(InboxPages.paged(visit, LocalCall.get("inboxes", inbox, "calendar", "agenda")));
        List<JsonTree> events = new ArrayList<>();
        for (JsonTree item : agenda.list("events")) {
            events.add(
                    events.size() < MOST_ATTENDED
                            ? visit.change(LocalCall.get("inboxes", inbox, "calendar", "events", item.text("event_id")))
                            : JsonTree.EMPTY);
        }
        return visit.page(
                "calendar",
                "inboxes/Calendar of " + inbox,
                Map.of("inbox", inbox, "calendar", calendar, "agenda", agenda, "events", events));
    }

    private static Response act(Visit visit) {
        String inbox = visit.path("inbox_id");
        PageForm form = visit.form();
        String event = form.text("event_id");
        switch (form.text("do")) {
            case "respond" ->
                visit.change(LocalCall.post(
                        JsonObject.of("status", form.text("status")).with("send_reply", true),
                        "inboxes",
                        inbox,
                        "calendar",
                        "events",
                        event,
                        "respond"));
            case "cancel" -> visit.change(LocalCall.delete("inboxes", inbox, "calendar", "events", event));
            default -> throw Problem.invalid("do", "This page has no such action");
        }
        return visit.to("changed", "inboxes", inbox, "calendar");
    }
}
