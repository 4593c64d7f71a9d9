package dev.inboxd.smtp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.smtp.MailDsn;
import dev.inboxd.mail.smtp.RecipientDsn;
import dev.inboxd.smtp.client.FakeMx.At;
import dev.inboxd.smtp.client.SmtpResult.PermanentFailure;
import dev.inboxd.smtp.client.SmtpResult.Success;
import dev.inboxd.smtp.client.SmtpResult.TransientFailure;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class ClientSessionTest extends SmtpCase {
    @Test
    void aMessageArrivesAsItIs() throws Exception {
        try (var session = CLIENT.open(mx.endpoint())) {
            assertThat(send(session, "Subject: x\r\n\r\nbody\r\n", "ann@x.example"))
                    .isEqualTo(taken());
        }
        assertThat(mx.nextMail())
                .isEqualTo(new FakeMx.Received(
                        "MAIL FROM:<agent@inboxd.example> SIZE=20",
                        List.of("RCPT TO:<ann@x.example>"),
                        "Subject: x\r\n\r\nbody\r\n"));
        assertThat(mx.commands()).contains("EHLO mail.inboxd.example", "QUIT");
    }

    @Test
    void aHostWithoutExtensionsIsServedStepByStep() throws Exception {
        use(new FakeMx().answer(At.EHLO, "502 5.5.1 what?"));
        try (var session = CLIENT.open(mx.endpoint())) {
            assertThat(send(session, "x\r\n", "ann@x.example")).isEqualTo(taken());
        }
        assertThat(mx.commands())
                .containsSubsequence(
                        "EHLO mail.inboxd.example",
                        "HELO mail.inboxd.example",
                        "MAIL FROM:<agent@inboxd.example>",
                        "RCPT TO:<ann@x.example>",
                        "DATA",
                        "QUIT");
    }

    @Test
    void pipelinedCommandsDoNotWaitForReplies() {
        mx.at(
                At.MAIL,
                wire -> { // answers nothing before it has read all three commands
                    assertThat(wire.line()).isEqualTo("RCPT TO:<ann@x.example>");
                    assertThat(wire.line()).isEqualTo("DATA");
                    wire.reply("250 ok\n250 ok\n354 go on");
                    while (!wire.line().equals(".")) {
                        assertThat(mx.mails()).isEmpty();
                    }
                    wire.reply("250 2.0.0 taken");
                });
        try (var session = CLIENT.open(mx.endpoint())) {
            assertThat(send(session, "x\r\n", "ann@x.example")).isEqualTo(taken());
        }
    }

    @Test
    void aSessionThatHasWaitedIsClearedInTheSameBreath() {
        mx.at(
                At.RSET,
                wire -> { // answers nothing before it has read all four commands
                    assertThat(wire.line()).startsWith("MAIL FROM:<");
                    assertThat(wire.line()).isEqualTo("RCPT TO:<ann@x.example>");
                    assertThat(wire.line()).isEqualTo("DATA");
                    wire.reply("250 ok\n250 ok\n250 ok\n354 go on");
                    assertThat(wire.line()).isEqualTo("y");
                    assertThat(wire.line()).isEqualTo(".");
                    wire.reply("250 2.0.0 taken");
                });
        try (var session = CLIENT.open(mx.endpoint())) {
            assertThat(send(session, "x\r\n", "ann@x.example")).isEqualTo(taken());
            assertThat(sendNext(session, "y\r\n", "ann@x.example")).isEqualTo(taken());
        }
    }

    /** Whether RSET has to be answered first or not. */
    @ParameterizedTest
    @ValueSource(strings = {"PIPELINING", "8BITMIME"})
    void whatAHostThatIsGoneWasToGetIsTakenByAnother(String keyword) {
        use(new FakeMx(keyword).answer(At.RSET, "500 5.5.1 what"));
        try (var session = CLIENT.open(mx.endpoint())) {
            assertThat(send(session, "x\r\n", "ann@x.example")).isEqualTo(taken());
            assertThat(sendNext(session, "y\r\n", "ann@x.example")).isNull();
            assertThat(session.isUsable()).isFalse();
        }
        assertThat(mx.mails()).hasSize(1);
    }

    /** A host that takes only so many messages in a session says so when the next one begins. */
    @ParameterizedTest
    @ValueSource(strings = {"PIPELINING", "8BITMIME"})
    void aHostThatTakesNoMoreInASessionGetsTheNextInAnother(String keyword) {
        use(new FakeMx(keyword));
        try (var session = CLIENT.open(mx.endpoint())) {
            assertThat(send(session, "x\r\n", "ann@x.example")).isEqualTo(taken());
            mx.answer(At.MAIL, "421 4.4.2 enough for one session");
            assertThat(sendNext(session, "y\r\n", "ann@x.example")).isNull();
            assertThat(session.isUsable()).isFalse();
        }
        try (var session = CLIENT.open(mx.endpoint())) {
            assertThat(send(session, "x\r\n", "ann@x.example"))
                    .as("one that has just begun")
                    .isEqualTo(new TransientFailure(
                            new ServerReply(421, "4.4.2", "enough for one session"),
                            "421 4.4.2 enough for one session",
                            false));
        }
        mx.usual(At.MAIL);
        try (var session = CLIENT.open(mx.endpoint())) {
            assertThat(send(session, "x\r\n", "ann@x.example")).isEqualTo(taken());
            mx.answer(At.MAIL, "421 4.7.0 too many from you");
            assertThat(sendNext(session, "y\r\n", "ann@x.example"))
                    .as("who asks for patience gets some")
                    .isInstanceOf(TransientFailure.class);
        }
    }

    /** Servers hang up on senders that they refuse. */
    @ParameterizedTest
    @EnumSource(
            value = At.class,
            names = {"MAIL", "RCPT"})
    void whoHangsUpOverARefusalHasRefused(At at) {
        mx.at(at, FakeMx.dropAfter("550 5.1.1 no\r\n"));
        try (var session = CLIENT.open(mx.endpoint())) {
            assertThat(send(session, "x\r\n", "ann@x.example"))
                    .isEqualTo(new PermanentFailure(new ServerReply(550, "5.1.1", "no"), at == At.RCPT));
            assertThat(session.isUsable()).isFalse();
        }
    }

    /** A header beyond ASCII is another matter than a body (RFC 6532, RFC 6152). */
    @ParameterizedTest
    @CsvSource({
        "'A: b\r\n\r\nc', SEVEN_BIT",
        "'A: ü\r\n\r\nc', UTF8",
        "'A: b\r\n\r\nü', EIGHT_BIT",
        "'ü', UTF8",
        "'', SEVEN_BIT",
        "'\r\nü', EIGHT_BIT",
        "'A: b\r\nC: ü', UTF8"
    })
    void whatAMessageIsMadeOfIsFoundHoweverItIsCut(String message, SmtpEnvelope.Content content) throws Exception {
        byte[] octets = message.getBytes(StandardCharsets.UTF_8);
        assertThat(SmtpEnvelope.Content.of(new ByteArrayInputStream(octets))).isEqualTo(content);
        var dripping = new ByteArrayInputStream(octets) {
            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                return super.read(into, offset, Math.min(length, 1));
            }
        };
        assertThat(SmtpEnvelope.Content.of(dripping)).isEqualTo(content);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsSaidOfARecipientIsItsResult(boolean pipelining) {
        use(pipelining ? new FakeMx() : new FakeMx("8BITMIME"));
        try (var session = CLIENT.open(mx.endpoint())) {
            assertThat(refused(session, "550-5.1.1 no such\n550 5.1.1 user here"))
                    .isEqualTo(new PermanentFailure(new ServerReply(550, "5.1.1", "no such user here"), true));
            assertThat(refused(session, "452 4.2.2 full"))
                    .isEqualTo(new TransientFailure(new ServerReply(452, "4.2.2", "full"), "452 4.2.2 full", false));
            assertThat(refused(session, "552 too many"))
                    .isEqualTo(new TransientFailure(new ServerReply(552, null, "too many"), "552 too many", false));
            assertThat(refused(session, "552 5.5.3 too many"))
                    .isEqualTo(new TransientFailure(
                            new ServerReply(552, "5.5.3", "too many"), "552 5.5.3 too many", false));
            assertThat(refused(session, "552 5.2.2 full for good"))
                    .isEqualTo(new PermanentFailure(new ServerReply(552, "5.2.2", "full for good"), true));
            assertThat(sendNext(session, "x\r\n", "ann@x.example")).isEqualTo(taken());
        }
        assertThat(mx.mails()).hasSize(1);
    }

    private SmtpResult refused(ClientSession session, String reply) {
        mx.answerRecipient("one@x.example", reply);
        return send(session, "x\r\n", "one@x.example");
    }

    @ParameterizedTest
    @EnumSource(
            value = At.class,
            names = {"MAIL", "RCPT", "DATA", "CONTENT"})
    void aNegativeReplyAtAnyStepIsTheResult(At at) {
        for (var host : List.of(new FakeMx(), new FakeMx("SIZE"))) {
            use(host);
            try (var session = CLIENT.open(mx.endpoint())) {
                mx.answer(at, "451 4.3.0 later");
                assertThat(send(session, "x\r\n", "a@x.example"))
                        .isEqualTo(
                                new TransientFailure(new ServerReply(451, "4.3.0", "later"), "451 4.3.0 later", false));
                mx.answer(at, "554 5.7.1 never");
                assertThat(sendNext(session, "x\r\n", "a@x.example"))
                        .isEqualTo(new PermanentFailure(new ServerReply(554, "5.7.1", "never"), at == At.RCPT));
                mx.usual(at);
                assertThat(sendNext(session, "x\r\n", "a@x.example")).isEqualTo(taken());
            }
            assertThat(mx.mails()).hasSize(1);
        }
    }

    @ParameterizedTest
    @Proves("P3")
    @EnumSource(
            value = At.class,
            names = {"MAIL", "RCPT", "DATA", "CONTENT"})
    void aLostConnectionAtAnyStepIsTemporary(At at) {
        for (var act : List.of(
                FakeMx.drop(),
                FakeMx.dropAfter("2"),
                FakeMx.dropAfter("250-half\r\n250"),
                FakeMx.dropAfter("250 ok"))) {
            for (var host : List.of(new FakeMx(), new FakeMx("8BITMIME"))) {
                use(host.at(at, act));
                try (var session = CLIENT.open(mx.endpoint())) {
                    assertThat(send(session, "x\r\n", "a@x.example"))
                            .isInstanceOfSatisfying(TransientFailure.class, temporary -> {
                                assertThat(temporary.reply()).isNull();
                                assertThat(temporary.mayHaveArrived()).isEqualTo(at == At.CONTENT);
                            });
                    assertThat(session.isUsable()).isFalse();
                }
            }
        }
    }

    @Test
    void aRefusedMailDoesNotMakeTheRefusedRcptsPermanent() {
        // the fake, as real hosts do, then says 503 to each RCPT and to DATA
        mx.answer(At.MAIL, "450 4.7.1 greylisted");
        try (var session = CLIENT.open(mx.endpoint())) {
            assertThat(send(session, "x\r\n", "a@x.example")).isInstanceOf(TransientFailure.class);
        }
    }

    @Test
    void aPipelinedDataThatNobodyShouldGetIsLeftEmpty() throws Exception {
        mx.answer(At.RCPT, "550 5.1.1 no").answer(At.DATA, "354 go on");
        try (var session = CLIENT.open(mx.endpoint())) {
            assertThat(send(session, "secret\r\n", "a@x.example"))
                    .isEqualTo(new PermanentFailure(new ServerReply(550, "5.1.1", "no"), true));
            assertThat(mx.nextMail().content()).isEmpty();
            assertThat(session.isUsable()).isTrue();
        }
    }

    @Test
    void linesThatBeginWithDotsArriveUnchanged() throws Exception {
        var message = ".\r\n..\r\n.a\r\na.\r\n\r\n.\r\n" + "x".repeat(100_000) + "\r\n.";
        try (var session = CLIENT.open(mx.endpoint())) {
            assertThat(send(session, message, "a@x.example")).isEqualTo(taken());
        }
        assertThat(mx.nextMail().content()).isEqualTo(message + "\r\n");
    }

    @Test
    void dotsAreFoundHoweverTheMessageIsCut() throws Exception {
        var message = ".\r\n..\r\n.a\r\n\r\n.\r\nQUIT\r\n";
        try (var session = CLIENT.open(mx.endpoint())) {
            session.send(envelope(message.length(), "a@x.example"), out -> {
                for (byte octet : message.getBytes(StandardCharsets.US_ASCII)) {
                    out.write(octet);
                }
            });
        }
        assertThat(mx.nextMail().content()).isEqualTo(message);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\n.\r\n", "a\r.\r\n", "a\r\n.\nMAIL", "a\r", "\n.\n", "a\r\r\n", "a\0\r\n"})
    void aMessageWithABareLineEndOrANulNeverEnds(String message) throws Exception {
        var session = CLIENT.open(mx.endpoint());
        assertThatThrownBy(() -> send(session, message, "a@x.example")).isInstanceOf(IllegalArgumentException.class);
        assertThat(session.isUsable()).isFalse();
        while (!mx.commands().take().equals("CLOSE")) {
            assertThat(mx.mails()).isEmpty();
        }
        assertThat(mx.mails()).isEmpty();
    }

    @Test
    void aMessageThatCannotBeReadNeverEnds() throws Exception {
        try (var session = CLIENT.open(mx.endpoint())) {
            var result = session.send(envelope(9, "a@x.example"), out -> {
                out.write("half\r\n".getBytes(StandardCharsets.US_ASCII));
                throw new IOException("blob gone");
            });
            assertThat(result).isEqualTo(new TransientFailure(null, "blob gone", false));
        }
        while (!mx.commands().take().equals("CLOSE")) {
            assertThat(mx.mails()).isEmpty();
        }
        assertThat(mx.mails()).isEmpty();
    }

    @Test
    void aSessionCarriesSeveralMessages() throws Exception {
        try (var session = CLIENT.open(mx.endpoint())) {
            assertThat(send(session, "0\r\n", "a@x.example")).isEqualTo(taken());
            for (int i = 1; i < 5; i++) {
                assertThat(sendNext(session, i + "\r\n", "a@x.example")).isEqualTo(taken());
            }
        }
        for (int i = 0; i < 5; i++) {
            assertThat(mx.nextMail().content()).isEqualTo(i + "\r\n");
        }
        assertThat(mx.commands()).containsOnlyOnce("CONNECT");
    }

    @Test
    void whatAHostCannotTakeIsNotTried() {
        use(new FakeMx("SIZE 10"));
        try (var session = CLIENT.open(mx.endpoint())) {
            assertThat(send(session, "longer than ten\r\n", "a@x.example"))
                    .isInstanceOfSatisfying(
                            PermanentFailure.class,
                            refused -> assertThat(refused.reply().toString()).startsWith("552 5.3.4"));
            assertThat(send(session, "x\r\n", "jörg@x.example"))
                    .isInstanceOfSatisfying(
                            PermanentFailure.class,
                            refused -> assertThat(refused.reply().toString()).startsWith("553 5.6.7"));
            assertThat(session.send(
                            new SmtpEnvelope(SENDER, AddrSpec.parse("a@x.example"), 3, SmtpEnvelope.Content.EIGHT_BIT),
                            out -> {}))
                    .isEqualTo(new PermanentFailure(
                            new ServerReply(554, "5.6.3", "The host offers no 8BITMIME, and this cannot be converted"),
                            false));
            assertThat(send(session, "x\r\n", "a@x.example")).isEqualTo(taken());
        }
        assertThat(mx.commands())
                .filteredOn(command -> command.startsWith("MAIL"))
                .hasSize(1);
    }

    @Test
    void addressesInUtf8GoWithTheirParameter() throws Exception {
        try (var session = CLIENT.open(mx.endpoint())) {
            assertThat(send(session, "x\r\n", "jörg@exämple.example")).isEqualTo(taken());
        }
        var mail = mx.nextMail();
        assertThat(mail.mail()).endsWith(" SIZE=3 SMTPUTF8");
        assertThat(mail.recipients().getFirst().getBytes(StandardCharsets.ISO_8859_1))
                .isEqualTo("RCPT TO:<jörg@xn--exmple-cua.example>".getBytes(StandardCharsets.UTF_8));
    }

    @Test
    @Proves("P2g")
    void whatTheSenderWantsToBeToldIsSaidToAHostThatTellsItAlone() throws Exception {
        var asked = new SmtpEnvelope(
                SENDER,
                AddrSpec.parse("a@x.example"),
                3,
                SmtpEnvelope.Content.SEVEN_BIT,
                System.nanoTime() + Duration.ofHours(1).toNanos(),
                new MailDsn("HDRS", "x+2By"),
                new RecipientDsn("SUCCESS,DELAY", "rfc822;A+2B@x.example"));
        MessageSource message = out -> out.write("x\r\n".getBytes(StandardCharsets.US_ASCII));
        try (var session = CLIENT.open(mx.endpoint())) {
            assertThat(session.send(asked, message)).isEqualTo(taken());
        }
        var plain = mx.nextMail();
        assertThat(plain.mail()).endsWith(" SIZE=3");
        assertThat(plain.recipients()).containsExactly("RCPT TO:<a@x.example>");

        use(new FakeMx("PIPELINING", "DSN"));
        try (var session = CLIENT.open(mx.endpoint())) {
            var told = new Success(new ServerReply(250, "2.0.0", "taken"), true);
            assertThat(session.send(asked, message)).isEqualTo(told);
        }
        var told = mx.nextMail();
        assertThat(told.mail()).endsWith("> RET=HDRS ENVID=x+2By");
        assertThat(told.recipients())
                .containsExactly("RCPT TO:<a@x.example> NOTIFY=SUCCESS,DELAY ORCPT=rfc822;A+2B@x.example");
    }

    @Test
    void theNullReversePathIsEmptyBrackets() throws Exception {
        try (var session = CLIENT.open(mx.endpoint())) {
            var bounce = new SmtpEnvelope(null, AddrSpec.parse("\"a b\"@x.example"), 3, SmtpEnvelope.Content.EIGHT_BIT);
            session.send(bounce, out -> out.write("x\r\n".getBytes(StandardCharsets.US_ASCII)));
        }
        assertThat(mx.nextMail())
                .extracting(FakeMx.Received::mail, FakeMx.Received::recipients)
                .containsExactly("MAIL FROM:<> SIZE=3 BODY=8BITMIME", List.of("RCPT TO:<\"a b\"@x.example>"));
    }
}
