package dev.inboxd.console.mail;

import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.session.PageForm;
import dev.inboxd.console.session.Visit;
import dev.inboxd.console.view.Invitation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The invitations of a conversation as cards, and the answers to them. */
public final class InvitationCards {
    private static final String INBOXES = "inboxes";
    private static final String CALENDAR = "calendar";
    private static final String EVENTS = "events";
    private static final String EVENT = "calendar_event_id";
    private static final String MESSAGE = "message_id";
    /** Events that a page of a conversation shows: those of its newest mails. */
    private static final int MOST_EVENTS = 2;

    private static final int MOST_CONFLICTS = 3;

    private InvitationCards() {}

    /** The answer to an invitation, by the form that a card or the calendar has. */
    public static void respond(Visit visit, String inbox, PageForm form) {
        visit.change(LocalCall.post(
                JsonObject.of("status", form.text("status")).with("send_reply", true),
                INBOXES,
                inbox,
                CALENDAR,
                EVENTS,
                form.text("event_id"),
                "respond"));
    }

    /** The cards of a conversation by the ids of their messages. */
    static Map<String, Invitation> of(Visit visit, String inbox, JsonTree thread) {
        Map<String, JsonTree> events = new HashMap<>();
        Map<String, Invitation> cards = new HashMap<>();
        List<JsonTree> conflicts = List.of();
        for (JsonTree message : thread.list("messages").reversed()) {
            String id = message.text(EVENT);
            if (id.isEmpty() || (!events.containsKey(id) && events.size() == MOST_EVENTS)) {
                continue;
            }
            boolean isNewest = events.isEmpty();
            JsonTree event = events.computeIfAbsent(
                    id, _ -> visit.silentlyIfAllowed(LocalCall.get(INBOXES, inbox, CALENDAR, EVENTS, id)));
            if (event.isEmpty()) {
                continue;
            }
            if (isNewest) {
                conflicts = conflicts(visit, inbox, event);
            }
            cards.put(message.text(MESSAGE), new Invitation(event, message, isNewest ? conflicts : List.of()));
        }
        return cards;
    }

    /** What else takes place while an event does that wants an answer. */
    private static List<JsonTree> conflicts(Visit visit, String inbox, JsonTree event) {
        if (!event.text("response_status").equals("needs_action")
                || event.text("status").equals("cancelled")
                || event.text("start_at").compareTo(visit.now().toString()) < 0) {
            return List.of();
        }
        JsonTree agenda = visit.silentlyIfAllowed(LocalCall.get(INBOXES, inbox, CALENDAR, "agenda")
                .with("after", event.text("start_at"))
                .with("before", event.text("end_at"))
                .with("limit", String.valueOf(MOST_CONFLICTS + 1)));
        return agenda.list(EVENTS).stream()
                .filter(other -> !other.text("uid").equals(event.text("uid")))
                .limit(MOST_CONFLICTS)
                .toList();
    }
}
