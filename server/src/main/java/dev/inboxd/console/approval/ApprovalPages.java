package dev.inboxd.console.approval;

import dev.inboxd.base.error.ErrorCode;
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
import dev.inboxd.console.view.DraftFacts;
import dev.inboxd.console.view.HeldMail;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What waits for somebody's decision: drafts that may not leave yet, and mail that is held from the agent. */
public final class ApprovalPages {
    private static final String INBOX = "inbox_id";
    private static final String INBOXES = "inboxes";
    private static final String DRAFT = "draft_id";
    private static final String DRAFTS = "drafts";
    private static final String APPROVALS = "approvals";
    private static final String MESSAGES = "messages";
    private static final String MESSAGE = "message_id";
    private static final String PAGE = "10";
    private static final String NEXT_PAGE = "next_page_token";

    public void mount(ConsolePages pages) {
        String draft = "/inboxes/{inbox_id}/drafts/{draft_id}";
        pages.page("/approvals", ApprovalPages::list)
                .page("/waiting", ApprovalPages::count)
                .form("/approvals", ApprovalPages::act)
                .page(draft, ApprovalPages::draft)
                .form(draft, ApprovalPages::edit)
                .page(draft + "/attachments/{attachment_id}", ApprovalPages::attachment);
    }

    private static Response list(Visit visit) {
        visit.live();
        JsonTree page = visit.readIfAllowed(InboxPages.paged(visit, waiting().with("limit", PAGE)));
        DraftReader reader = new DraftReader(visit);
        List<DraftFacts> drafts = new ArrayList<>();
        for (JsonTree draft : page.list(DRAFTS)) {
            try {
                drafts.add(reader.read(draft.text(INBOX), draft.text(DRAFT)));
            } catch (Problem decided) {
                if (decided.code() != ErrorCode.NOT_FOUND) {
                    throw decided;
                }
            }
        }
        List<HeldMail> held = new ArrayList<>();
        for (JsonTree thread : held(visit).list("threads")) {
            JsonTree whole =
                    visit.change(LocalCall.get(INBOXES, thread.text(INBOX), "threads", thread.text("thread_id"))
                            .with("include_held", "true"));
            whole.list("messages").stream()
                    .filter(message -> message.texts("labels").contains("held"))
                    .map(message -> new HeldMail(message, Voucher.words(message), ThreadPages.hidden(message)))
                    .forEach(held::add);
        }
        return visit.page(
                APPROVALS,
                "approvals/Approvals",
                Map.of(DRAFTS, drafts, "page", page, "held", held.subList(0, Math.min(held.size(), 10))));
    }

    /** How much waits for a decision: the number beside the entry of the navigation. */
    private static Response count(Visit visit) {
        JsonTree drafts = visit.readIfAllowed(waiting().with("limit", PAGE));
        JsonTree held = held(visit);
        int count = drafts.list(DRAFTS).size() + held.list("threads").size();
        boolean more = drafts.has(NEXT_PAGE) || held.has(NEXT_PAGE);
        return Response.ok(JsonObject.of("count", count).with("more", more)).header("Cache-Control", "no-store");
    }

    private static LocalCall waiting() {
        return LocalCall.get(DRAFTS).with("send_status", "awaiting_approval");
    }

    /** Drafts that wait for an approval. */
    public static List<JsonTree> drafts(Visit visit) {
        return visit.readIfAllowed(waiting().with("limit", "100")).list(DRAFTS);
    }

    /** Conversations with held mail. */
    public static JsonTree held(Visit visit) {
        return visit.readIfAllowed(LocalCall.get("threads")
                .with("labels", "held")
                .with("include_held", "true")
                .with("limit", PAGE));
    }

    /** One draft, whole. */
    private static Response draft(Visit visit) {
        visit.live();
        String inbox = visit.path(INBOX);
        visit.read(LocalCall.get(INBOXES, inbox, DRAFTS, visit.path(DRAFT)));
        DraftFacts facts = new DraftReader(visit).read(inbox, visit.path(DRAFT));
        return visit.page("draft", "approvals/Draft", Map.of("d", facts));
    }

    private static Response attachment(Visit visit) {
        JsonTree link = visit.change(LocalCall.get(
                INBOXES, visit.path(INBOX), DRAFTS, visit.path(DRAFT), "attachments", visit.path("attachment_id")));
        URI url = URI.create(link.text("download_url"));
        return Response.ok().status(303).header("Location", url.getRawPath());
    }

    /** Changes a draft; nothing when it is not the one that the page showed. */
    private static Response edit(Visit visit) {
        PageForm form = visit.form();
        String inbox = visit.path(INBOX);
        String id = visit.path(DRAFT);
        JsonTree before = visit.change(LocalCall.get(INBOXES, inbox, DRAFTS, id));
        if (!before.text("updated_at").equals(form.text("updated_at"))) {
            throw Problem.of(
                    ErrorCode.CONFLICT,
                    "Somebody changed the draft since you opened it",
                    "Open the draft again and read what it says now.");
        }
        JsonObject body = edited(form, before);
        JsonTree after = visit.change(LocalCall.patch(body, INBOXES, inbox, DRAFTS, id));
        if (!form.text("do").equals("approve")) {
            return visit.to("changed", INBOXES, inbox, DRAFTS, id);
        }
        JsonObject read = JsonObject.of("updated_at", after.text("updated_at"));
        visit.change(LocalCall.post(read, INBOXES, inbox, DRAFTS, id, "approve"));
        return visit.to("approved", APPROVALS);
    }

    /** The members of a draft that a form has with other values. */
    private static JsonObject edited(PageForm form, JsonTree before) {
        JsonObject body = new JsonObject();
        for (String role : List.of("to", "cc", "bcc")) {
            if (!form.text(role).equals(String.join(", ", before.texts(role)))) {
                body.with(role, form.text(role));
            }
        }
        if (!form.whole("subject").equals(before.text("subject"))) {
            body.with("subject", form.whole("subject"));
        }
        if (!form.whole("text").equals(before.text("text").replace("\r\n", "\n").replace('\r', '\n'))) {
            body.with("text", form.whole("text"));
            if (before.has("html")) {
                body.with("html", ""); // it would still say what the text said
            }
        }
        return body;
    }

    private static Response act(Visit visit) {
        PageForm form = visit.form();
        String inbox = form.text(INBOX);
        String draft = form.text(DRAFT);
        JsonObject read = JsonObject.of("updated_at", form.text("updated_at"));
        return switch (form.text("do")) {
            case "release" -> {
                JsonObject body = new JsonObject();
                InboxPages.put(body, "reason", form.text("reason"));
                visit.change(LocalCall.post(body, INBOXES, inbox, MESSAGES, form.text(MESSAGE), "release"));
                yield visit.to("released", APPROVALS);
            }
            case "delete" -> {
                visit.change(LocalCall.delete(INBOXES, inbox, MESSAGES, form.text(MESSAGE)));
                yield visit.to("deleted", APPROVALS);
            }
            case "block" -> {
                visit.change(LocalCall.post(
                        JsonObject.of("entry", form.text("entry")), INBOXES, inbox, "lists", "receive", "block"));
                visit.change(LocalCall.delete(INBOXES, inbox, MESSAGES, form.text(MESSAGE)));
                yield visit.to("blocked", APPROVALS);
            }
            case "approve" -> {
                if (!form.all("always").isEmpty()) {
                    read.with("always_allow", form.all("always"));
                }
                visit.change(LocalCall.post(read, INBOXES, inbox, DRAFTS, draft, "approve"));
                yield visit.to("approved", APPROVALS);
            }
            case "reject" -> {
                InboxPages.put(read, "note", form.text("note"));
                visit.change(LocalCall.post(read, INBOXES, inbox, DRAFTS, draft, "reject"));
                yield visit.to("rejected", APPROVALS);
            }
            default -> throw Problem.invalid("do", "This page has no such action");
        };
    }
}
