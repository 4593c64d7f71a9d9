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
import java.util.Set;

/** What waits to leave, where and why; and the records of domains, wanted and found. */
final class QueuePages {
    private static final Set<String> SETTLED = Set.of("delivered", "bounced", "rejected", "captured");
    private static final String DOMAINS = "domains";
    private static final int MOST_DOMAINS = 10;
    private static final int MOST_MESSAGES = 20;

    void mount(ConsolePages pages) {
        pages.page("/domains", QueuePages::list).form("/domains", Role.OWN, QueuePages::act);
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
        return visit.page(
                "domains",
                "domains/Queue and domains",
                Map.of("waiting", waiting(visit), "settled", SETTLED, DOMAINS, domains));
    }

    /** Messages of which a recipient has no result yet, of those that were sent last. */
    private static List<JsonTree> waiting(Visit visit) {
        List<JsonTree> waiting = new ArrayList<>();
        int looked = 0;
        for (JsonTree thread : visit.readIfAllowed(
                        LocalCall.get("threads").with("labels", "sent").with("limit", "50"))
                .list("threads")) {
            boolean settled = thread.texts("labels").contains("delivered")
                    && !thread.texts("labels").contains("delayed");
            if (settled || looked++ >= MOST_MESSAGES) {
                continue;
            }
            JsonTree message = message(visit, thread);
            if (message.list("deliveries").stream().anyMatch(each -> !SETTLED.contains(each.text("status")))) {
                waiting.add(message);
            }
        }
        return waiting;
    }

    private static JsonTree message(Visit visit, JsonTree thread) {
        try {
            return visit.change(
                    LocalCall.get("inboxes", thread.text("inbox_id"), "messages", thread.text("last_message_id")));
        } catch (Problem gone) {
            return JsonTree.EMPTY;
        }
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
