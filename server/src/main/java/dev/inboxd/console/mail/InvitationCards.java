package dev.inboxd.console.mail;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.session.PageForm;
import dev.inboxd.console.session.Visit;
import dev.inboxd.console.view.Invitation;
import java.time.DateTimeException;
import java.time.Instant;
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
    private static final int MOST_CONFLICTS = 3;
    /** Events at that time that are looked through for conflicts. */
    private static final String THROUGH = "20";

    private InvitationCards() {}

    /**
     * The answer to an invitation, by the form that a card or the calendar has. It is to what its page showed.
     *
     * @throws Problem {@code precondition_failed} when that has changed
     */
    public static void respond(Visit visit, String inbox, PageForm form) {
        String tag = form.text("etag");
        if (tag.isEmpty()) {
            throw Problem.invalid("etag", "This page is out of date. Reload it");
        }
        try {
            visit.change(LocalCall.post(
                            JsonObject.of("status", form.text("status")).with("send_reply", true),
                            INBOXES,
                            inbox,
                            CALENDAR,
                            EVENTS,
                            form.text("event_id"),
                            "respond")
                    .headed("if-match", tag));
        } catch (Problem refused) {
            if (refused.code() != ErrorCode.PRECONDITION_FAILED) {
                throw refused;
            }
            throw Problem.of(
                    ErrorCode.PRECONDITION_FAILED,
                    "The event was changed",
                    "Your answer was not sent. Go back, reload the page and answer again.");
        }
    }

    /** The cards of a conversation by the ids of their messages: those about the event of the newest invitation. */
    static Map<String, Invitation> of(Visit visit, String inbox, JsonTree thread) {
        Map<String, Invitation> cards = new HashMap<>();
        String shown = "";
        JsonTree event = JsonTree.EMPTY;
        for (JsonTree message : thread.list("messages").reversed()) {
            String id = message.text(EVENT);
            boolean isNewest = shown.isEmpty() && !id.isEmpty();
            if (isNewest) {
                shown = id;
                event = visit.silentlyIfAllowed(LocalCall.get(INBOXES, inbox, CALENDAR, EVENTS, id));
            }
            if (!id.isEmpty() && id.equals(shown) && !event.isEmpty()) {
                List<JsonTree> conflicts = isNewest ? conflicts(visit, inbox, event) : List.of();
                cards.put(message.text(MESSAGE), new Invitation(event, message, conflicts));
            }
        }
        return cards;
    }

    /** What else takes place while an event does that wants an answer; nothing where that cannot be told. */
    private static List<JsonTree> conflicts(Visit visit, String inbox, JsonTree event) {
        if (!event.text("response_status").equals("needs_action")
                || event.text("status").equals("cancelled")
                || !isAhead(event, visit.now())) {
            return List.of();
        }
        try {
            JsonTree agenda = visit.silentlyIfAllowed(LocalCall.get(INBOXES, inbox, CALENDAR, "agenda")
                    .with("after", event.text("start_at"))
                    .with("before", event.text("end_at"))
                    .with("limit", THROUGH));
            return agenda.list(EVENTS).stream()
                    .filter(conflict -> !conflict.text("uid").equals(event.text("uid"))
                            && !conflict.text("response_status").equals("declined"))
                    .limit(MOST_CONFLICTS)
                    .toList();
        } catch (Problem untold) {
            return List.of(); // the conversation is worth more than a warning
        }
    }

    /** Whether an event begins later, and takes any time: a mail may name an end that is its start, or none. */
    private static boolean isAhead(JsonTree event, Instant now) {
        try {
            Instant start = Instant.parse(event.text("start_at"));
            return !start.isBefore(now) && start.isBefore(Instant.parse(event.text("end_at")));
        } catch (DateTimeException unreadable) {
            return false;
        }
    }
}
