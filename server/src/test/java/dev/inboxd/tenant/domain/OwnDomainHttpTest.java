package dev.inboxd.tenant.domain;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.mail.dkim.Signatures;
import dev.inboxd.net.FakeDns;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Inboxes at domains of one's own: made, receiving and sending, before and after (identity.md §11.4). */
class OwnDomainHttpTest {
    private static final FakeDns DNS = FakeDns.start();
    private static final String MAIL = "From: Jo <jo@x.test>\nSubject: Hello\n\nHi\n";
    private static World world;

    @BeforeAll
    static void start() {
        world = World.start(
                Map.of("INBOXD_DNS_SERVERS", DNS.setting(), "INBOXD_TRACKING_HOST", "track.mail.localhost"));
    }

    @AfterAll
    static void stop() throws IOException {
        world.close();
        DNS.close();
    }

    private static HttpProbe.Answer check(String name) {
        world.http().post("/v0/domains/" + name + "/verify", "").is(200);
        return world.http().get("/v0/domains/" + name).is(200);
    }

    private static HttpProbe.Answer verify(String name) {
        PublishedZone.publish(DNS, world.http().get("/v0/domains/" + name).is(200));
        check(name);
        world.advance(Duration.ofSeconds(61));
        HttpProbe.Answer verified = check(name);
        assertThat(verified.text("status")).as(verified::text).isEqualTo("VERIFIED");
        return verified;
    }

    private static HttpProbe.Answer inbox(String username, String domain) {
        return world.http().post("/v0/inboxes", json("username", username, "domain", domain));
    }

    private static HttpProbe.Answer send(String inbox, String members) {
        return world.http().post("/v0/inboxes/" + inbox + "/messages/send", """
                {"to":"jo@x.test",%s}""".formatted(members));
    }

    private static String raw(String inbox, String id) {
        String url = world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(id, StandardCharsets.UTF_8) + "/raw")
                .is(200)
                .text("download_url");
        return new String(
                world.anonymous().get(URI.create(url).getPath()).is(200).body(), StandardCharsets.ISO_8859_1);
    }

    @Test
    @Proves("A37b")
    void anInboxLivesAtAVerifiedDomainOfItsOrganization() throws Exception {
        assertThat(inbox("ann", "ours.example").is(404).text("message")).isEqualTo("Domain not found");
        HttpProbe.Answer made =
                world.http().post("/v0/domains", json("domain", "ours.example")).is(200);
        assertThat(inbox("ann", "ours.example").is(403).text("code")).isEqualTo("domain_not_verified");
        assertThat(world.mail("jo@x.test", "ann@ours.example", MAIL))
                .as("not served yet")
                .startsWith("550 5.7.1");
        verify("ours.example");
        HttpProbe.Answer ann = inbox("Ann", "OURS.example").is(200);
        assertThat(ann.text("inbox_id")).isEqualTo("ann@ours.example");
        assertThat(world.mail("jo@x.test", "Ann+tag@Ours.Example", MAIL)).startsWith("250");
        assertThat(world.mail("jo@x.test", "bob@ours.example", MAIL)).startsWith("550 5.1.1");
        assertThat(world.http()
                        .get("/v0/inboxes/ann@ours.example/messages?include_unauthenticated=true")
                        .is(200)
                        .list("messages"))
                .hasSize(1);

        String id = send("ann@ours.example", members("text", "Hi")).is(200).text("message_id");
        assertThat(id).endsWith("@ours.example>");
        String raw = raw("ann@ours.example", id);
        assertThat(raw).contains("d=ours.example; s=inboxd;").contains("From: ann@ours.example");
        assertThat(Signatures.verify(raw.getBytes(StandardCharsets.ISO_8859_1), made.text("records.3.value")))
                .isTrue();

        HttpProbe.Answer stranger = world.as(world.otherOrganization())
                .post("/v0/inboxes", json("username", "eve", "domain", "ours.example"));
        assertThat(stranger.is(404).text("message")).isEqualTo("Domain not found");
    }

    @Test
    void whatIsReservedAtASharedDomainIsFreeAtOnesOwn() {
        world.http().post("/v0/domains", json("domain", "roles.example")).is(200);
        verify("roles.example");
        assertThat(world.mail("jo@x.test", "postmaster@roles.example", MAIL))
                .as("to the operator")
                .startsWith("250");
        inbox("postmaster", "roles.example").is(200);
        inbox("support", "roles.example").is(200);
        assertThat(world.mail("jo@x.test", "postmaster@roles.example", MAIL)).startsWith("250");
        assertThat(world.http()
                        .get("/v0/inboxes/postmaster@roles.example/messages?include_unauthenticated=true")
                        .is(200)
                        .list("messages"))
                .hasSize(1);
    }

    @Test
    @Proves("A37b")
    void sendingStopsWhenTheVerificationIsLostAndGoesOnWhenItIsBack() {
        world.http().post("/v0/domains", json("domain", "shaky.example")).is(200);
        HttpProbe.Answer domain = verify("shaky.example");
        inbox("ann", "shaky.example").is(200);
        send("ann@shaky.example", members("text", "Hi")).is(200);
        DNS.forget("inboxd._domainkey.shaky.example");
        check("shaky.example");
        send("ann@shaky.example", members("text", "In the day of grace")).is(200);
        world.advance(Duration.ofHours(25));
        assertThat(check("shaky.example").text("status")).isEqualTo("PENDING");
        HttpProbe.Answer refused =
                send("ann@shaky.example", members("text", "Hi")).is(403);
        assertThat(refused.text("code")).isEqualTo("domain_not_verified");
        assertThat(refused.text("fix")).contains("/v0/domains/");
        assertThat(inbox("bob", "shaky.example").is(403).text("code")).isEqualTo("domain_not_verified");
        assertThat(world.mail("jo@x.test", "ann@shaky.example", MAIL))
                .as("its mail still comes")
                .startsWith("250");
        DNS.forget("shaky.example").forget("mail.shaky.example").forget("_dmarc.shaky.example");
        PublishedZone.publish(DNS, domain);
        check("shaky.example");
        send("ann@shaky.example", members("text", "The key is back")).is(200);
    }

    @Test
    void whoOnlySendsNeedsNoMailExchanger() {
        world.http().post("/v0/domains", json("domain", "speaks.example")).is(200);
        verify("speaks.example");
        inbox("ann", "speaks.example").is(200);
        DNS.forget("speaks.example");
        check("speaks.example");
        world.advance(Duration.ofHours(25));
        assertThat(check("speaks.example").text("status")).isEqualTo("PENDING");
        send("ann@speaks.example", members("text", "Hi")).is(200);
    }

    @Test
    void subdomainsAreThereWhileTheyAreEnabled() throws Exception {
        world.http().post("/v0/domains", json("domain", "wide.example")).is(200);
        HttpProbe.Answer domain = verify("wide.example");
        inbox("ann", "wide.example").is(200);
        HttpProbe.Answer notEnabled = inbox("bob", "team.wide.example").is(422);
        assertThat(notEnabled.text("code")).isEqualTo("unprocessable");
        assertThat(world.mail("jo@x.test", "bob@team.wide.example", MAIL)).startsWith("550 5.7.1");

        HttpProbe.Answer enabled = world.http()
                .patch("/v0/domains/wide.example", json("subdomains_enabled", true))
                .is(200);
        assertThat(enabled.text("status")).isEqualTo("PENDING");
        assertThat(enabled.text("records.5.name")).isEqualTo("*.wide.example");
        assertThat(inbox("bob", "team.wide.example").is(403).text("code")).isEqualTo("domain_not_verified");
        send("ann@wide.example", members("text", "Sending is not interrupted")).is(200);
        PublishedZone.publish(DNS, enabled, "*.");
        check("wide.example");
        world.advance(Duration.ofSeconds(61));
        assertThat(check("wide.example").text("status")).isEqualTo("VERIFIED");

        inbox("bob", "team.wide.example").is(200);
        inbox("cat", "a.b.wide.example").is(200);
        assertThat(world.mail("jo@x.test", "bob@team.wide.example", MAIL)).startsWith("250");
        String id = send("bob@team.wide.example", members("text", "Hi")).is(200).text("message_id");
        String raw = raw("bob@team.wide.example", id);
        assertThat(raw).contains("d=wide.example; s=inboxd;");
        assertThat(Signatures.verify(raw.getBytes(StandardCharsets.ISO_8859_1), domain.text("records.3.value")))
                .isTrue();
        assertThat(world.http().get("/v0/domains?limit=100").is(200).text()).doesNotContain("team.wide.example");

        world.http()
                .patch("/v0/domains/wide.example", json("subdomains_enabled", false))
                .is(200);
        assertThat(world.mail("jo@x.test", "bob@team.wide.example", MAIL)).startsWith("550 5.7.1");
        assertThat(send("bob@team.wide.example", members("text", "Hi")).is(403).text("code"))
                .isEqualTo("domain_not_verified");
        assertThat(check("wide.example").text("status")).isEqualTo("VERIFIED");
        send("ann@wide.example", members("text", "Hi")).is(200);
    }

    @Test
    @Proves("A37b")
    void aDeletedDomainCarriesNoMailAndItsInboxesStayReadable() {
        world.http().post("/v0/domains", json("domain", "gone.example")).is(200);
        HttpProbe.Answer domain = verify("gone.example");
        inbox("ann", "gone.example").is(200);
        world.mail("jo@x.test", "ann@gone.example", MAIL);
        world.http().delete("/v0/domains/gone.example").is(200);
        assertThat(world.mail("jo@x.test", "ann@gone.example", MAIL)).startsWith("550 5.7.1");
        assertThat(send("ann@gone.example", members("text", "Hi")).is(403).text("code"))
                .isEqualTo("domain_not_verified");
        assertThat(world.http()
                        .get("/v0/inboxes/ann@gone.example/messages?include_unauthenticated=true")
                        .is(200)
                        .list("messages"))
                .hasSize(1);
        HttpProbe.Answer again =
                world.http().post("/v0/domains", json("domain", "gone.example")).is(200);
        assertThat(again.text("records.3.value")).isNotEqualTo(domain.text("records.3.value"));
    }

    @Test
    void aDomainOfAPodIsForItsInboxesAndOneOfTheOrganizationForAll() {
        String sales = world.pod("sales");
        String support = world.pod("support");
        world.http()
                .post("/v0/pods/" + sales + "/domains", json("domain", "podded.example"))
                .is(200);
        world.http().post("/v0/domains", json("domain", "shared.example")).is(200);
        verify("podded.example");
        verify("shared.example");
        String body = json("username", "ann", "domain", "podded.example");
        assertThat(world.http()
                        .post("/v0/pods/" + support + "/inboxes", body)
                        .is(404)
                        .text("message"))
                .isEqualTo("Domain not found");
        inbox("ann", "podded.example").is(404); // the Default Pod
        world.http().post("/v0/pods/" + sales + "/inboxes", body).is(200);
        send("ann@podded.example", members("text", "Hi")).is(200);
        world.as(world.podKey(support))
                .post("/v0/inboxes", json("username", "bob", "domain", "shared.example"))
                .is(200);
        world.as(world.podKey(sales))
                .post("/v0/inboxes", json("username", "eve", "domain", "shared.example"))
                .is(200);
    }

    @Test
    void opensAreTrackedFromADomainThatSaysSoAndLeadsHere() {
        world.http().post("/v0/domains", json("domain", "seen.example")).is(200);
        verify("seen.example");
        inbox("ann", "seen.example").is(200);
        String tracked = members("html", "<p>Hi</p>", "track_opens", true);
        assertThat(send("ann@seen.example", tracked).is(422).text("code")).isEqualTo("unprocessable");
        HttpProbe.Answer changed = world.http()
                .patch("/v0/domains/seen.example", json("tracking_enabled", true))
                .is(200);
        assertThat(changed.text("records.5.value")).isEqualTo("track.mail.localhost");
        send("ann@seen.example", tracked).is(422);
        PublishedZone.publish(DNS, changed, "link.");
        check("seen.example");
        String id = send("ann@seen.example", tracked).is(200).text("message_id");
        String raw = raw("ann@seen.example", id).replace("=\r\n", "").replace("=3D", "=");
        String start = "http://link.seen.example:" + world.httpPort();
        assertThat(raw).contains(start + "/o/");
        String pixel = raw.substring(raw.indexOf(start) + start.length());
        assertThat(world.anonymous()
                        .get(pixel.substring(0, pixel.indexOf('"')))
                        .is(200)
                        .header("Content-Type"))
                .isEqualTo("image/gif");
    }

    @Test
    void beyondAsciiADomainHasOneForm() {
        world.http().post("/v0/domains", json("domain", "m\u00fcller.example")).is(200);
        verify("xn--mller-kva.example");
        assertThat(inbox("ann", "m\u00fcller.example").is(200).text("inbox_id")).isEqualTo("ann@xn--mller-kva.example");
        assertThat(world.mail("jo@x.test", "ann@xn--mller-kva.example", MAIL)).startsWith("250");
        assertThat(inbox("ann", "not a domain").is(400).text("code")).isEqualTo("validation_error");
    }
}
