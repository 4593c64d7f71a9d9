package dev.inboxd.server;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.notify.stream.SocketProbe;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What client programs write out of habit is understood, or refused with the right word (mail.md §1.1, §1.3). */
class ClientHabitsHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static String inbox;

    @BeforeAll
    static void start() {
        inbox = world.inbox("habits");
        for (String label : List.of("drop", "keep", "both")) {
            world.http()
                    .post(path("/messages/send"), json("to", "x@y.test", "labels", List.of(label, "all")))
                    .is(200);
        }
    }

    private static String path(String rest) {
        return "/v0/inboxes/" + inbox + rest;
    }

    @Test
    void everySpellingOfAnArrayFilters() {
        for (String query : List.of(
                "labels=drop",
                "labels=drop&labels=all",
                "labels=drop,all",
                "labels=%5B%22drop%22%2C%22all%22%5D",
                "labels[]=drop&labels[]=all",
                "labels%5B%5D=drop",
                "labels[0]=drop&labels[1]=all",
                "labels%5B0%5D=drop")) {
            assertThat(world.http()
                            .sloppy()
                            .get(path("/messages?" + query))
                            .is(200)
                            .at("count"))
                    .as(query)
                    .isEqualTo(1L);
        }
        assertThat(world.http()
                        .sloppy()
                        .get(path("/messages?to[]=nobody@y.test"))
                        .is(200)
                        .at("count"))
                .isEqualTo(0L);
        assertThat(world.http()
                        .sloppy()
                        .get("/v0/events?event_types=message.sent,message.bounced")
                        .is(200)
                        .at("events"))
                .isInstanceOf(List.class);
    }

    @Test
    void anotherSpellingOfANameIsRefusedOnEveryRouteThatKnowsIt() {
        Map<String, String> queries = Map.of(
                path("/messages?label=drop"),
                "labels",
                path("/messages?includeSpam=true"),
                "include_spam",
                path("/threads?pageToken=x"),
                "page_token",
                path("/drafts?label[]=x"),
                "labels",
                "/v0/events?event_type=message.sent",
                "event_types",
                "/v0/events?inboxIds[]=x",
                "inbox_ids",
                "/v0/inboxes?pageToken=x",
                "page_token",
                "/v0/metrics/events?eventTypes=message.sent",
                "event_types");
        queries.forEach((path, right) -> {
            Answer refused = world.http().get(path).is(400);
            assertThat(refused.at("errors.0.expected")).as(path).isEqualTo(right);
            assertThat(refused.at("errors.0.code")).as(path).isEqualTo("unknown_name");
            assertThat(refused.text("message")).as(path).endsWith("; write " + right);
        });
        Map<String, String> bodies = Map.of(
                "/v0/inboxes {\"displayName\":\"x\"}",
                "display_name",
                "/v0/inboxes {\"clientId\":\"x\"}",
                "client_id",
                "/v0/webhooks {\"url\":\"https://x.test\",\"eventTypes\":[\"message.sent\"]}",
                "event_types",
                "/v0/webhooks {\"url\":\"https://x.test\",\"event_types\":[\"message.sent\"],\"inbox_id\":\"x\"}",
                "inbox_ids",
                "/v0/api-keys {\"expiresAt\":\"2100-01-01T00:00:00Z\"}",
                "expires_at",
                path("/messages/send {\"to\":\"x@y.test\",\"replyTo\":\"z@y.test\"}"),
                "reply_to",
                path("/messages/send"
                        + " {\"to\":\"x@y.test\",\"attachments\":[{\"contentType\":\"a/b\",\"content\":\"\"}]}"),
                "content_type",
                path("/drafts {\"inReplyTo\":\"<a@b>\"}"),
                "in_reply_to");
        bodies.forEach((request, right) -> {
            String[] parts = request.split(" ", 2);
            Answer refused = world.http().post(parts[0], parts[1]).is(400);
            assertThat(String.valueOf(refused.at("errors"))).as(request).contains("expected=" + right);
        });
        world.http()
                .sloppy()
                .post("/v0/inboxes", json("metadata", object("displayName", "free", "label", "free"), "anything", 1))
                .is(200);
        world.http()
                .sloppy()
                .post(
                        path("/messages/send"),
                        json("to", "x@y.test", "headers", object("X-replyTo", "free", "Label", "a")))
                .is(200);
    }

    @Test
    void aFrameIsReadTheSameWay() {
        try (SocketProbe socket = SocketProbe.open(world.httpPort(), world.key())) {
            socket.say(json("type", "subscribe", "inboxIds", List.of(inbox)));
            assertThat(socket.next().text()).contains("\"error\"", "write inbox_ids");
            socket.say(json("type", "subscribe", "event_type", "message.received"));
            assertThat(socket.next().text()).contains("\"error\"", "write event_types");
            socket.say(json("type", "subscribe", "event_types", "message_received"));
            assertThat(socket.next().text()).contains("did you mean message.received?");
        }
    }

    @Test
    void jsonIsTakenByAnyTypeFromWhoeverPresentsAKey() {
        for (String type : List.of(
                "application/x-www-form-urlencoded",
                "text/plain",
                "text/plain;charset=UTF-8",
                "APPLICATION/JSON",
                "x")) {
            world.http()
                    .sloppy()
                    .with("Content-Type", type)
                    .post("/v0/inboxes", json("display_name", "Any"))
                    .is(200);
            Answer refused = world.http()
                    .with("Content-Type", type)
                    .post("/v0/inboxes", "display_name=Any")
                    .is(400);
            assertThat(String.valueOf(refused.at("errors")))
                    .contains(type.contains("JSON") ? "line 1" : "Content-Type application/json");
        }
        assertThat(world.anonymous()
                        .with("Content-Type", "text/plain")
                        .post("/v0/agent/sign-up", "{}")
                        .is(400)
                        .at("errors.0.path"))
                .isEqualTo(List.of("headers", "content-type"));
    }

    @Test
    void aValueThatIsRefusedIsQuotedWithWhatIsExpected() {
        Answer type = world.http().post("/v0/webhooks", """
                {"url":"https://x.test","event_types":["message.sent","message_received"]}""").is(400);
        assertThat(type.at("errors.0.path")).isEqualTo(List.of("event_types", 1L));
        assertThat(type.text("errors.0.message")).contains("\"message_received\"", "did you mean message.received?");
        assertThat(type.text("errors.0.expected")).startsWith("one of message.received, ");
        Answer time = world.http()
                .get(path("/messages?after=2026-01-01T00:00:00+02:00"))
                .is(400);
        assertThat(time.text("message")).contains("%2B", "\"2026-01-01T00:00:00 02:00\"");
        assertThat(time.at("errors.0.code")).isEqualTo("invalid_format");
        Answer subject = world.http()
                .post(path("/messages/send"), json("to", "x@y.test", "subject", "One\nBcc: y"))
                .is(400);
        assertThat(subject.text("message")).contains("line break after \"One\"");
        Answer label = world.http()
                .post(path("/messages/send"), json("to", "x@y.test", "labels", List.of("a", "b,c")))
                .is(400);
        assertThat(label.at("errors.0.path")).isEqualTo(List.of("labels", 1L));
        assertThat(label.text("message")).isEqualTo("A label holds no comma: \"b,c\"");
        Answer flag = world.http()
                .post("/v0/api-keys", json("permissions", object("inbox_raed", true)))
                .is(400);
        assertThat(flag.text("message")).isEqualTo("There is no permission \"inbox_raed\"; did you mean inbox_read?");
        assertThat(world.http()
                        .post("/v0/webhooks", json("url", "https://x.test"))
                        .is(400)
                        .at("errors.0.code"))
                .isEqualTo("required");
        assertThat(world.http()
                        .post("/v0/inboxes", json("display_name", 1))
                        .is(400)
                        .at("errors"))
                .isEqualTo(List.of(Map.of(
                        "path", List.of("display_name"),
                        "message", "display_name must be a string",
                        "code", "invalid_type",
                        "expected", "a string")));
    }

    @Test
    void headIsServedWhereverALinkOrAPageIs() {
        world.mail("jo@example.com", inbox, "From: jo@example.com\nMessage-ID: <head@x.test>\nSubject: S\n\nHello.\n");
        String raw = URI.create(world.http()
                        .get(path("/messages/%3Chead@x.test%3E/raw"))
                        .is(200)
                        .text("download_url"))
                .getRawPath();
        for (String page : List.of(raw, "/healthz", "/metrics", "/docs/errors", "/sandbox/messages")) {
            Answer whole = world.anonymous().get(page).is(200);
            Answer header = world.anonymous().send("HEAD", page, null).is(200);
            assertThat(header.text()).as(page).isEmpty();
            assertThat(header.header("Content-Type")).as(page).isEqualTo(whole.header("Content-Type"));
            if (!page.equals("/metrics")) { // they change with each request
                assertThat(header.header("Content-Length")).as(page).isEqualTo(whole.header("Content-Length"));
            }
        }
        assertThat(world.anonymous()
                        .with("Range", "bytes=0-1")
                        .send("HEAD", raw, null)
                        .is(200)
                        .header("Accept-Ranges"))
                .isEqualTo("bytes");
        world.anonymous().send("HEAD", "/download/none", null).is(403);
        for (String path : List.of("/v0/inboxes/", "/v0//inboxes", "//", "/healthz/")) {
            world.http().get(path).is(404);
        }
        Answer refused = world.http().send("PUT", "/v0/inboxes", "{}").is(404);
        assertThat(refused.header("Allow")).isEqualTo("GET, HEAD, POST");
        assertThat(refused.text("fix")).isEqualTo("This path has GET, HEAD, POST, not PUT.");
        world.http().send("HEAD", "/v0/inboxes", null).is(200);
    }

    @Test
    void aTakenUsernameComesWithThreeThatAreFree() {
        world.inbox("wanted");
        world.inbox("wanted2");
        world.inbox("agent7");
        for (String taken : List.of("wanted", "agent7", "postmaster", "WANTED")) {
            Answer refused =
                    world.http().post("/v0/inboxes", json("username", taken)).is(403);
            assertThat(refused.at("code")).isEqualTo("resource_taken");
            List<?> free = refused.list("suggestions");
            assertThat(free).hasSize(3).doesNotHaveDuplicates();
            for (Object name : free) {
                assertThat(refused.text("fix")).contains(String.valueOf(name));
                world.http()
                        .post("/v0/inboxes", json("username", String.valueOf(name)))
                        .is(200);
            }
        }
        assertThat(world.anonymous()
                        .post("/v0/agent/sign-up", json("human_email", "new@human.test", "username", "wanted"))
                        .is(403)
                        .list("suggestions"))
                .hasSize(3);
    }

    @Test
    void aLimitThatIsReachedIsNamed() {
        StringBuilder inboxes = new StringBuilder("\"" + inbox + "\"");
        for (int i = 0; i < 10; i++) {
            inboxes.append(",\"x").append(i).append("@y.test\"");
        }
        try (SocketProbe socket = SocketProbe.open(world.httpPort(), world.key())) {
            socket.say("""
                    {"type":"subscribe","inbox_ids":[%s]}""".formatted(inboxes));
            assertThat(socket.next().text()).contains(members("resource", "targets"), members("limit", 10));
        }
    }

    @Test
    void receivedMailWithoutASubjectHasNone() {
        String[] subjects = {"", "Subject:\n", "Subject: \n", "Subject: =?utf-8?Q?=E2=80=8B?=\n"};
        for (int i = 0; i < subjects.length; i++) {
            String id = "<subject" + i + "@x.test>";
            world.mail(
                    "jo@example.com",
                    inbox,
                    "From: jo@example.com\nMessage-ID: " + id + "\n" + subjects[i] + "\nHi.\n");
            Answer message = world.http()
                    .get(path("/messages/%3Csubject" + i + "@x.test%3E"))
                    .is(200);
            assertThat(message.text()).as(subjects[i]).doesNotContain("\"subject\"");
            assertThat(world.http()
                            .get(path("/threads/" + message.text("thread_id")))
                            .is(200)
                            .text())
                    .doesNotContain("\"subject\"");
        }
    }

    @Test
    void bothNamesOfAPermissionAreShownAndTaken() {
        Answer key = world.http().post("/v0/api-keys", """
                {"permissions":{"app_connect":true,"provider_share_owner":true,"thread_read":true,
                "thread_delete":true}}""").is(200);
        assertThat(key.at("permissions"))
                .isEqualTo(Map.of(
                        "message_read", true,
                        "message_delete", true,
                        "provider_connect", true,
                        "app_connect", true,
                        "provider_share_owner", true,
                        "app_share_owner", true));
        for (String contradiction : List.of("thread_read message_read", "provider_share_owner app_share_owner")) {
            String[] names = contradiction.split(" ", -1);
            world.http()
                    .post("/v0/api-keys", json("permissions", object(names[0], true, names[1], false)))
                    .is(400);
        }
    }
}
