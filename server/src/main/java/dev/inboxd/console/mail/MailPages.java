package dev.inboxd.console.mail;

import dev.inboxd.base.access.Role;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.session.ConsolePages;
import dev.inboxd.console.session.Visit;
import dev.inboxd.console.view.SearchTokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The one search over all inboxes that somebody sees, as a page and as what is found while one types. */
public final class MailPages {
    private static final String INBOXES = "inboxes";
    private static final String PAGE = "30";
    private static final String FEW = "6";
    private static final int SHORTEST = 2;
    private static final int MOST_KEYS = 3;

    /** What can be done, with its page; what changes much has its question there. */
    private static final String STOP = "#stop";

    private static final List<List<String>> ACTIONS = List.of(
            List.of("Stop all outgoing mail, webhooks and feeds", STOP),
            List.of("Pause an inbox", "/inboxes"),
            List.of("Send test message", "#test"),
            List.of("Create new inbox", "/inboxes#new"),
            List.of("Create new key", "/keys#new"),
            List.of("Unread mail", "/mail?q=label%3Aunread"),
            List.of("Waiting for me", "/mail?q=waiting%3Ame"),
            List.of("Waiting for them", "/mail?q=waiting%3Athem"),
            List.of("Trash", "/mail?q=label%3Atrash"));

    private final PickedThreads picked;

    public MailPages(ThrownMail thrown) {
        this.picked = new PickedThreads(thrown);
    }

    public void mount(ConsolePages pages) {
        pages.page("/mail", MailPages::mail).form("/mail", Role.OWN, this::act).page("/palette", MailPages::palette);
    }

    private static Response mail(Visit visit) {
        visit.live();
        String query = typed(visit);
        SearchTokens tokens = SearchTokens.of(query, visit.query("zone"));
        MailSearch search = MailSearch.of(visit, tokens, "", PAGE);
        return visit.page(
                "mail",
                "mail/All mail",
                Map.of(
                        "query", query,
                        "zone", visit.query("zone"),
                        "tokens", tokens,
                        "faults", search.faults(),
                        "threads", search.threads(),
                        "searched", search.inbox()));
    }

    /** What was typed; the filters of a link stand in it as if they were. */
    private static String typed(Visit visit) {
        StringBuilder typed = new StringBuilder(visit.query("q"));
        for (String filter : List.of("label", "after", "before", "waiting")) {
            String value = visit.query(filter).replace("\"", "");
            if (!value.isBlank()) {
                String quoted = value.contains(" ") ? '"' + value + '"' : value;
                typed.append(' ').append(filter).append(':').append(quoted);
            }
        }
        return typed.toString().strip();
    }

    private Response act(Visit visit) {
        if (visit.form().text("do").equals("undo")) {
            return picked.undo(visit);
        }
        if (!PickedThreads.isMeant(visit.form())) {
            throw Problem.invalid("do", "This page has no such action");
        }
        return picked.act(visit);
    }

    /** What fits the beginning of what somebody looks for: actions, inboxes, keys, conversations. */
    private static Response palette(Visit visit) {
        String query = visit.query("q").strip();
        boolean isLong = query.length() >= SHORTEST;
        String lower = query.toLowerCase(Locale.ROOT);
        List<JsonTree> inboxes = isLong
                ? few(visit, LocalCall.get(INBOXES, "search").with("q", query).with("limit", "4"), INBOXES)
                : List.of();
        List<JsonTree> keys = new ArrayList<>(
                isLong ? few(visit, LocalCall.get("api-keys").with("limit", "100"), "api_keys") : List.of());
        keys.removeIf(key -> !key.text("name").toLowerCase(Locale.ROOT).contains(lower));
        SearchTokens tokens = SearchTokens.of(query, visit.query("zone"));
        return visit.page(
                "palette",
                "mail/Go to",
                Map.of(
                        "query",
                        query,
                        "zone",
                        visit.query("zone"),
                        "actions",
                        actions(visit, lower),
                        "inboxes",
                        inboxes,
                        "keys",
                        keys.stream().limit(MOST_KEYS).toList(),
                        "threads",
                        isLong ? threads(visit, tokens) : List.of()));
    }

    private static List<List<String>> actions(Visit visit, String part) {
        return ACTIONS.stream()
                .filter(action -> action.getFirst().toLowerCase(Locale.ROOT).contains(part))
                .filter(action -> !action.get(1).equals(STOP) || visit.has("POST", "organizations", "stop"))
                .filter(action -> visit.caller().role().covers(needed(action.get(1))))
                .toList();
    }

    /** The role that what is behind an action takes. */
    private static Role needed(String address) {
        if (address.startsWith("/mail")) {
            return Role.READ;
        }
        return address.equals(STOP) ? Role.APPROVE : Role.OWN;
    }

    private static List<JsonTree> threads(Visit visit, SearchTokens tokens) {
        try {
            return MailSearch.of(visit, tokens, "", FEW).threads().list("threads");
        } catch (Problem refused) {
            return List.of(); // the page of the search says why
        }
    }

    private static List<JsonTree> few(Visit visit, LocalCall call, String name) {
        try {
            return visit.read(call).list(name);
        } catch (Problem refused) {
            return List.of();
        }
    }
}
