package dev.inboxd.console.approval;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.session.Visit;
import dev.inboxd.console.view.DraftFacts;
import dev.inboxd.mail.screen.HiddenText;
import dev.inboxd.mail.text.HtmlText;
import dev.inboxd.mail.text.LinkTargets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Reads what somebody needs to judge drafts on one page; a key or conversation is read once. */
final class DraftReader {
    private static final String INBOXES = "inboxes";
    /** Recipients of whom it is looked up whether they are new: each takes a call. */
    private static final int MOST_LOOKED_UP = 5;

    private final Visit visit;
    private final Map<String, String> names = new HashMap<>();
    private final Map<String, Set<String>> people = new HashMap<>();

    DraftReader(Visit visit) {
        this.visit = visit;
    }

    /**
     * A draft with all that is told of it.
     *
     * @throws Problem {@code not_found}
     */
    DraftFacts read(String inbox, String id) {
        JsonTree draft = visit.change(LocalCall.get(INBOXES, inbox, "drafts", id));
        String answers = draft.has("in_reply_to") ? draft.text("in_reply_to") : draft.text("forward_of");
        JsonTree answered =
                answers.isEmpty() ? JsonTree.EMPTY : lenient(LocalCall.get(INBOXES, inbox, "messages", answers));
        Set<String> participants = answered.isEmpty() ? Set.of() : participants(inbox, answered.text("thread_id"));
        List<DraftFacts.Recipient> recipients = new ArrayList<>();
        int looked = 0;
        for (String role : List.of("to", "cc", "bcc", "reply_to")) {
            for (String mailbox : draft.texts(role)) {
                boolean isKnown = participants.contains(address(mailbox));
                boolean isReplyTo = role.equals("reply_to");
                boolean isNew = !isKnown && !isReplyTo && looked++ < MOST_LOOKED_UP && isNew(inbox, address(mailbox));
                recipients.add(
                        new DraftFacts.Recipient(isReplyTo ? DraftFacts.ANSWERED : role, mailbox, isKnown, isNew));
            }
        }
        String author = draft.get("author").text("api_key_id");
        String asker = draft.get("approval").text("requested_by");
        return new DraftFacts(
                draft,
                answered,
                recipients,
                new DraftFacts.People(author, name(author), asker, name(asker)),
                formatted(draft));
    }

    private static DraftFacts.Formatted formatted(JsonTree draft) {
        String html = draft.text("html");
        HiddenText hidden = HiddenText.of(
                draft.text("subject"), draft.has("text") ? draft.text("text") : null, html.isEmpty() ? null : html);
        return html.isEmpty()
                ? new DraftFacts.Formatted("", List.of(), hidden)
                : new DraftFacts.Formatted(HtmlText.render(html), LinkTargets.of(html), hidden);
    }

    /** Whether an inbox never wrote to an address; the filter finds longer addresses as well. */
    private boolean isNew(String inbox, String address) {
        JsonTree sent = lenient(LocalCall.get(INBOXES, inbox, "messages")
                .with("labels", "sent")
                .with("to", address)
                .with("limit", "10"));
        return sent.list("messages").stream()
                .noneMatch(message -> Stream.of("to", "cc", "bcc")
                        .flatMap(role -> message.texts(role).stream())
                        .anyMatch(mailbox -> address(mailbox).equals(address)));
    }

    /** Everybody in a conversation. */
    private Set<String> participants(String inbox, String thread) {
        return people.computeIfAbsent(thread, id -> {
            JsonTree conversation = lenient(LocalCall.get(INBOXES, inbox, "threads", id)
                    .with("limit", "1")
                    .with("include_held", "true"));
            Set<String> addresses = new HashSet<>();
            conversation.texts("senders").forEach(mailbox -> addresses.add(address(mailbox)));
            conversation.texts("recipients").forEach(mailbox -> addresses.add(address(mailbox)));
            return addresses;
        });
    }

    private String name(String key) {
        return key.isEmpty()
                ? ""
                : names.computeIfAbsent(
                        key, id -> lenient(LocalCall.get("api-keys", id)).text("name"));
    }

    private JsonTree lenient(LocalCall call) {
        try {
            return visit.change(call);
        } catch (Problem problem) {
            return JsonTree.EMPTY;
        }
    }

    private static String address(String mailbox) {
        int angle = mailbox.lastIndexOf('<');
        String address =
                angle < 0 || !mailbox.endsWith(">") ? mailbox : mailbox.substring(angle + 1, mailbox.length() - 1);
        return address.strip().toLowerCase(Locale.ROOT);
    }
}
