package dev.inboxd.console.approval;

import dev.inboxd.base.access.Role;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.session.ConsolePages;
import dev.inboxd.console.session.PageForm;
import dev.inboxd.console.session.Visit;
import dev.inboxd.console.view.DraftFacts;
import dev.inboxd.console.view.WaitingItem;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** One draft, whether it waits or not: it is read whole, and changed. */
public final class DraftPages {
    private static final String INBOX = "inbox_id";
    private static final String INBOXES = "inboxes";
    private static final String DRAFT = "draft_id";
    private static final String DRAFTS = "drafts";

    public void mount(ConsolePages pages) {
        String draft = "/inboxes/{inbox_id}/drafts/{draft_id}";
        pages.page(draft, DraftPages::draft)
                .form(draft, Role.OWN, DraftPages::edit)
                .page(draft + "/attachments/{attachment_id}", DraftPages::attachment);
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
        JsonObject body = edited(form, before).with("updated_at", form.text("updated_at"));
        JsonTree after = visit.change(LocalCall.patch(body, INBOXES, inbox, DRAFTS, id));
        if (!form.text("do").equals("approve")) {
            return visit.to("changed", INBOXES, inbox, DRAFTS, id);
        }
        WaitingQueue queue = WaitingQueue.read(visit);
        JsonObject read = JsonObject.of("updated_at", after.text("updated_at"));
        visit.change(LocalCall.post(read, INBOXES, inbox, DRAFTS, id, "approve"));
        return queue.onward(visit, "approved", new WaitingItem.Name(WaitingItem.DRAFT, inbox, id));
    }

    /** The members of a draft that a form has with other values. */
    private static JsonObject edited(PageForm form, JsonTree before) {
        JsonObject body = new JsonObject();
        for (String role : List.of("to", "cc", "bcc")) {
            if (!form.text(role).equals(String.join(", ", before.texts(role)))) {
                body.with(role, form.text(role));
            }
        }
        if (!form.multiline("subject").equals(before.text("subject"))) {
            body.with("subject", form.multiline("subject"));
        }
        if (!form.multiline("text")
                .equals(before.text("text").replace("\r\n", "\n").replace('\r', '\n'))) {
            body.with("text", form.multiline("text"));
            if (before.has("html")) {
                body.with("html", ""); // it would still say what the text said
            }
        }
        return body;
    }
}
