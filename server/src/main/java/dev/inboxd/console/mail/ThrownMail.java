package dev.inboxd.console.mail;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.session.Visit;
import dev.inboxd.console.view.TrashedThread;
import dev.inboxd.mailbox.deletion.Trash;
import dev.inboxd.mailbox.deletion.Trash.TrashedMessage;
import dev.inboxd.mailbox.label.Labels;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * What a person throws away in the console: calls of the API give it the label {@code trash}, and the console alone
 * marks it, so that it goes after 30 days. If the mark is not set because a call fails, the mail stays in the trash.
 */
public final class ThrownMail {
    private static final String INBOXES = "inboxes";
    private static final String MESSAGES = "messages";
    private static final int PAGE = 50; // as many as the API changes together
    private static final List<String> LABEL = List.of("trash");

    private final Trash trash;

    public ThrownMail(Trash trash) {
        this.trash = trash;
    }

    /**
     * Throws conversations of an inbox away; what is held of them waits for its decision.
     *
     * @param changed is told of each of which something went to the trash, also when the call fails behind it
     */
    void threads(Visit visit, String inbox, List<String> threads, Consumer<String> changed) {
        visit.caller().require(Permission.MESSAGE_DELETE);
        Instant at = visit.now();
        for (String thread : threads) {
            try {
                pages(visit, LocalCall.get(INBOXES, inbox, "threads", thread), page -> {
                    List<String> names = free(page);
                    if (names.isEmpty()) {
                        return;
                    }
                    relabel(visit, inbox, "add_labels", names);
                    changed.accept(thread);
                    ids(List.of(thread)).forEach(id -> trash.mark(visit.caller().view(), id, names, at));
                });
            } catch (Problem problem) {
                if (threads.size() == 1 || problem.code() != ErrorCode.NOT_FOUND) {
                    throw problem;
                }
            }
        }
    }

    private static void pages(Visit visit, LocalCall first, Consumer<JsonTree> work) {
        LocalCall call = first.with("limit", String.valueOf(PAGE));
        String token = "";
        do {
            JsonTree page = visit.change(token.isEmpty() ? call : call.with("page_token", token));
            work.accept(page);
            token = page.text("next_page_token");
        } while (!token.isEmpty());
    }

    /** Throws one message of a conversation away. */
    void message(Visit visit, String inbox, String thread, String message) {
        visit.caller().require(Permission.MESSAGE_DELETE);
        relabel(visit, inbox, "add_labels", List.of(message));
        ids(List.of(thread)).forEach(id -> trash.mark(visit.caller().view(), id, List.of(message), visit.now()));
    }

    /** Takes back what was thrown away of conversations at last. */
    void undo(Visit visit, String inbox, List<String> threads) {
        Map<UUID, List<TrashedMessage>> marked = trash.of(visit.caller().view(), ids(threads)).stream()
                .collect(Collectors.groupingBy(TrashedMessage::thread));
        for (String thread : threads) {
            UUID id = Uuid7.parse(thread);
            if (id != null && !marked.containsKey(id)) {
                restoreThread(visit, inbox, thread); // its mark failed
            }
        }
        for (List<TrashedMessage> thread : marked.values()) {
            Instant last = thread.stream()
                    .map(TrashedMessage::at)
                    .max(Instant::compareTo)
                    .orElseThrow();
            restore(
                    visit,
                    inbox,
                    thread.stream()
                            .filter(trashed -> trashed.at().equals(last))
                            .map(TrashedMessage::name)
                            .toList());
        }
    }

    /** Takes a conversation out of the trash. */
    void restoreThread(Visit visit, String inbox, String thread) {
        pages(
                visit,
                LocalCall.get(INBOXES, inbox, "threads", thread),
                page -> relabel(visit, inbox, "remove_labels", names(page, true)));
    }

    /** Takes messages out of the trash. */
    void restore(Visit visit, String inbox, List<String> messages) {
        for (int i = 0; i < messages.size(); i += PAGE) {
            relabel(visit, inbox, "remove_labels", messages.subList(i, Math.min(messages.size(), i + PAGE)));
        }
    }

    /** Deletes messages for good. */
    void purge(Visit visit, String inbox, List<String> messages) {
        for (String message : messages) {
            try {
                visit.change(LocalCall.delete(INBOXES, inbox, MESSAGES, message));
            } catch (Problem problem) {
                if (messages.size() == 1 || problem.code() != ErrorCode.NOT_FOUND) {
                    throw problem;
                }
            }
        }
    }

    private static void relabel(Visit visit, String inbox, String change, List<String> messages) {
        if (!messages.isEmpty()) {
            visit.change(LocalCall.post(
                    JsonObject.of("message_ids", messages).with(change, LABEL),
                    INBOXES,
                    inbox,
                    MESSAGES,
                    "batch-update"));
        }
    }

    /** When the first of some messages of a conversation goes for good; empty where one of them stays. */
    String until(Visit visit, String thread, List<String> messages) {
        Map<String, String> ends = ends(visit, List.of(thread));
        return ends.keySet().containsAll(messages)
                ? messages.stream()
                        .map(message -> ends.getOrDefault(message, ""))
                        .min(String::compareTo)
                        .orElse("")
                : "";
    }

    /** By the id of each message that goes by itself. */
    private Map<String, String> ends(Visit visit, List<String> threads) {
        return trash.of(visit.caller().view(), ids(threads)).stream()
                .collect(Collectors.toMap(
                        TrashedMessage::name, trashed -> trashed.until().toString(), (first, _) -> first));
    }

    /** A page of the trash by its conversations; what a client put there stands by itself. */
    List<TrashedThread> byThread(Visit visit, List<JsonTree> messages) {
        Map<String, String> ends = ends(
                visit,
                messages.stream()
                        .map(message -> message.text("thread_id"))
                        .distinct()
                        .toList());
        Map<String, List<JsonTree>> threads = new LinkedHashMap<>();
        for (JsonTree message : messages) {
            String group = message.text("thread_id") + ends.containsKey(message.text("message_id"));
            threads.computeIfAbsent(group, _ -> new ArrayList<>()).add(message);
        }
        return threads.values().stream()
                .map(group -> new TrashedThread(
                        group,
                        group.stream()
                                .map(message -> ends.getOrDefault(message.text("message_id"), ""))
                                .min(String::compareTo)
                                .orElse("")))
                .toList();
    }

    /** Those of a page that are in the trash, or that are not. */
    public static List<String> names(JsonTree page, boolean inTrash) {
        return page.list(MESSAGES).stream()
                .filter(message -> message.texts("labels").containsAll(LABEL) == inTrash)
                .map(message -> message.text("message_id"))
                .toList();
    }

    /** Those of a page that can be thrown away: neither there already nor held. */
    private static List<String> free(JsonTree page) {
        return page.list(MESSAGES).stream()
                .filter(message -> Collections.disjoint(message.texts("labels"), List.of("trash", "held")))
                .map(message -> message.text("message_id"))
                .toList();
    }

    /** Labels that a form adds, without that of the trash: it would reach held mail, too, and stay without a mark. */
    static List<String> allowed(List<String> labels) {
        if (labels.stream().map(Labels::normal).anyMatch(LABEL::contains)) {
            throw Problem.invalid("label", "Use Delete to move mail to the trash, not a label");
        }
        return labels;
    }

    private static List<UUID> ids(List<String> threads) {
        return threads.stream().map(Uuid7::parse).filter(Objects::nonNull).toList();
    }
}
