package dev.inboxd.tenant.domain.http;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.net.FakeDns;
import dev.inboxd.server.World;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Domains as a client registers and keeps them (identity.md §11.1 to §11.6). */
class DomainHttpTest {
    private static final FakeDns DNS = FakeDns.start();
    private static World world;

    @BeforeAll
    static void start() {
        world = World.start(Map.of(
                "INBOXD_DNS_SERVERS",
                DNS.setting(),
                "INBOXD_DOMAIN",
                "mail.service.example",
                "INBOXD_BOUNCE_HOST",
                "bounce.service.example",
                "INBOXD_TRACKING_HOST",
                "track.service.example"));
    }

    @AfterAll
    static void stop() throws IOException {
        world.close();
        DNS.close();
    }

    private static HttpProbe.Answer create(String members) {
        return world.http().post("/v0/domains", "{" + members + "}");
    }

    private static HttpProbe.Answer domain(String name) {
        return world.http().get("/v0/domains/" + name).is(200);
    }

    @Test
    void aNewDomainNamesTheRecordsItNeeds() {
        HttpProbe.Answer made =
                create(members("domain", "New.Example", "client_id", "new-1")).is(200);
        assertThat(made.text("domain_id")).isEqualTo("new.example");
        assertThat(made.text("domain")).isEqualTo("new.example");
        assertThat(made.text("status")).isEqualTo("NOT_STARTED");
        assertThat(made.text("client_id")).isEqualTo("new-1");
        assertThat(List.of("reason", "pod_id")).noneMatch(member -> made.at(member) != null);
        assertThat(made.at("feedback_enabled")).isEqualTo(true);
        assertThat(made.at("subdomains_enabled")).isEqualTo(false);
        assertThat(made.at("tracking_enabled")).isEqualTo(false);
        assertThat(records(made))
                .containsExactly(
                        "MX new.example 10 mx.mail.service.example MISSING",
                        "MX mail.new.example 10 bounce.service.example MISSING",
                        "TXT mail.new.example v=spf1 include:spf.mail.service.example -all MISSING",
                        "TXT inboxd._domainkey.new.example " + key(made) + " MISSING",
                        "TXT _dmarc.new.example v=DMARC1; p=none MISSING");
        assertThat(key(made)).startsWith("v=DKIM1; k=rsa; p=MII");

        HttpProbe.Answer all = create(members(
                        "domain",
                        "all.example",
                        "subdomains_enabled",
                        true,
                        "tracking_enabled",
                        true,
                        "feedback_enabled",
                        false))
                .is(200);
        assertThat(records(all))
                .hasSize(7)
                .endsWith(
                        "MX *.all.example 10 mx.mail.service.example MISSING",
                        "CNAME link.all.example track.service.example MISSING");
        assertThat(all.at("feedback_enabled")).isEqualTo(false);
        assertThat(key(all)).isNotEqualTo(key(made));
    }

    private static List<String> records(HttpProbe.Answer domain) {
        List<String> lines = new ArrayList<>();
        for (Object each : domain.list("records")) {
            Map<?, ?> record = (Map<?, ?>) each;
            Object priority = record.get("priority");
            Object reason = record.get("reason");
            lines.add(record.get("type") + " " + record.get("name") + " " + (priority == null ? "" : priority + " ")
                    + record.get("value") + " " + record.get("status") + (reason == null ? "" : " " + reason));
        }
        return lines;
    }

    private static String key(HttpProbe.Answer domain) {
        return domain.text("records.3.value");
    }

    @Test
    void aNameIsOneDomainHoweverItIsWritten() {
        assertThat(create(members("domain", "B\u00fccher.example")).is(200).text("domain_id"))
                .isEqualTo("xn--bcher-kva.example");
        assertThat(domain("XN--BCHER-KVA.example").text("domain")).isEqualTo("xn--bcher-kva.example");
        assertThat(create(members("domain", "b\u00fccher.EXAMPLE")).is(409).text("code"))
                .isEqualTo("already_exists");
    }

    /** Only the owner of a name can publish the records in it: no list of public suffixes is needed. */
    @Test
    void aPublicSuffixIsADomainLikeAnyOther() {
        for (String name : List.of("co.uk", "github.io", "com.example", "shop.co.uk")) {
            HttpProbe.Answer made = create(members("domain", name)).is(200);
            assertThat(made.text("domain_id")).isEqualTo(name);
            assertThat(made.text("status")).isEqualTo("NOT_STARTED");
        }
    }

    @Test
    void whatIsNoDomainOfOnesOwnIsRefused() {
        for (String name : List.of(
                "",
                "example",
                "example.com.",
                ".example.com",
                "a..example",
                "192.0.2.1",
                "[192.0.2.1]",
                "x y.example",
                "under_score.example",
                "*.example.com",
                "x".repeat(64) + ".example",
                "x.".repeat(120) + "example",
                "mail.service.example",
                "sub.mail.service.example",
                "track.service.example",
                "bounce.service.example")) {
            HttpProbe.Answer refused = create(members("domain", name)).is(400);
            assertThat(refused.text("code")).as(name).isEqualTo("validation_error");
            assertThat(refused.list("errors.0.path")).isEqualTo(List.of("domain"));
        }
        assertThat(create("").is(400).list("errors.0.path")).isEqualTo(List.of("domain"));
        assertThat(create(members("domain", "f.example", "feedback_enabled", 1, "client_id", "@"))
                        .is(400)
                        .list("errors"))
                .hasSize(2);
        world.http().get("/v0/domains/f.example").is(404);
    }

    @Test
    void aClientIdStandsForOneDomain() {
        String made = create(members("domain", "once.example", "client_id", "once"))
                .is(200)
                .text("created_at");
        assertThat(create(members("domain", "once.example", "client_id", "once", "tracking_enabled", true))
                        .is(200)
                        .text("created_at"))
                .isEqualTo(made);
        assertThat(create(members("domain", "twice.example", "client_id", "once"))
                        .is(409)
                        .text("code"))
                .isEqualTo("idempotency_conflict");
        assertThat(create(members("domain", "once.example")).is(409).text("code"))
                .isEqualTo("already_exists");
        world.http().delete("/v0/domains/once.example").is(200);
        world.http().delete("/v0/domains/once.example").is(404);
        create(members("domain", "twice.example", "client_id", "once")).is(200);
    }

    @Test
    void domainsAreListedWithoutTheirRecords() {
        try (World other = World.start()) {
            for (String name : List.of("one", "two", "three")) {
                other.http()
                        .post("/v0/domains", json("domain", name + ".example"))
                        .is(200);
            }
            HttpProbe.Answer page = other.http().get("/v0/domains?limit=2").is(200);
            assertThat(names(page)).containsExactly("three.example", "two.example");
            assertThat(page.text()).doesNotContain("records", "reason");
            assertThat(page.text("domains.0.status")).isNotEmpty();
            assertThat(names(other.http()
                            .get("/v0/domains?limit=2&page_token=" + page.text("next_page_token"))
                            .is(200)))
                    .containsExactly("one.example");
            assertThat(names(other.http().get("/v0/domains?ascending=true").is(200)))
                    .containsExactly("one.example", "two.example", "three.example");
            assertThat(other.http().get("/v0/organizations").is(200).at("domain_count"))
                    .isEqualTo(3L);
        }
    }

    private static List<String> names(HttpProbe.Answer list) {
        return list.list("domains").stream()
                .map(item -> String.valueOf(((Map<?, ?>) item).get("domain_id")))
                .toList();
    }

    @Test
    void aDomainOfAPodIsThePodsAlone() {
        String sales = world.pod("sales");
        String support = world.pod("support");
        HttpProbe.Answer made = world.http()
                .post("/v0/pods/" + sales + "/domains", json("domain", "sales.example"))
                .is(200);
        assertThat(made.text("pod_id")).isEqualTo(sales);
        assertThat(names(world.http().get("/v0/pods/" + sales + "/domains").is(200)))
                .containsExactly("sales.example");
        assertThat(names(world.http().get("/v0/domains?limit=100").is(200))).contains("sales.example");
        world.http().get("/v0/pods/" + support + "/domains/sales.example").is(404);
        for (String path : List.of("/verify", "")) {
            HttpProbe.Answer answer = path.isEmpty()
                    ? world.http().delete("/v0/pods/" + support + "/domains/sales.example")
                    : world.http().post("/v0/pods/" + support + "/domains/sales.example" + path, "");
            assertThat(answer.is(404).text("message")).isEqualTo("Domain not found");
        }
        HttpProbe.Answer byKey = world.as(world.podKey(support))
                .post("/v0/domains", json("domain", "support.example"))
                .is(200);
        assertThat(byKey.text("pod_id")).isEqualTo(support);
        assertThat(names(world.as(world.podKey(support)).get("/v0/domains").is(200)))
                .containsExactly("support.example");
        world.as(world.podKey(support)).get("/v0/domains/sales.example").is(404);
    }

    @Test
    void theZoneFileHasEveryRecordAsANameServerReadsIt() {
        HttpProbe.Answer made = create(
                        members("domain", "zone.example", "subdomains_enabled", true, "tracking_enabled", true))
                .is(200);
        HttpProbe.Answer file =
                world.http().get("/v0/domains/zone.example/zone-file").is(200);
        assertThat(file.header("Content-Type")).isEqualTo("text/plain; charset=utf-8");
        assertThat(file.header("Content-Disposition")).isEqualTo("attachment; filename=\"zone.example.zone\"");
        String key = key(made);
        assertThat(file.text()).isEqualTo("""
                ; DNS records for zone.example
                $TTL 3600
                zone.example.\tIN\tMX\t10 mx.mail.service.example.
                mail.zone.example.\tIN\tMX\t10 bounce.service.example.
                mail.zone.example.\tIN\tTXT\t"v=spf1 include:spf.mail.service.example -all"
                inboxd._domainkey.zone.example.\tIN\tTXT\t"%s" "%s"
                _dmarc.zone.example.\tIN\tTXT\t"v=DMARC1; p=none"
                *.zone.example.\tIN\tMX\t10 mx.mail.service.example.
                link.zone.example.\tIN\tCNAME\ttrack.service.example.
                """.formatted(key.substring(0, 255), key.substring(255)));
        world.http().get("/v0/domains/nobodys.example/zone-file").is(404);
    }

    @Test
    void aDomainWhoseMailGoesElsewhereIsTakenOnlyWhenItsOwnerSaysSo() {
        DNS.mailExchangers("busy.example", "1 aspmx.l.google.com", "5 alt1.aspmx.l.google.com");
        HttpProbe.Answer refused = create(members("domain", "busy.example")).is(422);
        assertThat(refused.text("code")).isEqualTo("unprocessable");
        assertThat(refused.text("message")).contains("Google Workspace");
        world.http().get("/v0/domains/busy.example").is(404);
        create(members("domain", "busy.example", "allow_conflicting_provider", true))
                .is(200);
        DNS.mailExchangers("office.example", "0 office-example.mail.protection.outlook.com");
        assertThat(create(members("domain", "office.example")).is(422).text("message"))
                .contains("Microsoft 365");
        DNS.mailExchangers("private.example", "10 mx1.own.example");
        create(members("domain", "private.example")).is(200);
    }

    @Test
    void theSetupLinkTellsWhoseMailItWouldBe() {
        DNS.mailExchangers("hosted.example", "10 mx.zoho.eu");
        create(members("domain", "hosted.example", "allow_conflicting_provider", true))
                .is(200);
        assertThat(world.http()
                        .get("/v0/domains/hosted.example/setup-link")
                        .is(200)
                        .text())
                .isEqualTo(json("supported", false, "conflicting_provider", "Zoho Mail"));
        create(members("domain", "alone.example")).is(200);
        assertThat(world.http()
                        .get("/v0/domains/alone.example/setup-link")
                        .is(200)
                        .text())
                .isEqualTo(json("supported", false));
    }

    @Test
    void aChangeNeedsAKnownMember() {
        create(members("domain", "change.example")).is(200);
        for (String body : List.of(
                "{}", json("domain", "x.example"), json("tracking_enabled", null), json("tracking_enabled", "yes"))) {
            assertThat(world.http()
                            .patch("/v0/domains/change.example", body)
                            .is(400)
                            .text("code"))
                    .isEqualTo("validation_error");
        }
        HttpProbe.Answer changed = world.http()
                .patch("/v0/domains/change.example", json("feedback_enabled", false, "tracking_enabled", true))
                .is(200);
        assertThat(changed.at("feedback_enabled")).isEqualTo(false);
        assertThat(changed.list("records")).hasSize(6);
        assertThat(world.http()
                        .patch("/v0/domains/change.example", json("tracking_enabled", false))
                        .is(200)
                        .list("records"))
                .hasSize(5);
        world.http()
                .patch("/v0/domains/nobodys.example", json("tracking_enabled", false))
                .is(404);
    }

    @Test
    void theDomainsAnOrganizationMayHaveAreCounted() {
        try (World limited = World.start(Map.of("INBOXD_LIMITS", "domains=1"))) {
            limited.http().post("/v0/domains", json("domain", "one.example")).is(200);
            assertThat(limited.http()
                            .post("/v0/domains", json("domain", "two.example"))
                            .is(403)
                            .text("code"))
                    .isEqualTo("limit_exceeded");
            assertThat(limited.http().get("/v0/organizations").is(200).at("domain_limit"))
                    .isEqualTo(1L);
        }
    }
}
