package dev.inboxd.message;

import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.json.JsonObject;
import dev.inboxd.thread.MailThread;
import dev.inboxd.thread.ThreadJson;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Messages and threads by their keys, as a list shows them, for whoever found them in another way. */
public final class Selection {
    private static final long LARGEST_READ = 2 << 20;

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

    /**
     * A message that came into being with a change of its organization.
     *
     * @param content null when the caller has it
     */
    public record Made(long number, Message message, @Nullable Content content) {}

    /**
     * What {@link #made} has looked through.
     *
     * @param messages those that are still there, in order
     * @param reached the number of the clock up to which nothing else came into being
     */
    public record Stretch(List<Made> messages, long reached) {
        public Stretch {
            messages = List.copyOf(messages);
        }
    }

    /**
     * A stretch to look through.
     *
     * @param from behind this number
     * @param to up to this one
     * @param limit how many messages are looked at, at most; fewer when they are large
     */
    public record Span(long from, long to, int limit) {}

    private record Numbered(UUID message, long number, long size) {}

    /**
     * The messages that came into being behind one number of the organization's clock and up to another, and are still
     * there, in order, with their whole content.
     *
     * @param view the whole organization
     * @param span the numbers
     * @param known tells of which messages the caller has the content
     */
    public static Stretch made(Tx tx, View view, Span span, Predicate<UUID> known) {
        // The change that makes a message has the message's own time; those that follow have later ones.
        List<Numbered> numbers = tx.sql(view, "select e.message_id, e.seq, m.size from event e"
                + " join message m on m.organization_id = e.organization_id"
                + " and m.message_id = e.message_id and m.created_at = e.at where {e} and e.seq > :from"
                + " and e.seq <= :to order by e.seq limit :limit").bind("from", span.from).bind("to", span.to).bind("limit", span.limit)
                .list(row -> new Numbered(row.uuid("message_id"), row.longer("seq"), row.longer("size")));
        List<Numbered> taken = numbers.subList(0, Math.max(Math.min(1, numbers.size()), fitting(numbers)));
        Map<UUID, Long> byMessage = new LinkedHashMap<>();
        taken.forEach(each -> byMessage.put(each.message, each.number));
        Map<Boolean, List<UUID>> ids = byMessage.keySet().stream().collect(Collectors.partitioningBy(known));
        List<Made> made = new ArrayList<>();
        MessageReads.byKey(tx, view, Objects.requireNonNull(ids.get(true))).forEach(message ->
                made.add(new Made(Objects.requireNonNull(byMessage.get(message.id())), message, null)));
        MessageReads.whole(tx, view, Objects.requireNonNull(ids.get(false))).forEach(full ->
                made.add(new Made(Objects.requireNonNull(byMessage.get(full.message().id())), full.message(), full.content())));
        made.sort(Comparator.comparingLong(Made::number));
        // Counted by the numbers: a message that went between the two looks ends nothing.
        return new Stretch(made, taken.size() < span.limit && taken.size() == numbers.size() ? span.to : taken.getLast().number);
    }

    /** How many from the first on are read together; of a large message only what is shown of it is in its row. */
    private static int fitting(List<Numbered> numbers) {
        long bytes = 0;
        int count = 0;
        while (count < numbers.size() && bytes <= LARGEST_READ) {
            bytes += Math.min(numbers.get(count++).size, Content.LARGEST_IN_DATABASE);
        }
        return count;
    }

    /** The messages of these keys that the view shows. */
    public Map<UUID, Listed<Message>> messages(Tx tx, View view, Collection<UUID> ids) {
        Map<UUID, Listed<Message>> listed = new LinkedHashMap<>();
        for (Messages.Found found : Messages.withAttachments(tx, view, MessageReads.headedByKey(tx, view, ids))) {
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
}
