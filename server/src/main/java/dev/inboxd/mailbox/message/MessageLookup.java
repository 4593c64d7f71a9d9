package dev.inboxd.mailbox.message;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.WeighedPage;
import dev.inboxd.mailbox.content.StoredContent;
import dev.inboxd.mailbox.thread.MailThread;
import dev.inboxd.mailbox.thread.ThreadJson;
import dev.inboxd.mailbox.thread.ThreadReads;
import dev.inboxd.mailbox.thread.Threads;
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

/** Messages and threads by their internal ids, in the form of list items, for callers such as the search index. */
public final class MessageLookup {
    private static final long LARGEST_READ = 2 << 20;

    private final MessageContents contents;

    /** Shows messages with these contents. */
    public MessageLookup(MessageContents contents) {
        this.contents = contents;
    }

    /**
     * A message or a thread as a list item.
     *
     * @param row the message or the thread
     * @param json its JSON form
     * @param additions what stands behind all other members
     */
    public record ListItem<T>(T row, JsonObject json, JsonObject additions) {}

    /**
     * A message with the sequence number of the change that created it.
     *
     * @param content null when the caller has it
     */
    public record CreatedMessage(
            long number, Message message, @Nullable StoredContent content) {}

    /**
     * The result of {@link #created} for one organization.
     *
     * @param messages the messages that still exist, in order
     * @param upTo the sequence number up to which no other message was created
     */
    public record ScanResult(List<CreatedMessage> messages, long upTo) {
        public ScanResult {
            messages = List.copyOf(messages);
        }
    }

    /** A range of sequence numbers of the organization's clock: after {@code from}, up to and including {@code to}. */
    public record ChangeRange(long from, long to) {}

    /**
     * The limits of one scan.
     *
     * @param most the largest number of messages of one organization; fewer when they are large
     * @param all the largest number of messages of all organizations; one of each at least
     */
    public record ScanLimit(int most, int all) {}

    private record Numbered(UUID message, long number, long size) {}

    /** The event that creates a message has the time of the message; later events have later times. */
    private static final String CREATED = """
            select {tenant}n.message_id, n.seq, n.size
            from {rows} as r
            cross join lateral (
                select e.message_id, e.seq, m.size from event e
                join message m on m.organization_id = e.organization_id and m.message_id = e.message_id
                                  and m.created_at = e.at
                where {e} and e.seq > r.low and e.seq <= r.high order by e.seq limit :most) as n""";

    private static final RowStatement<ChangeRange> NUMBERS = RowStatement.of(
            CREATED, RowStatement.bigint("low", ChangeRange::from), RowStatement.bigint("high", ChangeRange::to));

    /**
     * The messages of some organizations that were created in a range of changes and still exist, in order, with their
     * whole content.
     *
     * @param spans the ranges, by organization
     * @param parsed whether the caller has the content of a message already
     */
    public static Map<UUID, ScanResult> created(
            Tx tx, Map<UUID, ChangeRange> spans, ScanLimit limit, Predicate<UUID> parsed) {
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
                                limit.most)));
        Map<UUID, List<Numbered>> portions = portions(numbers, limit.all);
        Map<UUID, Map<Boolean, List<UUID>>> ids = new LinkedHashMap<>();
        portions.forEach((organization, part) ->
                ids.put(organization, part.stream().map(Numbered::message).collect(Collectors.partitioningBy(parsed))));
        Map<UUID, RoundTrip.Result<Message>> rows = new LinkedHashMap<>();
        tx.acrossTenants(
                ids,
                (trip, view, partition) -> rows.put(
                        view.organization(),
                        MessageReads.prefetchKeys(trip, view, Objects.requireNonNull(partition.get(true)))));
        Map<UUID, ScanResult> results = new LinkedHashMap<>();
        spans.forEach((organization, span) -> {
            List<Numbered> part = Objects.requireNonNull(portions.get(organization));
            Map<UUID, Long> byMessage = new HashMap<>();
            part.forEach(numbered -> byMessage.put(numbered.message, numbered.number));
            List<CreatedMessage> list = new ArrayList<>();
            Objects.requireNonNull(rows.get(organization))
                    .rows()
                    .forEach(message -> list.add(
                            new CreatedMessage(Objects.requireNonNull(byMessage.get(message.id())), message, null)));
            List<UUID> unknown = Objects.requireNonNull(ids.get(organization)).getOrDefault(false, List.of());
            MessageReads.readFull(tx, View.of(organization), unknown)
                    .forEach(full -> list.add(new CreatedMessage(
                            Objects.requireNonNull(byMessage.get(full.message().id())),
                            full.message(),
                            full.content())));
            list.sort(Comparator.comparingLong(CreatedMessage::number));
            int count = Objects.requireNonNull(numbers.get(organization)).rows().size();
            // Counted by the numbers: a message deleted between the two queries does not end the scan.
            results.put(
                    organization,
                    new ScanResult(list, count < limit.most && part.size() == count ? span.to : part.getLast().number));
        });
        return results;
    }

    /**
     * Shares the limit among the organizations. One with few messages gets all of them and leaves its room to the
     * others.
     */
    private static Map<UUID, List<Numbered>> portions(Map<UUID, RoundTrip.Result<Numbered>> numbers, int most) {
        Map<UUID, List<Numbered>> portions = new HashMap<>();
        int room = most;
        int left = numbers.size();
        for (Map.Entry<UUID, RoundTrip.Result<Numbered>> entry : numbers.entrySet().stream()
                .sorted(Comparator.comparingInt(
                        candidate -> candidate.getValue().rows().size()))
                .toList()) {
            List<Numbered> all = entry.getValue().rows().stream()
                    .sorted(Comparator.comparingLong(Numbered::number))
                    .toList();
            int fitting = Math.min(room / left, fitting(all, LARGEST_READ / numbers.size()));
            List<Numbered> portion = all.subList(0, Math.min(all.size(), Math.max(1, fitting)));
            portions.put(entry.getKey(), portion);
            room -= portion.size();
            left--;
        }
        return portions;
    }

    /**
     * The number of messages, from the first on, that are read together. A large message has only its parsed form in
     * the row.
     */
    private static int fitting(List<Numbered> numbers, long most) {
        long bytes = 0;
        int count = 0;
        while (count < numbers.size() && bytes <= most) {
            bytes += Math.min(numbers.get(count++).size, StoredContent.LARGEST_IN_DATABASE);
        }
        return count;
    }

    /** Those of these messages, in their order, that one page has room for. */
    public List<UUID> fittingMessages(Tx tx, View view, List<UUID> ids, PageRequest page) {
        Map<UUID, Long> weights = MessageReads.weights(tx, view, ids);
        return WeighedPage.fitting(ids, id -> weights.getOrDefault(id, 0L), page.room());
    }

    /** Those of these threads, in their order, that one page has room for. */
    public List<UUID> fittingThreads(Tx tx, View view, List<UUID> ids, PageRequest page) {
        Map<UUID, Long> weights = Threads.weights(tx, view, ids);
        return WeighedPage.fitting(ids, id -> weights.getOrDefault(id, 0L), page.room());
    }

    /** The messages of these ids that the view shows, as that caller may read them. */
    public Map<UUID, ListItem<Message>> messages(Tx tx, View view, Caller caller, Collection<UUID> ids) {
        Map<UUID, ListItem<Message>> listed = new LinkedHashMap<>();
        List<MessageReads.Full> headed = MessageReads.headedByKey(tx, view, ids);
        for (FullMessage fullMessage : MessageReads.withAttachments(tx, view, headed)) {
            listed.put(
                    fullMessage.message().id(),
                    new ListItem<>(
                            fullMessage.message(),
                            MessageJson.item(fullMessage, contents.readable(fullMessage.content())),
                            MessageJson.additions(caller, fullMessage)));
        }
        return listed;
    }

    /** The threads of these ids that the view shows. */
    public Map<UUID, ListItem<MailThread>> threads(Tx tx, View view, Collection<UUID> ids) {
        Map<UUID, ListItem<MailThread>> listed = new LinkedHashMap<>();
        for (ThreadReads.ThreadView threadView : ThreadReads.byIds(tx, view, ids)) {
            listed.put(
                    threadView.thread().id(),
                    new ListItem<>(
                            threadView.thread(),
                            ThreadJson.of(threadView.thread(), threadView.inboxName(), threadView.attachments()),
                            threadView.additions(view.organization())));
        }
        return listed;
    }
}
