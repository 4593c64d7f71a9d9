package dev.inboxd.console;

import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.session.ConsolePages;
import dev.inboxd.console.session.Visit;
import java.util.Map;
import java.util.stream.Collectors;

/** Who changed what: the audit log, with the names of keys. */
final class ActivityPages {
    private static final String KEYS = "api-keys";

    void mount(ConsolePages pages) {
        pages.page("/activity", ActivityPages::list);
    }

    private static Response list(Visit visit) {
        JsonTree log = visit.has("GET", "audit-log") ? visit.readIfAllowed(entries(visit)) : JsonTree.EMPTY;
        JsonTree keys = visit.silently(LocalCall.get(KEYS).with("limit", "100"));
        return visit.page(
                "activity",
                "activity/Activity",
                Map.of(
                        "log",
                        log,
                        "names",
                        keys.list("api_keys").stream()
                                .collect(
                                        Collectors.toMap(each -> each.text("api_key_id"), each -> each.text("name")))));
    }

    private static LocalCall entries(Visit visit) {
        LocalCall call = LocalCall.get("audit-log").with("limit", "40");
        String token = visit.query("page_token");
        return token.isEmpty() ? call : call.with("page_token", token);
    }
}
