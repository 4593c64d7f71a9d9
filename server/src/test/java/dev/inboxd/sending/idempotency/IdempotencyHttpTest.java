package dev.inboxd.sending.idempotency;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.job.Nodes;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The header Idempotency-Key, rule by rule (mail.md §11.1, promise P4). */
class IdempotencyHttpTest {
    @RegisterExtension
    private final World world = World.start();

    private String inbox;

    @BeforeEach
    void start() {
        inbox = world.inbox("keys");
    }

    @Test
    @Proves("P4")
    void eachOfTheFiveSendsAnswersARepeatWithTheFirstAnswer() {
        world.mail("jo@example.com", inbox, "From: jo@example.com\nMessage-ID: <m@x.test>\n\nHello.\n");
        String original = "/messages/" + URLEncoder.encode("<m@x.test>", StandardCharsets.UTF_8);
        String to = json("to", "jo@elsewhere.test");
        Map<String, String> sends = new HashMap<>(Map.of(
                "/messages/send",
                to,
                original + "/reply",
                "{}",
                original + "/reply-all",
                "{}",
                original + "/forward",
                to));
        sends.put("/drafts/" + draft() + "/send", "{}");
        sends.forEach((path, body) -> {
            HttpProbe keyed = keyed("k" + Integer.toHexString(path.hashCode()));
            HttpProbe.Answer first =
                    keyed.post("/v0/inboxes/" + inbox + path, body).is(200);
            HttpProbe.Answer second =
                    keyed.post("/v0/inboxes/" + inbox + path, body).is(200);
            assertThat(second.at("")).as(path).isEqualTo(first.at(""));
        });
        assertThat(sent()).isEqualTo(5);
    }

    @Test
    @Proves("P4")
    void aDraftsReplayOutlivesTheDraftAndAnotherKeyFindsNothing() {
        String path = "/v0/inboxes/" + inbox + "/drafts/" + draft() + "/send";
        String first = keyed("draft-1").post(path, "").is(200).text("message_id");
        assertThat(keyed("draft-1").post(path, "{}").is(200).text("message_id")).isEqualTo(first);
        keyed("draft-2").post(path, "").is(404);
        world.http().post(path, "").is(404);
        assertThat(keyed("draft-1").post(path, json("add_labels", "x")).is(409).text("code"))
                .isEqualTo("conflict");
        HttpProbe weak = world.as(world.http()
                        .post("/v0/api-keys", json("name", "weak", "permissions", Map.of()))
                        .is(200)
                        .text("api_key"))
                .with("Idempotency-Key", "draft-1");
        assertThat(weak.post(path, "").is(403).text("code")).isEqualTo("missing_permission");
        world.http().patch("/v0/inboxes/" + inbox, json("status", "paused")).is(200);
        keyed("draft-1").post(path, "").is(200);
    }

    @Test
    void aKeyBelongsToOneRequestOfItsInbox() {
        String other = world.inbox("other");
        String body = json("to", "jo@elsewhere.test", "text", "One");
        String first = keyed("one").post(send(inbox), body).is(200).text("message_id");
        String fromOther = keyed("one").post(send(other), body).is(200).text("message_id");
        assertThat(fromOther).isNotEqualTo(first);
        assertThat(keyed("one").post(send(other), body).is(200).text("message_id"))
                .isEqualTo(fromOther);
        keyed("one")
                .post(send(inbox), json("to", "jo@elsewhere.test", "text", "Two"))
                .is(409);
        keyed("one")
                .post("/v0/inboxes/" + inbox + "/drafts/" + draft() + "/send", body)
                .is(409);
        keyed("one")
                .post(send(inbox), json("text", "One", "to", "jo@elsewhere.test"))
                .is(200);
        assertThat(sent()).isEqualTo(2);
    }

    @Test
    void aKeyIsAnyVisibleAscii() {
        String body = json("to", "jo@elsewhere.test");
        StringBuilder visible = new StringBuilder();
        for (char c = '!'; c <= '~'; c++) {
            visible.append(c);
        }
        List<String> good = List.of(
                visible.toString(), "welcome-user/123", "reply-<a@b>", "\"quoted\"", "unnamed:", "k".repeat(256));
        for (String key : good) {
            String first = keyed(key).post(send(inbox), body).is(200).text("message_id");
            assertThat(keyed(key).post(send(inbox), body).is(200).text("message_id"))
                    .as(key)
                    .isEqualTo(first);
        }
        assertThat(sent()).isEqualTo(good.size());
        for (String key : List.of("", "two words", "k".repeat(257))) {
            assertThat(keyed(key).post(send(inbox), body).is(400).at("errors.0.path"))
                    .as(key)
                    .isEqualTo(List.of("headers", "idempotency-key"));
        }
    }

    @Test
    @Proves("P4")
    void aKeyIsForgottenADayAfterItsSendWasCompleted() {
        String body = json("to", "jo@elsewhere.test", "text", "One");
        String first = keyed("day").post(send(inbox), body).is(200).text("message_id");
        world.advance(Duration.ofHours(24).minusSeconds(30));
        assertThat(keyed("day").post(send(inbox), body).is(200).text("message_id"))
                .isEqualTo(first);
        world.advance(Duration.ofSeconds(31));
        assertThat(keyed("day")
                        .post(send(inbox), json("to", "jo@elsewhere.test"))
                        .is(200)
                        .text("message_id"))
                .isNotEqualTo(first);
    }

    @Test
    void anyRefusalLeavesTheKeyFree() {
        String missing = "/v0/inboxes/" + inbox + "/drafts/01890000-0000-7000-8000-000000000000/send";
        keyed("free").post(missing, "").is(404);
        keyed("free").post(send(inbox), json("to", "no address")).is(400);
        keyed("free").post(send(inbox), "{}").is(422);
        world.http().patch("/v0/inboxes/" + inbox, json("status", "paused")).is(200);
        keyed("free").post(send(inbox), json("to", "jo@elsewhere.test")).is(403);
        world.http().patch("/v0/inboxes/" + inbox, json("status", "active")).is(200);
        keyed("free").post(send(inbox), json("to", "jo@elsewhere.test")).is(200);
    }

    /** Of a node that could not name itself, or of the version before. */
    @Test
    @Proves("P4")
    void aSendThatWasCutShortHoldsItsKeyForAMinute() {
        String body = json("to", "jo@elsewhere.test");
        keyed("cut").post(send(inbox), body).is(200);
        View all = View.of(organization());
        world.database()
                .write(
                        all.organization(),
                        tx -> tx.sql(
                                        all,
                                        "update send_memory s set completed_at = null, node_id = null,"
                                                + " message_name = null,"
                                                + " lease_until = {real_now} + interval '60 seconds',"
                                                + " expires_at = {now} + interval '60 seconds' where {s}")
                                .run());
        HttpProbe.Answer running = keyed("cut").post(send(inbox), body).is(409);
        assertThat(running.text("code")).isEqualTo("conflict");
        assertThat(running.header("Retry-After")).isEqualTo("1");
        keyed("cut").post(send(inbox), "{}").is(409);
        leaseEnds();
        keyed("cut").post(send(inbox), body).is(200);
        assertThat(sent()).isEqualTo(2);
    }

    @Test
    @Proves("P4")
    void whoLostAKeyToAnotherCannotEndItsSend() {
        Idempotency memory = new Idempotency(world.database(), new Nodes(world.database()));
        IdempotencyClaim lost = memory.begin(named(new byte[] {1}));
        leaseEnds();
        keyed("lost").post(send(inbox), "{}").is(422);
        IdempotencyClaim second = memory.begin(named(new byte[] {2}));
        SendResult sent = new SendResult("<late@x.test>", UUID.randomUUID());
        assertThatThrownBy(() -> commit(lost, sent)).isInstanceOf(Problem.class);
        assertThat(commit(second, sent)).isNull();
        memory.release(lost);
        assertThat(memory.begin(named(new byte[] {2})).earlier()).isEqualTo(sent);
    }

    private IdempotencyKey named(byte[] fingerprint) {
        UUID id = world.database()
                .read(tx -> tx.sql(
                                View.of(organization()),
                                "select i.inbox_id from inbox i where {i} and i.address = :address")
                        .bind("address", inbox)
                        .single(row -> row.uuid("inbox_id")));
        return new IdempotencyKey(organization(), id + ":lost", fingerprint, true);
    }

    @Test
    @Proves("P5")
    void aRequestThatItsOwnRepeatOvertookMakesNoSecondMail() {
        Idempotency memory = new Idempotency(world.database(), new Nodes(world.database()));
        IdempotencyKey key = IdempotencyKey.unnamed(organization(), new byte[] {1});
        IdempotencyClaim slow = memory.begin(key);
        IdempotencyClaim repeat = memory.begin(key);
        SendResult sent = new SendResult("<repeat@x.test>", UUID.randomUUID());
        assertThat(commit(repeat, sent)).isNull();
        repeat.acknowledge();
        repeat.end();
        memory.cleanUp();
        assertThat(commit(slow, new SendResult("<slow@x.test>", UUID.randomUUID())))
                .isEqualTo(sent);
        assertThat(commit(memory.begin(key), sent)).isNull();
    }

    /** The transaction of a send, as far as its memory is concerned; what it decided. */
    private @Nullable SendResult commit(IdempotencyClaim noting, SendResult sent) {
        View all = View.of(organization());
        return world.database().write(all.organization(), 8, (tx, opening) -> {
            noting.prefetch(opening, all);
            opening.run();
            SendResult before = noting.decide();
            if (before == null) {
                RoundTrip writes = tx.roundTrip();
                noting.appendTo(writes, all, sent);
                writes.run();
            }
            return before;
        });
    }

    private UUID organization() {
        return UUID.fromString(world.http().get("/v0/auth/me").is(200).text("organization_id"));
    }

    @Test
    @Proves("P4")
    void manySendersOfTheSameKeysMakeOneMessageOfEach() throws Exception {
        int keys = 20;
        Map<String, Set<String>> answers = new ConcurrentHashMap<>();
        try (World beside = world.beside();
                ExecutorService senders = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int sender = 0; sender < 16; sender++) {
                World node = sender % 2 == 0 ? world : beside;
                Random random = new Random(sender);
                running.add(senders.submit(() -> {
                    List<Integer> order =
                            new ArrayList<>(IntStream.range(0, keys).boxed().toList());
                    Collections.shuffle(order, random);
                    for (int key : order) {
                        answers.computeIfAbsent("key-" + key, _ -> ConcurrentHashMap.newKeySet())
                                .add(answer(node, key));
                    }
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } catch (ExecutionException failure) {
            throw new IllegalStateException(failure);
        }
        assertThat(answers)
                .hasSize(keys)
                .allSatisfy((key, names) -> assertThat(names).as(key).hasSize(1));
        assertThat(sent()).isEqualTo(keys);
    }

    /** Asks until it is answered. */
    private String answer(World node, int key) {
        HttpProbe.Answer answer;
        do {
            answer = node.http()
                    .with("Idempotency-Key", "key-" + key)
                    .post(send(inbox), json("to", "jo@elsewhere.test", "subject", String.valueOf(key)));
        } while (answer.status() == 409 || answer.status() == 503);
        return answer.is(200).text("message_id");
    }

    private HttpProbe keyed(String key) {
        return world.http().with("Idempotency-Key", key);
    }

    private static String send(String from) {
        return "/v0/inboxes/" + from + "/messages/send";
    }

    private String draft() {
        return world.http()
                .post("/v0/inboxes/" + inbox + "/drafts", json("to", "jo@elsewhere.test"))
                .is(200)
                .text("draft_id");
    }

    private int sent() {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*) as n from message m where m.outgoing")
                        .single(row -> row.integer("n")));
    }

    /** A minute passes without a sign of the node. */
    private void leaseEnds() {
        world.database()
                .<Integer>write(
                        world.organization(),
                        tx -> tx.sql(
                                        View.of(world.organization()),
                                        "update send_memory s set lease_until = {real_now} where {s}"
                                                + " and s.lease_until is not null")
                                .run());
        world.advance(Duration.ofSeconds(61));
    }
}
