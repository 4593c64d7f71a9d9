package dev.inboxd.inbound.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.mail.dkim.DkimKey;
import dev.inboxd.mail.dkim.DkimSigner;
import dev.inboxd.mail.dkim.SigningStream;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.xbill.DNS.Type;

/** What becomes of mail that is somebody's, nobody's, or not whose it says to be. The client is always 127.0.0.1. */
class MessageAuthenticationHttpTest {
    private static final DkimKey RSA = DkimKey.generate();
    private static final DkimKey ED25519 = DkimKey.generateEd25519();

    @RegisterExtension
    private static final World world = World.start(Map.of("INBOXD_MX_HOST", "mx.inboxd.test"));

    @BeforeAll
    static void start() {
        world.dns()
                .text("sender.test", "v=spf1 ip4:127.0.0.1 -all")
                .text("_dmarc.sender.test", "v=DMARC1; p=reject")
                .longText("s1._domainkey.sender.test", RSA.dnsRecord())
                .text("s2._domainkey.sender.test", ED25519.dnsRecord())
                .text("relay.test", "v=spf1 ip4:127.0.0.1 -all")
                .text("refusing.test", "v=spf1 -all exp=why.refusing.test")
                .text("why.refusing.test", "%{i} sends nothing for us")
                .text("_dmarc.refusing.test", "v=DMARC1; p=reject")
                .text("_dmarc.suspicious.test", "v=DMARC1; p=quarantine")
                .text("_dmarc.watching.test", "v=DMARC1; p=none; rua=mailto:r@watching.test")
                .text("_dmarc.trying.test", "v=DMARC1; p=reject; t=y")
                .failing("_dmarc.silent.test", Type.TXT)
                .failing("silent.test", Type.TXT);
    }

    @Test
    void mailThatItsDomainSentIsShownWithWhatVouchesForIt() {
        String inbox = world.inbox("vouched");
        assertThat(world.mail("jo@sender.test", inbox, signed("jo@sender.test", "s1", RSA)))
                .startsWith("250");
        HttpProbe.Answer message = only(inbox);
        assertThat(message.list("labels")).isEqualTo(List.of("received", "unread"));
        assertThat(String.valueOf(message.at("authentication_results"))).contains("spf=", "dkim=", "dmarc=");
        assertThat(message.at("authentication"))
                .isEqualTo(Map.of(
                        "spf", Map.of("result", "pass", "identity", "mailfrom", "domain", "sender.test"),
                        "dkim",
                                List.of(Map.of(
                                        "result",
                                        "pass",
                                        "domain",
                                        "sender.test",
                                        "selector",
                                        "s1",
                                        "algorithm",
                                        "rsa-sha256")),
                        "dmarc", Map.of("result", "pass", "domain", "sender.test", "policy", "reject"),
                        "aligned", true,
                        "arc", Map.of("result", "none")));
        String raw = raw(inbox, message.text("message_id"));
        assertThat(raw)
                .startsWith("Return-Path: <jo@sender.test>\r\nAuthentication-Results: mx.inboxd.test;\r\n\t"
                        + "spf=pass smtp.mailfrom=sender.test;\r\n"
                        + "\tdkim=pass header.d=sender.test header.s=s1 header.a=rsa-sha256"
                        + " header.b=")
                .contains("dmarc=pass header.from=sender.test policy.dmarc=reject policy.aligned=yes;\r\n\t"
                        + "arc=none\r\nReceived: ");
    }

    @Test
    void aSignatureAloneVouchesForMailThatWasPassedOn() {
        String inbox = world.inbox("passedon");
        assertThat(world.mail("list@nowhere.test", inbox, signed("jo@sender.test", "s2", ED25519)))
                .startsWith("250");
        HttpProbe.Answer message = only(inbox);
        assertThat(message.list("labels")).isEqualTo(List.of("received", "unread"));
        assertThat(message.text("authentication.dmarc.result")).isEqualTo("pass");
        assertThat(message.text("authentication.spf.result")).isEqualTo("none");
    }

    @Test
    @Proves("A9b")
    void whatADomainWantsRefusedIsRefusedInTheDialogueAndItsReasonsAreSaid() {
        String inbox = world.inbox("refusals");
        assertThat(world.mail("jo@refusing.test", inbox, mail("From: jo@refusing.test\n")))
                .as("the last line of the reply")
                .isEqualTo("550 5.7.1 refusing.test explains: 127.0.0.1 sends nothing for us");
        // A domain that is authenticated, and another in From.
        assertThat(world.mail("jo@relay.test", inbox, mail("From: jo@sender.test\n")))
                .isEqualTo("550 5.7.1 Refused as the DMARC policy of sender.test demands");
        assertThat(world.mail(
                        "jo@sender.test",
                        inbox,
                        signed("jo@sender.test", "s1", RSA).replace("Hello", "Hallo")))
                .as("SPF still passes")
                .startsWith("250");
        assertThat(all(inbox)).hasSize(1);
    }

    @Test
    @Proves("A9b")
    void whatADomainWantsInQuarantineIsSpamAndWhatItOnlyWatchesIsUnauthenticated() {
        String inbox = world.inbox("policies");
        assertThat(labels(inbox, "jo@relay.test", "From: jo@suspicious.test\n"))
                .containsExactly("received", "spam", "unread");
        assertThat(labels(inbox, "jo@nowhere.test", "From: jo@suspicious.test\nX: 2\n"))
                .containsExactly("received", "spam", "unauthenticated", "unread");
        assertThat(labels(inbox, "jo@relay.test", "From: jo@watching.test\n"))
                .containsExactly("received", "unauthenticated", "unread");
        assertThat(labels(inbox, "jo@relay.test", "From: jo@trying.test\n"))
                .as("t=y is one step milder")
                .containsExactly("received", "spam", "unread");
        assertThat(labels(inbox, "jo@relay.test", "From: jo@plain.test\n"))
                .as("no policy, and SPF passed")
                .containsExactly("received", "unread");
        assertThat(labels(inbox, "jo@nowhere.test", "From: jo@plain.test\nX: 2\n"))
                .as("nothing passed")
                .containsExactly("received", "unauthenticated", "unread");
    }

    @Test
    @Proves("A9")
    void severalAuthorsAreNobodyAndTheStrictestOfTheirDomainsCounts() {
        String inbox = world.inbox("authors");
        for (String from : List.of(
                "From: jo@relay.test, al@relay.test\n",
                "From: jo@relay.test\nFrom: al@relay.test\n",
                "From: nobody\n",
                "X-From: jo@relay.test\n",
                "From: jo@=?utf-8?q?relay.test?=\n")) {
            assertThat(labels(inbox, "jo@relay.test", from)).as(from).contains("unauthenticated");
        }
        for (String from : List.of(
                "From: jo@relay.test, al@refusing.test\n",
                "From: jo@relay.test\nFrom: al@refusing.test\n",
                "From: friends: jo@relay.test, al@REFUSING.test;\n")) {
            assertThat(world.mail("jo@relay.test", inbox, mail(from))).as(from).startsWith("550 5.7.1");
        }
    }

    @Test
    @Proves("A11")
    void aDomainWhoseDnsFailsLosesNoMailAndIsNotBelieved() {
        String inbox = world.inbox("silent");
        assertThat(labels(inbox, "jo@silent.test", "From: jo@silent.test\n")).contains("unauthenticated");
        assertThat(labels(inbox, "jo@relay.test", "From: jo@silent.test\nX: 2\n"))
                .as("what the author's domain says is not known")
                .contains("unauthenticated");
        assertThat(all(inbox)).hasSize(2);
        assertThat(((Map<?, ?>) all(inbox).getFirst()).get("message_id")).isNotNull();
    }

    @Test
    @Proves("A12")
    void resultsInOurNameAreOursAlone() {
        String inbox = world.inbox("forged");
        String forged = "Authentication-Results: mx.inboxd.test; spf=pass smtp.mailfrom=bank.test;\n dmarc=pass\n"
                + "Authentication-Results: (so) \"MX.inboxd.test\" 1; dkim=pass\n"
                + "Authentication-Results: mx.other.test; spf=pass\n";
        String mail = forged + "Received: from there\n" + forged + mail("From: jo@plain.test\n");
        assertThat(world.mail("jo@nowhere.test", inbox, mail)).startsWith("250");
        HttpProbe.Answer message = only(inbox);
        assertThat(message.text("authentication.spf.result")).isEqualTo("none");
        String raw = raw(inbox, message.text("message_id"));
        assertThat(raw)
                .containsOnlyOnce("mx.inboxd.test;")
                .doesNotContain("bank.test")
                .doesNotContain("MX.inboxd.test")
                .endsWith("arc=none\r\n" + raw.substring(raw.indexOf("Received: from ")));
        assertThat(raw.split("Authentication-Results: mx.other.test; spf=pass\r\n", -1))
                .hasSize(3);
        assertThat(raw)
                .contains(
                        "spf=pass\r\nReceived: from there\r\nAuthentication-Results: mx.other.test; spf=pass\r\nFrom:");
    }

    /** Attack A12: behind more header than anybody reads. */
    @Test
    @Proves("A12")
    void resultsInOurNameAreOursAloneHoweverFarDownTheyStand() {
        String inbox = world.inbox("buried");
        String forged = "Authentication-Results: mx.inboxd.test; spf=pass smtp.mailfrom=bank.test;\n dmarc=pass\n";
        String others = "Authentication-Results: mx.other.test; spf=pass\n";
        String above = mail("From: jo@plain.test\n").replace("\n\nHello.\n", "\n") + "X: y\n".repeat(100_000);
        assertThat(world.mail("jo@nowhere.test", inbox, above + forged + others + "\nHello.\n"))
                .startsWith("250");
        HttpProbe.Answer message = only(inbox);
        assertThat(raw(inbox, message.text("message_id")))
                .containsOnlyOnce("mx.inboxd.test;")
                .doesNotContain("bank.test")
                .endsWith((above + others + "\nHello.\n").replace("\n", "\r\n"));
    }

    @Test
    @Tag("long")
    void aLargeMessageIsCheckedAndShownAsASmallOneIs() {
        String inbox = world.inbox("large");
        String mail = sign(
                "From: jo@sender.test\nTo: x@y.test\nSubject: s\n\n" + "A line of text.\n".repeat(40_000), "s1", RSA);
        assertThat(world.mail("jo@nowhere.test", inbox, mail)).startsWith("250");
        assertThat(only(inbox).text("authentication.dmarc.result")).isEqualTo("pass");
    }

    private static List<String> labels(String inbox, String reversePath, String fields) {
        assertThat(world.mail(reversePath, inbox, mail(fields))).as(fields).startsWith("250");
        Map<?, ?> newest = (Map<?, ?>) all(inbox).getFirst();
        return Objects.requireNonNull((List<?>) newest.get("labels")).stream()
                .map(String::valueOf)
                .sorted()
                .toList();
    }

    private static List<?> all(String inbox) {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages?include_unauthenticated=true&include_spam=true")
                .is(200)
                .list("messages");
    }

    private static HttpProbe.Answer only(String inbox) {
        assertThat(all(inbox)).hasSize(1);
        Object name = ((Map<?, ?>) all(inbox).getFirst()).get("message_id");
        return world.http().get(path(inbox, String.valueOf(name))).is(200);
    }

    private static String raw(String inbox, String name) {
        String link = world.http().get(path(inbox, name) + "/raw").is(200).text("download_url");
        return world.anonymous().get(URI.create(link).getRawPath()).is(200).text();
    }

    private static String path(String inbox, String name) {
        return "/v0/inboxes/" + inbox + "/messages/"
                + URLEncoder.encode(name, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private static String mail(String fields) {
        return fields + "To: x@y.test\nSubject: s\n\nHello.\n";
    }

    private static String signed(String from, String selector, DkimKey key) {
        return sign("From: " + from + "\nTo: x@y.test\nSubject: s\n\nHello.\n", selector, key);
    }

    private static String sign(String message, String selector, DkimKey key) {
        byte[] octets = message.replace("\n", "\r\n").getBytes(StandardCharsets.UTF_8);
        SigningStream signing = new DkimSigner("sender.test", selector, key).open();
        signing.write(octets, 0, octets.length);
        return new String(signing.signature(world.clock().instant()), StandardCharsets.US_ASCII).replace("\r\n", "\n")
                + message;
    }
}
