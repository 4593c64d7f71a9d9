package dev.inboxd.mail.dkim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.mail.compose.AttachmentContent;
import dev.inboxd.mail.compose.Composer;
import dev.inboxd.mail.compose.Composition;
import dev.inboxd.mail.compose.Mailbox;
import dev.inboxd.mail.compose.OutgoingAttachment;
import dev.inboxd.testing.Proves;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class DkimSignerTest {
    private static final DkimKey KEY = DkimKey.generate();
    private static final DkimSigner SIGNER = new DkimSigner("inboxd.example", "s1", KEY);
    private static final Instant NOW = Instant.parse("2026-11-05T09:08:07Z");

    @Test
    void aComposedMessageVerifies() throws Exception {
        var mail = new Composition(
                new Composition.Addresses(
                        new Mailbox("Ägent", "agent@inboxd.example"),
                        List.of(new Mailbox(null, "ann@example.org")),
                        List.of(),
                        List.of()),
                new Composition.Identification("<1@inboxd.example>", List.of("<0@x>"), List.of("<0@x>")),
                "Grüße ".repeat(30),
                NOW,
                List.of(),
                new Composition.Body(
                        "text ä",
                        "<p>ä</p>",
                        List.of(new OutgoingAttachment(
                                "f", "a/b", false, null, AttachmentContent.of(new byte[100_000])))));
        assertThat(DkimVerifier.verifies(signed(Composer.compose(mail).bytes()), KEY.dnsRecord()))
                .isTrue();
    }

    @Test
    void whatRelayersChangeDoesNotMatter() throws Exception {
        var message =
                text(signed("From: a@b.example\r\nSubject:  two   words\r\n\r\nline  one \r\nline two\r\n\r\n\r\n"));
        var relayed = message.replace("Subject:  two   words", "subject: two\r\n\twords")
                .replace("line  one ", "line one")
                .replaceAll("(\r\n)+$", "\r\n");
        assertThat(relayed).isNotEqualTo(message);
        assertThat(DkimVerifier.verifies(octets(relayed), KEY.dnsRecord())).isTrue();
    }

    @Test
    @Proves("A10")
    void aChangedBodyOrFieldOrAnAddedFieldBreaksTheSignature() throws Exception {
        var message = text(signed("From: a@b.example\r\nSubject: hello\r\n\r\nbody\r\n"));
        assertThat(DkimVerifier.verifies(octets(message.replace("body", "Body")), KEY.dnsRecord()))
                .isFalse();
        assertThat(DkimVerifier.verifies(octets(message.replace("hello", "hallo")), KEY.dnsRecord()))
                .isFalse();
        for (var added : List.of(
                "From",
                "To",
                "Cc",
                "Subject",
                "Date",
                "Message-ID",
                "Reply-To",
                "In-Reply-To",
                "References",
                "MIME-Version",
                "Content-Type",
                "Content-Transfer-Encoding")) {
            var more = message.replace("From: a@", added + ": more\r\nFrom: a@");
            assertThat(DkimVerifier.verifies(octets(more), KEY.dnsRecord()))
                    .as(added)
                    .isFalse();
        }
    }

    @Test
    void anyBodyInAnyPiecesHashesAlike() throws Exception {
        var random = new Random(5);
        for (int round = 0; round < 300; round++) {
            var body = new StringBuilder();
            for (int i = random.nextInt(30); i > 0; i--) {
                body.append(List.of("\r\n", " ", "\t", "a", "\r\n\r\n", "word", "\u00e4")
                        .get(random.nextInt(7)));
            }
            var message = octets("From: a@b.example\r\n\r\n" + body);
            var stream = SIGNER.open();
            for (int at = 0; at < message.length; ) {
                int piece = Math.min(message.length - at, 1 + random.nextInt(9));
                stream.write(message, at, piece);
                at += piece;
            }
            var field = stream.signature(NOW);
            assertThat(DkimVerifier.verifies(join(field, message), KEY.dnsRecord()))
                    .as(body.toString())
                    .isTrue();
        }
    }

    @Test
    void theExamplesOfTheStandardHoldForBodies() {
        assertThat(hash("")).isEqualTo("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="); // RFC 6376 §3.4.4
        assertThat(hash(" C \r\nD \t E\r\n\r\n\r\n")).isEqualTo(hash(" C\r\nD E\r\n")); // §3.4.5, example 1
        assertThat(Canonicalization.RELAXED.header("B : Y\t\r\n\tZ  \r\n")).isEqualTo("b:Y Z"); // §3.4.5, example 1
    }

    @Test
    void theSignatureExpiresAfterAWeekAndLimitsNoLength() throws Exception {
        var field = text(signed("From: a@b.example\r\n\r\nx"));
        var tags = DkimVerifier.tags(field.substring(field.indexOf(':') + 1, field.indexOf("\r\nFrom")));
        assertThat(tags)
                .containsEntry("v", "1")
                .containsEntry("a", "rsa-sha256")
                .containsEntry("c", "relaxed/relaxed")
                .containsEntry("d", "inboxd.example")
                .containsEntry("s", "s1")
                .doesNotContainKey("l")
                .containsEntry("t", "" + NOW.getEpochSecond())
                .containsEntry("x", "" + NOW.plusSeconds(604_800).getEpochSecond());
        assertThat(field.split("\r\n"))
                .allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(78));
    }

    @Test
    void unsubscribeFieldsAreSignedWhenPresent() {
        assertThat(text(signed("From: a@b.example\r\nList-Unsubscribe: <https://x>\r\n\r\n")))
                .contains(":List-Unsubscribe;");
        assertThat(text(signed("From: a@b.example\r\n\r\n"))).doesNotContain("List-");
    }

    @Test
    void aKeySurvivesStorage() throws Exception {
        var stored = DkimKey.fromPkcs8(KEY.pkcs8());
        assertThat(stored.dnsRecord())
                .isEqualTo(KEY.dnsRecord())
                .startsWith("v=DKIM1; k=rsa; p=MIIBIjAN")
                .hasSizeLessThan(420);
        assertThat(stored).hasToString("***");
        assertThatThrownBy(() -> DkimKey.fromPkcs8(new byte[] {1, 2})).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aDomainCannotCarryOtherTags() {
        assertThatThrownBy(() -> new DkimSigner("a; l=0", "s", KEY)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new DkimSigner("a.example", "s\r\nX: y", KEY))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static String hash(String body) {
        var relaxed = new BodyHash(Canonicalization.RELAXED);
        relaxed.update(octets(body), 0, body.length());
        return Base64.getEncoder().encodeToString(relaxed.fullHash());
    }

    private static byte[] signed(String message) {
        return signed(octets(message));
    }

    private static byte[] signed(byte[] message) {
        var stream = SIGNER.open();
        stream.write(message, 0, message.length);
        return join(stream.signature(NOW), message);
    }

    private static byte[] join(byte[] field, byte[] message) {
        return octets(text(field) + text(message));
    }

    private static byte[] octets(String text) {
        return text.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String text(byte[] octets) {
        return new String(octets, StandardCharsets.ISO_8859_1);
    }
}
