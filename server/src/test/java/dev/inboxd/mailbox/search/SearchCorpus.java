package dev.inboxd.mailbox.search;

import static dev.inboxd.testing.JsonText.json;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.mailbox.search.segment.DocumentBlocks;
import dev.inboxd.mailbox.search.segment.PostingsBlock;
import dev.inboxd.mailbox.search.segment.PostingsWriter;
import dev.inboxd.mailbox.search.segment.Segment;
import dev.inboxd.mailbox.search.segment.SegmentSql;
import dev.inboxd.mailbox.search.segment.TermCollector;
import dev.inboxd.server.World;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Thousands of random messages with their index, put into the rows directly: two of three in an inbox of the Default
 * Pod, the others in one of another pod; many hidden, some deleted since; in runs large enough that a key goes on for
 * many blocks.
 */
final class SearchCorpus {
    static final int MESSAGES = 12_000;
    /** The message of a sender who wrote no other. */
    static final int RARE = 4_711;
    /** Of each scope the part of its messages that its runs hold, the oldest first. */
    private static final double[] RUNS = {0.7, 0.2, 0.07, 0.03};

    private static final List<String> SENDERS = List.of(
            "Ann Müller <ann@north.test>", "Zoë <zoe@south.test>", "shop@acme.test", "\u5317\u4eac <bj@east.test>");

    final List<Letter> letters = new ArrayList<>();
    final UUID organization;
    final Home first;
    final Home second;
    private final World world;

    /** An inbox with its pod. */
    record Home(String address, UUID inbox, UUID pod) {}

    /**
     * A message.
     *
     * @param restricted 0 when it is visible, -1 when it was deleted
     */
    record Letter(
            UUID id,
            UUID thread,
            Home home,
            Instant at,
            String sender,
            String subject,
            String recipient,
            String body,
            int restricted) {
        String name() {
            return "<" + id + "@corpus.test>";
        }
    }

    SearchCorpus(World world, int seed) {
        this.world = world;
        this.organization = world.organization();
        this.first = home(world.inbox("corpus"));
        this.second = home(world.http()
                .post("/v0/pods/" + world.pod("Elsewhere") + "/inboxes", json("username", "apart"))
                .is(200)
                .text("inbox_id"));
        Random random = new Random(seed);
        Instant begin = Instant.now().truncatedTo(ChronoUnit.MILLIS).minus(1, ChronoUnit.DAYS);
        for (int i = 0; i < MESSAGES; i++) {
            letters.add(letter(random, i, begin.plusMillis(20L * i).plusNanos(1_000L * random.nextInt(1_000))));
        }
        store();
        index();
    }

    private Home home(String address) {
        return world.database()
                .read(tx -> tx.sql(
                                View.of(organization),
                                "select i.inbox_id, i.pod_id from inbox i where {i} and i.address = :address")
                        .bind("address", address)
                        .single(row -> new Home(address, row.uuid("inbox_id"), row.uuid("pod_id"))));
    }

    /** The newest third is mostly hidden, of the rest hardly any; old subjects say what young ones do not. */
    private Letter letter(Random random, int i, Instant at) {
        Home home = random.nextInt(3) < 2 ? first : second;
        UUID thread =
                letters.isEmpty() || random.nextInt(3) > 0 ? Uuid7.at(at.toEpochMilli()) : reused(random, home, at);
        boolean young = i > MESSAGES * 2 / 3;
        int drawn = random.nextInt(10) < (young ? 6 : 1) ? 1 << random.nextInt(4) : random.nextInt(20) == 0 ? -1 : 0;
        int restricted = i == RARE ? 0 : drawn;
        String subject = (random.nextInt(50) == 0 ? "rarehead " : "")
                + (i < 2_000 && random.nextInt(20) == 0 ? "oldhead " : "")
                + (random.nextInt(3) == 0 ? "invoice " : "news ")
                + (random.nextInt(40) == 0 ? "\u4f1a\u8b70 Caf\u00e9" : i);
        String body = "Body" + (random.nextInt(10) < 7 || i == RARE ? " dense" : "")
                + (random.nextInt(10) == 0 ? " tenth oldhead" : "")
                + (random.nextInt(100) == 0 ? " rare rarehead" : "") + (random.nextInt(200) == 0 ? " caf\u00e9" : "")
                + (random.nextInt(30) == 0 ? " \u6771\u4eac\u90fd\u3067\u4f1a\u8b70" : "")
                + (i % 4_000 == 17 ? " seldom" : "")
                + (i < 3_000 ? " ancient" : "");
        return new Letter(
                Uuid7.at(at.toEpochMilli()),
                thread,
                home,
                at,
                sender(i, random),
                subject,
                "to" + random.nextInt(7) + "@ann.test",
                body,
                restricted);
    }

    /** One in the middle is of somebody who never wrote else. */
    private static String sender(int i, Random random) {
        String sender = SENDERS.get(random.nextInt(SENDERS.size()));
        return i == RARE ? "Quentin Bláha <quentin.blaha@far.test>" : sender;
    }

    private UUID reused(Random random, Home home, Instant at) {
        Letter other = letters.get(Math.max(0, letters.size() - 1 - random.nextInt(50)));
        return other.home.equals(home) ? other.thread : Uuid7.at(at.toEpochMilli());
    }

    private void store() {
        List<Letter> there =
                letters.stream().filter(letter -> letter.restricted >= 0).toList();
        View view = View.of(organization);
        world.database()
                .writeGlobal(tx -> tx.sql(view, """
                insert into message (organization_id, message_id, inbox_id, pod_id, thread_id, name, labels,
                    restricted, outgoing, sender, recipients_to, subject, size, attachments, created_at, updated_at)
                select {organization}, w.id, w.inbox, w.pod, w.thread, '<' || w.id || '@corpus.test>', array[]::text[],
                    w.restricted, false, w.sender, array[w.recipient], w.subject, 9, 0, w.at, w.at
                from unnest(:ids::uuid[], :inboxes::uuid[], :pods::uuid[], :threads::uuid[], :restricted::int[],
                    :senders::text[], :recipients::text[], :subjects::text[], :times::timestamptz[])
                    as w (id, inbox, pod, thread, restricted, sender, recipient, subject, at)""")
                        .bind("ids", column(there, Letter::id).toArray(UUID[]::new))
                        .bind(
                                "inboxes",
                                column(there, letter -> letter.home.inbox).toArray(UUID[]::new))
                        .bind("pods", column(there, letter -> letter.home.pod).toArray(UUID[]::new))
                        .bind("threads", column(there, Letter::thread).toArray(UUID[]::new))
                        .bind("restricted", column(there, Letter::restricted).toArray(Integer[]::new))
                        .bind("senders", column(there, Letter::sender))
                        .bind("recipients", column(there, Letter::recipient))
                        .bind("subjects", column(there, Letter::subject))
                        .bind("times", column(there, Letter::at).toArray(Instant[]::new))
                        .run());
        world.database()
                .writeGlobal(tx -> tx.sql(view, """
                insert into message_content (organization_id, message_id, inbox_id, raw, header_size, sha256)
                select m.organization_id, m.message_id, m.inbox_id, :raw, 8, ''::bytea from message m where {m}""")
                        .bind("raw", "A: bc\r\n\r\nd".getBytes(StandardCharsets.UTF_8))
                        .run());
        world.database().writeGlobal(tx -> tx.sql(view, """
                insert into thread (organization_id, thread_id, inbox_id, pod_id, labels, restricted, senders,
                    recipients, last_message, message_count, size, attachments, at, created_at, updated_at)
                select m.organization_id, m.thread_id, m.inbox_id, m.pod_id, array[]::text[], min(m.restricted),
                    array[]::text[], array[]::text[], max(m.name), count(*), 9, 0,
                    max(m.created_at), max(m.created_at), max(m.created_at)
                from message m where {m} group by m.organization_id, m.thread_id, m.inbox_id, m.pod_id""").run());
    }

    private static <T> List<T> column(List<Letter> letters, Function<Letter, T> field) {
        return letters.stream().map(field).toList();
    }

    private void index() {
        runs(first.inbox, letter -> letter.home.equals(first));
        runs(first.pod, letter -> letter.home.equals(first));
        runs(second.inbox, letter -> letter.home.equals(second));
        runs(second.pod, letter -> letter.home.equals(second));
        runs(organization, letter -> letter.home.equals(second)); // what is outside of the Default Pod
    }

    private void runs(UUID scope, Predicate<Letter> member) {
        List<Letter> all = letters.stream()
                .filter(member)
                .sorted(Comparator.comparing(Letter::at))
                .toList();
        int from = 0;
        for (int i = 0; i < RUNS.length; i++) {
            int to = i == RUNS.length - 1 ? all.size() : from + (int) (all.size() * RUNS[i]);
            run(scope, 1_000_000 + i, all.subList(from, to));
            from = to;
        }
    }

    private void run(UUID scope, long number, List<Letter> some) {
        SortedMap<Long, List<Integer>> entries = new TreeMap<>();
        for (int i = 0; i < some.size(); i++) {
            Letter letter = some.get(i);
            for (long key : TermCollector.of(List.of(letter.sender, letter.subject, letter.recipient), letter.body)) {
                entries.computeIfAbsent(key, _ -> new ArrayList<>()).add(i);
            }
        }
        List<PostingsBlock> blocks = new ArrayList<>(
                DocumentBlocks.blocks(some.stream().map(Letter::id).toList()));
        PostingsWriter writer = new PostingsWriter(blocks::add);
        entries.forEach((key, documents) ->
                writer.add(key, documents.stream().mapToInt(i -> i).toArray(), documents.size()));
        writer.end();
        Segment run = new Segment(scope, number, some.size(), some.getLast().at);
        world.database().writeGlobal(tx -> {
            RoundTrip trip = tx.roundTrip();
            SegmentSql.insert(trip, View.of(organization), List.of(new Segment.NewSegment(run, blocks)));
            trip.run();
            return true;
        });
    }
}
