package dev.inboxd.receive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.SmtpProbe;
import dev.inboxd.World;
import dev.inboxd.blob.BlobKey;
import dev.inboxd.blob.Blobs;
import dev.inboxd.blob.StoredBlob;
import dev.inboxd.database.View;
import dev.inboxd.event.EventLog;
import dev.inboxd.feedback.Feedback;
import dev.inboxd.http.HttpProbe;
import dev.inboxd.inbox.Addresses;
import dev.inboxd.inbox.KnownRecipients;
import dev.inboxd.link.Links;
import dev.inboxd.net.MailDns;
import dev.inboxd.mail.smtp.DsnRequest;
import dev.inboxd.mail.smtp.NullPath;
import dev.inboxd.mail.smtp.Reply;
import dev.inboxd.mail.verp.ReturnPaths;
import dev.inboxd.message.LargeMessages;
import dev.inboxd.message.RecentlyShown;
import dev.inboxd.spam.Models;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a 250 leaves in the database. */
class IngestDbTest {
    private static final Peer PEER = new Peer(InetAddress.getLoopbackAddress(), "x.test", false);
    private static World world;

    @BeforeAll
    static void start() {
        world = World.start();
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    @Test
    void aReplyJoinsTheThreadOfWhatItAnswers() {
        String inbox = world.inbox("threads");
        assertThat(world.mail("jo@example.com", inbox, mail("<t1@x.test>", ""))).startsWith("250");
        assertThat(world.mail("jo@example.com", inbox, mail("<t2@x.test>", "In-Reply-To: <t1@x.test>\n")))
                .startsWith("250");
        assertThat(count("select count(*) as n from thread t where t.organization_id = {organization}"
                + " and t.message_count = 2")).isEqualTo(1);
    }

    @Test
    void aTrueRedeliveryIsAbsorbedAndAnotherMessageOfTheSameNameIsKept() {
        String inbox = world.inbox("again");
        String first = mail("<same@x.test>", "X-Mark: again\n");
        assertThat(world.mail("jo@example.com", inbox, first)).startsWith("250");
        assertThat(world.mail("jo@example.com", inbox, first)).startsWith("250");
        assertThat(world.mail("jo@example.com", inbox, first + "More.\n")).startsWith("250");
        assertThat(count("select count(*) as n from message m join inbox i on i.inbox_id = m.inbox_id"
                + " where m.organization_id = {organization} and i.organization_id = {organization}"
                + " and i.address = 'again@mail.localhost'")).isEqualTo(2);
    }

    @Test
    void mailOfManyOrganizationsSharesTransactionsAndNothingElse() throws InterruptedException {
        Map<String, String> keys = new LinkedHashMap<>();
        for (int i = 0; i < 8; i++) {
            HttpProbe.Answer welcome = world.anonymous().post("/v0/agent/sign-up", "{\"human_email\":\"h" + i
                    + "@human.test\",\"username\":\"shared" + i + "\",\"source\":\"tests\"}").is(200);
            keys.put(welcome.text("inbox_id"), welcome.text("api_key"));
        }
        List<Thread> senders = new ArrayList<>();
        List<String> answers = new CopyOnWriteArrayList<>();
        keys.keySet().forEach(inbox -> senders.add(Thread.startVirtualThread(() -> {
            try (SmtpProbe probe = new SmtpProbe(world.smtpPort())) {
                for (int i = 0; i < 15; i++) { // each answers the one before, by the same names in every organization
                    answers.add(probe.send("jo@example.com", List.of(inbox), mail("<" + i + "@shared.test>",
                            i == 0 ? "" : "In-Reply-To: <" + (i - 1) + "@shared.test>\n").replace("Hello there", inbox)
                            .replace("\n", "\r\n")));
                }
            }
        })));
        for (Thread sender : senders) {
            sender.join();
        }
        assertThat(answers).hasSize(120).allSatisfy(answer -> assertThat(answer).startsWith("250"));
        keys.forEach((inbox, key) -> {
            HttpProbe.Answer thread = world.as(key).get("/v0/threads?include_unauthenticated=true").is(200);
            assertThat(thread.list("threads")).hasSize(1);
            HttpProbe.Answer whole = world.as(key).get("/v0/threads/" + thread.text("threads.0.thread_id")).is(200);
            assertThat(whole.list("messages")).hasSize(15).allSatisfy(message -> {
                assertThat(((Map<?, ?>) message).get("inbox_id")).isEqualTo(inbox);
                assertThat(String.valueOf(((Map<?, ?>) message).get("text"))).contains(inbox);
            });
            assertThat(world.as(key).get("/v0/inboxes/" + inbox + "/events").is(200).list("events")).hasSize(45); // three labels each
        });
        assertThat(world.database().<Integer>read(tx -> tx.sqlAcross("select coalesce(max(n), 0)::integer as n from"
                + " (select count(distinct organization_id) as n from message group by xmin::text) as transactions")
                .one(row -> row.integer("n")))).isGreaterThan(1);
    }

    @Test
    void mailWaitsForNoOtherOrganizationsClock() throws InterruptedException {
        Map<String, UUID> inboxes = new LinkedHashMap<>();
        for (int i = 0; i < 3; i++) {
            HttpProbe.Answer welcome = world.anonymous().post("/v0/agent/sign-up", "{\"human_email\":\"c" + i
                    + "@human.test\",\"username\":\"clock" + i + "\",\"source\":\"tests\"}").is(200);
            inboxes.put(welcome.text("inbox_id"), UUID.fromString(welcome.text("organization_id")));
        }
        List<String> names = List.copyOf(inboxes.keySet());
        CountDownLatch held = new CountDownLatch(2);
        CountDownLatch release = new CountDownLatch(1);
        List<String> answers = new CopyOnWriteArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (String slow : names.subList(0, 2)) {
            threads.add(Thread.startVirtualThread(() -> world.database().<@Nullable Void>write(
                    Objects.requireNonNull(inboxes.get(slow)), _ -> {
                        held.countDown();
                        try {
                            release.await();
                        } catch (InterruptedException stopped) {
                            throw new IllegalStateException(stopped);
                        }
                        return null;
                    })));
        }
        held.await();
        names.subList(0, 2).forEach(slow -> threads.add(Thread.startVirtualThread(
                () -> answers.add(world.mail("jo@example.com", slow, mail("<slow@clock.test>", ""))))));
        for (int i = 0; i < 20; i++) { // some of them come after both
            assertThat(world.mail("jo@example.com", names.getLast(), mail("<" + i + "@clock.test>", ""))).startsWith("250");
        }
        release.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(answers).hasSize(2).allSatisfy(answer -> assertThat(answer).startsWith("250"));
    }

    @Test
    void mailForOthersIsNotRelayed() {
        assertThat(world.mail("jo@example.com", "someone@elsewhere.test", mail("<r@x.test>", ""))).startsWith("550 5.7.1");
        assertThat(world.mail("jo@example.com", "nobody@mail.localhost", mail("<r@x.test>", ""))).startsWith("550 5.1.1");
    }

    /** A store that stalls must not make every session that may be open hold a parsed message (promise P15). */
    @Test
    void whileTheStoreStallsMailBeyondTheMemoryIsRefusedForNow(@TempDir Path folder) throws Exception {
        String inbox = world.inbox("stall");
        CountDownLatch stalled = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        MailBudget memory = new MailBudget(0, Duration.ZERO);
        int all = memory.available();
        Spools spools = new Spools(folder.resolve("spool"), 256 * 1024, 1 << 20);
        try (Blobs blobs = new Stalling(Blobs.at(folder.resolve("blobs").toString()), stalled, release);
                ExecutorService sessions = Executors.newVirtualThreadPerTaskExecutor()) {
            Addresses addresses = new Addresses(world.database(), "mail.localhost", "");
            MailDns dns = new MailDns(world.dns().servers(), Duration.ofSeconds(5));
            Ingest ingest = new Ingest(new Ingest.Parts(world.database(), new KnownRecipients(addresses),
                    new LargeMessages(world.database(), blobs), new Ingest.Means(new EventLog(_ -> {}),
                    new Links(URI.create("http://x.test"), new byte[32], world.clock()), new RecentlyShown()),
                    new Authentication(dns, "mx.inboxd.test", world.clock(), false),
                    new Feedback(world.database(), new EventLog(_ -> {}), new ReturnPaths(List.of(new byte[32]))),
                    new Filters(new Classifier(new Models(world.database()), world.clock()), null, null, world.clock())),
                    memory);
            Future<Reply> first = sessions.submit(() -> accept(ingest, spools, inbox, "<s1@x.test>", 600_000));
            try {
                assertThat(stalled.await(30, TimeUnit.SECONDS)).isTrue();
                assertThat(memory.available()).isLessThan(all);
                assertThat(accept(ingest, spools, inbox, "<s2@x.test>", 600_000).toString()).startsWith("451 4.3.1");
                assertThat(accept(ingest, spools, inbox, "<s3@x.test>", 1_000).code()).isEqualTo(250);
            } finally {
                release.countDown();
            }
            assertThat(first.get().code()).isEqualTo(250);
            assertThat(accept(ingest, spools, inbox, "<s2@x.test>", 600_000).code()).isEqualTo(250);
            assertThatThrownBy(() -> accept(ingest, spools, "nobody", "<s4@x.test>", 1_000))
                    .isInstanceOf(RuntimeException.class);
            assertThat(memory.available()).isEqualTo(all);
        }
    }

    private static Reply accept(Ingest ingest, Spools spools, String inbox, String id, int size) throws IOException {
        UUID unknown = new UUID(1, 2);
        Addresses.Destination destination = inbox.equals("nobody") ? new Addresses.Destination(unknown, unknown)
                : Objects.requireNonNull(ingest.recipient(NullPath.NULL, new dev.inboxd.mail.smtp.Path("stall", "mail.localhost"),
                        PEER).destination());
        Envelope envelope = new Envelope("e1", PEER, NullPath.NULL,
                List.of(new dev.inboxd.mail.smtp.Path("stall", "mail.localhost")), List.of(destination), false,
                world.clock().instant(), DsnRequest.NONE);
        byte[] octets = (mail(id, "") + "x".repeat(70).concat("\r\n").repeat(size / 72)).getBytes(StandardCharsets.UTF_8);
        try (SpoolWriter writer = spools.begin()) {
            writer.write(octets, 0, octets.length);
            try (Spool spool = writer.finish(0, id)) {
                return ingest.accept(envelope, spool);
            }
        }
    }

    /** A blob store that takes its time. */
    private record Stalling(Blobs blobs, CountDownLatch stalled, CountDownLatch release) implements Blobs {
        @Override
        public void put(BlobKey key, InputStream content, long size) {
            stalled.countDown();
            try {
                release.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            blobs.put(key, content, size);
        }

        @Override
        public InputStream open(BlobKey key, long offset, long length) {
            return blobs.open(key, offset, length);
        }

        @Override
        public void delete(BlobKey key) {
            blobs.delete(key);
        }

        @Override
        public void walk(Consumer<StoredBlob> visitor) {
            blobs.walk(visitor);
        }

        @Override
        public void close() {
            blobs.close();
        }
    }

    private static String mail(String id, String more) {
        return "From: Jo <jo@example.com>\nTo: agent@mail.localhost\nSubject: Hello\nMessage-ID: " + id + "\n" + more
                + "\nHello there.\n";
    }

    private static int count(String sql) {
        UUID organization = UUID.fromString(world.database().read(tx -> tx.sqlAcross(
                "select o.organization_id::text as id from organization o where o.type = 'console'")
                .one(row -> row.text("id"))));
        return world.database().read(tx -> tx.sql(View.of(organization), sql).one(row -> row.integer("n")));
    }
}
