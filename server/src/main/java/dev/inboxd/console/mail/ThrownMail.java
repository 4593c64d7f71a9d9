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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * What a person throws away in the console: calls of the API give it the label {@code trash}, and the console alone
 * marks it, so that it goes after 30 days. If the mark is not set because a call fails, the mail stays in the trash.
 */
public final class ThrownMail {
    private static final String INBOXES = "inboxes";
    private static final String MESSAGES = "messages";
    private static final String PAGE = "50"; // as many as the API changes together
    private static final List<String> LABEL = List.of("trash");

    private final Trash trash;

    public ThrownMail(Trash trash) {
        this.trash = trash;
    }

    /** Throws conversations of an inbox away. */
    void threads(Visit visit, String inbox, List<String> threads) {
        visit.caller().require(Permission.MESSAGE_DELETE);
        for (String thread : threads) {
            try {
                visit.change(LocalCall.patch(JsonObject.of("add_labels", LABEL), INBOXES, inbox, "threads", thread));
            } catch (Problem refused) {
                if (refused.code() != ErrorCode.UNPROCESSABLE) {
                    throw refused;
                }
                longThread(visit, inbox, thread);
            }
        }
        trash.mark(visit.caller().view(), ids(threads), visit.now());
    }

    /** A conversation with too many messages for one call. */
    private static void longThread(Visit visit, String inbox, String thread) {
        String token = "";
        do {
            LocalCall call = LocalCall.get(INBOXES, inbox, "threads", thread)
                    .with("limit", PAGE)
                    .with("include_held", "true");
            JsonTree page = visit.change(token.isEmpty() ? call : call.with("page_token", token));
            relabel(visit, inbox, "add_labels", names(page.list(MESSAGES)));
            token = page.text("next_page_token");
        } while (!token.isEmpty());
    }

    /** Throws one message of a conversation away. */
    void message(Visit visit, String inbox, String thread, String message) {
        visit.caller().require(Permission.MESSAGE_DELETE);
        relabel(visit, inbox, "add_labels", List.of(message));
        for (UUID id : ids(List.of(thread))) {
            trash.mark(visit.caller().view(), id, message, visit.now());
        }
    }

    /** Takes back what was thrown away of conversations. */
    void undo(Visit visit, String inbox, List<String> threads) {
        restore(
                visit,
                inbox,
                trash.of(visit.caller().view(), ids(threads)).stream()
                        .map(TrashedMessage::name)
                        .toList());
    }

    /** Takes messages out of the trash. */
    void restore(Visit visit, String inbox, List<String> messages) {
        int most = Integer.parseInt(PAGE);
        for (int i = 0; i < messages.size(); i += most) {
            relabel(visit, inbox, "remove_labels", messages.subList(i, Math.min(messages.size(), i + most)));
        }
    }

    /** Deletes messages for good. */
    void purge(Visit visit, String inbox, List<String> messages) {
        messages.forEach(each -> visit.change(LocalCall.delete(INBOXES, inbox, MESSAGES, each)));
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

    /** When what is in the trash of a conversation goes for good; empty where it stays. */
    String until(Visit visit, String thread) {
        return trash.of(visit.caller().view(), ids(List.of(thread))).stream()
                .map(each -> each.until().toString())
                .max(String::compareTo)
                .orElse("");
    }

    /** A page of the trash by its conversations. */
    List<TrashedThread> byThread(Visit visit, List<JsonTree> messages) {
        Map<String, List<JsonTree>> threads = new LinkedHashMap<>();
        messages.forEach(each -> threads.computeIfAbsent(each.text("thread_id"), _ -> new ArrayList<>())
                .add(each));
        Map<String, String> until = new LinkedHashMap<>();
        for (TrashedMessage marked : trash.of(visit.caller().view(), ids(List.copyOf(threads.keySet())))) {
            until.merge(
                    marked.thread().toString(),
                    marked.until().toString(),
                    (one, other) -> one.compareTo(other) < 0 ? other : one);
        }
        List<TrashedThread> shown = new ArrayList<>();
        threads.forEach((thread, some) -> shown.add(new TrashedThread(some, until.getOrDefault(thread, ""))));
        return List.copyOf(shown);
    }

    private static List<String> names(List<JsonTree> messages) {
        return messages.stream().map(each -> each.text("message_id")).toList();
    }

    private static List<UUID> ids(List<String> threads) {
        return threads.stream().map(Uuid7::parse).filter(Objects::nonNull).toList();
    }
}
