package dev.inboxd.event;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmtpProbe;
import dev.inboxd.testing.TestSize;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Promise P7: what is not yet visible cannot later appear behind a cursor. Four nodes on one PostgreSQL, sixteen
 * writers, and readers that go on from the last number or the last time. The planted faults are made in the database of
 * the test: the same program over a clock that does not queue its callers must fail the same readers.
 */
class GapHttpTest {
    private static final int NODES = 4;
    private static final int WRITERS = 16;
    private static final int INBOXES = 5;
    private static final String FROM_THE_START = "1970-01-01T00:00:00.000Z";

    /** Commits are held up at random, with their numbers already taken. */
    private static final String PAUSES = """
            create function pause() returns trigger language plpgsql as $$
            begin
                perform pg_sleep(random() * 0.002);
                return null;
            end $$;
            create trigger pause after insert on event for each statement execute function pause()""";

    /** A clock whose numbers come from a sequence and whose times from the wall; the rest is up to the variant. */
    private static final String FAULTY_CLOCK = """
            create sequence faulty;
            alter table organization_clock rename to true_clock;
            create view organization_clock as select * from true_clock;
            create function faulty() returns trigger language plpgsql as $$
            begin
                new.last_at = clock_timestamp() + (new.event_seq - old.event_seq) * interval '1 microsecond';
                new.event_seq = nextval('faulty') * 10000;
                perform pg_sleep(random() * 0.004);
                %s
                return new;
            end $$;
            create trigger faulty instead of update on organization_clock for each row execute function faulty()""";

    private static final String LOCK_AFTERWARDS =
            "perform from true_clock k where k.organization_id = old.organization_id for update;";

    private final List<World> nodes = new ArrayList<>();
    private final List<String> inboxes = new ArrayList<>();

    @BeforeEach
    void start() {
        nodes.add(World.start());
        for (int i = 1; i < NODES; i++) {
            nodes.add(nodes.getFirst().beside());
        }
        for (int i = 0; i < INBOXES; i++) {
            inboxes.add(nodes.getFirst().inbox("gap" + i));
        }
        run(PAUSES);
    }

    @AfterEach
    void stop() {
        nodes.forEach(World::close);
    }

    @Test
    @Proves("P7")
    void aReaderThatGoesOnFromItsLastNumberOrTimeMissesNothing() {
        List<LogFollower<?>> tails = tails();
        int mails = TestSize.of(8, 20);
        write(mails, tails);
        assertThat(tails.stream().mapToInt(tail -> tail.truth().size()).sum()).isGreaterThan(250 * mails);
        assertThat(tails)
                .allSatisfy(
                        tail -> assertThat(tail.missed()).as(tail.toString()).isEmpty());
    }

    @Test
    @Tag("long")
    @Proves("P7")
    void theSameReaderMissesRowsWhenTheClockIsNotLocked() {
        run(FAULTY_CLOCK.formatted(""));
        assertRowsAreMissed();
    }

    @Test
    @Tag("long")
    @Proves("P7")
    void theSameReaderMissesRowsWhenNumbersAreTakenBeforeTheLock() {
        run(FAULTY_CLOCK.formatted(LOCK_AFTERWARDS));
        assertRowsAreMissed();
    }

    private void assertRowsAreMissed() {
        List<LogFollower<?>> tails = tails();
        write(15, tails);
        assertThat(tails.stream().mapToInt(tail -> tail.missed().size()).sum()).isPositive();
    }

    /** Lets everybody write that many mails, while every reader reads; each reader looks once more in the end. */
    private void write(int mails, List<LogFollower<?>> tails) {
        AtomicBoolean over = new AtomicBoolean();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> writers = new ArrayList<>();
            for (int i = 0; i < WRITERS; i++) {
                int writer = i;
                writers.add(threads.submit(() -> write(writer, mails)));
            }
            List<Future<?>> readers = new ArrayList<>();
            for (LogFollower<?> tail : tails) {
                readers.add(threads.submit(() -> read(tail, over)));
            }
            writers.forEach(GapHttpTest::await);
            over.set(true);
            readers.forEach(GapHttpTest::await);
        }
    }

    private static void await(Future<?> task) {
        try {
            task.get();
        } catch (InterruptedException | ExecutionException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private static void read(LogFollower<?> tail, AtomicBoolean over) {
        while (!over.get()) {
            tail.look();
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos()); // leave the processor to the writers
        }
        tail.look();
    }

    private void write(int writer, int mails) {
        World node = nodes.get(writer % NODES);
        Random random = new Random(writer);
        try (SmtpProbe session = new SmtpProbe(node.smtpPort())) {
            for (int i = 0; i < mails; i++) {
                String name = "<" + writer + "." + i + "@x.test>";
                assertThat(session.send(
                                "w@x.test",
                                inboxes,
                                "From: w@x.test\nSubject: " + name + "\nMessage-ID: " + name + "\n\nHello.\n"))
                        .startsWith("250");
                if (i % 3 == 0) {
                    relabel(node, inboxes.get(random.nextInt(INBOXES)), name);
                }
                LockSupport.parkNanos(random.nextInt(3_000_000));
            }
        }
    }

    private static void relabel(World node, String inbox, String name) {
        node.http()
                .patch(
                        "/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(name, StandardCharsets.UTF_8),
                        json("add_labels", List.of("seen"), "remove_labels", List.of("unread")))
                .is(200);
    }

    private List<LogFollower<?>> tails() {
        String inbox = "/v0/inboxes/" + inboxes.getFirst();
        return List.of(
                new LogFollower<>("events of the organization by number", 0L, this::eventsByNumber),
                new LogFollower<>("messages of the organization by time", Instant.EPOCH, this::messagesByTime),
                new LogFollower<>("feed of an inbox by its last event_id", "", last -> feed(inbox + "/events", last)),
                after(inbox + "/messages", "messages", "message_id"),
                after(inbox + "/threads", "threads", "thread_id"),
                after("/v0/threads", "threads", "thread_id"));
    }

    /** As webhooks and sockets go on. */
    private LogFollower.Step<Long> eventsByNumber(Long last) {
        List<Long> numbers = nodes.getLast()
                .database()
                .read(tx -> tx.sqlAcrossTenants("select e.seq from event e where e.seq > :last order by e.seq")
                        .bind("last", last)
                        .list(row -> row.longer("seq")));
        return new LogFollower.Step<>(
                numbers.isEmpty() ? last : numbers.getLast(),
                numbers.stream().map(String::valueOf).toList());
    }

    private LogFollower.Step<Instant> messagesByTime(Instant last) {
        record Line(String id, Instant at) {}
        List<Line> lines = nodes.getLast()
                .database()
                .read(tx -> tx.sqlAcrossTenants("select m.message_id::text as id, m.created_at from message m"
                                + " where m.created_at > :last"
                                + " order by m.created_at")
                        .bind("last", last)
                        .list(row -> new Line(row.text("id"), row.instant("created_at"))));
        return new LogFollower.Step<>(
                lines.isEmpty() ? last : lines.getLast().at(),
                lines.stream().map(Line::id).toList());
    }

    /** From the newest back to the last one known; ids sort as they were committed. */
    private LogFollower.Step<String> feed(String path, String last) {
        List<String> fresh = new ArrayList<>();
        boolean known = false;
        String token = "";
        while (!known) {
            HttpProbe.Answer page =
                    nodes.getLast().http().get(path + "?limit=100" + token).is(200);
            for (Object item : page.list("events")) {
                String id = String.valueOf(((Map<?, ?>) item).get("event_id"));
                known |= id.compareTo(last) <= 0;
                if (!known) {
                    fresh.add(id);
                }
            }
            token = "&page_token=" + page.at("next_page_token");
            known |= page.at("next_page_token") == null;
        }
        return new LogFollower.Step<>(fresh.isEmpty() ? last : fresh.getFirst(), fresh);
    }

    /** The recovery that the interface recommends: everything from the last time on, what is known is skipped. */
    private LogFollower<String> after(String path, String items, String id) {
        return new LogFollower<>(path + " after the last time", FROM_THE_START, last -> {
            List<String> found = new ArrayList<>();
            String newest = last;
            String token = "";
            do {
                HttpProbe.Answer page = nodes.getLast()
                        .http()
                        .get(path + "?ascending=true&limit=100&include_unauthenticated=true&after=" + last + token)
                        .is(200);
                for (Object item : page.list(items)) {
                    found.add(String.valueOf(((Map<?, ?>) item).get(id)));
                    newest = String.valueOf(((Map<?, ?>) item).get("timestamp"));
                }
                token = page.at("next_page_token") == null ? "" : "&page_token=" + page.at("next_page_token");
            } while (!token.isEmpty());
            return new LogFollower.Step<>(newest, found);
        });
    }

    private void run(String sql) {
        nodes.getFirst().database().writeGlobal(tx -> tx.sqlAcrossTenants(sql).run());
    }
}
