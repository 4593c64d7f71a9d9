package dev.inboxd.console;

import dev.inboxd.base.access.Role;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.console.mail.InboxPages;
import dev.inboxd.console.session.ConsolePages;
import dev.inboxd.console.session.Visit;
import java.util.Map;

/** Apps, and the accounts that inboxes have there. */
final class AccountPages {
    void mount(ConsolePages pages) {
        pages.page("/apps", AccountPages::list).form("/apps", Role.OWN, AccountPages::act);
    }

    private static Response list(Visit visit) {
        return visit.page(
                "apps",
                "apps/Apps",
                Map.of(
                        "accounts", visit.read(InboxPages.paged(visit, LocalCall.get("accounts"))),
                        "apps", visit.readIfAllowed(LocalCall.get("apps"))));
    }

    private static Response act(Visit visit) {
        String status = visit.form().text("do").equals("enable") ? "enabled" : "disabled";
        visit.change(LocalCall.patch(
                JsonObject.of("status", status), "accounts", visit.form().text("account_id")));
        return visit.to("changed", "apps");
    }
}
