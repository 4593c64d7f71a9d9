package dev.inboxd.console;

import dev.inboxd.base.access.Role;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.session.ConsolePages;
import dev.inboxd.console.session.PageForm;
import dev.inboxd.console.session.Visit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The domains of an organization: their records, wanted and found. */
final class DomainPages {
    private static final String DOMAINS = "domains";
    private static final int MOST_DOMAINS = 10;

    void mount(ConsolePages pages) {
        pages.page("/domains", DomainPages::list).form("/domains", Role.OWN, DomainPages::act);
    }

    private static Response list(Visit visit) {
        visit.live();
        List<JsonTree> domains = new ArrayList<>();
        for (JsonTree domain : visit.readIfAllowed(LocalCall.get(DOMAINS)).list(DOMAINS)) {
            domains.add(
                    domains.size() < MOST_DOMAINS
                            ? visit.change(LocalCall.get(DOMAINS, domain.text("domain_id")))
                            : domain);
        }
        return visit.page("domains", "domains/Domains", Map.of(DOMAINS, domains));
    }

    private static Response act(Visit visit) {
        PageForm form = visit.form();
        switch (form.text("do")) {
            case "verify" -> visit.change(LocalCall.post(new JsonObject(), DOMAINS, form.text("domain_id"), "verify"));
            case "delete" -> {
                visit.change(LocalCall.delete(DOMAINS, form.text("domain_id")));
                return visit.to("deleted", DOMAINS);
            }
            case "add" -> visit.change(LocalCall.post(JsonObject.of("domain", form.text("domain")), DOMAINS));
            default -> throw Problem.invalid("do", "This page has no such action");
        }
        return visit.to("changed", DOMAINS);
    }
}
