package dev.inboxd.server;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.tenant.apikey.ApiKey;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.testing.Proves;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Promise P11, as a difference that must not be there: two pods get the same visible mail and the same changes, one of
 * them hidden mail besides. A key that may read no restricted label sees the same in both, on every surface, to the
 * last time and count.
 */
class HiddenMailHttpTest {
    private static final String SENDER = "sender@mail.localhost";
    private static final Set<Permission> READER = Set.of(
            Permission.MESSAGE_READ,
            Permission.MESSAGE_SEND,
            Permission.MESSAGE_UPDATE,
            Permission.MESSAGE_DELETE,
            Permission.INBOX_READ);

    private Instant began = Instant.EPOCH;

    @RegisterExtension
    private final World world = World.start();

    private Side plain;
    private Side haunted;

    /** A pod with one inbox, and a key of the pod without any label flag. */
    private record Side(String pod, String inbox, HttpProbe blind) {
        String path() {
            return "/v0/inboxes/" + inbox;
        }
    }

    @BeforeEach
    void start() {
        began = world.clock().instant();
        world.inbox("sender");
        plain = side("side-a");
        haunted = side("side-b");
    }

    private Side side(String username) {
        String pod = world.pod(username);
        String inbox = world.http()
                .post("/v0/pods/" + pod + "/inboxes", json("username", username))
                .is(200)
                .text("inbox_id");
        ApiKey.Owner owner = new ApiKey.Owner(UUID.fromString(pod), null, null);
        String key = world.database()
                .write(
                        world.organization(),
                        tx -> ApiKeys.issue(
                                        tx,
                                        world.organization(),
                                        new ApiKeys.KeySpec("blind", owner, ApiKey.Grant.of(READER), null, false),
                                        tx.next().at())
                                .secret());
        return new Side(pod, inbox, world.as(key));
    }

    @Test
    @Proves("P11")
    void whatAKeyMayNotReadMakesNoDifferenceToIt() {
        both(side -> visible(side, "First", ""));
        hidden("<h1@x.test>", name(haunted, 0));
        same("hidden mail joins a thread");
        both(HiddenMailHttpTest::reply);
        same("a reply joins hidden and visible mail");

        hidden("<h2@x.test>", null);
        same("a hidden thread");
        both(side -> visible(side, "Second", members("headers", object("References", "<h2@x.test>")) + ","));
        same("visible mail joins a hidden thread");
        both(side -> side.blind
                .patch(
                        side.path() + "/messages/" + encoded(name(side, 0)),
                        json("add_labels", List.of("urgent"), "remove_labels", List.of("unread")))
                .is(200));
        privileged("PATCH", "<h1@x.test>", json("add_labels", List.of("vip"), "remove_labels", List.of("unread")));
        same("labels of visible and of hidden mail change");

        both(side -> side.blind
                .patch("/v0/threads/" + threads(side).text("threads.1.thread_id"), json("add_labels", List.of("done")))
                .is(200));
        same("a thread's labels change");
        privileged("DELETE", "<h1@x.test>", null);
        hidden("<h3@x.test>", name(haunted, 2));
        both(side -> side.blind
                .delete(side.path() + "/messages/" + encoded(name(side, 0)))
                .is(200));
        same("hidden and visible mail is deleted");
        hidden("<h4@x.test>", null);
        both(side -> side.blind
                .delete("/v0/threads/" + threads(side).text("threads.1.thread_id"))
                .is(200));
        same("a thread is deleted");

        both(side -> visible(side, "Third", ""));
        hidden("<h5@x.test>", name(haunted, 0));
        privileged("PATCH", "<h5@x.test>", json("add_labels", List.of("secret")));
        List<List<?>> told = new ArrayList<>();
        both(side -> told.add(side.blind
                .patch("/v0/threads/" + threads(side).text("threads.0.thread_id"), json("add_labels", List.of("spam")))
                .is(200)
                .list("labels")));
        assertThat(told.get(1)).isEqualTo(told.get(0)).asInstanceOf(LIST).contains("spam");
        same("the last visible message of a thread is hidden");
    }

    /** Compares every surface, and that hidden names are nobody's on each route. */
    private void same(String after) {
        await(world::isIndexed); // searches are surfaces, too
        assertThat(surfaces(haunted)).as(after).isEqualTo(surfaces(plain));
        for (String route : List.of("", "/raw")) {
            HttpProbe.Answer hidden = haunted.blind.get(haunted.path() + "/messages/" + encoded("<h2@x.test>") + route);
            HttpProbe.Answer nobodys =
                    haunted.blind.get(haunted.path() + "/messages/" + encoded("<no@x.test>") + route);
            assertThat(hidden.is(404).text("message")).isEqualTo(nobodys.is(404).text("message"));
        }
    }

    private List<String> surfaces(Side side) {
        List<String> seen = new ArrayList<>();
        Masks masks = new Masks(side.inbox, began);
        String include = "include_spam=true&include_blocked=true&include_unauthenticated=true&include_trash=true&";
        List<String> messages = new ArrayList<>();
        for (String query : List.of(
                "",
                include,
                "ascending=true&limit=1&",
                "from=sender&",
                include + "subject=e&",
                include + "labels=received&")) {
            messages.addAll(walk(side, side.path() + "/messages?" + query, "messages", masks, seen));
        }
        List<String> threads = new ArrayList<>();
        for (String level : List.of("/v0", "/v0/pods/" + side.pod, side.path())) {
            for (String query : List.of(
                    "",
                    include,
                    "ascending=true&limit=1&",
                    include + "senders=sender&",
                    include + "labels=unauthenticated&")) {
                threads.addAll(walk(side, level + "/threads?" + query, "threads", masks, seen));
            }
        }
        for (String query : List.of("/search?q=ghost&", "/search?q=hello&", "/search?q=sender&limit=1&")) {
            walk(side, side.path() + "/messages" + query, "messages", masks, seen);
            for (String level : List.of("/v0", "/v0/pods/" + side.pod, side.path())) {
                walk(side, level + "/threads" + query, "threads", masks, seen);
            }
        }
        messages.stream()
                .distinct()
                .forEach(name -> seen.add(masks.apply(side.blind
                        .get(side.path() + "/messages/" + encoded(name))
                        .is(200))));
        threads.stream().distinct().forEach(id -> {
            walk(side, "/v0/threads/" + id + "?limit=1&", "messages", masks, seen);
            seen.add(masks.apply(
                    side.blind.get("/v0/pods/" + side.pod + "/threads/" + id).is(200)));
        });
        walk(side, side.path() + "/events?", "events", masks, seen);
        walk(side, side.path() + "/events?ascending=true&limit=2&", "events", masks, seen);
        log(side, "/v0/events?limit=3&", masks, seen);
        log(side, "/v0/events?inbox_ids=" + side.inbox + "&", masks, seen);
        seen.add(masks.apply(side.blind
                .get(side.path() + "/messages/wait?timeout=0&include_unauthenticated=true&after=2000-01-01")
                .is(200)));
        seen.add(masks.apply(side.blind
                .post(
                        side.path() + "/messages/batch-get",
                        json("message_ids", List.of("<h1@x.test>", "<h2@x.test>", "<h3@x.test>", "<h4@x.test>")))
                .is(200)));
        seen.add(masks.apply(side.blind
                .post(
                        side.path() + "/messages/batch-update",
                        json("message_ids", List.of("<h1@x.test>", "<h2@x.test>"), "add_labels", List.of("x")))
                .is(200)));
        return seen;
    }

    private static List<String> walk(Side side, String path, String list, Masks masks, List<String> seen) {
        List<String> ids = new ArrayList<>();
        String token = "";
        do {
            HttpProbe.Answer page = side.blind
                    .get(path + (token.isEmpty() ? "" : "page_token=" + token))
                    .is(200);
            seen.add(masks.apply(page));
            String id = list.equals("threads") ? "thread_id" : "message_id";
            page.list(list).forEach(item -> ids.add(String.valueOf(((Map<?, ?>) item).get(id))));
            token = page.at("next_page_token") == null ? "" : page.text("next_page_token");
        } while (!token.isEmpty());
        return ids;
    }

    /** The log from its beginning to its end; where its pages end must tell nothing either. */
    private static void log(Side side, String path, Masks masks, List<String> seen) {
        String cursor = "";
        HttpProbe.Answer page;
        do {
            page = side.blind
                    .get(path + (cursor.isEmpty() ? "" : "cursor=" + cursor))
                    .is(200);
            seen.add(masks.apply(page));
            cursor = page.text("next_cursor");
        } while (!page.list("events").isEmpty());
    }

    /** Each step has an hour of its own, so that a time tells which step it is from. */
    private void both(Consumer<Side> step) {
        world.advance(Duration.ofHours(1));
        step.accept(plain);
        step.accept(haunted);
    }

    private static void reply(Side side) {
        String sent = side.blind
                .post(side.path() + "/messages/" + encoded(name(side, 0)) + "/reply", json("text", "Answer"))
                .is(200)
                .text("message_id");
        await(() -> side.blind
                .get(side.path() + "/messages/" + encoded(sent))
                .is(200)
                .list("labels")
                .contains("delivered"));
    }

    /** Mail from an inbox of ours arrives authenticated: clean. */
    private void visible(Side side, String subject, String more) {
        int before = side.blind
                .get(side.path() + "/messages")
                .is(200)
                .list("messages")
                .size();
        world.http()
                .post("/v0/inboxes/" + SENDER + "/messages/send", """
                {"to":"%s",%s"subject":"%s","text":"Hello"}""".formatted(side.inbox, more, subject))
                .is(200);
        await(() -> side.blind
                        .get(side.path() + "/messages")
                        .is(200)
                        .list("messages")
                        .size()
                > before);
    }

    /** Mail from outside is unauthenticated: hidden. It brings an author, a recipient and a file of its own. */
    private void hidden(String name, @Nullable String reference) {
        world.advance(Duration.ofHours(1));
        assertThat(world.mail(
                        "ghost@x.test",
                        haunted.inbox,
                        "From: Ghost <ghost@x.test>\nTo: " + haunted.inbox
                                + ", spectre@x.test\nSubject: The ghost\nMessage-ID: " + name + "\n"
                                + (reference == null ? "" : "References: " + reference + "\n")
                                + "MIME-Version: 1.0\nContent-Type: application/pdf; name=\"ghost.pdf\"\n\nBoo.\n"))
                .startsWith("250");
    }

    private void privileged(String method, String name, @Nullable String body) {
        world.advance(Duration.ofHours(1));
        world.http()
                .send(method, haunted.path() + "/messages/" + encoded(name), body)
                .is(200);
    }

    private static HttpProbe.Answer threads(Side side) {
        return side.blind.get(side.path() + "/threads").is(200);
    }

    /** The public id of a visible message, the oldest being number 0. */
    private static String name(Side side, int number) {
        return side.blind
                .get(side.path() + "/messages?ascending=true")
                .is(200)
                .text("messages." + number + ".message_id");
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8);
    }
}
