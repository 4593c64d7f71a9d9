package dev.inboxd.smtp.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.smtp.client.FakeMx.At;
import dev.inboxd.testing.Proves;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SmtpPoolTest {
    private static final SmtpClient CLIENT =
            new SmtpClient("mail.inboxd.example", SmtpTimeouts.all(Duration.ofSeconds(20)));
    private static final SmtpEnvelope ENVELOPE =
            new SmtpEnvelope(null, AddrSpec.parse("a@x.example"), 3, SmtpEnvelope.Content.SEVEN_BIT);
    private static final MessageSource MESSAGE = out -> out.write("x\r\n".getBytes(StandardCharsets.US_ASCII));

    private final FakeMx mx = new FakeMx();

    @AfterEach
    void close() {
        mx.close();
    }

    @Test
    void messagesToOneHostShareASession() {
        try (var pool = new SmtpPool(CLIENT, 100, 20, Duration.ofMinutes(1))) {
            for (int i = 0; i < 10; i++) {
                assertThat(deliver(pool)).isInstanceOf(SmtpResult.Success.class);
            }
        }
        assertThat(mx.mails()).hasSize(10);
        assertThat(mx.commands()).containsOnlyOnce("CONNECT");
    }

    @Test
    void aSessionEndsAfterItsShareOfMessages() {
        try (var pool = new SmtpPool(CLIENT, 3, 20, Duration.ofMinutes(1))) {
            for (int i = 0; i < 7; i++) {
                assertThat(deliver(pool)).isInstanceOf(SmtpResult.Success.class);
            }
        }
        assertThat(mx.commands()).filteredOn("CONNECT"::equals).hasSize(3);
        assertThat(mx.commands()).filteredOn("QUIT"::equals).hasSize(3);
    }

    @Test
    void anIdleSessionSaysGoodbye() throws Exception {
        try (var pool = new SmtpPool(CLIENT, 100, 20, Duration.ofMillis(50))) {
            assertThat(deliver(pool)).isInstanceOf(SmtpResult.Success.class);
            String command;
            do {
                command = mx.commands().poll(20, TimeUnit.SECONDS);
                assertThat(command).isNotNull();
            } while (!"QUIT".equals(command));
            assertThat(deliver(pool)).isInstanceOf(SmtpResult.Success.class);
        }
    }

    @Test
    void aSessionTheHostEndedIsReplaced() {
        try (var pool = new SmtpPool(CLIENT, 100, 20, Duration.ofMinutes(1))) {
            assertThat(deliver(pool)).isInstanceOf(SmtpResult.Success.class);
            mx.at(At.RSET, FakeMx.drop());
            assertThat(deliver(pool)).isInstanceOf(SmtpResult.Success.class);
            mx.answer(At.RSET, "421 4.4.2 idle for too long");
            assertThat(deliver(pool)).isInstanceOf(SmtpResult.Success.class);
        }
        assertThat(mx.commands()).filteredOn("CONNECT"::equals).hasSize(3);
    }

    /** What a host can is what the session says that carries the message (ruling 142). */
    @Test
    void aHostThatCouldNotInAKeptSessionIsAskedInANewOne() {
        var eightBit = new SmtpEnvelope(null, AddrSpec.parse("a@x.example"), 3, SmtpEnvelope.Content.EIGHT_BIT);
        try (var pool = new SmtpPool(CLIENT, 100, 20, Duration.ofMinutes(1))) {
            mx.answer(At.EHLO, "250 fake");
            assertThat(deliver(pool)).isInstanceOf(SmtpResult.Success.class);
            assertThat(pool.send(mx.endpoint(), eightBit, MESSAGE)).isInstanceOf(SmtpResult.PermanentFailure.class);
            mx.answer(At.EHLO, "250-fake\n250 8BITMIME");
            assertThat(pool.send(mx.endpoint(), eightBit, MESSAGE)).isInstanceOf(SmtpResult.Success.class);
        }
    }

    @Test
    void anIdleSessionThatCannotCarryAMessageIsEndedAndTheNewOneKept() {
        var eightBit = new SmtpEnvelope(null, AddrSpec.parse("a@x.example"), 3, SmtpEnvelope.Content.EIGHT_BIT);
        mx.answer(At.EHLO, "250 fake");
        try (var pool = new SmtpPool(CLIENT, 100, 20, Duration.ofMinutes(1))) {
            for (int i = 0; i < 3; i++) {
                assertThat(deliver(pool)).isInstanceOf(SmtpResult.Success.class);
                assertThat(pool.send(mx.endpoint(), eightBit, MESSAGE)).isInstanceOf(SmtpResult.PermanentFailure.class);
                assertThat(mx.commands()).filteredOn("QUIT"::equals).hasSize(i + 1);
            }
        }
        assertThat(mx.commands()).filteredOn("CONNECT"::equals).hasSize(4);
    }

    @Test
    void theNextHostIsTriedWhenOneOpensNoSession() {
        try (var refusing = new FakeMx().answer(At.CONNECT, "554 5.7.1 no");
                var pool = new SmtpPool(CLIENT, 9, 20, Duration.ofMinutes(1))) {
            var delivery = pool.deliver(List.of(refusing.endpoint(), mx.endpoint()), ENVELOPE, MESSAGE);
            assertThat(delivery.host()).isEqualTo(mx.endpoint());
            assertThat(delivery.result()).isInstanceOf(SmtpResult.Success.class);
        }
    }

    @Test
    void whenNoHostOpensASessionItIsToBeTriedAgain() {
        var nobody = new SmtpEndpoint("gone.example", InetAddress.getLoopbackAddress(), 1);
        mx.answer(At.CONNECT, "554 5.7.1 no");
        try (var pool = new SmtpPool(CLIENT, 9, 20, Duration.ofMinutes(1))) {
            var delivery = pool.deliver(List.of(nobody, mx.endpoint()), ENVELOPE, MESSAGE);
            assertThat(delivery.host()).isNull();
            assertThat(delivery.result())
                    .isEqualTo(new SmtpResult.TransientFailure(
                            new ServerReply(554, "5.7.1", "no"), "The host refused the session: 554 5.7.1 no", false));
            assertThat(pool.deliver(List.of(nobody), ENVELOPE, MESSAGE).result())
                    .isInstanceOfSatisfying(
                            SmtpResult.TransientFailure.class,
                            result -> assertThat(result.reason()).startsWith("No connection to gone.example"));
        }
    }

    /** Else a message over hosts that drip would outlast its claim, and be sent a second time meanwhile. */
    @Test
    @Proves("P2")
    void allHostsOfAMessageTogetherHaveItsTimeAndNoMore() {
        try (var pool = new SmtpPool(CLIENT, 100, 20, Duration.ofSeconds(10));
                var silent = new FakeMx();
                var next = new FakeMx()) {
            silent.at(FakeMx.At.CONNECT, FakeMx.silence());
            assertThat(pool.deliver(List.of(silent.endpoint(), next.endpoint()), hurried(), MESSAGE)
                            .result())
                    .isInstanceOf(SmtpResult.TransientFailure.class);
            assertThat(next.commands()).isEmpty();
            // A session that was kept from a message before has the time of the new one.
            assertThat(pool.deliver(List.of(next.endpoint()), ENVELOPE, MESSAGE).result())
                    .isInstanceOf(SmtpResult.Success.class);
            next.at(FakeMx.At.CONTENT, FakeMx.silence());
            assertThat(pool.deliver(List.of(next.endpoint(), silent.endpoint()), hurried(), MESSAGE)
                            .result())
                    .isEqualTo(
                            new SmtpResult.TransientFailure(null, "The time limit of the message is exceeded", true));
            assertThat(next.commands()).filteredOn("CONNECT"::equals).hasSize(1);
        }
    }

    private static SmtpEnvelope hurried() {
        return new SmtpEnvelope(
                null,
                ENVELOPE.recipient(),
                3,
                SmtpEnvelope.Content.SEVEN_BIT,
                System.nanoTime() + Duration.ofMillis(300).toNanos());
    }

    @Test
    @Proves("P3")
    void manyThreadsLoseNothing() throws Exception {
        var tasks = new ArrayList<Callable<SmtpResult>>();
        try (var pool = new SmtpPool(CLIENT, 10, 20, Duration.ofMinutes(1));
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 200; i++) {
                tasks.add(() -> deliver(pool));
            }
            for (var result : threads.invokeAll(tasks)) {
                assertThat(result.get()).isInstanceOf(SmtpResult.Success.class);
            }
        }
        assertThat(mx.mails()).hasSize(200);
    }

    private SmtpResult deliver(SmtpPool pool) {
        return pool.deliver(List.of(mx.endpoint()), ENVELOPE, MESSAGE).result();
    }
}
