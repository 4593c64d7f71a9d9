package dev.inboxd.inbound.filter;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What judges mail fails, the same way each time, over rows that were broken by hand. The mail comes all the same. */
class BestEffortHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @BeforeAll
    static void start() {
        world.dns().text("elsewhere.test", "v=spf1 ip4:127.0.0.1 -all"); // the probe says that it is elsewhere.test
    }

    @Test
    @Proves("P15b")
    void aReportThatCannotBeLookedIntoIsMailLikeAnyOther() {
        String inbox = world.inbox("reported");
        String sent = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", "gone@elsewhere.test", "text", "Hi"))
                .is(200)
                .text("message_id");
        world.database()
                .writeGlobal(tx -> tx.sqlAcrossTenants(
                                "alter table submission_recipient" + " rename column complained_at to complained_once")
                        .run());
        try {
            String notice =
                    "From: MAILER-DAEMON@elsewhere.test\nSubject: failure notice\nMessage-ID: <n@elsewhere.test>\n"
                            + "Content-Type: multipart/report; report-type=delivery-status; boundary=b\n\n--b\n\n"
                            + "Sorry.\n--b\n"
                            + "Content-Type: message/delivery-status\n\nReporting-MTA: dns; elsewhere.test\n\n"
                            + "Final-Recipient: rfc822; gone@elsewhere.test\nAction: failed\nStatus: 5.1.1\n\n--b\n"
                            + "Content-Type: text/rfc822-headers\n\nMessage-ID: " + sent + "\n\n--b--\n";
            assertThat(world.mail("", inbox, notice)).startsWith("250");
        } finally {
            world.database()
                    .writeGlobal(tx -> tx.sqlAcrossTenants("alter table submission_recipient"
                                    + " rename column complained_once to complained_at")
                            .run());
        }
        assertThat(labels(world.http(), inbox, "failure notice")).contains("received", "auto-reply");
    }

    @Test
    @Proves("P15b")
    void aModelThatCannotBeReadJudgesNothingAndTheFactsStillDo() {
        String key = world.otherOrganization();
        HttpProbe http = world.as(key);
        String inbox =
                http.post("/v0/inboxes", json("username", "broken")).is(200).text("inbox_id");
        UUID organization = world.database()
                .read(tx -> tx.sqlAcrossTenants("select i.organization_id from inbox i where i.address = :address")
                        .bind("address", inbox)
                        .single(row -> row.uuid("organization_id")));
        world.database()
                .write(
                        organization,
                        tx -> tx.sqlAcrossTenants("insert into spam_model (organization_id, version, counts)"
                                        + " values (:organization, 1, :counts)")
                                .bind("organization", organization)
                                .bind("counts", new byte[] {1, 2, 3})
                                .run());
        String mail = "From: jo@friend.test\nSubject: %s\n\n%s\n";
        assertThat(world.mail("jo@friend.test", inbox, mail.formatted("plain", "Hello")))
                .startsWith("250");
        assertThat(world.mail(
                        "jo@friend.test",
                        inbox,
                        mail.formatted("test", "XJS*C4JDBQADN1.NSBN3*2IDNEN*GTUBE-STANDARD-ANTI-UBE-TEST-EMAIL*C.34X")))
                .startsWith("250");
        assertThat(labels(http, inbox, "plain")).contains("received").doesNotContain("spam");
        assertThat(labels(http, inbox, "test")).contains("spam");
    }

    private static List<String> labels(HttpProbe http, String inbox, String subject) {
        return http
                .get("/v0/inboxes/" + inbox + "/messages?include_spam=true&include_unauthenticated=true")
                .is(200)
                .list("messages")
                .stream()
                .map(message -> (Map<?, ?>) message)
                .filter(message -> subject.equals(message.get("subject")))
                .findFirst()
                .map(message -> Objects.requireNonNull((List<?>) message.get("labels")).stream()
                        .map(String::valueOf)
                        .toList())
                .orElseThrow();
    }
}
