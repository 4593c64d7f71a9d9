package dev.inboxd.smtp.client;

import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.smtp.client.SmtpResult.Success;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

/** What tests of one session with one host have in common. */
abstract class SmtpCase {
    static final AddrSpec SENDER = AddrSpec.parse("agent@inboxd.example");
    static final SmtpClient CLIENT = new SmtpClient("mail.inboxd.example", SmtpTimeouts.all(Duration.ofSeconds(20)));
    static final SmtpClient HASTY = new SmtpClient("mail.inboxd.example", SmtpTimeouts.all(Duration.ofMillis(300)));

    FakeMx mx = new FakeMx();

    @AfterEach
    void close() {
        mx.close();
    }

    void use(FakeMx other) {
        mx.close();
        mx = other;
    }

    static SmtpResult taken() {
        return new Success(new ServerReply(250, "2.0.0", "taken"), false);
    }

    static SmtpEnvelope envelope(long size, String recipient) {
        return new SmtpEnvelope(SENDER, AddrSpec.parse(recipient), size, SmtpEnvelope.Content.SEVEN_BIT);
    }

    static SmtpResult send(ClientSession session, String message, String recipient) {
        var octets = message.getBytes(StandardCharsets.UTF_8);
        return session.send(envelope(octets.length, recipient), out -> out.write(octets));
    }

    static @Nullable SmtpResult sendNext(ClientSession session, String message, String recipient) {
        var octets = message.getBytes(StandardCharsets.UTF_8);
        return session.sendNext(envelope(octets.length, recipient), out -> out.write(octets));
    }
}
