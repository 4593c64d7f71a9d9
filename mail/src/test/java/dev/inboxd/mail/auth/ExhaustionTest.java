package dev.inboxd.mail.auth;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.arc.ArcCheck;
import dev.inboxd.mail.dkim.DkimCheck;
import dev.inboxd.mail.dkim.DkimKey;
import dev.inboxd.mail.dkim.VerificationInput;
import dev.inboxd.mail.spf.SpfCheck;
import dev.inboxd.mail.spf.SpfIdentity;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is made to cost the most is checked within 2 s of processor time (promise P14). */
@Tag("alone")
class ExhaustionTest {
    private static final long LIMIT_NANOS = 2_000_000_000L;

    private final TestZone zone =
            new TestZone().add("s._domainkey.a.test", "TXT", DkimKey.generate().dnsRecord());

    @Test
    @Proves("P14")
    void aRecordOfNothingButMacrosIsBounded() {
        String local = "l.".repeat(120) + "l";
        for (String record : new String[] {
            "exists:" + "%{s}.".repeat(3_200) + "a.test",
            "exists:" + "%{lr-}".repeat(2_700) + ".a.test",
            "a:x.test ".repeat(1_800),
            "exists:" + "%{s}".repeat(16_000) + ".a.test"
        }) {
            zone.add("m.test", "TXT", "v=spf1 " + record);
            AuthResult outcome = within(
                    () -> new SpfCheck(zone, SpfIdentity.of(InetAddress.ofLiteral("192.0.2.1"), "h", local + "@m.test"))
                            .outcome());
            assertThat(outcome).isIn(AuthResult.PERMERROR, AuthResult.NEUTRAL, AuthResult.PASS, AuthResult.NONE);
        }
    }

    @Test
    @Proves("P14")
    void signaturesAndSealsOverEverythingAreBounded() {
        String names = "x:".repeat(900) + "from";
        String signature = "DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/simple; d=a.test; s=s; h=" + names
                + "; l=%d; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=; b=AAAA\r\n";
        StringBuilder mail = new StringBuilder();
        for (int i = 0; i < 30; i++) {
            mail.append(signature.formatted(i));
        }
        for (int i = 1; i <= 50; i++) {
            mail.append("ARC-Seal: i=" + i + "; a=rsa-sha256; cv=" + (i == 1 ? "none" : "pass")
                    + "; d=a.test; s=s; b=AAAA\r\n"
                    + "ARC-Message-Signature: i=" + i + "; a=rsa-sha256; d=a.test; s=s; h=from; bh=AAAA; b=AAAA\r\n"
                    + "ARC-Authentication-Results: i=" + i + "; a.test; " + "spf=pass ".repeat(200) + "\r\n");
        }
        mail.append("X: " + "a \t".repeat(20_000) + "\r\nFrom: a@a.test\r\n\r\n")
                .append(" \t \r\n".repeat(2_000_000));
        byte[] octets = mail.toString().getBytes(StandardCharsets.US_ASCII);
        assertThat(within(() -> {
                    VerificationInput message = VerificationInput.read(new ByteArrayInputStream(octets));
                    DkimCheck dkim = new DkimCheck(message, Instant.EPOCH);
                    ArcCheck arc = new ArcCheck(message);
                    message.readBody();
                    return dkim.results(zone).size() + arc.result(zone).instances();
                }))
                .isEqualTo(60);
    }

    private interface Work<T> {
        T run() throws IOException;
    }

    private static <T> T within(Work<T> work) {
        long before = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        try {
            T result = work.run();
            assertThat(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - before)
                    .isLessThan(LIMIT_NANOS);
            return result;
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
