package dev.inboxd.sending.feedback;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Reports without our return path. They quote what every recipient of a message knows, so that it matters who wrote
 * them.
 */
class UnprovenReportHttpTest {
    private static final String GONE = "Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 No such user";

    @RegisterExtension
    private static final World world = World.start();

    private static String inbox;

    @BeforeAll
    static void start() {
        world.dns().text("elsewhere.test", "v=spf1 ip4:127.0.0.1 -all"); // the probe says that it is elsewhere.test
        inbox = world.inbox("sender");
    }

    @Test
    @Proves("A42")
    void aBounceCountsWhenItIsFromTheRecipientsServerAboutAMessageOfThatInbox() {
        Sent sent = send("moved@elsewhere.test");
        String stranger = world.inbox("stranger");
        world.mail("", stranger, bounce(stranger, "moved@elsewhere.test", "elsewhere.test", sent));
        assertThat(labels(sent)).as("another inbox did not send it").doesNotContain("bounced");
        world.mail("", inbox, bounce(inbox, "somebody@elsewhere.test", "elsewhere.test", sent));
        assertThat(labels(sent)).as("it was not sent to somebody").doesNotContain("bounced");
        world.mail("jo@elsewhere.test", inbox, bounce(inbox, "moved@elsewhere.test", "elsewhere.test", sent));
        assertThat(labels(sent)).as("a bounce has no sender").doesNotContain("bounced");
        world.mail("", inbox, bounce(inbox, "moved@elsewhere.test", "elsewhere.test", sent));
        assertThat(labels(sent)).contains("bounced");
        assertThat(isBlocked("moved@elsewhere.test")).isFalse();
    }

    /** The recipient's domain passed, and somebody else is the author. */
    @Test
    @Proves({"A42", "A9d"})
    void aPassOfTheRecipientsDomainIsNotTheWordOfAnotherAuthor() {
        Sent sent = send("kept@elsewhere.test", "also@victim.test");
        world.mail("", inbox, bounce(inbox, "kept@elsewhere.test", "mx.victim.test", sent));
        world.mail("", inbox, bounce(inbox, "also@victim.test", "victim.test", sent));
        world.mail(
                "",
                inbox,
                bounce(inbox, "kept@elsewhere.test", "elsewhere.test", sent)
                        .replace("@elsewhere.test>\nTo", "@elsewhere.test>, <x@victim.test>\nTo"));
        assertThat(labels(sent)).doesNotContain("bounced");
    }

    @Test
    @Proves("A42")
    void aRecipientOfTheMessageBouncesNoOtherOne() {
        Sent sent = send("bob@elsewhere.test", "colleague@elsewhere.test");
        for (String author : List.of("bob@elsewhere.test", "Bob+x@ELSEWHERE.test")) {
            String report = bounce(inbox, "colleague@elsewhere.test", "elsewhere.test", sent)
                    .replace("MAILER-DAEMON@elsewhere.test", author);
            assertThat(world.mail("", inbox, report)).startsWith("250");
        }
        assertThat(labels(sent)).doesNotContain("bounced");
    }

    @Test
    @Proves("A42")
    void aComplaintComesFromARoleByEnvelopeAndAuthor() {
        Sent sent = send("angry@elsewhere.test");
        List<List<String>> persons = List.of(
                List.of("jo@elsewhere.test", "jo@elsewhere.test"),
                List.of("jo@elsewhere.test", "abuse@elsewhere.test"),
                List.of("abuse@elsewhere.test", "jo@elsewhere.test"),
                List.of("", "jo@elsewhere.test"),
                List.of("", "angry@elsewhere.test"),
                List.of("abuse@elsewhere.test", "abuse@victim.test"),
                List.of("abuse@elsewhere.test", "abuse@elsewhere.test, jo@elsewhere.test"));
        for (List<String> person : persons) {
            assertThat(world.mail(person.getFirst(), inbox, complaint(person.getLast(), "angry@elsewhere.test", sent)))
                    .startsWith("250");
            assertThat(labels(sent)).as(person.toString()).doesNotContain("complained");
        }
        world.mail("fbl@elsewhere.test", inbox, complaint("FBL@elsewhere.test", "angry@elsewhere.test", sent));
        assertThat(labels(sent)).contains("complained");
        assertThat(isBlocked("angry@elsewhere.test")).as("nothing is proven").isFalse();
        Sent next = send("cross@elsewhere.test");
        world.mail("", inbox, complaint("postmaster@elsewhere.test", "cross@elsewhere.test", next));
        assertThat(labels(next)).contains("complained");
    }

    /** Whoever gives subdomains away would let their holders mark the mail of others (ruling 171). */
    @Test
    @Proves("A42")
    void aComplaintComesFromTheRecipientsDomainOrOneAboveOfTheSameOwner() {
        allow("sub.elsewhere.test", "shared.test", "alike-elsewhere.test", "test");
        world.dns().text("_dmarc.elsewhere.test", "v=DMARC1; p=none");
        world.dns().text("_dmarc.shared.test", "v=DMARC1; p=none; psd=y");
        Sent sent = send("victim@elsewhere.test");
        for (String author : List.of("abuse@sub.elsewhere.test", "abuse@alike-elsewhere.test", "abuse@test")) {
            assertThat(world.mail(author, inbox, complaint(author, "victim@elsewhere.test", sent)))
                    .startsWith("250");
            assertThat(labels(sent)).as(author).doesNotContain("complained");
        }
        Sent below = send("victim@mail.elsewhere.test");
        world.mail(
                "abuse@elsewhere.test", inbox, complaint("abuse@elsewhere.test", "victim@mail.elsewhere.test", below));
        assertThat(labels(below))
                .as("the domain above is of the same organization")
                .contains("complained");
        Sent tenant = send("victim@tenant.shared.test");
        world.mail("abuse@shared.test", inbox, complaint("abuse@shared.test", "victim@tenant.shared.test", tenant));
        assertThat(labels(tenant)).as("its tenants are others").doesNotContain("complained");
    }

    private static void allow(String... domains) {
        List.of(domains).forEach(domain -> world.dns().text(domain, "v=spf1 ip4:127.0.0.1 -all"));
    }

    @Test
    @Proves("A42")
    void aRoleThatGotTheMessageComplainsForNobody() {
        Sent sent = send("postmaster@elsewhere.test", "fine@elsewhere.test");
        for (String recipient : List.of("fine@elsewhere.test", "postmaster@elsewhere.test")) {
            world.mail("", inbox, complaint("postmaster@elsewhere.test", recipient, sent));
            world.mail("postmaster@elsewhere.test", inbox, complaint("abuse@elsewhere.test", recipient, sent));
        }
        assertThat(labels(sent)).doesNotContain("complained");
    }

    private record Sent(String name) {}

    private static Sent send(String... recipients) {
        return new Sent(world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", List.of(recipients), "text", "Hi"))
                .is(200)
                .text("message_id"));
    }

    private static String bounce(String to, String recipient, String host, Sent about) {
        return ReportSamples.status(to, recipient, GONE, "Message-ID: " + about.name)
                .replace("mx.victim.test", host);
    }

    private static String complaint(String author, String recipient, Sent about) {
        return ReportSamples.feedback("abuse", "Original-Rcpt-To: " + recipient, "Message-ID: " + about.name)
                .replace("From: feedback@victim.test", "From: " + author);
    }

    private static List<String> labels(Sent sent) {
        HttpProbe.Answer message = world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(sent.name, StandardCharsets.UTF_8))
                .is(200);
        return message.list("labels").stream().map(String::valueOf).toList();
    }

    private static boolean isBlocked(String address) {
        return world.http().get("/v0/lists/send/block?limit=100").is(200).text().contains(address);
    }
}
