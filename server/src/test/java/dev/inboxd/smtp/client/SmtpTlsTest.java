package dev.inboxd.smtp.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.net.Tlsa;
import dev.inboxd.smtp.client.FakeMx.At;
import dev.inboxd.testing.Proves;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** STARTTLS, certificates and logins over real sockets, with an authority of our own. */
class SmtpTlsTest {
    private static final SmtpEnvelope ENVELOPE =
            new SmtpEnvelope(null, AddrSpec.parse("a@x.example"), 3, SmtpEnvelope.Content.SEVEN_BIT);
    private static final MessageSource MESSAGE = out -> out.write("x\r\n".getBytes(StandardCharsets.US_ASCII));
    private static final SmtpTimeouts WAIT = SmtpTimeouts.all(Duration.ofSeconds(20));
    private static final TlsRule STARTTLS = new TlsRule.Verified(false);
    private static TestAuthority.Server server;
    private static TestAuthority.Server foreign;
    private static X509Certificate authority;
    private static SmtpClient client;

    private final FakeMx mx = new FakeMx("PIPELINING", "STARTTLS", "AUTH PLAIN LOGIN");

    @BeforeAll
    static void certificates(@TempDir Path folder) {
        TestAuthority made = new TestAuthority(folder);
        server = made.server("dns:mx.fake.example");
        foreign = made.server("dns:mx.other.example");
        authority = made.certificate();
        client = new SmtpClient("mail.inboxd.example", WAIT, new ClientTls(List.of(authority)));
    }

    @BeforeEach
    void offer() {
        mx.tls(server.context());
    }

    @AfterEach
    void close() {
        mx.close();
    }

    private SmtpEndpoint endpoint(TlsRule rule) {
        return mx.endpoint().with(rule);
    }

    private SmtpEndpoint endpoint(TlsRule rule, SmtpLogin login) {
        SmtpEndpoint plain = mx.endpoint();
        return new SmtpEndpoint(plain.host(), plain.address(), plain.port(), rule, login);
    }

    private void takes(SmtpClient by, SmtpEndpoint endpoint) {
        try (ClientSession session = by.open(endpoint)) {
            assertThat(session.send(ENVELOPE, MESSAGE)).isInstanceOf(SmtpResult.Success.class);
        }
    }

    private static void isRefused(ThrowingCallable opening) {
        assertThatThrownBy(opening).isInstanceOf(SessionFailedException.class);
    }

    private static Tlsa tlsa(int usage, int selector, int matching, X509Certificate certificate) throws Exception {
        byte[] selected = selector == 0
                ? certificate.getEncoded()
                : certificate.getPublicKey().getEncoded();
        byte[] matched = matching == 0
                ? selected
                : MessageDigest.getInstance(matching == 1 ? "SHA-256" : "SHA-512")
                        .digest(selected);
        return new Tlsa(usage, selector, matching, HexFormat.of().formatHex(matched));
    }

    private static TlsRule dane(Tlsa... records) {
        return new TlsRule.Dane(List.of(records), "fake.example");
    }

    @Test
    @Proves("A3a")
    void whatIsOfferedIsTakenWhateverTheCertificateAndSaidAnewAfterwards() {
        mx.tls(foreign.context());
        takes(new SmtpClient("mail.inboxd.example", WAIT), endpoint(new TlsRule.Opportunistic()));
        assertThat(mx.commands())
                .containsSubsequence(
                        "EHLO mail.inboxd.example",
                        "STARTTLS",
                        "TLS [mx.fake.example]",
                        "EHLO mail.inboxd.example",
                        "MAIL FROM:<>");
    }

    @Test
    void aHostWhoseTlsIsBrokenGetsTheMailInTheClearUnlessTlsIsDemanded() {
        mx.at(At.STARTTLS, wire -> {
            wire.reply("220 2.0.0 go");
            wire.drop();
        });
        takes(client, endpoint(new TlsRule.Opportunistic()));
        assertThat(mx.commands()).filteredOn("CONNECT"::equals).hasSize(2);
        isRefused(() -> client.open(endpoint(STARTTLS)));
        isRefused(() -> client.open(endpoint(dane())));
    }

    @Test
    void aHostThatTakesItsOfferBackGetsTheMailInTheClearUnlessTlsIsDemanded() {
        mx.answer(At.STARTTLS, "454 4.7.0 not now");
        takes(client, endpoint(new TlsRule.Opportunistic()));
        isRefused(() -> client.open(endpoint(STARTTLS)));
        isRefused(() -> client.open(endpoint(dane())));
    }

    @Test
    @Proves("P2d")
    void whoTakesTheOfferOutOfTheReplyGetsNothing() {
        try (FakeMx stripped = new FakeMx("PIPELINING")) {
            isRefused(() -> client.open(stripped.endpoint().with(STARTTLS)));
            isRefused(() -> client.open(stripped.endpoint().with(dane())));
            assertThat(stripped.commands()).doesNotContain("MAIL FROM:<>");
        }
    }

    @Test
    @Proves("A3a")
    void whatIsSaidBetweenStarttlsAndTlsIsNotHeard() {
        mx.at(At.STARTTLS, wire -> wire.raw("220 2.0.0 go\r\n250 2.1.0 injected\r\n"));
        assertThatThrownBy(() -> client.open(endpoint(STARTTLS)))
                .hasMessageContaining("between STARTTLS and the TLS handshake");
        assertThatThrownBy(() -> client.open(endpoint(new TlsRule.Opportunistic())))
                .hasMessageContaining("between STARTTLS and the TLS handshake");
    }

    @Test
    void aVerifiedHostHasACertificateForItsNameFromAnAuthorityThatIsKnown() {
        takes(client, endpoint(STARTTLS));
        isRefused(() -> new SmtpClient("mail.inboxd.example", WAIT).open(endpoint(STARTTLS)));
        mx.tls(foreign.context());
        isRefused(() -> client.open(endpoint(STARTTLS)));
    }

    @Test
    void tlsFromTheFirstOctet() {
        mx.tlsFirst(server.context());
        takes(client, endpoint(new TlsRule.Verified(true)));
        mx.tlsFirst(foreign.context());
        isRefused(() -> client.open(endpoint(new TlsRule.Verified(true))));
    }

    @Test
    void theServersOwnCertificateIsMatchedInEveryWay() throws Exception {
        mx.tls(foreign.context()); // RFC 7672 §3.1.1: its name does not matter
        for (int selector = 0; selector <= 1; selector++) {
            for (int matching = 0; matching <= 2; matching++) {
                takes(client, endpoint(dane(tlsa(3, selector, matching, foreign.own()))));
                TlsRule other = dane(tlsa(3, selector, matching, server.own()));
                isRefused(() -> client.open(endpoint(other)));
            }
        }
    }

    @Test
    void anAuthorityIsMatchedInTheChainAndTheNameCounts() throws Exception {
        for (int matching = 0; matching <= 2; matching++) {
            takes(client, endpoint(dane(tlsa(2, 0, matching, authority))));
            takes(client, endpoint(dane(tlsa(2, 1, matching, authority))));
        }
        isRefused(() -> client.open(endpoint(dane(tlsa(2, 1, 1, server.own())))));
        mx.tls(foreign.context());
        isRefused(() -> client.open(endpoint(dane(tlsa(2, 1, 1, authority)))));
        takes(client, endpoint(new TlsRule.Dane(List.of(tlsa(2, 1, 1, authority)), "mx.other.example")));
    }

    @Test
    void oneRecordThatMatchesIsEnoughAndNoneOfUseStillWantsEncryption() throws Exception {
        takes(client, endpoint(dane(tlsa(3, 1, 1, foreign.own()), tlsa(3, 1, 1, server.own()))));
        takes(client, endpoint(dane()));
        assertThat(DaneTrust.isUsable(new Tlsa(1, 1, 1, "00".repeat(32)))).isFalse();
        assertThat(DaneTrust.isUsable(new Tlsa(3, 1, 1, "00".repeat(31)))).isFalse();
        assertThat(DaneTrust.isUsable(new Tlsa(3, 2, 1, "00".repeat(32)))).isFalse();
        assertThat(DaneTrust.isUsable(new Tlsa(3, 1, 3, "00".repeat(32)))).isFalse();
    }

    @Test
    void aLoginIsPlainOrLoginAndOverTls() {
        SmtpLogin login = new SmtpLogin("joe", "pässword");
        takes(client, endpoint(STARTTLS, login));
        assertThat(mx.commands())
                .containsSubsequence("TLS [mx.fake.example]", "AUTH PLAIN " + base64("\0joe\0pässword"));
        try (FakeMx old = new FakeMx("STARTTLS", "AUTH LOGIN CRAM-MD5").tls(server.context())) {
            takes(client, new SmtpEndpoint("mx.fake.example", old.endpoint().address(), old.port(), STARTTLS, login));
            assertThat(old.commands()).containsSubsequence("AUTH LOGIN", base64("joe"), base64("pässword"));
        }
        mx.answer(At.AUTH, "535 5.7.8 wrong");
        isRefused(() -> client.open(endpoint(STARTTLS, login)));
    }

    @Test
    @Proves("P2d")
    void aLoginIsToldToNobodyElse() throws Exception {
        SmtpLogin login = new SmtpLogin("joe", "secret");
        mx.tls(foreign.context());
        isRefused(() -> client.open(endpoint(STARTTLS, login)));
        isRefused(() -> client.open(endpoint(dane(tlsa(3, 1, 1, server.own())), login)));
        assertThat(mx.commands()).noneMatch(command -> command.startsWith("AUTH"));
        assertThat(login.toString()).doesNotContain("secret");
    }

    @Test
    void sessionsOfOneRuleAreNotUsedForAnother() {
        mx.tls(foreign.context());
        try (SmtpPool pool = new SmtpPool(client, 10, 20, Duration.ofMinutes(1))) {
            assertThat(pool.send(endpoint(new TlsRule.Opportunistic()), ENVELOPE, MESSAGE))
                    .isInstanceOf(SmtpResult.Success.class);
            isRefused(() -> pool.send(endpoint(STARTTLS), ENVELOPE, MESSAGE));
        }
        assertThat(mx.mails()).hasSize(1);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
