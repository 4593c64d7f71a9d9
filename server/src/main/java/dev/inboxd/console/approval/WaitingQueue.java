package dev.inboxd.console.approval;

import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.session.Visit;
import dev.inboxd.console.view.QueuePlace;
import dev.inboxd.console.view.WaitingItem;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What waits for a decision, drafts and held mail in one row, what waits longest first.
 *
 * @param items at most a hundred drafts, and the held mail of ten inboxes
 * @param isMore whether there are more
 */
public record WaitingQueue(List<WaitingItem> items, boolean isMore) {
    private static final String DRAFTS = "drafts";
    private static final String THREADS = "threads";
    private static final String INBOX = "inbox_id";
    private static final String LIMIT = "limit";
    private static final String MOST = "100";
    private static final String MOST_HELD = "50";
    private static final String NEXT_PAGE = "next_page_token";
    private static final int MOST_INBOXES = 10;

    public WaitingQueue {
        items = List.copyOf(items);
    }

    /** Reads it. */
    static WaitingQueue read(Visit visit) {
        JsonTree drafts = visit.readIfAllowed(waiting().with(LIMIT, MOST).with("ascending", "true"));
        List<WaitingItem> all = new ArrayList<>();
        for (JsonTree draft : drafts.list(DRAFTS)) {
            all.add(draft(draft));
        }
        JsonTree threads = visit.readIfAllowed(held(LocalCall.get(THREADS)));
        boolean more = drafts.has(NEXT_PAGE) || threads.has(NEXT_PAGE);
        Set<String> inboxes = new LinkedHashSet<>();
        threads.list(THREADS).forEach(thread -> inboxes.add(thread.text(INBOX)));
        for (String inbox : inboxes.stream().limit(MOST_INBOXES).toList()) {
            JsonTree messages = visit.readIfAllowed(held(LocalCall.get("inboxes", inbox, "messages")));
            messages.list("messages").stream().map(WaitingQueue::mail).forEach(all::add);
            more |= messages.has(NEXT_PAGE);
        }
        all.sort(Comparator.comparing(item -> Instant.parse(item.since())));
        return new WaitingQueue(all, more || inboxes.size() > MOST_INBOXES);
    }

    private static WaitingItem draft(JsonTree draft) {
        List<String> to = new ArrayList<>();
        for (String role : List.of("to", "cc", "bcc")) {
            to.addAll(draft.texts(role));
        }
        return new WaitingItem(
                WaitingItem.DRAFT,
                draft.text(INBOX),
                draft.text("draft_id"),
                new WaitingItem.Parties(local(draft.text(INBOX)), to),
                draft.text("subject"),
                draft.has("in_reply_to") ? "reply to approve" : "message to approve",
                draft.get("approval").has("requested_at")
                        ? draft.get("approval").text("requested_at")
                        : draft.text("updated_at"));
    }

    private static WaitingItem mail(JsonTree message) {
        List<String> reasons = message.get("security").texts("reasons");
        return new WaitingItem(
                WaitingItem.MAIL,
                message.text(INBOX),
                message.text("message_id"),
                new WaitingItem.Parties(message.text("from"), List.of(local(message.text(INBOX)))),
                message.text("subject"),
                "held"
                        + (reasons.isEmpty()
                                ? ""
                                : ": " + String.join(", ", reasons).replace('_', ' ')),
                message.text("created_at")); // its own date is its author's
    }

    private static String local(String inbox) {
        int at = inbox.indexOf('@');
        return at > 0 ? inbox.substring(0, at) : inbox;
    }

    private static LocalCall waiting() {
        return LocalCall.get(DRAFTS).with("send_status", "awaiting_approval");
    }

    private static LocalCall held(LocalCall list) {
        return list.with("labels", "held").with("include_held", "true").with(LIMIT, MOST_HELD);
    }

    /** Where something stands in it. */
    QueuePlace place(String kind, String inbox, String id) {
        return new QueuePlace(items, index(kind, inbox, id), isMore);
    }

    /** Leads to what waits behind the one that was decided, at its end to its start; to the list after the last. */
    Response onward(Visit visit, String done, WaitingItem.Name decided) {
        int index = index(decided.kind(), decided.inbox(), decided.id());
        if (items.size() <= (index < 0 ? 0 : 1)) {
            return visit.to(done, "approvals");
        }
        WaitingItem next = items.get((index + 1) % items.size());
        return visit.to(done, "approvals", next.kind(), next.inbox(), next.id());
    }

    private int index(String kind, String inbox, String id) {
        for (int i = 0; i < items.size(); i++) {
            WaitingItem item = items.get(i);
            if (item.kind().equals(kind)
                    && item.inbox().equals(inbox)
                    && item.id().equals(id)) {
                return i;
            }
        }
        return -1;
    }
}
