package dev.inboxd.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.Main;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.json.Json;
import dev.inboxd.net.FakeDns;
import dev.inboxd.server.World;
import dev.inboxd.testing.JsonText;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.xbill.DNS.Type;

/** The operator's commands beside a running service: what they write is the service's to use at once. */
class OperatorCommandsTest {
    @RegisterExtension
    private static final World world = World.start();

    private final FakeDns dns = FakeDns.start();

    @AfterEach
    void hangUp() throws IOException {
        dns.close();
    }

    private record Said(int status, String out, String err) {
        Map<?, ?> json() {
            return (Map<?, ?>) Objects.requireNonNull(Json.stored(out), err);
        }

        List<?> list() {
            return (List<?>) Objects.requireNonNull(Json.stored(out), err);
        }
    }

    private Said run(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of(
                "--data-dir",
                world.folder().toString(),
                "--database-url",
                world.databaseUrl(),
                "--dns-servers",
                dns.setting()));
        return say(all);
    }

    private static Said say(List<String> arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int status = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(arguments.toArray(String[]::new));
        return new Said(status, out.toString(), err.toString());
    }

    @Test
    void anOrganizationIsMadeWithAKeyThatTheServiceTakesAtOnce() {
        Map<?, ?> made = run("org", "create", "--json").json();
        String key = String.valueOf(made.get("api_key"));
        assertThat(world.as(key).get("/v0/auth/me").is(200).text("organization_id"))
                .isEqualTo(made.get("organization_id"));
        assertThat(world.as(key).get("/v0/pods").is(200).text("pods.0.pod_id")).isEqualTo(made.get("pod_id"));
        world.as(key)
                .post("/v0/inboxes", JsonText.json("username", "made-by-command"))
                .is(200);

        String id = String.valueOf(made.get("organization_id"));
        Map<?, ?> shown = run("org", "show", id, "--json").json();
        assertThat(shown.get("inbox_count")).isEqualTo(1L);
        assertThat(shown.get("type")).isEqualTo("console");
        assertThat(run("org", "list", "--json").list()).anyMatch(shown::equals);
        Said plain = run("org", "list");
        assertThat(plain.status()).isZero();
        assertThat(plain.out().lines().findFirst().orElse(""))
                .startsWith("organization_id ")
                .contains("  type", "inbox_count");
        assertThat(plain.out()).contains(id).doesNotContain("{");
        assertThat(run("org", "show", id).out()).contains("organization_id   " + id);
    }

    @Test
    void theModeOfMessageSecurityIsSetInBothDirections() {
        String id = String.valueOf(run("org", "create", "--json").json().get("organization_id"));
        assertThat(run("org", "show", id, "--json").json().get("message_security"))
                .isEqualTo("off");
        for (String mode : List.of("hold", "monitor", "off")) {
            Map<?, ?> set =
                    run("org", "set", id, "--message-security", mode, "--json").json();
            assertThat(set.get("message_security")).isEqualTo(mode);
            assertThat(run("org", "show", id, "--json").json()).isEqualTo(set);
        }
        Said wrong = run("org", "set", id, "--message-security", "strict");
        assertThat(wrong.status()).isNotZero();
        assertThat(wrong.err()).contains("off, monitor, hold");
    }

    @Test
    void whatTheOperatorDoesIsInTheAuditLogWhichACommandLetsAKeyRead() {
        String id = String.valueOf(run("org", "create", "--json").json().get("organization_id"));
        Map<?, ?> made = run("key", "create", "--organization", id, "--audit-read", "--draft-approve", "--json")
                .json();
        String other = String.valueOf(
                run("key", "create", "--organization", id, "--json").json().get("api_key_id"));
        assertThat(run("key", "delete", "--organization", id, other).status()).isZero();
        run("org", "set", id, "--message-security", "hold");
        run("org", "human", id, "head@people.test");
        assertThat(run("domain", "create", "--organization", id, "audited.example")
                        .status())
                .isZero();
        HttpProbe key = world.as(String.valueOf(made.get("api_key")));
        HttpProbe.Answer log = key.get("/v0/audit-log?ascending=true").is(200);
        assertThat(log.list("entries").stream()
                        .map(entry -> ((Map<?, ?>) entry).get("action"))
                        .toList())
                .isEqualTo(List.of(
                        "api_key.created",
                        "api_key.created",
                        "api_key.deleted",
                        "organization.updated",
                        "organization.human_changed",
                        "domain.created"));
        assertThat(log.text("entries.2.target")).isEqualTo(other);
        assertThat(log.text("entries.2.actor.type")).isEqualTo("operator");
        key.post("/v0/organizations/stop", "").is(200);
        key.post("/v0/organizations/resume", "").is(200);
    }

    @Test
    void aKeyMayReleaseHeldMailWhenTheCommandSaysSo() {
        Map<?, ?> made = run("org", "create", "--json").json();
        String id = String.valueOf(made.get("organization_id"));
        for (String[] more : List.of(
                new String[] {"--message-release"}, new String[] {"--permissions", "message_read,message_release"})) {
            List<String> command = new ArrayList<>(List.of("key", "create", "--organization", id, "--json"));
            command.addAll(List.of(more));
            String key =
                    String.valueOf(run(command.toArray(String[]::new)).json().get("api_key"));
            String inbox = world.as(String.valueOf(made.get("api_key")))
                    .post("/v0/inboxes", "{}")
                    .is(200)
                    .text("inbox_id");
            world.as(key)
                    .post("/v0/inboxes/" + inbox + "/messages/%3Cno%40x.test%3E/release", JsonText.json("reason", "x"))
                    .is(404);
        }
    }

    @Test
    void theZoneOfTheServiceIsPrintedAndCompared() {
        Said zone = run("dns");
        assertThat(zone.status()).as(zone.err()).isZero();
        assertThat(zone.out())
                .contains(
                        "mail.localhost.\tIN\tMX\t10 mx.mail.localhost.",
                        "mail.localhost.\tIN\tTXT\t\"v=spf1 include:spf.mail.localhost -all\"",
                        "inboxd._domainkey.mail.localhost.\tIN\tTXT\t\"v=DKIM1; k=rsa; p=",
                        "inboxd-ed25519._domainkey.mail.localhost.\tIN\tTXT\t\"v=DKIM1; k=ed25519; p=",
                        "_dmarc.mail.localhost.\tIN\tTXT\t\"v=DMARC1; p=none\"",
                        "spf.mail.localhost.\tIN\tTXT\t\"v=spf1 a:mx.mail.localhost -all\"",
                        "; mx.mail.localhost.\tIN\tA\t");
        Said missing = run("dns", "--check");
        assertThat(missing.status()).isEqualTo(1);
        assertThat(missing.out())
                .contains("missing  MX of mail.localhost", "publish: mail.localhost.\tIN\tMX\t10 mx.mail.localhost.")
                .doesNotContain("valid    TXT", "valid    MX");
        for (Object record : run("dns", "--check", "--json").list()) {
            Map<?, ?> entry = (Map<?, ?>) record;
            String name = String.valueOf(entry.get("name"));
            switch (String.valueOf(entry.get("type"))) {
                case "MX" -> dns.mailExchangers(name, "10 " + entry.get("value"), "20 backup.test");
                case "TXT" -> dns.longText(name, String.valueOf(entry.get("value")));
                default -> dns.addresses(name, "192.0.2.1");
            }
        }
        dns.text("_dmarc.mail.localhost", "v=DMARC1; p=reject; rua=mailto:dmarc@mail.localhost");
        Said there = run("dns", "--check");
        assertThat(there.out()).doesNotContain("missing", "invalid", "publish");
        assertThat(there.status()).isZero();

        dns.text("mail.localhost", "v=spf1 ip4:192.0.2.1 -all");
        dns.text("inboxd._domainkey.mail.localhost", "v=DKIM1; k=rsa; p=AAAA");
        dns.failing("spf.mail.localhost", Type.TXT);
        run("dns", "--check"); // the former answers, for the last time
        Said wrong = run("dns", "--check");
        assertThat(wrong.status()).isEqualTo(1);
        assertThat(wrong.out())
                .contains(
                        "invalid  TXT of mail.localhost\n         found:   v=spf1 ip4:192.0.2.1 -all\n",
                        "invalid  TXT of inboxd._domainkey.mail.localhost",
                        "unknown  TXT of spf.mail.localhost");
    }

    @Test
    void aHumanPutBehindAnOrganizationSignsInToItAndWhoeverDidBeforeDoesNot() {
        Map<?, ?> made =
                run("org", "create", "--human", " Ann@People.test", "--json").json();
        String id = String.valueOf(made.get("organization_id"));
        String first = signedIn("ann@people.test");
        assertThat(world.as(first).get("/v0/auth/me").is(200).text("organization_id"))
                .isEqualTo(id);
        assertThat(run("org", "show", id, "--json").json().get("human_email")).isEqualTo("ann@people.test");

        assertThat(run("org", "human", id, "bo@people.test", "--json").json())
                .isEqualTo(Map.of("organization_id", id, "human_email", "bo@people.test"));
        assertThat(run("org", "human", id, "bo@people.test").status()).isZero();
        world.as(signedIn("bo@people.test")).get("/v0/auth/me").is(200);
        world.as(first).get("/v0/auth/me").is(401);
        assertThat(run("org", "show", id, "--json").json().get("human_email")).isEqualTo("bo@people.test");

        assertThat(run("org", "remove", id, "bo@people.test").err()).contains("This organization has no other owner");
        assertThat(run("org", "remove", id, "cy@people.test").status()).isNotZero();
        assertThat(run("org", "people", id).out()).contains("bo@people.test", "own");

        String started = world.organization().toString();
        String inbox = world.inbox("nobody");
        assertThat(run("org", "human", started, inbox).err()).contains("is an address of this server");
        assertThat(run("org", "human", started, "bo@people.test").err()).contains("another organization");
        assertThat(run("org", "create", "--human", "bo@people.test").err()).contains("another organization");
        assertThat(run("org", "human", started, "nobody").err()).contains("not an email address");
        assertThat(run("org", "human", started).status()).isEqualTo(2);
        String agent = world.anonymous()
                .post("/v0/agent/sign-up", JsonText.json("username", "no-human"))
                .is(200)
                .text("organization_id");
        assertThat(run("org", "human", agent, "cy@people.test").err()).contains("agent_unverified");
    }

    private static String signedIn(String human) {
        world.anonymous()
                .post("/console/sign-in", JsonText.json("human_email", human))
                .is(200);
        String letter = world.lettersSince(human, 0).getLast();
        String code = letter.lines()
                .map(String::strip)
                .filter(line -> line.matches("\\d{6}"))
                .findFirst()
                .orElseThrow();
        return world.anonymous()
                .post("/console/session", JsonText.json("human_email", human, "code", code))
                .is(200)
                .text("session_token");
    }

    @Test
    void keysAreMadeForAnOrganizationAPodOrAnInboxAndDeleted() {
        String organization = world.organization().toString();
        String pod = world.pod("commanded");
        Map<?, ?> all = run("key", "create", "--organization", organization, "--name", "Ops", "--json")
                .json();
        assertThat(all.get("permissions")).isNull();
        assertThat(world.as(String.valueOf(all.get("api_key")))
                        .get("/v0/auth/me")
                        .is(200)
                        .text("scope_type"))
                .isEqualTo("organization");
        Map<?, ?> narrow = run(
                        "key",
                        "create",
                        "--organization",
                        organization,
                        "--pod",
                        pod,
                        "--permissions",
                        "inbox_read, message_read",
                        "--days",
                        "7",
                        "--json")
                .json();
        assertThat(narrow.get("permissions")).isEqualTo(Map.of("inbox_read", true, "message_read", true));
        assertThat(narrow.get("expires_at")).isNotNull();
        String podKey = String.valueOf(narrow.get("api_key"));
        assertThat(world.as(podKey).get("/v0/auth/me").is(200).text("pod_id")).isEqualTo(pod);
        world.as(podKey).get("/v0/inboxes").is(200);
        world.as(podKey).post("/v0/inboxes", "{}").is(403);
        String inbox = world.inbox("commanded");
        Map<?, ?> ofInbox = run("key", "create", "--organization", organization, "--inbox", inbox, "--json")
                .json();
        assertThat(world.as(String.valueOf(ofInbox.get("api_key")))
                        .get("/v0/auth/me")
                        .is(200)
                        .text("inbox_id"))
                .isEqualTo(inbox);

        assertThat(run("key", "list", "--organization", organization, "--json").list().stream()
                        .map(one -> ((Map<?, ?>) one).get("api_key_id"))
                        .toList()
                        .contains(narrow.get("api_key_id")))
                .isTrue();
        assertThat(run("key", "list", "--organization", organization).out())
                .contains("Ops")
                .doesNotContain(podKey);
        Said deleted = run("key", "delete", String.valueOf(narrow.get("api_key_id")), "--organization", organization);
        assertThat(deleted.status()).isZero();
        world.as(podKey).get("/v0/auth/me").is(401);
    }

    @Test
    void aDomainIsMadeShownCheckedAndGivenUp() {
        String organization = world.organization().toString();
        Map<?, ?> made = run("domain", "create", "commanded.example", "--organization", organization, "--json")
                .json();
        assertThat(made.get("status")).isEqualTo("NOT_STARTED");
        assertThat(world.http().get("/v0/domains/commanded.example").is(200).list("records"))
                .hasSize(5);
        Said shown = run("domain", "show", "commanded.example", "--organization", organization);
        assertThat(shown.out()).contains("domain_id", "inboxd._domainkey.commanded.example", "MISSING");
        assertThat(shown.out().lines().filter(line -> line.startsWith("MX")))
                .as("what is long stands last")
                .allMatch(line -> line.endsWith("mx.mail.localhost") && line.length() < 120);
        assertThat(run("domain", "zone", "commanded.example", "--organization", organization)
                        .out())
                .startsWith("; DNS records for commanded.example\n");
        assertThat(run("domain", "verify", "commanded.example", "--organization", organization, "--json")
                        .json()
                        .get("reason"))
                .isEqualTo("dns_records_missing");
        assertThat(run("domain", "list").out()).contains("commanded.example", organization);
        run("domain", "delete", "commanded.example", "--organization", organization);
        world.http().get("/v0/domains/commanded.example").is(404);
    }

    @Test
    void whatIsWrongIsSaidInASentence() {
        String nobody = "01890000-0000-7000-8000-000000000000";
        Said missing = run("org", "show", nobody);
        assertThat(missing.status()).isEqualTo(1);
        assertThat(missing.err()).startsWith("inboxd org show: Organization not found");
        assertThat(missing.out()).isEmpty();
        assertThat(run("org", "show", "x").err()).contains("is not a UUID");
        String organization = world.organization().toString();
        assertThat(run("key", "create", "--organization", organization, "--permissions", "fly")
                        .err())
                .contains("no permission fly");
        assertThat(run("key", "create", "--organization", organization, "--days", "0")
                        .status())
                .isEqualTo(1);
        assertThat(run("key", "delete", nobody, "--organization", organization).err())
                .contains("ApiKey not found");
        assertThat(run("domain", "create", "mail.localhost", "--organization", organization)
                        .err())
                .contains("this service's own");
        assertThat(run("key", "create").status()).isEqualTo(2);
        assertThat(say(List.of("org")).status()).isEqualTo(2);
        assertThat(say(List.of("help", "key")).status()).isZero();
    }
}
