package dev.inboxd.server;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.access.Role;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.console.ConsoleProbe;
import dev.inboxd.console.PersonProbe;
import dev.inboxd.server.AccessMatrix.Line;
import dev.inboxd.testing.Proves;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What each role may at every form and every call: the routes are those of {@code access-matrix.txt}. */
@Proves("P10c")
class ConsoleRolesHttpTest {
    private static final List<Line> MATRIX = AccessMatrix.read(Path.of("server/src/test/resources/access-matrix.txt"));

    /** Forms that take another role than own. */
    private static final Map<String, Role> FORMS = Map.of(
            "/console/people/self", Role.READ,
            "/console/approvals", Role.APPROVE,
            "/console/stop", Role.APPROVE);

    /** What needs no person, or is about the session itself. */
    private static final Set<String> OUTSIDE = Set.of(
            "/console/sign-in",
            "/console/session",
            "/console/session/renew",
            "/console/letters",
            "/console/register",
            "/console/token",
            "/console/organizations",
            "/console/enter",
            "/console/enter/code",
            "/console/enter/passkey",
            "/console/leave");

    /** Calls other than GET of those who only read. */
    private static final Set<String> READING = Set.of(
            "POST /mcp",
            "POST /v0/inboxes/{inbox_id}/messages/batch-get",
            "POST /console/session/renew",
            "DELETE /console/session",
            "DELETE /console/sessions",
            "DELETE /console/sessions/{session_id}");

    /** Calls of those who decide, beside these. */
    private static final Set<String> DECIDING = Set.of(
            "POST /v0/inboxes/{inbox_id}/messages/{message_id}/release",
            "POST /v0/inboxes/{inbox_id}/drafts/{draft_id}/approve",
            "POST /v0/inboxes/{inbox_id}/drafts/{draft_id}/reject",
            "DELETE /v0/inboxes/{inbox_id}/approval-exemptions/{address}");

    @RegisterExtension
    private static final World world =
            World.start(Map.of("INBOXD_CONSOLE", "sign-in", "INBOXD_PUBLIC_URL", PersonProbe.OWN));

    private static final Map<Role, PersonProbe> PEOPLE = new EnumMap<>(Role.class);

    @BeforeAll
    static void start() {
        for (Role role : Role.values()) {
            PEOPLE.put(role, PersonProbe.of(world, role.wireName() + "@people.test", world.organization(), role));
        }
    }

    private static PersonProbe person(Role role) {
        return Objects.requireNonNull(PEOPLE.get(role));
    }

    private static String path(Line line) {
        return line.path().replaceAll("\\{[a-z_]+}", "x");
    }

    @Test
    void everyFormIsRefusedToEveryRoleBelowItsOwn() {
        List<String> forms = MATRIX.stream()
                .filter(line -> line.method().equals("POST") && line.template().startsWith("/console"))
                .map(Line::template)
                .filter(template -> !OUTSIDE.contains(template))
                .toList();
        assertThat(forms).hasSizeGreaterThan(15).containsAll(FORMS.keySet());
        Map<Role, String> tokens = new EnumMap<>(Role.class);
        PEOPLE.forEach((role, person) -> tokens.put(role, person.token()));
        for (String form : forms) {
            Role needed = FORMS.getOrDefault(form, Role.OWN);
            String path = form.substring("/console".length()).replaceAll("\\{[a-z_]+}", "x");
            for (Role role : Role.values()) {
                Answer answer = person(role).browser().post("/console" + path, "do=nothing&token=" + tokens.get(role));
                String name = form + " as " + role.wireName();
                if (role.covers(needed)) {
                    assertThat(answer.status()).as(name).isNotEqualTo(403);
                } else {
                    assertThat(answer.is(403).text())
                            .as(name)
                            .contains(
                                    role == Role.READ ? "You can only read here" : "You can only read and decide here",
                                    "the role " + needed.wireName());
                }
            }
        }
    }

    @Test
    void whoMayNotDoAThingSeesNoButtonForIt() {
        String inbox = world.inbox("shown");
        for (String page : List.of(
                "",
                "/inboxes",
                "/inboxes/" + inbox,
                "/inboxes/" + inbox + "?tab=drafts",
                "/inboxes/" + inbox + "?tab=trash",
                "/inboxes/" + inbox + "/calendar",
                "/approvals",
                "/webhooks",
                "/domains",
                "/apps",
                "/keys",
                "/activity",
                "/people")) {
            assertThat(forms(person(Role.READ).page(page)))
                    .as(page)
                    .allMatch(form -> form.contains("/console/leave\"") || form.contains("/console/people/self\""));
            assertThat(forms(person(Role.APPROVE).page(page)))
                    .as(page)
                    .allMatch(form -> form.contains("/console/leave\"")
                            || form.contains("/console/people/self\"")
                            || form.contains("/console/stop\"")
                            || page.equals("/approvals"));
        }
        assertThat(person(Role.READ).page("")).doesNotContain("Stop all outgoing mail");
        assertThat(person(Role.APPROVE).page("")).contains("Stop all outgoing mail");
    }

    /** The beginnings of the forms of a page that change something. */
    private static List<String> forms(String page) {
        return Arrays.stream(page.split("<form method=\"post\"", -1))
                .skip(1)
                .map(rest -> rest.substring(0, rest.indexOf('>')))
                .toList();
    }

    @Test
    void everyCallThatChangesSomethingIsRefusedToASessionWhoseRoleDoesNotTakeIt() {
        List<String> wrong = new ArrayList<>();
        for (Role role : List.of(Role.READ, Role.APPROVE)) {
            HttpProbe session = world.as(token(role));
            for (Line line : MATRIX) {
                String route = line.route();
                if (line.isPublic() || line.method().equals("GET") || READING.contains(route)) {
                    continue;
                }
                boolean isDecision = DECIDING.contains(route);
                HttpProbe probe = line.template().startsWith("/sandbox") ? session.raw() : session;
                Answer answer =
                        probe.send(line.method(), path(line), line.body().isEmpty() ? "{}" : line.body());
                boolean isRefused = answer.status() == 403 || answer.status() == 401;
                if (isRefused == (isDecision && role == Role.APPROVE)) {
                    wrong.add(role.wireName() + " " + route + " " + answer.status());
                }
            }
        }
        assertThat(wrong).isEmpty();
    }

    @Test
    void whoReadsSeesWhatAnOwnerSees() {
        String inbox = world.inbox("seen");
        HttpProbe reader = world.as(token(Role.READ));
        Stream.of(
                        "/v0/inboxes/" + inbox,
                        "/v0/inboxes/" + inbox + "/messages",
                        "/v0/threads?labels=held",
                        "/v0/drafts",
                        "/v0/api-keys",
                        "/v0/audit-log",
                        "/v0/webhooks",
                        "/v0/organizations")
                .forEach(path -> reader.get(path).is(200));
        assertThat(reader.post("/v0/inboxes", json("username", "made")).is(403).text())
                .contains("You can only read here");
        assertThat(world.as(token(Role.OWN))
                        .post("/v0/inboxes", json("username", "made"))
                        .status())
                .isEqualTo(200);
    }

    @Test
    void secretsAndWhereOthersWereAreForOwners() {
        String webhook = world.http()
                .post(
                        "/v0/webhooks",
                        json("url", "https://hooks.example/in", "event_types", List.of("message.received")))
                .is(200)
                .text("webhook_id");
        person(Role.OWN).sends("/webhooks/" + webhook, "do", "disable").is(303);
        String tool = json(
                "jsonrpc",
                "2.0",
                "id",
                1,
                "method",
                "tools/call",
                "params",
                Map.of("name", "list_webhooks", "arguments", Map.of()));
        for (Role role : Role.values()) {
            HttpProbe session = world.as(token(role));
            List<String> shown = List.of(
                    person(role).page("/webhooks/" + webhook).replace("after whsec_, decoded", ""),
                    session.get("/v0/webhooks").is(200).text(),
                    session.get("/v0/webhooks/" + webhook).is(200).text());
            for (String text : shown) {
                assertThat(text.contains("whsec_")).as(text).isEqualTo(role == Role.OWN);
            }
            Answer called = session.with("Accept", "application/json, text/event-stream")
                    .post("/mcp", tool);
            assertThat(called.is(200).text().contains("whsec_") && role != Role.OWN)
                    .isFalse();
            assertThat(session.get("/v0/audit-log").is(200).list("entries").stream()
                            .map(entry -> (Map<?, ?>) entry)
                            .filter(entry -> "session.created".equals(entry.get("action")))
                            .allMatch(entry -> entry.containsKey("address")))
                    .isEqualTo(role == Role.OWN);
        }
    }

    @Test
    void toolsAreThoseOfTheRole() {
        String list = json("jsonrpc", "2.0", "id", 1, "method", "tools/list", "params", Map.of());
        for (Role role : Role.values()) {
            String tools = world.as(token(role))
                    .with("Accept", "application/json, text/event-stream")
                    .post("/mcp", list)
                    .is(200)
                    .text();
            assertThat(tools).contains("\"list_messages\"");
            assertThat(tools.contains("\"send_message\"")).isEqualTo(role == Role.OWN);
            assertThat(tools.contains("\"approve_draft\"")).isEqualTo(role != Role.READ);
        }
    }

    @Test
    void nodesThatKnowNoRolesRefuseTheTokensOfWhoeverDoesNotOwn() {
        for (Role role : Role.values()) {
            String head = token(role).split("\\.", 2)[0];
            assertThat(new String(Base64.getUrlDecoder().decode(head), StandardCharsets.UTF_8)
                            .contains("\"console+jwt\""))
                    .as(role.wireName())
                    .isEqualTo(role == Role.OWN);
        }
    }

    private static String token(Role role) {
        String human = person(role).human();
        int before = world.letters(human).size();
        world.anonymous().post("/console/sign-in", json("human_email", human)).is(200);
        String letter = world.lettersSince(human, before).getLast();
        String code = ConsoleProbe.between(letter, "Subject: ", " is your inboxd code");
        return world.anonymous()
                .post("/console/session", json("human_email", human, "code", code))
                .is(200)
                .text("session_token");
    }
}
