package dev.inboxd.console;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.mail.InboxPages;
import dev.inboxd.console.session.ConsolePages;
import dev.inboxd.console.session.PageForm;
import dev.inboxd.console.session.Visit;
import java.util.List;
import java.util.Map;

/** API keys, the people behind an organization, and what was done by whom. */
final class KeyPages {
    private static final String KEYS = "api-keys";
    private static final String SESSIONS = "/console/sessions"; // not part of the API (identity.md §17)

    void mount(ConsolePages pages) {
        pages.page("/keys", visit -> list(visit, JsonTree.EMPTY))
                .form("/keys", KeyPages::act)
                .page("/keys/{api_key_id}", KeyPages::key);
    }

    private static Response list(Visit visit, JsonTree made) {
        JsonTree audit = visit.has("GET", "audit-log")
                ? visit.readIfAllowed(LocalCall.get("audit-log").with("limit", "40"))
                : JsonTree.EMPTY;
        return visit.page(
                        "keys",
                        "keys/Keys and people",
                        Map.of(
                                "keys",
                                visit.read(InboxPages.paged(visit, LocalCall.get(KEYS))),
                                "organization",
                                visit.readIfAllowed(LocalCall.get("organizations")),
                                "made",
                                made,
                                "audit",
                                audit,
                                "sessions",
                                visit.isSignedIn()
                                        ? visit.change(new LocalCall("GET", SESSIONS, null, null))
                                                .list("sessions")
                                        : List.of()))
                .header("Cache-Control", "no-store");
    }

    /** What a key asked for, in the last three days. */
    private static Response key(Visit visit) {
        String id = visit.path("api_key_id");
        return visit.page(
                "key",
                "keys/Requests of a key",
                Map.of(
                        "key", visit.read(LocalCall.get(KEYS, id)),
                        "requests",
                                visit.readIfAllowed(InboxPages.paged(
                                        visit,
                                        LocalCall.get(KEYS, id, "requests").with("limit", "50")))));
    }

    private static Response act(Visit visit) {
        PageForm form = visit.form();
        return switch (form.text("do")) {
            case "create" -> {
                JsonObject body = JsonObject.of("name", form.text("name"));
                String inbox = form.text("inbox_id");
                // The key is in this answer alone; a reload of the page would make another, so the browser asks first.
                yield list(
                        visit,
                        visit.change(
                                inbox.isEmpty()
                                        ? LocalCall.post(body, KEYS)
                                        : LocalCall.post(body, "inboxes", inbox, KEYS)));
            }
            case "revoke" -> {
                visit.change(LocalCall.delete(KEYS, form.text("api_key_id")));
                yield visit.to("deleted", "keys");
            }
            case "end" -> {
                String session = LocalCall.encoded(form.text("session_id"));
                visit.change(new LocalCall("DELETE", SESSIONS + "/" + session, null, null));
                yield visit.to("ended", "keys");
            }
            case "end-all" -> {
                visit.change(new LocalCall("DELETE", SESSIONS, null, null));
                yield visit.to("", "enter");
            }
            default -> throw Problem.invalid("do", "This page has no such action");
        };
    }
}
