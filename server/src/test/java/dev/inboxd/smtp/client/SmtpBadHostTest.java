package dev.inboxd.smtp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.smtp.client.FakeMx.At;
import dev.inboxd.smtp.client.SmtpResult.PermanentFailure;
import dev.inboxd.smtp.client.SmtpResult.TransientFailure;
import dev.inboxd.testing.Proves;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Hosts that talk nonsense, say nothing, drip, stop reading, or want no session. */
class SmtpBadHostTest extends SmtpCase {
    @ParameterizedTest
    @ValueSource(
            strings = {"250-more\r\n", "x", "250", "\r\n", "999 what\r\n", "hello\r\n", "250-a\r\n450 b\r\n", "\0"})
    void nonsenseAndFloodsEndTheSession(String piece) {
        mx.at(At.MAIL, FakeMx.flood(piece));
        try (var session = CLIENT.open(mx.endpoint())) {
            assertThat(send(session, "x\r\n", "a@x.example")).isInstanceOf(TransientFailure.class);
            assertThat(session.isUsable()).isFalse();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = At.class,
            names = {"MAIL", "RCPT", "DATA", "CONTENT"})
    void aSilentHostIsGivenUp(At at) {
        mx.at(at, FakeMx.silence());
        try (var session = HASTY.open(mx.endpoint())) {
            assertThat(send(session, "x\r\n", "a@x.example"))
                    .isInstanceOfSatisfying(
                            TransientFailure.class,
                            result -> assertThat(result.mayHaveArrived()).isEqualTo(at == At.CONTENT));
        }
    }

    @Test
    void aHostThatDripsItsReplyIsGivenUp() {
        mx.at(At.MAIL, wire -> {
            var never = new CountDownLatch(1);
            while (true) {
                wire.raw("2");
                try {
                    assertThat(never.await(50, TimeUnit.MILLISECONDS)).isFalse();
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        try (var session = HASTY.open(mx.endpoint())) {
            assertThat(send(session, "x\r\n", "a@x.example")).isInstanceOf(TransientFailure.class);
        }
    }

    @Test
    void aHostThatStopsReadingIsGivenUp() {
        mx.at(At.DATA, wire -> {
            wire.reply("354 go on");
            try {
                new CountDownLatch(1).await(1, TimeUnit.MINUTES);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        });
        try (var session = HASTY.open(mx.endpoint())) {
            var block = ("x".repeat(998) + "\r\n").repeat(1_000).getBytes(StandardCharsets.US_ASCII);
            var result = session.send(envelope(9_000_000, "a@x.example"), out -> {
                for (int i = 0; i < 100; i++) {
                    out.write(block);
                }
            });
            assertThat(result)
                    .isInstanceOfSatisfying(
                            TransientFailure.class,
                            later -> assertThat(later.mayHaveArrived()).isFalse());
        }
    }

    @Test
    @Proves("P2")
    void aHostThatTakesItsTimeAtEveryStepIsGivenUpWhenTheWholeTakesTooLong() {
        var wait = Duration.ofMinutes(1);
        var client = new SmtpClient(
                "mail.inboxd.example", new SmtpTimeouts(wait, wait, wait, wait, wait, Duration.ofMillis(300)));
        mx.at(At.CONTENT, FakeMx.silence());
        try (var session = client.open(mx.endpoint())) {
            assertThat(send(session, "x\r\n", "a@x.example"))
                    .isEqualTo(new TransientFailure(null, "The time limit of the message is exceeded", true));
        }
        mx.usual(At.CONTENT);
        try (var session = client.open(mx.endpoint())) {
            var result = session.send(envelope(9_000_000, "a@x.example"), out -> {
                while (true) { // as a host that takes the message in drops makes us write for ever
                    out.write("x\r\n".getBytes(StandardCharsets.US_ASCII));
                }
            });
            assertThat(result)
                    .isEqualTo(new TransientFailure(null, "The time limit of the message is exceeded", false));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"421 4.3.2 busy", "554 5.7.1 go away", "250 what"})
    void aRefusedGreetingOpensNoSession(String greeting) {
        if (greeting.startsWith("250")) {
            mx.answer(At.EHLO, "421 4.3.2 busy");
        } else {
            mx.answer(At.CONNECT, greeting);
        }
        assertThatThrownBy(() -> CLIENT.open(mx.endpoint()))
                .isInstanceOfSatisfying(
                        SessionFailedException.class,
                        failed -> assertThat(failed.reply()).isNotNull());
    }

    @Test
    void afterA421TheSessionIsNotUsedAgain() {
        mx.answer(At.CONTENT, "421 4.3.2 shutting down");
        try (var session = CLIENT.open(mx.endpoint())) {
            assertThat(send(session, "x\r\n", "a@x.example")).isInstanceOf(TransientFailure.class);
            assertThat(session.isUsable()).isFalse();
        }
    }

    @Test
    void theWordsOfAReplyAreShortAndClean() {
        mx.answer(At.MAIL, "550 5.7.1 a\0b\u0007c " + "long ".repeat(390));
        try (var session = CLIENT.open(mx.endpoint())) {
            assertThat(send(session, "x\r\n", "a@x.example"))
                    .isInstanceOfSatisfying(
                            PermanentFailure.class,
                            refused -> assertThat(refused.reply().text())
                                    .startsWith("a b c long")
                                    .hasSize(1_000));
        }
    }
}
