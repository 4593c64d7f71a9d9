package dev.inboxd.sending;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Messages that leave together share a commit (docs/decisions/0028), and nothing else. */
class JointSendsHttpTest {
    @RegisterExtension
    private final World world = World.start();

    @Test
    @Proves("P2e")
    void sendsOfManyOrganizationsShareACommitAndNothingElse() throws InterruptedException {
        Map<String, String> keys = new LinkedHashMap<>();
        for (int i = 0; i < 8; i++) {
            HttpProbe.Answer welcome = world.anonymous()
                    .post("/v0/agent/sign-up", """
                    {"human_email":"h%s@human.test","username":"joint%s",
                    "source":"tests"}""".formatted(i, i))
                    .is(200);
            keys.put(welcome.text("inbox_id"), welcome.text("api_key"));
        }
        List<Thread> senders = new ArrayList<>();
        Map<String, List<String>> names = new ConcurrentHashMap<>();
        List<String> inboxes = List.copyOf(keys.keySet());
        for (String inbox : inboxes) {
            String human = "h" + inboxes.indexOf(inbox) + "@human.test";
            senders.add(Thread.startVirtualThread(() -> {
                for (int i = 0; i < 8; i++) {
                    names.computeIfAbsent(inbox, _ -> new CopyOnWriteArrayList<>())
                            .add(world.as(Objects.requireNonNull(keys.get(inbox)))
                                    .post(path(inbox), body(human, i + " of " + inbox))
                                    .is(200)
                                    .text("message_id"));
                }
            }));
        }
        join(senders);
        keys.forEach((inbox, key) -> {
            HttpProbe.Answer page = world.as(key)
                    .get("/v0/inboxes/" + inbox + "/messages?labels=sent")
                    .is(200);
            assertThat(page.list("messages")).hasSize(8).allSatisfy(message -> {
                assertThat(String.valueOf(((Map<?, ?>) message).get("subject"))).endsWith(inbox);
                assertThat(names.get(inbox)).contains(String.valueOf(((Map<?, ?>) message).get("message_id")));
            });
        });
        assertThat(world.database()
                        .<Integer>read(tx -> tx.sqlAcrossTenants("select coalesce(max(n), 0)::integer as n from"
                                        + " (select count(distinct organization_id) as n from message m"
                                        + " where m.outgoing group by xmin::text) as t")
                                .single(row -> row.integer("n"))))
                .isGreaterThan(1);
    }

    /** All that can be refused in the commit, beside one another and beside what is sent. */
    @Test
    @Proves("P2e")
    void aRefusedSendInABatchRefusesOnlyItself() throws Exception {
        String inbox = world.inbox("mixed");
        String paused = world.inbox("paused");
        String gone = world.inbox("gone");
        try (FakeEndpoint files = FakeEndpoint.start()) {
            CountDownLatch all = new CountDownLatch(1);
            files.always(FakeEndpoint.after(all, FakeEndpoint.respond(200, "", "here")));
            Map<String, String> answers = new ConcurrentHashMap<>();
            List<Thread> senders = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                int number = i;
                senders.add(Thread.startVirtualThread(() -> answers.put(
                        "good " + number, answer(inbox, "you" + number + "@elsewhere.test", "good " + number, files))));
                senders.add(Thread.startVirtualThread(() -> answers.put(
                        "blocked " + number, answer(inbox, "foe@elsewhere.test", "blocked " + number, files))));
            }
            senders.add(Thread.startVirtualThread(
                    () -> answers.put("paused", answer(paused, "a@elsewhere.test", "p", files))));
            senders.add(
                    Thread.startVirtualThread(() -> answers.put("gone", answer(gone, "a@elsewhere.test", "g", files))));
            for (int i = 0; i < senders.size(); i++) {
                files.take(); // composed before anything stood against it
            }
            world.http()
                    .post("/v0/lists/send/block", json("entry", "foe@elsewhere.test"))
                    .is(200);
            world.http()
                    .patch("/v0/inboxes/" + paused, json("status", "paused"))
                    .is(200);
            world.http().delete("/v0/inboxes/" + gone);
            all.countDown();
            join(senders);
            assertThat(answers)
                    .hasSize(12)
                    .allSatisfy((what, answer) -> assertThat(answer)
                            .isEqualTo(
                                    what.startsWith("good")
                                            ? "200"
                                            : what.equals("gone")
                                                    ? "404 not_found"
                                                    : what.equals("paused")
                                                            ? "403 inbox_paused"
                                                            : "403 message_rejected"));
        }
        assertThat(count("message m where m.outgoing")).isEqualTo(5);
        assertThat(count("submission s")).isEqualTo(5);
        assertThat(count("send_memory s where s.completed_at is null")).isZero();
    }

    @Test
    @Proves("P5")
    void equalRequestsAtOnceMakeOneMessageAndAreAllAnsweredAlike() throws Exception {
        String inbox = world.inbox("equal");
        try (FakeEndpoint files = FakeEndpoint.start()) {
            CountDownLatch all = new CountDownLatch(1);
            files.always(FakeEndpoint.after(all, FakeEndpoint.respond(200, "", "here")));
            List<String> names = new CopyOnWriteArrayList<>();
            List<Thread> senders = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                senders.add(Thread.startVirtualThread(() -> names.add(world.http()
                        .post(path(inbox), body("you@elsewhere.test", "equal", files))
                        .is(200)
                        .text("message_id"))));
            }
            for (int i = 0; i < 6; i++) {
                files.take(); // each has begun before any was answered
            }
            all.countDown();
            join(senders);
            assertThat(names).hasSize(6);
            assertThat(List.copyOf(names).stream().distinct()).hasSize(1);
        }
        assertThat(count("message m where m.outgoing")).isEqualTo(1);
    }

    @Test
    @Proves("P4a")
    void aDraftThatManySendAtOnceIsOneMessage() throws Exception {
        String inbox = world.inbox("draft");
        String draft = world.http()
                .post("/v0/inboxes/" + inbox + "/drafts", json("to", "you@elsewhere.test", "text", "x"))
                .is(200)
                .text("draft_id");
        List<Integer> answers = new CopyOnWriteArrayList<>();
        List<Thread> senders = new ArrayList<>();
        CountDownLatch begin = new CountDownLatch(1);
        for (int i = 0; i < 6; i++) {
            int number = i;
            senders.add(Thread.startVirtualThread(() -> {
                await(begin);
                answers.add(world.http()
                        .with("Idempotency-Key", "key" + number)
                        .post("/v0/inboxes/" + inbox + "/drafts/" + draft + "/send", "{}")
                        .status());
            }));
        }
        begin.countDown();
        join(senders);
        assertThat(answers).hasSize(6).containsOnlyOnce(200);
        assertThat(count("message m where m.outgoing")).isEqualTo(1);
    }

    /** What a commit waits for, its answers wait for. */
    @Test
    @Proves("P2e")
    void anAnswerIsGivenOnlyAfterTheCommit() throws Exception {
        String inbox = world.inbox("after");
        List<Integer> answers = new CopyOnWriteArrayList<>();
        List<Thread> senders = new ArrayList<>();
        world.database().writeGlobal(tx -> {
            tx.sqlAcrossTenants("lock table message_content in share mode").run();
            for (int i = 0; i < 4; i++) {
                int number = i;
                senders.add(Thread.startVirtualThread(() -> answers.add(world.http()
                        .post(path(inbox), body("you@elsewhere.test", "after " + number))
                        .status())));
            }
            Eventually.await(() -> waiting(tx) > 0);
            assertThat(answers).isEmpty();
            return inbox;
        });
        join(senders);
        assertThat(answers).hasSize(4).containsOnly(200);
        assertThat(count("message m where m.outgoing")).isEqualTo(4);
    }

    private static int waiting(Tx tx) {
        return tx.sqlAcrossTenants("select count(*) as n from pg_locks l where not l.granted"
                        + " and l.relation = 'message_content'::regclass")
                .single(row -> row.integer("n"));
    }

    private int count(String from) {
        return world.database()
                .read(tx ->
                        tx.sqlAcrossTenants("select count(*) as n from " + from).single(row -> row.integer("n")));
    }

    private String answer(String inbox, String to, String subject, FakeEndpoint files) {
        HttpProbe.Answer answer = world.http().post(path(inbox), body(to, subject, files));
        return answer.status() == 200 ? "200" : answer.status() + " " + answer.text("code");
    }

    private static String path(String inbox) {
        return "/v0/inboxes/" + inbox + "/messages/send";
    }

    private static String body(String to, String subject) {
        return json("to", to, "subject", subject, "text", "t");
    }

    private static String body(String to, String subject, FakeEndpoint files) {
        return """
                {"to":"%s","subject":"%s","attachments":[{"url":"%s"}]}""".formatted(to, subject, files.url("/a"));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    private static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
