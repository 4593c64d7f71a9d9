package dev.inboxd.console;

import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.http.LocalCall;
import dev.inboxd.platform.http.Response;
import dev.inboxd.platform.json.JsonObject;
import dev.inboxd.platform.json.JsonTree;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What waits for somebody's decision: drafts that may not leave yet, and mail that is held from the agent. */
final class ApprovalPages {
    private static final String INBOXES = "inboxes";
    private static final int MOST_DRAFTS = 20;

    void mount(ConsolePages pages) {
        pages.page("/approvals", ApprovalPages::list).form("/approvals", ApprovalPages::act);
    }

    private static Response list(Visit visit) {
        visit.live();
        List<JsonTree> drafts = drafts(visit).stream()
                .limit(MOST_DRAFTS)
                .map(draft -> visit.change(LocalCall.get("drafts", draft.text("draft_id"))))
                .toList();
        List<JsonTree> held = new ArrayList<>();
        for (JsonTree thread : held(visit).list("threads")) {
            JsonTree whole =
                    visit.change(LocalCall.get(INBOXES, thread.text("inbox_id"), "threads", thread.text("thread_id"))
                            .with("include_held", "true"));
            whole.list("messages").stream()
                    .filter(message -> message.texts("labels").contains("held"))
                    .forEach(held::add);
        }
        return visit.page("approvals", "approvals/Approvals", Map.of("drafts", drafts, "held", held));
    }

    /** Drafts that wait for an approval. */
    static List<JsonTree> drafts(Visit visit) {
        return visit
                .readIfAllowed(LocalCall.get("drafts")
                        .with("send_status", "awaiting_approval")
                        .with("limit", "100"))
                .list("drafts")
                .stream()
                .filter(draft -> draft.text("send_status").equals("awaiting_approval"))
                .toList();
    }

    /** Conversations with held mail. */
    static JsonTree held(Visit visit) {
        return visit.readIfAllowed(LocalCall.get("threads")
                .with("labels", "held")
                .with("include_held", "true")
                .with("limit", "20"));
    }

    private static Response act(Visit visit) {
        PageForm form = visit.form();
        String inbox = form.text("inbox_id");
        String draft = form.text("draft_id");
        JsonObject read = JsonObject.of("updated_at", form.text("updated_at"));
        return switch (form.text("do")) {
            case "release" -> {
                visit.change(LocalCall.post(
                        JsonObject.of("reason", form.text("reason")),
                        INBOXES,
                        inbox,
                        "messages",
                        form.text("message_id"),
                        "release"));
                yield visit.to("released", "approvals");
            }
            case "approve" -> {
                if (!form.all("always").isEmpty()) {
                    read.with("always_allow", form.all("always"));
                }
                visit.change(LocalCall.post(read, INBOXES, inbox, "drafts", draft, "approve"));
                yield visit.to("approved", "approvals");
            }
            case "reject" -> {
                InboxPages.put(read, "note", form.text("note"));
                visit.change(LocalCall.post(read, INBOXES, inbox, "drafts", draft, "reject"));
                yield visit.to("rejected", "approvals");
            }
            default -> throw Problem.invalid("do", "This page has no such action");
        };
    }
}
