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
import dev.inboxd.mail.screen.HiddenText;
import dev.inboxd.mail.text.SafeMarkup;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A conversation: its messages, who vouches for them, and what somebody can do about it. */
public final class ThreadPages {
    private static final String INBOX = "inbox_id";
    private static final String INBOXES = "inboxes";
    private static final String THREAD = "thread_id";
    private static final String THREADS = "threads";
    private static final String MESSAGE = "message_id";
    private static final String MESSAGES = "messages";
    private static final String PAGE = "20";
    private static final int MOST_RECIPIENTS_SHOWN = 5;
    private static final HiddenText NOTHING = new HiddenText(List.of());

    private final ContentLinks content;
    private final ThrownMail thrown;

    public ThreadPages(ContentLinks content, ThrownMail thrown) {
        this.content = content;
        this.thrown = thrown;
    }

    public void mount(ConsolePages pages) {
        String messages = "/inboxes/{inbox_id}/messages/{message_id}";
        pages.page("/inboxes/{inbox_id}/threads/{thread_id}", this::thread)
                .form("/inboxes/{inbox_id}/threads/{thread_id}", Role.OWN, this::act)
                .page(messages, ThreadPages::source)
                .page(messages + "/raw", ThreadPages::raw)
                .page(messages + "/attachments/{attachment_id}", ThreadPages::attachment);
    }

    private Response thread(Visit visit) {
        return thread(visit, visit.query("formatted"), false);
    }

    /**
     * The conversation.
     *
     * @param formatted the message whose formatted text is shown; empty for none
     * @param remote whether it is shown with pictures from elsewhere
     */
    private Response thread(Visit visit, String formatted, boolean remote) {
        visit.live();
        String inbox = visit.path(INBOX);
        JsonTree thread = visit.read(InboxPages.paged(
                visit,
                LocalCall.get(INBOXES, inbox, THREADS, visit.path(THREAD))
                        .with("limit", PAGE)
                        .with("include_held", "true")));
        List<String> vouching = new ArrayList<>();
        List<HiddenText> hidden = new ArrayList<>();
        List<JsonTree> deliveries = new ArrayList<>();
        for (JsonTree message : thread.list(MESSAGES)) {
            vouching.add(Voucher.words(message));
            boolean sent = message.texts("labels").contains("sent");
            hidden.add(sent ? NOTHING : hidden(message));
            deliveries.add(
                    sent && deliveries.stream().filter(mail -> !mail.isEmpty()).count() < MOST_RECIPIENTS_SHOWN
                            ? visit.change(LocalCall.get(INBOXES, inbox, MESSAGES, message.text(MESSAGE)))
                            : JsonTree.EMPTY);
        }
        String frame = frame(visit, inbox, formatted, remote);
        return visit.page(
                "thread",
                "inboxes/" + subject(thread),
                Map.ofEntries(
                        Map.entry("inbox", inbox),
                        Map.entry("thread", thread),
                        Map.entry("vouching", vouching),
                        Map.entry("hidden", hidden),
                        Map.entry("deliveries", deliveries),
                        Map.entry("formatted", formatted),
                        Map.entry("frame", frame),
                        Map.entry("cards", InvitationCards.of(visit, inbox, thread)),
                        Map.entry("offered", content.isOffered()),
                        Map.entry("remote", frame.isEmpty() || remote ? 0 : pictures(thread, formatted)),
                        Map.entry("thrown", thrownAway(thread)),
                        Map.entry("until", thrown.until(visit, visit.path(THREAD), thrownAway(thread)))));
    }

    /** Where the formatted text of a message is; empty for none. */
    private String frame(Visit visit, String inbox, String formatted, boolean remote) {
        return formatted.isEmpty() || !content.isOffered()
                ? ""
                : content.to(
                        new ContentLinks.Content(visit.caller().organization(), inbox, formatted, remote),
                        Visit.own(visit.request()));
    }

    /** The messages of a page of a conversation whose every message is in the trash; else none. */
    private static List<String> thrownAway(JsonTree thread) {
        return ThrownMail.names(thread, false).isEmpty() ? ThrownMail.names(thread, true) : List.of();
    }

    /** How many pictures from elsewhere a message names. */
    private static int pictures(JsonTree thread, String message) {
        return thread.list(MESSAGES).stream()
                .filter(candidate -> candidate.text(MESSAGE).equals(message))
                .mapToInt(candidate ->
                        SafeMarkup.of(candidate.text("html"), _ -> "").remote().size())
                .sum();
    }

    /** What a machine reads of the message and a person does not see, from the texts that the API gives. */
    public static HiddenText hidden(JsonTree message) {
        return HiddenText.of(
                message.text("from") + "\n" + message.text("subject"),
                message.has("text") ? message.text("text") : null,
                message.has("html") ? message.text("html") : null);
    }

    private static String subject(JsonTree thread) {
        String subject = thread.text("subject");
        return subject.isEmpty() ? "(no subject)" : subject;
    }

    /** Headers of a message, and its JSON as a machine gets it. */
    private static Response source(Visit visit) {
        LocalCall call = LocalCall.get(INBOXES, visit.path(INBOX), MESSAGES, visit.path(MESSAGE));
        JsonTree message = visit.read(call);
        return visit.page(
                "source",
                "inboxes/Headers and JSON",
                Map.of("inbox", visit.path(INBOX), "message", message, "json", Visit.text(visit.raw(call))));
    }

    private static Response raw(Visit visit) {
        JsonTree link = visit.change(LocalCall.get(INBOXES, visit.path(INBOX), MESSAGES, visit.path(MESSAGE), "raw"));
        return download(link);
    }

    private static Response attachment(Visit visit) {
        JsonTree link = visit.change(LocalCall.get(
                INBOXES, visit.path(INBOX), MESSAGES, visit.path(MESSAGE), "attachments", visit.path("attachment_id")));
        return download(link);
    }

    /** Leads to a signed link, which is a download in every browser; at the host by which the page was opened. */
    private static Response download(JsonTree link) {
        URI url = URI.create(link.text("download_url"));
        return Response.ok().status(303).header("Location", url.getRawPath());
    }

    private Response act(Visit visit) {
        String inbox = visit.path(INBOX);
        String thread = visit.path(THREAD);
        PageForm form = visit.form();
        switch (form.text("do")) {
            case "trash", "trash-message", "undo", "restore", "purge" -> {
                return trash(visit, inbox, form);
            }
            case "label" -> visit.change(LocalCall.patch(labels(form), INBOXES, inbox, THREADS, thread));
            case "block" ->
                visit.change(LocalCall.post(
                        JsonObject.of("entry", form.text("entry")), INBOXES, inbox, "lists", "receive", "block"));
            case "images" -> {
                return thread(visit, form.text(MESSAGE), true); // for this once: a reload asks for it again
            }
            case "respond" -> InvitationCards.respond(visit, inbox, form);
            case "reply", "reply-all", "release" -> {
                visit.change(answer(visit, inbox, form));
                return visit.to(
                        form.text("do").equals("release") ? "released" : "sent", INBOXES, inbox, THREADS, thread);
            }
            default -> throw Problem.invalid("do", "This page has no such action");
        }
        return visit.to("changed", INBOXES, inbox, THREADS, thread);
    }

    private Response trash(Visit visit, String inbox, PageForm form) {
        String thread = visit.path(THREAD);
        switch (form.text("do")) {
            case "trash" -> {
                Set<String> changed = new HashSet<>();
                thrown.threads(visit, inbox, List.of(thread), changed::add);
                return changed.isEmpty()
                        ? visit.to("kept", INBOXES, inbox, THREADS, thread)
                        : visit.toList(form.text("back"), "trashed", Map.of("undo", thread), INBOXES, inbox);
            }
            case "trash-message" -> {
                String message = form.text(MESSAGE);
                thrown.message(visit, inbox, thread, message);
                return visit.to("trashed", Map.of("undo", message), INBOXES, inbox, THREADS, thread);
            }
            case "purge" -> {
                thrown.purge(visit, inbox, form.all(MESSAGE));
                return visit.toList(form.text("back"), "purged", Map.of(), INBOXES, inbox);
            }
            case "undo" -> thrown.restore(visit, inbox, List.of(form.text("undo")));
            default -> thrown.restoreThread(visit, inbox, thread);
        }
        return visit.to("restored", INBOXES, inbox, THREADS, thread);
    }

    /** What is done to one message: its name is the last part of the route. */
    private static LocalCall answer(Visit visit, String inbox, PageForm form) {
        JsonObject body = form.text("do").equals("release")
                ? JsonObject.of("reason", form.text("reason"))
                : JsonObject.of("text", form.text("text")).with("claim_id", takenClaim(visit, inbox, form));
        if (!form.text("again").isEmpty()) {
            body.with("if_unanswered", false);
        }
        return LocalCall.post(body, INBOXES, inbox, MESSAGES, form.text(MESSAGE), form.text("do"));
    }

    /** The claim of a thread that its reader takes over to answer in it; null when it is left to its holder. */
    private static @Nullable String takenClaim(Visit visit, String inbox, PageForm form) {
        return form.text("take_over").isEmpty()
                ? null
                : visit.change(LocalCall.post(
                                JsonObject.of("force", true), INBOXES, inbox, THREADS, visit.path(THREAD), "claim"))
                        .text("claim_id");
    }

    private static JsonObject labels(PageForm form) {
        JsonObject body = new JsonObject();
        if (!form.text("add").isEmpty()) {
            body.with("add_labels", ThrownMail.allowed(List.of(form.text("add").split(",", -1))));
        }
        if (!form.text("remove").isEmpty()) {
            body.with("remove_labels", List.of(form.text("remove").split(",", -1)));
        }
        return body;
    }
}
