package dev.inboxd.mail.dkim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.auth.AuthResult;
import dev.inboxd.mail.auth.Resolver;
import dev.inboxd.mail.auth.TestZone;
import dev.inboxd.testing.Proves;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.Signature;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What makes a signature count, and what takes that from it. */
class DkimCheckTest {
    private static final Instant NOW = Instant.parse("2026-11-05T09:08:07Z");
    private static final String BODY = "Hello.\n\nTwo  words. \n\n\n";
    private static final String FIELDS = "From: jo@a.test\nTo: al@b.test\nSubject: Hi\n";
    private static final String NAMES = "from:to:subject";
    private static final KeyPair KEY = rsa(1_024);

    private final TestZone zone = new TestZone().add("s._domainkey.a.test", "TXT", record(KEY));

    @Test
    void eachFormAndAlgorithmVerifies() throws Exception {
        for (String form :
                List.of("simple/simple", "simple/relaxed", "relaxed/simple", "relaxed/relaxed", "relaxed", "simple")) {
            assertThat(outcome(sign("c=" + form, NAMES, FIELDS, BODY))).as(form).isEqualTo(AuthResult.PASS);
        }
        assertThat(outcome(sign("", NAMES, FIELDS, BODY)))
                .as("simple/simple is usual")
                .isEqualTo(AuthResult.PASS);
        assertThat(outcome(sign("c=relaxed/relaxed", NAMES, FIELDS, "")))
                .as("no body")
                .isEqualTo(AuthResult.PASS);
        assertThat(outcome(sign("c=simple/simple", NAMES, FIELDS, "")))
                .as("no body")
                .isEqualTo(AuthResult.PASS);
    }

    @Test
    void aChangeOfBodyOrFieldFails() throws Exception {
        String mail = sign("c=relaxed/relaxed", NAMES, FIELDS, BODY);
        assertThat(outcome(mail.replace("words", "worms"))).isEqualTo(AuthResult.FAIL);
        assertThat(outcome(mail.replace("Subject: Hi", "Subject: Ho"))).isEqualTo(AuthResult.FAIL);
        assertThat(outcome(mail.replace("s=s;", "s=s; x2=1;")))
                .as("its own tags")
                .isEqualTo(AuthResult.FAIL);
        assertThat(outcome(mail.replace("Subject: Hi", "subject:   Hi "))).isEqualTo(AuthResult.PASS);
        assertThat(outcome(mail + "\n\n")).isEqualTo(AuthResult.PASS);
    }

    /** Attack A10. */
    @Test
    @Proves("A10")
    void whatLeavesRoomForAdditionsIsNoPass() throws Exception {
        String limited = sign("c=relaxed/relaxed; l=8", NAMES, FIELDS, BODY);
        assertThat(result(limited).outcome()).isEqualTo(AuthResult.POLICY);
        String exact = sign("c=relaxed/relaxed; l=" + relaxed(BODY).length(), NAMES, FIELDS, BODY);
        assertThat(outcome(exact)).isEqualTo(AuthResult.PASS);
        assertThat(outcome(exact + "More.\n")).isEqualTo(AuthResult.POLICY);
        assertThat(outcome(sign("c=relaxed/relaxed; l=9999", NAMES, FIELDS, BODY)))
                .isEqualTo(AuthResult.FAIL);
        String mail = sign("c=relaxed/relaxed", NAMES, FIELDS, BODY);
        for (String second : List.of(
                "Subject: Free money\n",
                "From: boss@c.test\n",
                "To: all@c.test\n",
                "Content-Type: text/html\nContent-Type: text/plain\n",
                "Reply-To: x@c.test\nReply-To: y@c.test\n")) {
            DkimResult doubled = result(second + mail);
            assertThat(doubled.outcome()).as(second).isEqualTo(AuthResult.POLICY);
            assertThat(doubled.reason()).startsWith("a second ");
        }
        assertThat(outcome(sign("c=relaxed/relaxed", "to:subject", FIELDS, BODY)))
                .as("From is not signed")
                .isEqualTo(AuthResult.PERMERROR);
    }

    @Test
    @Tag("long")
    @Proves("A10")
    void weakAndHugeKeysAreNotUsed() throws Exception {
        zone.add("weak._domainkey.a.test", "TXT", record(rsa(512)))
                .add("huge._domainkey.a.test", "TXT", record(rsa(4_104)));
        String mail = sign("c=relaxed/relaxed", NAMES, FIELDS, BODY);
        assertThat(outcome(mail.replace("s=s;", "s=weak;"))).isEqualTo(AuthResult.POLICY);
        assertThat(outcome(mail.replace("s=s;", "s=huge;"))).isEqualTo(AuthResult.PERMERROR);
        assertThat(outcome(mail.replace("rsa-sha256", "rsa-sha1"))).isEqualTo(AuthResult.POLICY);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "v=DKIM2; p=%s",
                "v=DKIM1; k=ed25519; p=%s",
                "v=DKIM1; h=sha1; p=%s",
                "v=DKIM1; s=tls; p=%s",
                "v=DKIM1; p=",
                "v=DKIM1; p=AAAA",
                "v=DKIM1; p=%%%%",
                "nonsense",
                "v=DKIM1; k=rsa"
            })
    void aRecordThatIsNoKeyForThisIsPermanent(String record) throws Exception {
        zone.add(
                "t._domainkey.a.test",
                "TXT",
                record.formatted(base64(KEY.getPublic().getEncoded())));
        assertThat(outcome(sign("c=relaxed/relaxed; s=t", NAMES, FIELDS, BODY))).isEqualTo(AuthResult.PERMERROR);
    }

    @ParameterizedTest
    @ValueSource(strings = {"p=%s", "v=DKIM1; p=%s;", "v=DKIM1; k=rsa; h=sha1:sha256; s=email:tls; n=note; p=%s"})
    void aRecordMaySayMoreOrLess(String record) throws Exception {
        zone.add("t._domainkey.a.test", "TXT", "a wildcard")
                .add(
                        "t._domainkey.a.test",
                        "TXT",
                        record.formatted(base64(KEY.getPublic().getEncoded())));
        assertThat(outcome(sign("c=relaxed/relaxed; s=t", NAMES, FIELDS, BODY))).isEqualTo(AuthResult.PASS);
    }

    @Test
    void flagsOfTheKeyCount() throws Exception {
        zone.add("strict._domainkey.a.test", "TXT", record(KEY) + "; t=s")
                .add("try._domainkey.a.test", "TXT", record(KEY) + "; t=y");
        assertThat(outcome(sign("c=relaxed; s=strict; i=@x.a.test", NAMES, FIELDS, BODY)))
                .isEqualTo(AuthResult.PERMERROR);
        assertThat(outcome(sign("c=relaxed; s=strict; i=@a.test", NAMES, FIELDS, BODY)))
                .isEqualTo(AuthResult.PASS);
        String tried = sign("c=relaxed; s=try", NAMES, FIELDS, BODY);
        assertThat(outcome(tried)).isEqualTo(AuthResult.PASS);
        assertThat(outcome(tried.replace("Hello", "Hallo"))).isEqualTo(AuthResult.NEUTRAL);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "x=1",
                "t=20; x=10",
                "i=@b.test",
                "c=odd",
                "c=simple/simple/simple",
                "l=x",
                "d=.",
                "d=a..test",
                "bh=%%",
                "q=dns/txt; q=dns/txt",
                "9=x",
                "a=rsa-sha512"
            })
    void faultyTagsAreNoPass(String tags) throws Exception {
        assertThat(outcome(sign("c=relaxed; " + tags, NAMES, FIELDS, BODY)))
                .isIn(AuthResult.PERMERROR, AuthResult.NEUTRAL);
    }

    @Test
    void withoutAnAnswerForTheKeyItMayVerifyLater() throws Exception {
        zone.failing("gone._domainkey.a.test", "TXT");
        assertThat(outcome(sign("c=relaxed; s=gone", NAMES, FIELDS, BODY))).isEqualTo(AuthResult.TEMPERROR);
        assertThat(outcome(sign("c=relaxed; s=never", NAMES, FIELDS, BODY))).isEqualTo(AuthResult.PERMERROR);
    }

    @Test
    void eachOfSeveralSignaturesIsJudgedByItselfAndTenAtMost() throws Exception {
        String mail = sign("c=relaxed/relaxed", NAMES, FIELDS, BODY);
        String signature = mail.substring(0, mail.indexOf("\nFrom") + 1);
        String broken = signature.replace("s=s;", "s=none;");
        assertThat(check(broken + mail, zone, NOW))
                .extracting(DkimResult::outcome)
                .containsExactly(AuthResult.PERMERROR, AuthResult.PASS);
        assertThat(check(broken.repeat(30) + mail, zone, NOW))
                .hasSize(10)
                .allMatch(result -> result.outcome() == AuthResult.PERMERROR);
    }

    @Test
    void headerSectionsWithoutEndAreNotReadToIt() throws Exception {
        String mail = sign("c=relaxed/relaxed", NAMES, FIELDS, BODY);
        String filler = ("X-Filler: " + "x".repeat(980) + "\n").repeat(VerificationInput.MOST_HEADER / 490);
        assertThat(outcome(mail.replaceFirst("\n\n", "\n" + filler + "\n"))).isEqualTo(AuthResult.PERMERROR);
    }

    /** The key of RFC 8032 §7.1 that RFC 8463 §A.1 signs with. */
    @Test
    void anEd25519KeySignsAndPublishesItself() throws Exception {
        byte[] seed = Base64.getDecoder().decode("nWGxne/9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A=");
        byte[] pkcs8 = HexFormat.of()
                .parseHex("302e020100300506032b657004220420" + HexFormat.of().formatHex(seed));
        DkimKey key = DkimKey.fromPkcs8(pkcs8);
        assertThat(key.dnsRecord()).isEqualTo("v=DKIM1; k=ed25519; p=11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=");
        DkimKey made = DkimKey.generateEd25519();
        assertThat(DkimKey.fromPkcs8(made.pkcs8()).dnsRecord()).isEqualTo(made.dnsRecord());
        zone.add("e._domainkey.a.test", "TXT", made.dnsRecord());
        byte[] octets = (FIELDS + "\n" + BODY).replace("\n", "\r\n").getBytes(StandardCharsets.US_ASCII);
        SigningStream signing = new DkimSigner("a.test", "e", made).open();
        signing.write(octets, 0, octets.length);
        String mail = new String(signing.signature(NOW), StandardCharsets.US_ASCII) + FIELDS + "\n" + BODY;
        DkimResult result = result(mail);
        assertThat(result.outcome()).isEqualTo(AuthResult.PASS);
        assertThat(result.algorithm()).isEqualTo("ed25519-sha256");
        assertThat(outcome(mail.replace("Hello", "Hallo"))).isEqualTo(AuthResult.FAIL);
    }

    private AuthResult outcome(String message) throws IOException {
        return result(message).outcome();
    }

    private DkimResult result(String message) throws IOException {
        List<DkimResult> results = check(message, zone, NOW);
        assertThat(results).hasSize(1);
        return results.getFirst();
    }

    /** Checks a message; its lines may end in LF. */
    static List<DkimResult> check(String message, Resolver dns, Instant now) throws IOException {
        byte[] octets = message.replace("\r\n", "\n").replace("\n", "\r\n").getBytes(StandardCharsets.ISO_8859_1);
        VerificationInput signed = VerificationInput.read(new ByteArrayInputStream(octets));
        DkimCheck check = new DkimCheck(signed, now);
        signed.readBody();
        return check.results(dns);
    }

    /** Signs the slow and obvious way, with whatever tags; later ones replace earlier ones. */
    private static String sign(String tags, String names, String fields, String body) throws GeneralSecurityException {
        String form = tags.contains("c=") ? tags.replaceFirst(".*?c=([a-z/]+).*", "$1") : "simple/simple";
        boolean relaxedHeader = form.startsWith("relaxed");
        String signedBody = form.endsWith("/relaxed") ? relaxed(body) : simple(body);
        if (tags.contains("l=")) {
            String digits = tags.replaceFirst(".*l=([0-9]*).*", "$1");
            signedBody = digits.isEmpty()
                    ? signedBody
                    : signedBody.substring(0, Math.min(signedBody.length(), Integer.parseInt(digits)));
        }
        String bodyHash =
                base64(MessageDigest.getInstance("SHA-256").digest(signedBody.getBytes(StandardCharsets.US_ASCII)));
        String all = "v=1; a=rsa-sha256; d=a.test; s=s; bh=" + bodyHash + "; h=" + names;
        for (String tag : tags.isEmpty() ? new String[0] : tags.split("; ", -1)) {
            String name = tag.substring(0, tag.indexOf('=') + 1);
            boolean replaced = all.contains("; " + name) && !all.contains("; q=");
            all = replaced ? all.replaceFirst("; " + name + "[^;]*", "; " + tag.replace("$", "\\$")) : all + "; " + tag;
        }
        String own = "DKIM-Signature: " + all + "; b=";
        StringBuilder signed = new StringBuilder();
        for (String name : names.split(":", -1)) {
            for (String field : fields.split("\n", -1)) {
                if (field.toLowerCase(Locale.ROOT).startsWith(name + ":")) {
                    signed.append(relaxedHeader ? relaxedField(field) : field).append("\r\n");
                }
            }
        }
        signed.append(relaxedHeader ? relaxedField(own) : own);
        Signature signature = Signature.getInstance("SHA256withRSA");
        signature.initSign(KEY.getPrivate());
        signature.update(signed.toString().getBytes(StandardCharsets.US_ASCII));
        return own + base64(signature.sign()) + "\n" + fields + "\n" + body;
    }

    private static String relaxedField(String field) {
        int colon = field.indexOf(':');
        return field.substring(0, colon).toLowerCase(Locale.ROOT) + ":"
                + field.substring(colon + 1).strip().replaceAll("[ \t]+", " ");
    }

    private static String relaxed(String body) {
        String lines =
                body.replaceAll("[ \t]+\n", "\n").replaceAll("[ \t]+", " ").replaceAll("\n+$", "");
        return lines.isEmpty() ? "" : (lines + "\n").replace("\n", "\r\n");
    }

    private static String simple(String body) {
        return (body.replaceAll("\n+$", "") + "\n").replace("\n", "\r\n");
    }

    private static KeyPair rsa(int bits) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(bits);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException everyJavaHasRsa) {
            throw new AssertionError(everyJavaHasRsa);
        }
    }

    private static String record(KeyPair key) {
        return "v=DKIM1; k=rsa; p=" + base64(key.getPublic().getEncoded());
    }

    private static String base64(byte[] octets) {
        return Base64.getEncoder().encodeToString(octets);
    }
}
