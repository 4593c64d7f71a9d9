package dev.inboxd.search;

import dev.inboxd.database.Database;
import dev.inboxd.database.RoundTrip;
import dev.inboxd.database.Tx;
import dev.inboxd.database.View;
import dev.inboxd.message.Message;
import dev.inboxd.message.Selection;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.IntStream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** New messages of one organization on their way into the index: read, taken apart, and written as one run a scope. */
final class Batch {
    private static final Logger LOG = LoggerFactory.getLogger(Batch.class);
    /** So many messages at a time; more would hold the organization's clock too long. */
    static final int LARGEST = 128;

    private final UUID organization;
    private final long from;
    private final long to;
    private final boolean complete;
    private final Set<UUID> inboxes = new HashSet<>();
    private final List<Document> documents;
    private final Map<UUID, List<Integer>> members = new LinkedHashMap<>();

    /** A message with what it is found by. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Document(UUID message, Instant at, byte[] text, List<Block> terms) {
        Document {
            terms = List.copyOf(terms);
        }
    }

    private Batch(New fresh, Reading reading) {
        this.organization = fresh.scopes.organization();
        this.from = fresh.progress.indexed();
        this.to = fresh.stretch.reached();
        this.complete = to == fresh.progress.clock();
        List<Selection.Made> made = fresh.stretch.messages();
        this.documents = made.stream().map(each -> document(each, reading)).toList();
        for (int i = 0; i < documents.size(); i++) {
            Message.Place place = made.get(i).message().place();
            inboxes.add(place.inbox());
            for (UUID scope : fresh.scopes.of(place)) {
                members.computeIfAbsent(scope, _ -> new ArrayList<>()).add(i);
            }
        }
    }

    /** What is new of an organization. */
    private record New(Scopes scopes, ProgressSql.Progress progress, Selection.Stretch stretch) {}

    /** Reads what is new and takes it apart. */
    static Batch read(Database database, UUID organization, Reading reading) {
        return new Batch(database.read(tx -> {
            // The clock is read first: all that it counts is committed when the messages are read.
            ProgressSql.Progress progress = ProgressSql.read(tx, organization);
            return new New(Scopes.read(tx, organization), progress, Selection.made(tx, View.of(organization),
                    new Selection.Span(progress.indexed(), progress.clock(), LARGEST), reading::has));
        }), reading);
    }

    private static Document document(Selection.Made made, Reading reading) {
        Message message = made.message();
        String text = text(made, reading);
        return new Document(message.id(), message.createdAt(), TextForm.deflated(text), terms(message, text));
    }

    /** One message's fault must not keep the others from the index. */
    private static String text(Selection.Made made, Reading reading) {
        try {
            return TextForm.of(reading.shown(made));
        } catch (RuntimeException unreadable) {
            LOG.warn("The text of message {} is not searched: {}", made.message().id(), unreadable.toString());
            return "";
        }
    }

    private static List<Block> terms(Message message, String text) {
        List<String> headers = new ArrayList<>();
        headers.add(message.people().from());
        headers.add(message.subject() == null ? "" : message.subject());
        headers.addAll(message.people().recipients());
        List<Block> blocks = new ArrayList<>();
        BlockWriter writer = new BlockWriter(blocks::add);
        for (long key : Terms.of(headers, text)) {
            writer.add(key, new int[] {0}, 1);
        }
        writer.end();
        return blocks;
    }

    boolean isEmpty() {
        return documents.isEmpty();
    }

    /** Whether more was waiting than one batch takes. */
    boolean isFull() {
        return !complete;
    }

    /** Whether the index is not where the organization is, though perhaps for changes that are no mail. */
    boolean isBehind() {
        return from != to;
    }

    /** The scopes whose index grows. */
    Set<UUID> scopes() {
        return members.keySet();
    }

    /** The runs to write, each of a number yet to be given. */
    List<Run.Whole> runs() {
        Map<List<Integer>, List<Block>> known = new HashMap<>(); // often an inbox is all of its organization's mail
        List<Run.Whole> runs = new ArrayList<>();
        members.forEach((scope, some) -> runs.add(new Run.Whole(
                new Run(scope, 0, some.size(), documents.get(some.getLast()).at),
                known.computeIfAbsent(some, this::blocks))));
        return runs;
    }

    private List<Block> blocks(List<Integer> some) {
        List<Block> blocks = new ArrayList<>(Documents.blocks(some.stream().map(i -> documents.get(i).message).toList()));
        List<Merge.Source> sources = IntStream.range(0, some.size()).mapToObj(i -> new Merge.Source(
                documents.get(some.get(i)).terms.iterator(), new int[] {i})).toList();
        Merge.write(sources, new BlockWriter(blocks::add));
        return blocks;
    }

    /**
     * Writes the batch under the organization's clock, unless another node was quicker, or one of its messages or inboxes
     * was deleted since it was read: nothing of it must stay behind (promise P19).
     *
     * @return whether it is to be read again, without what was deleted
     */
    boolean write(Tx tx, RoundTrip opening, List<Run.Whole> runs) {
        View view = View.of(organization);
        UUID[] ids = documents.stream().map(Document::message).toArray(UUID[]::new);
        RoundTrip.Pending<Boolean> there = opening.look(view, "select (select count(*) from message m"
                + " where {m} and m.message_id = any (:ids)) = cardinality(:ids::uuid[]) and not exists (select 1 from inbox i"
                + " where {i} and i.inbox_id = any (:inboxes) and i.deleting) as there", row -> row.flag("there"),
                "ids", ids, "inboxes", inboxes.toArray(UUID[]::new));
        opening.run();
        if (!there.rows().getFirst()) {
            return true;
        }
        long number = ProgressSql.advance(tx, organization, from, to);
        if (number == 0 || documents.isEmpty()) {
            return false;
        }
        RoundTrip trip = tx.roundTrip();
        RunSql.insert(trip, view, runs.stream().map(whole -> whole.numbered(number)).toList());
        // They have a text already when the index is being made anew.
        trip.change(view, "insert into search_text (organization_id, message_id, content)"
                + " select {organization}, t.id, t.content from unnest(:ids::uuid[], :contents::bytea[]) as t (id, content)"
                + " on conflict do nothing",
                "ids", ids, "contents", documents.stream().map(Document::text).toArray(byte[][]::new));
        trip.run();
        return false;
    }
}
