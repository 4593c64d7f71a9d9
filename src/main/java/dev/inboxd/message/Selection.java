package dev.inboxd.message;

import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.json.JsonObject;
import dev.inboxd.thread.MailThread;
import dev.inboxd.thread.ThreadJson;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Messages and threads by their keys, as a list shows them, for whoever found them in another way. */
public final class Selection {
    private final Contents contents;

    /** A selection that shows these contents. */
    public Selection(Contents contents) {
        this.contents = contents;
    }

    /**
     * A message or a thread in a list.
     *
     * @param row the message or the thread
     * @param json its JSON form
     */
    public record Listed<T>(T row, JsonObject json) {}

    /** A message that came into being with a change of its organization. */
    public record Made(long number, Messages.Found found) {}

    /**
     * The messages that came into being behind a number of the organization's clock and are still there, in order, with
     * their whole content.
     *
     * @param view the whole organization
     */
    public static List<Made> madeAfter(Tx tx, View view, long number, int limit) {
        Map<UUID, Long> numbers = new LinkedHashMap<>();
        // The change that makes a message has the message's own time; those that follow have later ones.
        tx.sql(view, "select e.message_id, e.seq from event e join message m on m.organization_id = e.organization_id"
                + " and m.message_id = e.message_id and m.created_at = e.at where {e} and e.seq > :number"
                + " order by e.seq limit :limit").bind("number", number).bind("limit", limit)
                .list(row -> numbers.put(row.uuid("message_id"), row.longer("seq")));
        Map<UUID, MessageReads.Full> full = byKey(MessageReads.whole(tx, view, numbers.keySet()));
        return numbers.entrySet().stream().filter(entry -> full.containsKey(entry.getKey())).map(entry -> {
            MessageReads.Full each = full.get(entry.getKey());
            return new Made(entry.getValue(), new Messages.Found(each.message(), each.content(), List.of()));
        }).toList();
    }

    /** The messages of these keys that the view shows. */
    public Map<UUID, Listed<Message>> messages(Tx tx, View view, Collection<UUID> ids) {
        Map<UUID, Listed<Message>> listed = new LinkedHashMap<>();
        for (Messages.Found found : Messages.withAttachments(tx, view, MessageReads.headed(tx, view, ids))) {
            listed.put(found.message().id(), new Listed<>(found.message(),
                    MessageJson.item(found.message(), contents.shown(found.content()), found.attachments())));
        }
        return listed;
    }

    /** The threads of these keys that the view shows. */
    public Map<UUID, Listed<MailThread>> threads(Tx tx, View view, Collection<UUID> ids) {
        Map<UUID, Listed<MailThread>> listed = new LinkedHashMap<>();
        for (Conversations.Found found : Conversations.some(tx, view, ids)) {
            listed.put(found.thread().id(), new Listed<>(found.thread(),
                    ThreadJson.of(found.thread(), found.inboxName(), found.attachments())));
        }
        return listed;
    }

    private static Map<UUID, MessageReads.Full> byKey(List<MessageReads.Full> messages) {
        Map<UUID, MessageReads.Full> byKey = new LinkedHashMap<>();
        messages.forEach(full -> byKey.put(full.message().id(), full));
        return byKey;
    }
}
