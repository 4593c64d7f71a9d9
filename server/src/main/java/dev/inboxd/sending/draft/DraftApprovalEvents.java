package dev.inboxd.sending.draft;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.event.Event;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.sending.ReservedMessage;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The events about approvals (approvals.md §4). They have nothing that the message says. */
final class DraftApprovalEvents {
    private DraftApprovalEvents() {}

    /** Adds an event about a draft to those of its transaction. */
    static void add(EventLog.EventBatch events, EventType type, DraftPlace draft, @Nullable String note) {
        Draft.Place place = draft.place;
        JsonObject about = JsonObject.of("organization_id", events.view().organization())
                .with("pod_id", place.pod())
                .with("inbox_id", place.inboxName())
                .with("draft_id", draft.id)
                .with("message_id", draft.reserved.name())
                .with("thread_id", draft.reserved.thread())
                .with("note", note);
        events.add(new Event(
                type,
                new Event.Subject(place.pod(), place.inbox(), null, null, null, 0),
                List.of(),
                Json.text(JsonObject.of("draft", about))));
    }

    /** A draft, and the ids that its message has or will have. */
    record DraftPlace(UUID id, Draft.Place place, ReservedMessage reserved) {}
}
