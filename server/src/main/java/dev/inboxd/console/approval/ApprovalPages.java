package dev.inboxd.console.approval;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.Role;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.mail.InboxPages;
import dev.inboxd.console.mail.ThreadPages;
import dev.inboxd.console.mail.Voucher;
import dev.inboxd.console.session.ConsolePages;
import dev.inboxd.console.session.PageForm;
import dev.inboxd.console.session.Visit;
import dev.inboxd.console.view.HeldMail;
import dev.inboxd.console.view.WaitingItem;
import dev.inboxd.mail.text.LinkTargets;
import java.util.List;
import java.util.Map;

/**
 * What waits for somebody's decision, one at a time: drafts that may not leave yet, and mail that is held from the
 * agent. After each decision the next one comes by itself.
 */
public final class ApprovalPages {
    private static final String INBOX = "inbox_id";
    private static final String INBOXES = "inboxes";
    private static final String DRAFTS = "drafts";
    private static final String MESSAGES = "messages";

    private final ReviewWatch watch;

    public ApprovalPages(ReviewWatch watch) {
        this.watch = watch;
    }

    public void mount(ConsolePages pages) {
        pages.page("/approvals", this::list)
                .page("/waiting", this::count)
                .form("/approvals", Role.APPROVE, this::act)
                .page("/approvals/draft/{inbox_id}/{draft_id}", this::draft)
                .page("/approvals/mail/{inbox_id}/{message_id}", this::mail);
    }

    private Response list(Visit visit) {
        visit.live();
        String letters = watch.recordVisit(visit)
                .map(reader -> reader.isMuted() ? "off" : "on")
                .orElse("");
        return visit.page(
                "approvals", "approvals/Approvals", Map.of("queue", WaitingQueue.read(visit), "letters", letters));
    }

    /**
     * How much waits for a decision: the number beside the entry of the navigation. A page that somebody has in front
     * says so, and no mail is needed.
     */
    private Response count(Visit visit) {
        if (visit.query("seen").equals("yes")) {
            watch.recordVisit(visit);
        }
        WaitingQueue queue = WaitingQueue.read(visit);
        return Response.ok(JsonObject.of("count", queue.items().size()).with("more", queue.isMore()))
                .header("Cache-Control", "no-store");
    }

    /** A draft, whole. */
    private Response draft(Visit visit) {
        visit.live();
        watch.recordVisit(visit);
        String inbox = visit.path(INBOX);
        String id = visit.path("draft_id");
        visit.read(LocalCall.get(INBOXES, inbox, DRAFTS, id));
        return visit.page(
                "approval",
                "approvals/Approve a draft",
                Map.of(
                        "d", new DraftReader(visit).read(inbox, id),
                        "place", WaitingQueue.read(visit).place(WaitingItem.DRAFT, inbox, id)));
    }

    /** A held mail, with what made it held. */
    private Response mail(Visit visit) {
        visit.live();
        watch.recordVisit(visit);
        String inbox = visit.path(INBOX);
        String id = visit.path("message_id");
        JsonTree message = visit.read(LocalCall.get(INBOXES, inbox, MESSAGES, id));
        String html = message.text("html");
        HeldMail held = new HeldMail(
                message,
                Voucher.words(message),
                ThreadPages.hidden(message),
                html.isEmpty() ? List.of() : LinkTargets.of(html));
        return visit.page(
                "held",
                "approvals/Held mail",
                Map.of("h", held, "place", WaitingQueue.read(visit).place(WaitingItem.MAIL, inbox, id)));
    }

    private Response act(Visit visit) {
        String done = visit.form().text("do");
        return switch (done) {
            case "release", "delete", "block" -> decideMail(visit, done);
            case "approve", "reject" -> decideDraft(visit, done);
            case "letters-on", "letters-off" -> {
                watch.mute(visit, done.equals("letters-off"));
                yield visit.to("changed", "approvals");
            }
            default -> throw Problem.invalid("do", "This page has no such action");
        };
    }

    private static Response decideMail(Visit visit, String what) {
        PageForm form = visit.form();
        String inbox = form.text(INBOX);
        String id = form.text("message_id");
        WaitingQueue queue = WaitingQueue.read(visit);
        WaitingItem.Name name = new WaitingItem.Name(WaitingItem.MAIL, inbox, id);
        if (what.equals("release")) {
            JsonObject body = new JsonObject();
            InboxPages.put(body, "reason", form.text("reason"));
            visit.change(LocalCall.post(body, INBOXES, inbox, MESSAGES, id, "release"));
            return queue.onward(visit, "released", name);
        }
        String sender = what.equals("block")
                ? visit.silently(LocalCall.get(INBOXES, inbox, MESSAGES, id)).text("from_address")
                : "";
        visit.decide(
                Permission.MESSAGE_DELETE,
                LocalCall.delete(INBOXES, inbox, MESSAGES, id).with("held", "true"));
        if (what.equals("block")) {
            visit.decide(
                    Permission.LIST_ENTRY_CREATE,
                    LocalCall.post(JsonObject.of("entry", sender), INBOXES, inbox, "lists", "receive", "block"));
        }
        return queue.onward(visit, what.equals("block") ? "blocked" : "deleted", name);
    }

    /** Decides a draft as it was read: another version is refused by the API. */
    private static Response decideDraft(Visit visit, String what) {
        PageForm form = visit.form();
        String inbox = form.text(INBOX);
        String id = form.text("draft_id");
        WaitingQueue queue = WaitingQueue.read(visit);
        JsonObject read = JsonObject.of("updated_at", form.text("updated_at"));
        if (what.equals("reject")) {
            InboxPages.put(read, "note", form.text("note"));
        } else if (!form.all("always").isEmpty()) {
            read.with("always_allow", form.all("always"));
        }
        visit.change(LocalCall.post(read, INBOXES, inbox, DRAFTS, id, what));
        return queue.onward(
                visit,
                what.equals("reject") ? "rejected" : "approved",
                new WaitingItem.Name(WaitingItem.DRAFT, inbox, id));
    }
}
