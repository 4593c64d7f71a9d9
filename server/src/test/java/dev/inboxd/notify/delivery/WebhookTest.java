package dev.inboxd.notify.delivery;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.Faults;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.event.EventId;
import dev.inboxd.notify.webhook.CustomHeaders;
import dev.inboxd.notify.webhook.DeliveryId;
import dev.inboxd.notify.webhook.WebhookSignature;
import dev.inboxd.testing.Proves;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rules that need no database. */
class WebhookTest {
    private static final WebhookDelivery.RowSnapshot WRITTEN =
            new WebhookDelivery.RowSnapshot(Instant.EPOCH, false, true);
    private static final UUID ORGANIZATION = UUID.fromString("01a1f8c3-f1cd-7f81-8700-394a021d912f");

    private final Semaphore memory = new Semaphore(1 << 20);

    /** events.md §3. */
    @Test
    void theSignatureIsTheOneOfTheTestVector() {
        byte[] content = json("type", "event", "event_type", "message.sent", "event_id", "evt_1")
                .getBytes(StandardCharsets.UTF_8);
        assertThat(new WebhookSignature("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX").of("msg_2b", 1767225600, content))
                .isEqualTo("v1,21qsbbmI/OMQ+bZ1/8oCQcNxanboyYJMbSV3lkrKT9E=");
    }

    @Test
    void aSecretIsTwentyFourRandomBytesInBase64() {
        assertThat(WebhookSignature.newSecret())
                .matches("whsec_[A-Za-z0-9+/]{32}")
                .isNotEqualTo(WebhookSignature.newSecret());
    }

    @Test
    void theDeliveryIdIsConstantForAnOwnerAndAnotherForEachOwner() {
        UUID owner = new UUID(7, 7);
        String event = EventId.of(ORGANIZATION, new Tx.Stamp(4_711, Instant.parse("2026-01-01T00:00:00.000001Z")));
        String other = EventId.of(ORGANIZATION, new Tx.Stamp(4_712, Instant.parse("2026-01-01T00:00:00.000002Z")));
        String id = DeliveryId.of(event, owner);
        assertThat(id)
                .matches("msg_[0-9A-Za-z]{27}")
                .isEqualTo(DeliveryId.of(event, owner))
                .isNotEqualTo(DeliveryId.of(event, ORGANIZATION))
                .isNotEqualTo(DeliveryId.of(other, owner));
        assertThat(DeliveryId.event(ORGANIZATION, owner, id)).isEqualTo(4_711);
        assertThat(DeliveryId.event(ORGANIZATION, owner, event)).isEqualTo(4_711);
        assertThat(DeliveryId.event(ORGANIZATION, ORGANIZATION, id)).isNull();
        assertThat(DeliveryId.event(owner, owner, id)).isNull();
        assertThat(DeliveryId.event(ORGANIZATION, owner, "msg_1")).isNull();
    }

    @Test
    void aRotatedSecretSignsBesideTheNewOne() {
        byte[] content = "{}".getBytes(StandardCharsets.UTF_8);
        String one = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX";
        String two = "whsec_FxYVFBMSERAPDg0MCwoJCAcGBQQDAgEA";
        assertThat(new WebhookSignature(List.of(two, one)).of("msg_1", 1, content))
                .isEqualTo(new WebhookSignature(two).of("msg_1", 1, content) + " "
                        + new WebhookSignature(one).of("msg_1", 1, content));
    }

    /** Promise P8: never earlier than the schedule, and later by a tenth at most. */
    @Test
    @Proves("P8")
    void jitterIsNeverEarlierThanTheSchedule() {
        for (int attempt = 1; attempt <= 7; attempt++) {
            Duration pause = Objects.requireNonNull(RetrySchedule.after(attempt));
            for (int i = 0; i < 1_000; i++) {
                assertThat(RetrySchedule.jittered(attempt))
                        .isBetween(pause, pause.plus(pause.dividedBy(RetrySchedule.JITTER)));
            }
        }
        assertThat(RetrySchedule.jittered(8)).isNull();
    }

    @Test
    void eightAttemptsTakeAlmostTwentyEightHours() {
        List<Duration> pauses = new ArrayList<>();
        for (int attempt = 1; attempt < 8; attempt++) {
            pauses.add(RetrySchedule.after(attempt));
        }
        assertThat(pauses)
                .containsExactly(
                        Duration.ofSeconds(5),
                        Duration.ofMinutes(5),
                        Duration.ofMinutes(30),
                        Duration.ofHours(2),
                        Duration.ofHours(5),
                        Duration.ofHours(10),
                        Duration.ofHours(10));
        assertThat(pauses.stream().reduce(Duration.ZERO, Duration::plus)).isEqualTo(Duration.parse("PT27H35M5S"));
        assertThat(RetrySchedule.after(8)).isNull();
    }

    /** promises.md A24: whatever would frame, route or impersonate. */
    @ParameterizedTest
    @Proves("A24")
    @ValueSource(
            strings = {
                "Host",
                "content-length",
                "CONTENT-TYPE",
                "Transfer-Encoding",
                "Connection",
                "Keep-Alive",
                "TE",
                "Trailer",
                "Upgrade",
                "Expect",
                "Proxy-Authorization",
                "proxy-x",
                "svix-id",
                "Webhook-Signature",
                "User-Agent",
                "",
                "a b",
                "a:b",
                "héader"
            })
    void aReservedOrMalformedHeaderNameIsRefused(String name) {
        assertThat(faults(json("headers", object(name, "x"))).none()).isFalse();
    }

    @ParameterizedTest
    @Proves("A24")
    @ValueSource(strings = {"", " ", "a\r\nBcc: x", "a\u0007", "é"})
    void aMalformedHeaderValueIsRefused(String value) {
        assertThat(faults(json("headers", object("X-A", value))).none()).isFalse();
    }

    @Test
    @Proves("A24")
    void headersAreBoundedInNumberAndSize() {
        assertThat(faults(json("headers", Map.of())).none()).isFalse();
        assertThat(faults(headers(20, 10)).none()).isTrue();
        assertThat(faults(headers(21, 10)).none()).isFalse();
        assertThat(faults(headers(1, 4096)).none()).isTrue();
        assertThat(faults(headers(1, 4097)).none()).isFalse();
        assertThat(faults(headers(5, 4000)).none()).isFalse();
        assertThat(faults(json("headers", object("X-A", "1", "x-a", "2"))).none())
                .isFalse();
    }

    @Test
    @Proves({"P9", "A25"})
    void aLaneWidensWithSuccessAndNarrowsWithFailure() throws InterruptedException {
        BlockingQueue<Integer> verdicts = new ArrayBlockingQueue<>(100);
        Semaphore begun = new Semaphore(0);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        EndpointQueue lane = new EndpointQueue(new DeliverySql.DueWebhook(ORGANIZATION, "ep_1"), memory, worker(() -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            begun.release();
            int verdict = take(verdicts);
            running.decrementAndGet();
            return verdict;
        }));
        for (int i = 0; i < 40; i++) {
            assertThat(lane.offer(delivery(i))).isTrue();
        }
        assertThat(begun.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        assertThat(most).hasValue(1);
        for (int i = 0; i < 4; i++) {
            verdicts.add(1);
            assertThat(begun.tryAcquire(2, 10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(running).hasValue(5);
        for (int i = 0; i < 20; i++) {
            verdicts.add(1);
            assertThat(begun.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(most).hasValue(5);
        for (int i = 0; i < 11; i++) {
            verdicts.add(-1);
        }
        lane.awaitQuiet(System.nanoTime() + 1);
        assertThat(lane.length()).isLessThan(40);
    }

    @Test
    void aLaneTakesNoMoreThanItsRoom() {
        Semaphore gate = new Semaphore(0);
        EndpointQueue lane = new EndpointQueue(new DeliverySql.DueWebhook(ORGANIZATION, "ep_1"), memory, worker(() -> {
            gate.acquireUninterruptibly();
            return 0;
        }));
        int taken = 0;
        while (lane.offer(delivery(taken))) {
            taken++;
        }
        assertThat(taken).isBetween(1_024, 1_025);
        assertThat(lane.room()).isZero();
        lane.clear();
        gate.release();
        lane.awaitQuiet(System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
        assertThat(lane.room()).isEqualTo(EndpointQueue.LONGEST_CLAIM);
        assertThat(memory.availablePermits()).isEqualTo(1 << 20);
    }

    @Test
    @Proves("P9")
    void anAttemptThatEndsInAnErrorIsNotTheLastOfItsLane() throws InterruptedException {
        Semaphore begun = new Semaphore(0);
        EndpointQueue lane = new EndpointQueue(new DeliverySql.DueWebhook(ORGANIZATION, "ep_1"), memory, worker(() -> {
            begun.release();
            throw new StackOverflowError();
        }));
        for (int i = 0; i < 20; i++) {
            lane.offer(new WebhookDelivery(
                    ORGANIZATION,
                    "ep_1",
                    i,
                    0,
                    new WebhookDelivery.EventContent(new byte[1_000], "evt_" + i, Instant.EPOCH, WRITTEN),
                    false,
                    delivery(i).startBy()));
        }
        assertThat(begun.tryAcquire(20, 10, TimeUnit.SECONDS)).isTrue();
        lane.awaitQuiet(System.nanoTime() + TimeUnit.SECONDS.toNanos(10));
        assertThat(lane.length()).isZero();
        assertThat(memory.availablePermits()).isEqualTo(1 << 20);
    }

    @Test
    void withoutMemoryForItsPayloadADeliveryWaitsWithoutIt() {
        memory.drainPermits();
        Semaphore gate = new Semaphore(0);
        EndpointQueue lane = new EndpointQueue(new DeliverySql.DueWebhook(ORGANIZATION, "ep_1"), memory, worker(() -> {
            gate.acquireUninterruptibly();
            return 0;
        }));
        WebhookDelivery heavy = new WebhookDelivery(
                ORGANIZATION,
                "ep_1",
                1,
                0,
                new WebhookDelivery.EventContent(new byte[1_000], "evt_1", Instant.EPOCH, WRITTEN),
                false,
                delivery(1).startBy());
        assertThat(lane.offer(heavy)).isTrue();
        assertThat(lane.offer(heavy)).isTrue();
        assertThat(memory.availablePermits()).isZero();
        lane.clear();
        assertThat(memory.availablePermits()).isZero();
        gate.release(2);
    }

    private interface Verdict {
        int get();
    }

    private static EndpointQueue.Worker worker(Verdict verdict) {
        return new EndpointQueue.Worker() {
            @Override
            public int attempt(EndpointQueue lane, WebhookDelivery delivery) {
                return verdict.get();
            }

            @Override
            public void hasRoom(EndpointQueue lane) {}
        };
    }

    private static int take(BlockingQueue<Integer> verdicts) {
        try {
            return verdicts.take();
        } catch (InterruptedException stopped) {
            throw new AssertionError(stopped);
        }
    }

    private static WebhookDelivery delivery(int seq) {
        return new WebhookDelivery(
                ORGANIZATION, "ep_1", seq, 0, null, false, WebhookDelivery.startBy(WebhookDelivery.LEASE));
    }

    private static Faults faults(String json) {
        Faults faults = new Faults();
        CustomHeaders.read(JsonBody.read(json.getBytes(StandardCharsets.UTF_8), faults));
        return faults;
    }

    private static String headers(int count, int length) {
        List<String> members = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            members.add(members("X-" + i, "v".repeat(length)));
        }
        return """
                {"headers":{%s}}""".formatted(String.join(",", members));
    }
}
