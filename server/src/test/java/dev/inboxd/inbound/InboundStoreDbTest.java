package dev.inboxd.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmtpProbe;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a 250 leaves in the database. */
class InboundStoreDbTest {
    @RegisterExtension
    private static final World world = World.start();

    @Test
    @Proves("A13")
    void aReplyJoinsTheThreadOfWhatItAnswers() {
        String inbox = world.inbox("threads");
        assertThat(world.mail("jo@example.com", inbox, mail("<t1@x.test>", ""))).startsWith("250");
        assertThat(world.mail("jo@example.com", inbox, mail("<t2@x.test>", "In-Reply-To: <t1@x.test>\n")))
                .startsWith("250");
        assertThat(count("select count(*) as n from thread t where t.organization_id = {organization}"
                        + " and t.message_count = 2"))
                .isEqualTo(1);
    }

    @Test
    @Proves({"P1a", "A13"})
    void aTrueRedeliveryIsAbsorbedAndAnotherMessageOfTheSameNameIsKept() {
        String inbox = world.inbox("again");
        String first = mail("<same@x.test>", "X-Mark: again\n");
        assertThat(world.mail("jo@example.com", inbox, first)).startsWith("250");
        assertThat(world.mail("jo@example.com", inbox, first)).startsWith("250");
        assertThat(world.mail("jo@example.com", inbox, first + "More.\n")).startsWith("250");
        assertThat(count("select count(*) as n from message m join inbox i on i.inbox_id = m.inbox_id"
                        + " where m.organization_id = {organization} and i.organization_id = {organization}"
                        + " and i.address = 'again@mail.localhost'"))
                .isEqualTo(2);
    }

    @Test
    void mailOfManyOrganizationsSharesTransactionsAndNothingElse() throws InterruptedException {
        Map<String, String> keys = new LinkedHashMap<>();
        for (int i = 0; i < 8; i++) {
            HttpProbe.Answer welcome = world.anonymous()
                    .post("/v0/agent/sign-up", """
                    {"human_email":"h%s@human.test","username":"shared%s",
                    "source":"tests"}""".formatted(i, i))
                    .is(200);
            keys.put(welcome.text("inbox_id"), welcome.text("api_key"));
        }
        List<Thread> senders = new ArrayList<>();
        List<String> answers = new CopyOnWriteArrayList<>();
        keys.keySet()
                .forEach(inbox -> senders.add(Thread.startVirtualThread(() -> {
                    try (SmtpProbe probe = new SmtpProbe(world.smtpPort())) {
                        for (int i = 0;
                                i < 15;
                                i++) { // each answers the one before, by the same names in every organization
                            answers.add(probe.send(
                                    "jo@example.com",
                                    List.of(inbox),
                                    mail(
                                                    "<" + i + "@shared.test>",
                                                    i == 0 ? "" : "In-Reply-To: <" + (i - 1) + "@shared.test>\n")
                                            .replace("Hello there", inbox)
                                            .replace("\n", "\r\n")));
                        }
                    }
                })));
        for (Thread sender : senders) {
            sender.join();
        }
        assertThat(answers).hasSize(120).allSatisfy(answer -> assertThat(answer).startsWith("250"));
        keys.forEach((inbox, key) -> {
            HttpProbe.Answer thread = world.as(key)
                    .get("/v0/threads?include_unauthenticated=true")
                    .is(200);
            assertThat(thread.list("threads")).hasSize(1);
            HttpProbe.Answer whole = world.as(key)
                    .get("/v0/threads/" + thread.text("threads.0.thread_id"))
                    .is(200);
            assertThat(whole.list("messages")).hasSize(15).allSatisfy(message -> {
                assertThat(((Map<?, ?>) message).get("inbox_id")).isEqualTo(inbox);
                assertThat(String.valueOf(((Map<?, ?>) message).get("text"))).contains(inbox);
            });
            assertThat(world.as(key)
                            .get("/v0/inboxes/" + inbox + "/events")
                            .is(200)
                            .list("events"))
                    .hasSize(45); // three labels each
        });
        assertThat(world.database()
                        .<Integer>read(tx -> tx.sqlAcrossTenants("select coalesce(max(n), 0)::integer as n from"
                                        + " (select count(distinct organization_id) as n from message"
                                        + " group by xmin::text) as transactions")
                                .single(row -> row.integer("n"))))
                .isGreaterThan(1);
    }

    @Test
    void mailWaitsForNoOtherOrganizationsClock() throws InterruptedException {
        Map<String, UUID> inboxes = new LinkedHashMap<>();
        for (int i = 0; i < 3; i++) {
            HttpProbe.Answer welcome = world.anonymous()
                    .post("/v0/agent/sign-up", """
                    {"human_email":"c%s@human.test","username":"clock%s",
                    "source":"tests"}""".formatted(i, i))
                    .is(200);
            inboxes.put(welcome.text("inbox_id"), UUID.fromString(welcome.text("organization_id")));
        }
        List<String> names = List.copyOf(inboxes.keySet());
        CountDownLatch held = new CountDownLatch(2);
        CountDownLatch release = new CountDownLatch(1);
        List<String> answers = new CopyOnWriteArrayList<>();
        List<Thread> threads = new ArrayList<>();
        for (String slow : names.subList(0, 2)) {
            threads.add(Thread.startVirtualThread(() -> world.database()
                    .run(Objects.requireNonNull(inboxes.get(slow)), _ -> {
                        held.countDown();
                        try {
                            release.await();
                        } catch (InterruptedException stopped) {
                            throw new IllegalStateException(stopped);
                        }
                    })));
        }
        held.await();
        names.subList(0, 2)
                .forEach(slow -> threads.add(Thread.startVirtualThread(
                        () -> answers.add(world.mail("jo@example.com", slow, mail("<slow@clock.test>", ""))))));
        for (int i = 0; i < 20; i++) { // some of them come after both
            assertThat(world.mail("jo@example.com", names.getLast(), mail("<" + i + "@clock.test>", "")))
                    .startsWith("250");
        }
        release.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(answers).hasSize(2).allSatisfy(answer -> assertThat(answer).startsWith("250"));
    }

    @Test
    @Proves({"A4", "A5a"})
    void mailForOthersIsNotRelayed() {
        assertThat(world.mail("jo@example.com", "someone@elsewhere.test", mail("<r@x.test>", "")))
                .startsWith("550 5.7.1");
        assertThat(world.mail("jo@example.com", "nobody@mail.localhost", mail("<r@x.test>", "")))
                .startsWith("550 5.1.1");
    }

    private static String mail(String id, String more) {
        return "From: Jo <jo@example.com>\nTo: agent@mail.localhost\nSubject: Hello\nMessage-ID: " + id + "\n" + more
                + "\nHello there.\n";
    }

    private static int count(String sql) {
        UUID organization = UUID.fromString(world.database()
                .read(tx -> tx.sqlAcrossTenants(
                                "select o.organization_id::text as id from organization o where o.type = 'console'")
                        .single(row -> row.text("id"))));
        return world.database().read(tx -> tx.sql(View.of(organization), sql).single(row -> row.integer("n")));
    }
}
