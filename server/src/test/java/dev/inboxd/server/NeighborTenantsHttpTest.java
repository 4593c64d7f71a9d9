package dev.inboxd.server;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.access.Gate;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.Route;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.tenant.apikey.ApiKey;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.Organizations;
import dev.inboxd.testing.Proves;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Promise P10, as a difference that must not be there: two services where a key's owner does the same, one of them full
 * of neighbours besides. The key sees the same in both, on every route that reads, to the last time and count.
 */
class NeighborTenantsHttpTest {
    private static final String INBOX = "own@mail.localhost";

    /** A service, what the key of the test may see in it, and how to be somebody else. */
    private record Side(
            World world,
            Instant began,
            HttpProbe own,
            HttpProbe root,
            Map<String, String> ids,
            List<HttpProbe> neighbours) {}

    /** Every kind of neighbour is one of a key of an inbox: of other organizations, of other pods, in the same pod. */
    @Test
    @Tag("long")
    @Proves("P10")
    void whatOthersOwnMakesNoDifferenceToTheKeyOfAnInbox() {
        compare(Scope.INBOX);
    }

    @ParameterizedTest
    @Tag("long")
    @Proves("P10")
    @EnumSource(value = Scope.class, names = "INBOX", mode = EnumSource.Mode.EXCLUDE)
    void whatOthersOwnMakesNoDifferenceToAWiderKey(Scope scope) {
        compare(scope);
    }

    private static void compare(Scope scope) {
        // Both services begin five minutes behind an hour, their first keys as well: usage is told by quarters of one,
        // of which none ends while the two are compared.
        Instant now = Instant.now();
        Instant hour = now.truncatedTo(ChronoUnit.HOURS).plus(Duration.ofMinutes(65));
        Duration ahead = Duration.between(now, hour);
        try (World quiet = World.ahead(ahead);
                World crowded = World.ahead(ahead)) {
            Side alone = side(quiet, scope, false);
            Side among = side(crowded, scope, true);
            // The second step is seen by a key of every scope alike.
            for (int step = 0; step < (scope == Scope.INBOX ? 2 : 1); step++) {
                String name = "<step-" + step + "@x.test>";
                act(alone, name);
                act(among, name);
                List<String> expected = seen(alone);
                assertThat(expected.size()).isGreaterThan(scope == Scope.INBOX ? 30 : 50);
                List<String> seen = seen(among);
                for (int i = 0; i < expected.size(); i++) {
                    assertThat(seen.get(i))
                            .as(scope + " key after step " + step)
                            .isEqualTo(expected.get(i));
                }
                assertThat(seen).hasSameSizeAs(expected);
            }
        }
    }

    private static Side side(World world, Scope scope, boolean crowded) {
        Instant began = world.clock().instant();
        String pod = world.pod("Own");
        world.http()
                .post("/v0/pods/" + pod + "/inboxes", json("username", "own"))
                .is(200);
        Map<String, String> ids = new LinkedHashMap<>();
        ids.put("pod_id", pod);
        ids.put("inbox_id", INBOX);
        String level = level(scope, ids);
        String key = world.http()
                .post(level + "/api-keys", json("name", "own"))
                .is(200)
                .text("api_key");
        List<HttpProbe> neighbours = new ArrayList<>();
        if (crowded) {
            neighbours.add(world.as(foreignKey(world)));
            if (scope != Scope.ORGANIZATION) {
                neighbours.add(world.as(world.http()
                        .post("/v0/pods/" + world.pod("Other") + "/api-keys", "{}")
                        .is(200)
                        .text("api_key")));
            }
            if (scope == Scope.INBOX) {
                neighbours.add(world.as(world.http()
                        .post("/v0/pods/" + pod + "/api-keys", "{}")
                        .is(200)
                        .text("api_key")));
            }
        }
        return new Side(world, began, world.as(key), world.http(), ids, neighbours);
    }

    private static String level(Scope scope, Map<String, String> ids) {
        return switch (scope) {
            case ORGANIZATION -> "/v0";
            case POD -> "/v0/pods/" + ids.get("pod_id");
            case INBOX -> "/v0/inboxes/" + ids.get("inbox_id");
        };
    }

    private static String foreignKey(World world) {
        UUID other = Uuid7.next();
        Organizations organizations = new Organizations(world.database(), world.clock());
        return world.database().writeGlobal(tx -> {
            organizations.create(tx, other, Organization.Type.CONSOLE, null);
            return ApiKeys.issue(
                            tx,
                            other,
                            new ApiKeys.KeySpec("foreign", ApiKey.Owner.ORGANIZATION, ApiKey.Grant.ROOT, null, false),
                            world.clock().instant())
                    .secret();
        });
    }

    /** Each step has an hour of its own, so that a time tells which it is from; neighbours act before and after. */
    private static void act(Side side, String name) {
        side.world().advance(Duration.ofHours(1));
        side.neighbours().forEach(neighbour -> live(side, neighbour));
        assertThat(side.world().mail("ann@x.test", INBOX, mail(name, "Hello"))).startsWith("250");
        side.ids().put("message_id", encoded(name));
        HttpProbe.Answer message = side.own()
                .get("/v0/inboxes/" + INBOX + "/messages/" + encoded(name))
                .is(200);
        side.ids().put("thread_id", message.text("thread_id"));
        side.ids().put("attachment_id", message.text("attachments.0.attachment_id"));
        side.own()
                .patch("/v0/inboxes/" + INBOX + "/messages/" + encoded(name), json("add_labels", List.of("urgent")))
                .is(200);
        HttpProbe.Answer draft =
                side.own().post("/v0/inboxes/" + INBOX + "/drafts", """
                {"to":"bob@x.test","text":"Hi","attachments":[{"filename":"f","content":"aGk="}]}""").is(200);
        side.ids().put("draft_id", draft.text("draft_id"));
        side.ids().put("draft_attachment_id", draft.text("attachments.0.attachment_id"));
        side.ids()
                .put(
                        "api_key_id",
                        side.own()
                                .post("/v0/api-keys", json("name", "made"))
                                .is(200)
                                .text("api_key_id"));
        side.ids()
                .put("webhook_id", side.own().post("/v0/webhooks", """
                {"url":"http://127.0.0.1:9/hook","event_types":["message.sent"]}""").is(200).text("webhook_id"));
        side.own()
                .post("/v0/inboxes/" + INBOX + "/lists/receive/block", json("entry", "spam.example"))
                .is(200);
        side.ids().put("entry", "spam.example");
        side.neighbours().forEach(neighbour -> live(side, neighbour));
        await(side.world()::isIndexed); // searches are surfaces, too
        await(() -> isCallStored(side, name));
    }

    /** The record of requests is written behind them, and a trace names the one that changed the message. */
    private static boolean isCallStored(Side side, String name) {
        return side.own()
                .get("/v0/inboxes/" + INBOX + "/messages/" + encoded(name) + "/trace")
                .is(200)
                .text()
                .contains("\"calls\"");
    }

    /** What a neighbour does: a little of everything, and mail of the same names and words. */
    private static void live(Side side, HttpProbe neighbour) {
        String inbox = neighbour
                .post("/v0/inboxes", json("display_name", "canary"))
                .is(200)
                .text("inbox_id");
        String at = "/v0/inboxes/" + inbox;
        String name = side.ids().getOrDefault("message_id", encoded("<first@x.test>"));
        assertThat(side.world().mail("ann@x.test", inbox, mail("<canary@x.test>", "Hello canary")))
                .startsWith("250");
        side.world().mail("ann@x.test", inbox, mail(URLDecoder.decode(name, StandardCharsets.UTF_8), "canary"));
        neighbour
                .patch(at + "/messages/" + encoded("<canary@x.test>"), json("add_labels", List.of("canary")))
                .is(200);
        neighbour.post(at + "/drafts", json("subject", "canary")).is(200);
        neighbour.post("/v0/api-keys", json("name", "canary")).is(200);
        neighbour
                .post("/v0/webhooks", json("url", "http://127.0.0.1:9/canary", "event_types", List.of("message.sent")))
                .is(200);
        neighbour
                .post(at + "/lists/receive/block", json("entry", "canary.example"))
                .is(200);
        neighbour
                .post(at + "/messages/send", json("to", "canary@x.test", "text", "canary"))
                .is(200);
    }

    /** The answers of every route that reads, at every level that the key may use, with their headers' names. */
    private static List<String> seen(Side side) {
        List<String> seen = new ArrayList<>();
        Masks masks = new Masks(INBOX, side.began());
        List<Route> routes = side.world().routes().stream()
                .filter(route -> route.method().equals("GET")
                        && route.template().startsWith("/v0/")
                        && route.access() != Gate.PUBLIC)
                .sorted(Comparator.comparing(Route::template))
                .toList();
        for (Route route : routes) {
            String path = path(route.template(), side.ids());
            for (String query : List.of(
                    "?include_unauthenticated=true&timeout=0",
                    "?q=canary&timeout=0",
                    "?limit=1&ascending=true&include_unauthenticated=true&q=hello&timeout=0")) {
                // Which period usage has when none is asked for hangs on the second in which it is asked.
                String asked = path + query + (path.endsWith("/usage") ? "&period=900" : "");
                HttpProbe.Answer answer = side.own().sloppy().get(asked);
                String headers = String.join(
                        " ", answer.headers().map().keySet().stream().sorted().toList());
                seen.add(route.template() + query + " " + answer.status() + " " + headers + " " + body(masks, answer));
                assertThat(answer.text()).as(asked).doesNotContain("canary");
            }
        }
        return seen;
    }

    private static String body(Masks masks, HttpProbe.Answer answer) {
        if (answer.status() != 200) {
            return String.valueOf(answer.at("code")) + answer.at("message") + answer.at("fix");
        }
        boolean json = String.valueOf(answer.header("Content-Type")).startsWith("application/json");
        return json ? masks.apply(answer) : answer.text();
    }

    private static String path(String template, Map<String, String> ids) {
        String path = template.replace("{direction}/{type}", "receive/block");
        if (path.contains("/drafts/")) {
            path = path.replace("{attachment_id}", "{draft_attachment_id}");
        }
        for (Map.Entry<String, String> id : ids.entrySet()) {
            path = path.replace("{" + id.getKey() + "}", id.getValue());
        }
        // What this test does not know of is nobody's, in both services alike.
        return path.replaceAll("\\{[a-z_]+}", "nobodys");
    }

    private static String encoded(@Nullable String name) {
        return URLEncoder.encode(String.valueOf(name), StandardCharsets.UTF_8);
    }

    private static String mail(String name, String subject) {
        return """
                From: Ann <ann@x.test>
                Subject: %s
                Message-ID: %s
                MIME-Version: 1.0
                Content-Type: multipart/mixed; boundary=b

                --b
                Content-Type: text/plain

                hello
                --b
                Content-Type: image/png; name="file"
                Content-Disposition: attachment; filename="file"

                file
                --b--
                """.formatted(subject, name);
    }
}
