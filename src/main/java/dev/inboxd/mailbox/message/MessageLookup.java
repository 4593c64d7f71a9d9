package dev.inboxd.mailbox.message;

import dev.inboxd.mailbox.thread.MailThread;
import dev.inboxd.mailbox.thread.ThreadJson;
import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.RowStatement;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.json.JsonObject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Messages and threads by their keys, as a list shows them, for whoever found them in another way. */
public final class MessageLookup {
    private static final long LARGEST_READ = 2 << 20;

    private final MessageContents contents;

    /** A selection that shows these contents. */
    public MessageLookup(MessageContents contents) {
        this.contents = contents;
    }

    /**
     * A message or a thread in a list.
     *
     * @param row the message or the thread
     * @param json its JSON form
     */
    public record ListItem<T>(T row, JsonObject json) {}

    /**
     * A message that came into being with a change of its organization.
     *
     * @param content null when the caller has it
     */
    public record CreatedMessage(
            long number, Message message, @Nullable StoredContent content) {}

    /**
     * What {@link #created} has looked through.
     *
     * @param messages those that are still there, in order
     * @param upTo the number of the clock up to which nothing else came into being
     */
    public record ScanResult(List<CreatedMessage> messages, long upTo) {
        public ScanResult {
            messages = List.copyOf(messages);
        }
    }

    /** A stretch to look through: behind one number of the organization's clock and up to another. */
    public record ChangeRange(long from, long to) {}

    /**
     * How much is looked through at a time.
     *
     * @param each how many messages of one organization, at most; fewer when they are large
     * @param all how many messages of all organizations, at most; one of each at least
     */
    public record ScanLimit(int each, int all) {}

    private record Numbered(UUID message, long number, long size) {}

    /** The change that makes a message has the message's own time; those that follow have later ones. */
    private static final RowStatement<ChangeRange> NUMBERS = RowStatement.of(
            """
            select {tenant}n.message_id, n.seq, n.size
            from {rows} as r
            cross join lateral (
                select e.message_id, e.seq, m.size from event e
                join message m on m.organization_id = e.organization_id and m.message_id = e.message_id
                                  and m.created_at = e.at
                where {e} and e.seq > r.low and e.seq <= r.high order by e.seq limit :most) as n""", RowStatement.bigint("low", ChangeRange::from), RowStatement.bigint("high", ChangeRange::to));

    /**
     * The messages of some organizations that came into being in a stretch of each, and are still there, in order, with
     * their whole content.
     *
     * @param spans the stretches, by organization
     * @param known tells of which messages the caller has the content
     */
    public static Map<UUID, ScanResult> created(
            Tx tx, Map<UUID, ChangeRange> spans, ScanLimit limit, Predicate<UUID> known) {
        Map<UUID, RoundTrip.Result<Numbered>> numbers = new LinkedHashMap<>();
        tx.acrossTenants(
                spans,
                (trip, view, span) -> numbers.put(
                        view.organization(),
                        trip.query(
                                view,
                                NUMBERS,
                                List.of(span),
                                row -> new Numbered(row.uuid("message_id"), row.longer("seq"), row.longer("size")),
                                "most",
                                limit.each)));
        Map<UUID, List<Numbered>> taken = taken(numbers, limit.all);
        Map<UUID, Map<Boolean, List<UUID>>> ids = new LinkedHashMap<>();
        taken.forEach((organization, some) ->
                ids.put(organization, some.stream().map(Numbered::message).collect(Collectors.partitioningBy(known))));
        Map<UUID, RoundTrip.Result<Message>> rows = new LinkedHashMap<>();
        tx.acrossTenants(
                ids,
                (trip, view, some) -> rows.put(
                        view.organization(),
                        MessageReads.prefetchKeys(trip, view, Objects.requireNonNull(some.get(true)))));
        Map<UUID, ScanResult> stretches = new LinkedHashMap<>();
        spans.forEach((organization, span) -> {
            List<Numbered> some = Objects.requireNonNull(taken.get(organization));
            Map<UUID, Long> byMessage = new HashMap<>();
            some.forEach(each -> byMessage.put(each.message, each.number));
            List<CreatedMessage> made = new ArrayList<>();
            Objects.requireNonNull(rows.get(organization))
                    .rows()
                    .forEach(message -> made.add(
                            new CreatedMessage(Objects.requireNonNull(byMessage.get(message.id())), message, null)));
            List<UUID> unknown = Objects.requireNonNull(ids.get(organization)).getOrDefault(false, List.of());
            MessageReads.readFull(tx, View.of(organization), unknown)
                    .forEach(full -> made.add(new CreatedMessage(
                            Objects.requireNonNull(byMessage.get(full.message().id())),
                            full.message(),
                            full.content())));
            made.sort(Comparator.comparingLong(CreatedMessage::number));
            int found = Objects.requireNonNull(numbers.get(organization)).rows().size();
            // Counted by the numbers: a message that went between the two looks ends nothing.
            stretches.put(
                    organization,
                    new ScanResult(made, found < limit.each && some.size() == found ? span.to : some.getLast().number));
        });
        return stretches;
    }

    /** What is taken of each: as much as it has where that is little, so that who has much leaves room to the others. */
    private static Map<UUID, List<Numbered>> taken(Map<UUID, RoundTrip.Result<Numbered>> numbers, int most) {
        Map<UUID, List<Numbered>> taken = new HashMap<>();
        int room = most;
        int left = numbers.size();
        for (Map.Entry<UUID, RoundTrip.Result<Numbered>> each : numbers.entrySet().stream()
                .sorted(Comparator.comparingInt(some -> some.getValue().rows().size()))
                .toList()) {
            List<Numbered> all = each.getValue().rows().stream()
                    .sorted(Comparator.comparingLong(Numbered::number))
                    .toList();
            int fitting = Math.min(room / left, fitting(all, LARGEST_READ / numbers.size()));
            List<Numbered> some = all.subList(0, Math.min(all.size(), Math.max(1, fitting)));
            taken.put(each.getKey(), some);
            room -= some.size();
            left--;
        }
        return taken;
    }

    /** How many from the first on are read together; of a large message only what is shown of it is in its row. */
    private static int fitting(List<Numbered> numbers, long most) {
        long bytes = 0;
        int count = 0;
        while (count < numbers.size() && bytes <= most) {
            bytes += Math.min(numbers.get(count++).size, StoredContent.LARGEST_IN_DATABASE);
        }
        return count;
    }

    /** The messages of these keys that the view shows. */
    public Map<UUID, ListItem<Message>> messages(Tx tx, View view, Collection<UUID> ids) {
        Map<UUID, ListItem<Message>> listed = new LinkedHashMap<>();
        for (Messages.FullMessage found : Messages.withAttachments(tx, view, MessageReads.headedByKey(tx, view, ids))) {
            listed.put(
                    found.message().id(),
                    new ListItem<>(
                            found.message(),
                            MessageJson.item(
                                    found.message(), contents.readable(found.content()), found.attachments())));
        }
        return listed;
    }

    /** The threads of these keys that the view shows. */
    public Map<UUID, ListItem<MailThread>> threads(Tx tx, View view, Collection<UUID> ids) {
        Map<UUID, ListItem<MailThread>> listed = new LinkedHashMap<>();
        for (ThreadReads.ThreadView found : ThreadReads.byIds(tx, view, ids)) {
            listed.put(
                    found.thread().id(),
                    new ListItem<>(
                            found.thread(), ThreadJson.of(found.thread(), found.inboxName(), found.attachments())));
        }
        return listed;
    }
}
