package dev.inboxd.mail.arc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.auth.TestZone;
import dev.inboxd.mail.dkim.DkimKey;
import dev.inboxd.mail.dkim.VerificationInput;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Chains of our own making, of relays that change nothing, something, and everything. */
class ArcSealerTest {
    private static final Instant NOW = Instant.parse("2026-11-05T09:08:07Z");
    private static final String MAIL = "From: jo@a.test\r\nSubject: Hi\r\nDKIM-Signature: v=1\r\n\r\nHello.\r\n";
    private static final DkimKey RSA = DkimKey.generate();
    private static final DkimKey ED25519 = DkimKey.generateEd25519();

    private final TestZone zone = new TestZone()
            .add("r._domainkey.one.test", "TXT", RSA.dnsRecord())
            .add("e._domainkey.two.test", "TXT", ED25519.dnsRecord());
    private final ArcSealer one = new ArcSealer("one.test", "r", RSA);
    private final ArcSealer two = new ArcSealer("two.test", "e", ED25519);

    @Test
    void aChainOfSeveralRelaysHolds() throws IOException {
        String mail = MAIL;
        for (int instance = 1; instance <= 6; instance++) {
            mail = sealed(instance % 2 == 0 ? two : one, mail);
            ArcResult result = ArcCasesTest.result(mail, zone);
            assertThat(result)
                    .isEqualTo(
                            new ArcResult(AuthResult.PASS, instance, instance % 2 == 0 ? "two.test" : "one.test", ""));
        }
        assertThat(mail.split("\r\n"))
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(78));
    }

    @Test
    void aRelayThatSealsAfterItsChangeKeepsTheChain() throws IOException {
        String mail = sealed(one, MAIL).replace("Hello.", "Hello.\r\n-- \r\nThe list");
        assertThat(ArcCasesTest.result(mail, zone).outcome())
                .as("changed and not sealed")
                .isEqualTo(AuthResult.FAIL);
        String listed = sealed(two, sealed(one, MAIL).replace("Subject: Hi", "Subject: [list] Hi"), ArcResult.NONE);
        assertThat(ArcCasesTest.result(listed, zone).outcome()).isEqualTo(AuthResult.PASS);
    }

    @Test
    void aBrokenChainIsSealedAsBrokenOnceAndNeverAgain() throws IOException {
        String changed = sealed(one, MAIL).replace("Hello.", "Hallo.");
        String broken = sealed(two, changed);
        assertThat(broken).contains("cv=fail");
        assertThat(ArcCasesTest.result(broken, zone).outcome()).isEqualTo(AuthResult.FAIL);
        assertThat(sealed(one, broken)).isEqualTo(broken);
        String dangling = "ARC-Seal: i=1; a=rsa-sha256; cv=none; d=one.test; s=r; b=AAAA\r\n" + MAIL;
        assertThat(sealed(one, dangling)).isEqualTo(dangling);
    }

    @Test
    void fiftyAreEnough() throws IOException {
        String mail = MAIL;
        for (int instance = 1; instance <= 50; instance++) {
            mail = sealed(
                    two,
                    mail,
                    instance == 1 ? ArcResult.NONE : new ArcResult(AuthResult.PASS, instance - 1, "two.test", ""));
        }
        assertThat(ArcCasesTest.result(mail, zone).instances()).isEqualTo(50);
        assertThat(sealed(two, mail)).isEqualTo(mail);
    }

    private String sealed(ArcSealer sealer, String mail) throws IOException {
        return sealed(sealer, mail, ArcCasesTest.result(mail, zone));
    }

    private static String sealed(ArcSealer sealer, String mail, ArcResult found) throws IOException {
        VerificationInput message =
                VerificationInput.read(new ByteArrayInputStream(mail.getBytes(StandardCharsets.US_ASCII)));
        message.needWhole();
        message.readBody();
        return sealer.seal(message, found, "mx.one.test; spf=pass;\r\n dkim=none", NOW) + mail;
    }
}
