package dev.inboxd.inbound.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.fault.LookupFaults;
import dev.inboxd.mail.auth.ResolverAnswer;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.net.FakeDns;
import dev.inboxd.net.MailDns;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Type;

/** What cannot be seen over SMTP in development. */
class MessageAuthenticationTest {
    private static final String MAIL = "From: jo@a.test\r\n\r\nHello.\r\n";

    @Test
    @Proves("A11")
    void whileOurOwnDnsIsAwayMailIsPutOff() throws IOException {
        try (DatagramSocket silent = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            List<InetSocketAddress> servers =
                    List.of(new InetSocketAddress(silent.getLocalAddress(), silent.getLocalPort()));
            MailDns dns = new MailDns(servers, Duration.ofMillis(200));
            AuthenticationVerdict putOff = judge(dns, true);
            assertThat(putOff.refusal())
                    .isEqualTo(SmtpReply.of(451, "4.4.3", "Our DNS does not answer, try again later"));
            AuthenticationVerdict taken = judge(dns, false);
            assertThat(taken.refusal()).isNull();
            assertThat(taken.labels()).containsExactly("unauthenticated");
            assertThat(taken.field()).contains("spf=temperror").contains("dmarc=temperror");
        }
    }

    /** Attack A11. */
    @Test
    @Proves("A11")
    void aSendersDnsAloneNeverPutsMailOff() throws IOException {
        try (FakeDns server = FakeDns.start()) {
            server.failing("a.test", Type.TXT).failing("_dmarc.a.test", Type.TXT);
            AuthenticationVerdict judgement = judge(new MailDns(server.servers(), Duration.ofSeconds(5)), true);
            assertThat(judgement.refusal()).isNull();
            assertThat(judgement.labels()).containsExactly("unauthenticated");
        }
    }

    /** RFC 9989 §5.3: nobody has failed whose check got no answer, and the policy is for those who have. */
    @Test
    void whatMightHavePassedIsNotRefusedForASilenceOfTheDns() throws IOException {
        try (FakeDns server = FakeDns.start()) {
            server.text("_dmarc.a.test", "v=DMARC1; p=reject");
            MailDns dns = new MailDns(server.servers(), Duration.ofMillis(500));
            assertThat(String.valueOf(judge(dns, true).refusal())).startsWith("550 5.7.1");
            server.failing("a.test", Type.TXT);
            AuthenticationVerdict judgement = judge(new MailDns(server.servers(), Duration.ofSeconds(5)), true);
            assertThat(judgement.refusal()).isNull();
            assertThat(judgement.labels()).containsExactly("spam", "unauthenticated");
            assertThat(judgement.field()).contains("dmarc=temperror");
        }
    }

    @Test
    @Tag("long")
    void whileOurOwnDnsIsAwayARememberedPolicyRefusesNobody() throws IOException {
        try (FakeDns server = FakeDns.start()) {
            server.text("_dmarc.a.test", "v=DMARC1; p=reject");
            MailDns dns = new MailDns(server.servers(), Duration.ofMillis(200));
            Eventually.await(() -> dns.texts("_dmarc.a.test").status() == ResolverAnswer.Status.DATA);
            server.fallSilent();
            AuthenticationVerdict judgement = judge(dns, true);
            while (judgement.refusal() == null) { // until it is noticed, once a second
                assertThat(judgement.labels()).containsExactly("spam", "unauthenticated");
                judgement = judge(dns, true);
            }
            assertThat(judgement.refusal())
                    .isEqualTo(SmtpReply.of(451, "4.4.3", "Our DNS does not answer, try again later"));
        }
    }

    private static AuthenticationVerdict judge(MailDns dns, boolean waiting) throws IOException {
        return new MessageAuthentication(
                        dns,
                        new MessageAuthentication.Policy(
                                "mx.inboxd.test", waiting, _ -> false, LoopbackTrust.NONE, LookupFaults.NONE),
                        InstantSource.system())
                .check(
                        new MessageAuthentication.Origin(
                                InetAddress.ofLiteral("192.0.2.1"), "helo.test", "jo@a.test", Set.of()),
                        new ByteArrayInputStream(MAIL.getBytes(StandardCharsets.US_ASCII)),
                        null);
    }
}
