package dev.inboxd.console.mail;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.session.Visit;
import dev.inboxd.console.view.SearchTokens;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A search for conversations by words and filters at once. Nothing that was typed is passed over: what the API does not
 * do together is refused in words.
 *
 * @param threads as the API lists them
 * @param faults why nothing was looked for; empty when it was
 * @param inbox the one that was looked in; empty for all
 */
record MailSearch(JsonTree threads, List<String> faults, String inbox) {
    /** Why mail is hidden from an agent that does not ask for it: the label, and the parameter that includes it. */
    static final List<String> REASONS = List.of("spam", "blocked", "unauthenticated", "trash", "held");

    private static final String INBOXES = "inboxes";
    private static final String ID = "inbox_id";
    private static final String LABELS = "labels";
    private static final String WAITING = "waiting";
    private static final int SHORTEST = 2;

    MailSearch {
        faults = List.copyOf(faults);
    }

    /**
     * Searches.
     *
     * @param own the inbox whose page it is; empty for all that the person sees
     * @param limit how many at most
     */
    static MailSearch of(Visit visit, SearchTokens tokens, String own, String limit) {
        List<String> faults = new ArrayList<>(tokens.faults());
        if (!tokens.words().isEmpty()) {
            addWordFaults(tokens, faults);
        }
        if (tokens.values(WAITING).size() > 1) {
            faults.add("The filter waiting: can be used only once");
        }
        String inbox = faults.isEmpty() ? inbox(visit, tokens, own, faults) : own;
        if (!faults.isEmpty()) {
            return new MailSearch(JsonTree.EMPTY, faults, inbox);
        }
        try {
            LocalCall call = call(tokens, inbox).with("limit", limit);
            return new MailSearch(visit.read(InboxPages.paged(visit, call)), List.of(), inbox);
        } catch (Problem failed) {
            return new MailSearch(JsonTree.EMPTY, List.of(fault(failed, tokens, inbox.equals(own) ? "" : inbox)), "");
        }
    }

    /** What is said of a failure; others than these are thrown. */
    private static String fault(Problem failed, SearchTokens tokens, String named) {
        if (failed.code() == ErrorCode.NOT_FOUND && !named.isEmpty()) {
            return "There is no inbox " + named;
        }
        if (failed.code() == ErrorCode.SERVICE_UNAVAILABLE && !tokens.words().isEmpty()) {
            return "This search takes too long, because too much mail has these words. Add a date such as"
                    + " after:2026-11-01, or a rarer word";
        }
        throw failed;
    }

    /** What a search by words does not know. */
    private static void addWordFaults(SearchTokens tokens, List<String> faults) {
        if (!tokens.values(WAITING).isEmpty()) {
            faults.add("The filter waiting: cannot be combined with words. Remove one of them");
        }
        for (String label : labels(tokens)) {
            if (REASONS.contains(label)) {
                faults.add("Mail with the label " + label
                        + " is hidden and cannot be searched by words. Remove the words to list label:" + label);
            }
        }
    }

    private static List<String> labels(SearchTokens tokens) {
        return tokens.values(LABELS).stream()
                .flatMap(list -> List.of(list.split(",", -1)).stream())
                .map(String::strip)
                .toList();
    }

    /** The inbox that is searched; empty for all. */
    private static String inbox(Visit visit, SearchTokens tokens, String own, List<String> faults) {
        List<String> named = tokens.values(SearchTokens.INBOX);
        if (named.isEmpty()) {
            return own;
        }
        String requested = named.getFirst().toLowerCase(Locale.ROOT);
        if (named.size() > 1) {
            faults.add("The filter in: can be used only once");
        } else if (own.isEmpty()) {
            return requested.contains("@") ? requested : byName(visit, requested, faults);
        } else if (!own.equalsIgnoreCase(requested) && !isName(own, requested)) {
            faults.add("This page searches only " + own + ". Use the page All mail to search " + requested);
        }
        return own;
    }

    private static boolean isName(String inbox, String name) {
        return inbox.toLowerCase(Locale.ROOT).startsWith(name + "@");
    }

    /** The inbox with a name before its @, or the only one that begins so. */
    private static String byName(Visit visit, String name, List<String> faults) {
        List<String> matches = name.length() < SHORTEST
                ? List.of()
                : visit.silently(LocalCall.get(INBOXES, "search").with("q", name)).list(INBOXES).stream()
                        .map(inbox -> inbox.text(ID))
                        .filter(address -> address.toLowerCase(Locale.ROOT).startsWith(name))
                        .toList();
        List<String> exact =
                matches.stream().filter(address -> isName(address, name)).toList();
        if (exact.size() == 1 || matches.size() == 1) {
            return exact.size() == 1 ? exact.getFirst() : matches.getFirst();
        }
        faults.add(
                matches.isEmpty()
                        ? "There is no inbox " + name
                        : "Several inboxes match in:" + name + ". Enter the whole address");
        return "";
    }

    private static LocalCall call(SearchTokens tokens, String inbox) {
        List<String> path = new ArrayList<>(inbox.isEmpty() ? List.of() : List.of(INBOXES, inbox));
        path.add("threads");
        if (!tokens.words().isEmpty()) {
            path.add("search");
        }
        LocalCall call = LocalCall.get(path.toArray(String[]::new));
        if (!tokens.words().isEmpty()) {
            call = call.with("q", tokens.words());
        }
        for (SearchTokens.Filter filter : tokens.filters()) {
            if (!filter.name().equals(SearchTokens.INBOX)) {
                call = call.with(filter.name(), filter.value());
            }
        }
        if (!tokens.values(WAITING).isEmpty()) {
            call = call.with("order", "waiting_since");
        }
        return labels(tokens).stream().anyMatch(REASONS::contains) ? includingAll(call) : call;
    }

    /** What is hidden for two reasons is under both. */
    static LocalCall includingAll(LocalCall call) {
        LocalCall all = call;
        for (String reason : REASONS) {
            all = all.with("include_" + reason, "true");
        }
        return all;
    }
}
