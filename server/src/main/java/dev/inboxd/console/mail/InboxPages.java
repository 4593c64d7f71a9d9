package dev.inboxd.console.mail;

import dev.inboxd.base.access.Role;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.session.ConsolePages;
import dev.inboxd.console.session.PageForm;
import dev.inboxd.console.session.Visit;
import dev.inboxd.console.view.SearchTokens;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Inboxes, and the conversations of one. */
public final class InboxPages {
    private static final List<String> REASONS = MailSearch.REASONS;

    private static final String TRASH = "trash";
    private static final String MESSAGES = "messages";

    private static final String INBOX = "inbox_id";
    private static final String INBOXES = "inboxes";
    private static final String LABELS = "labels";
    private static final String EXEMPTIONS = "approval-exemptions";
    private static final String THREADS = "threads";
    private static final String LOST = "lost";
    private static final String PAGE = "30";
    private static final int MOST_COUNTED = 100;

    private final ThrownMail thrown;
    private final PickedThreads picked;

    public InboxPages(ThrownMail thrown) {
        this.thrown = thrown;
        this.picked = new PickedThreads(thrown);
    }

    public void mount(ConsolePages pages) {
        pages.page("/inboxes", InboxPages::list)
                .form("/inboxes", Role.OWN, InboxPages::create)
                .page("/inboxes/{inbox_id}", this::inbox)
                .form("/inboxes/{inbox_id}", Role.OWN, this::act);
    }

    private static Response list(Visit visit) {
        visit.live();
        String query = visit.query("q");
        LocalCall call = query.isEmpty()
                ? paged(visit, LocalCall.get(INBOXES).with("limit", PAGE))
                : LocalCall.get(INBOXES, "search").with("q", query);
        JsonTree inboxes = visit.read(call);
        List<String> unread = unread(visit, inboxes.list(INBOXES));
        return visit.page("inboxes", "inboxes/Inboxes", Map.of("inboxes", inboxes, "unread", unread, "query", query));
    }

    /** How many conversations of each inbox are unread among the newest hundred of all; empty: not known. */
    private static List<String> unread(Visit visit, List<JsonTree> inboxes) {
        JsonTree threads = visit.readIfAllowed(
                LocalCall.get(THREADS).with(LABELS, "unread").with("limit", "100"));
        boolean isAll = !threads.has("next_page_token");
        Map<String, Long> counts = threads.list(THREADS).stream()
                .collect(Collectors.groupingBy(thread -> thread.text(INBOX), Collectors.counting()));
        return inboxes.stream()
                .map(inbox -> counts.getOrDefault(inbox.text(INBOX), 0L))
                .map(count -> isAll ? String.valueOf(count) : count == 0 ? "" : count + "+")
                .toList();
    }

    private static Response create(Visit visit) {
        JsonObject body = new JsonObject();
        put(body, "username", visit.form().text("username"));
        put(body, "display_name", visit.form().text("display_name"));
        JsonTree inbox = visit.change(LocalCall.post(body, INBOXES));
        return visit.to("created", INBOXES, inbox.text(INBOX));
    }

    public static void put(JsonObject body, String name, String value) {
        if (!value.isEmpty()) {
            body.with(name, value);
        }
    }

    public static LocalCall paged(Visit visit, LocalCall call) {
        String token = visit.query("page_token");
        return token.isEmpty() ? call : call.with("page_token", token);
    }

    private Response inbox(Visit visit) {
        visit.live();
        String id = visit.path(INBOX);
        JsonTree inbox = visit.read(LocalCall.get(INBOXES, id));
        String tab = visit.query("tab").isEmpty() ? "all" : visit.query("tab");
        List<List<String>> hidden = tab.equals("hidden") ? hidden(visit, id) : List.of();
        String reason = reason(visit.query("reason"), hidden);
        JsonTree dropped = visit.readIfAllowed(dropped(visit, id, tab));
        SearchTokens tokens = tokens(visit, tab, reason);
        MailSearch search = items(visit, id, tab, tokens);
        JsonTree items = tab.equals(LOST) ? dropped : search.threads();
        return visit.page(
                "inbox",
                "inboxes/" + inbox.text(INBOX),
                Map.ofEntries(
                        Map.entry("inbox", inbox),
                        Map.entry(
                                "exemptions",
                                visit.readIfAllowed(LocalCall.get(INBOXES, id, EXEMPTIONS))
                                        .list("exemptions")),
                        Map.entry("dropped", dropped),
                        Map.entry("canApprove", visit.has("POST", INBOXES, id, "drafts", "any", "approve")),
                        Map.entry("tab", tab),
                        Map.entry("query", visit.query("q")),
                        Map.entry("zone", visit.query("zone")),
                        Map.entry("tokens", tokens),
                        Map.entry("faults", search.faults()),
                        Map.entry("reason", reason),
                        Map.entry("hidden", hidden),
                        Map.entry(
                                "thrown", tab.equals(TRASH) ? thrown.byThread(visit, items.list(MESSAGES)) : List.of()),
                        Map.entry("items", items)));
    }

    /** The reason that was chosen, else the first for which mail is hidden. */
    private static String reason(String chosen, List<List<String>> hidden) {
        return REASONS.contains(chosen)
                ? chosen
                : hidden.stream()
                        .filter(entry -> !entry.get(1).equals("0"))
                        .findFirst()
                        .map(List::getFirst)
                        .orElse("");
    }

    /** What a pause dropped: a page of it, or its number alone. */
    private static LocalCall dropped(Visit visit, String id, String tab) {
        LocalCall call = LocalCall.get(INBOXES, id, "dropped");
        return tab.equals(LOST) ? paged(visit, call.with("limit", "100")) : call.with("limit", "1");
    }

    /** What a part of an inbox has: drafts, messages of the trash, or conversations that are searched. */
    private static MailSearch items(Visit visit, String id, String tab, SearchTokens tokens) {
        LocalCall messages = LocalCall.get(INBOXES, id, MESSAGES).with("limit", PAGE);
        return switch (tab) {
            case "drafts" -> listed(visit, LocalCall.get(INBOXES, id, "drafts").with("limit", PAGE));
            case TRASH -> listed(visit, MailSearch.includingAll(messages.with(LABELS, TRASH)));
            case LOST -> new MailSearch(JsonTree.EMPTY, List.of(), id);
            default -> MailSearch.of(visit, tokens, id, PAGE);
        };
    }

    private static MailSearch listed(Visit visit, LocalCall call) {
        return new MailSearch(visit.read(paged(visit, call)), List.of(), "");
    }

    /** The search of a part of an inbox, which is a filter beside those that were typed. */
    private static SearchTokens tokens(Visit visit, String tab, String reason) {
        SearchTokens typed = SearchTokens.of(visit.query("q"), visit.query("zone"));
        return switch (tab) {
            case "unread", "sent" -> typed.with(LABELS, tab);
            case "me", "them" -> typed.with("waiting", tab);
            case "hidden" -> typed.with(LABELS, reason.isEmpty() ? "held" : reason);
            default -> typed;
        };
    }

    /** How many conversations each reason hides. */
    private static List<List<String>> hidden(Visit visit, String id) {
        List<List<String>> counts = new ArrayList<>();
        for (String reason : REASONS) {
            LocalCall labelled = LocalCall.get(INBOXES, id, THREADS).with(LABELS, reason);
            JsonTree threads =
                    visit.change(MailSearch.includingAll(labelled).with("limit", String.valueOf(MOST_COUNTED)));
            int count = threads.list(THREADS).size();
            counts.add(List.of(reason, threads.has("next_page_token") ? count + "+" : String.valueOf(count)));
        }
        return counts;
    }

    private Response act(Visit visit) {
        String id = visit.path(INBOX);
        PageForm form = visit.form();
        if (PickedThreads.isMeant(form)) {
            return picked.act(visit);
        }
        switch (form.text("do")) {
            case "pause" -> visit.change(LocalCall.patch(JsonObject.of("status", "paused"), INBOXES, id));
            case "resume" -> visit.change(LocalCall.patch(JsonObject.of("status", "active"), INBOXES, id));
            case "pause-sending" -> visit.change(LocalCall.patch(JsonObject.of("sending", "paused"), INBOXES, id));
            case "resume-sending" -> visit.change(LocalCall.patch(JsonObject.of("sending", "active"), INBOXES, id));
            case "approval-on" ->
                visit.change(LocalCall.patch(JsonObject.of("send_approval", "required"), INBOXES, id));
            case "approval-off" ->
                visit.change(new LocalCall("PATCH", LocalCall.path(INBOXES, id), null, "{\"send_approval\":null}"));
            case "exemption-off" -> visit.change(LocalCall.delete(INBOXES, id, EXEMPTIONS, form.text("address")));
            case "send-draft" ->
                visit.change(LocalCall.post(new JsonObject(), INBOXES, id, "drafts", form.text("draft_id"), "send"));
            case "trash", "undo", "restore", "purge" -> {
                return trash(visit, id, form);
            }
            case "delete" -> {
                visit.change(LocalCall.delete(INBOXES, id));
                return visit.to("deleted", INBOXES);
            }
            case "delete-draft" -> visit.change(LocalCall.delete(INBOXES, id, "drafts", form.text("draft_id")));
            case "send" -> {
                JsonObject body = JsonObject.of("to", form.text("to"))
                        .with("subject", form.text("subject"))
                        .with("text", form.text("text"));
                JsonTree sent = visit.change(LocalCall.post(body, INBOXES, id, MESSAGES, "send"));
                return visit.to("sent", INBOXES, id, THREADS, sent.text("thread_id"));
            }
            default -> throw Problem.invalid("do", "This page has no such action");
        }
        return visit.to("changed", INBOXES, id);
    }

    private Response trash(Visit visit, String id, PageForm form) {
        return switch (form.text("do")) {
            case "trash" -> {
                Set<String> changed = new LinkedHashSet<>();
                thrown.threads(visit, id, form.all("thread_id"), changed::add);
                yield changed.isEmpty()
                        ? visit.to("kept", INBOXES, id)
                        : visit.to("trashed", Map.of("undo", String.join(",", changed)), INBOXES, id);
            }
            case "undo" -> picked.undo(visit);
            case "restore" -> {
                thrown.restore(visit, id, form.all("message_id"));
                yield visit.to("restored", Map.of("tab", TRASH), INBOXES, id);
            }
            default -> {
                thrown.purge(visit, id, form.all("message_id"));
                yield visit.to("purged", Map.of("tab", TRASH), INBOXES, id);
            }
        };
    }
}
