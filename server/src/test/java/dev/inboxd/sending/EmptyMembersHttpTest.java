package dev.inboxd.sending;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Programs fill optional members with "": that is as if they had left them out (mail.md §1.1). */
class EmptyMembersHttpTest {
    private static final List<String> BLANK = List.of("", " ", "\r\n\t", "\u200b", "\u00a0\u2800\ufeff");
    private static final List<String> BLANK_HTML =
            List.of("<p></p>", "<html><head><title>x</title></head><body>&nbsp;<br></body></html>", "<!-- x --> ");

    @RegisterExtension
    private static final World world = World.start();

    private static String inbox;

    @BeforeAll
    static void start() {
        inbox = world.inbox("empty");
        world.mail("jo@example.com", inbox, "From: jo@example.com\nMessage-ID: <empty@x.test>\nSubject: S\n\nHello.\n");
    }

    /** An empty string is sent also where the description knows none. */
    private static HttpProbe http() {
        return world.http().sloppy();
    }

    @Test
    @Tag("long")
    void noWayOfSendingMakesAnEmptyAlternative() {
        String message = "/messages/" + URLEncoder.encode("<empty@x.test>", StandardCharsets.UTF_8);
        for (String way : List.of("/messages/send", message + "/reply", message + "/reply-all", "draft", "patch")) {
            for (String blank : BLANK) {
                assertThat(raw(sent(way, "hello", blank))).as(way).doesNotContain("text/html", "multipart/");
                assertThat(raw(sent(way, blank, "<p>hello</p>"))).as(way).doesNotContain("text/plain", "multipart/");
            }
            for (String blank : BLANK_HTML) {
                assertThat(raw(sent(way, "hello", blank))).as(way + blank).doesNotContain("text/html", "multipart/");
            }
            assertThat(raw(sent(way, "hello", "<img src=\"https://x.test/a.png\">")))
                    .as(way)
                    .contains("text/html", "text/plain");
            String alone = sent(way, "\u200b\n", "");
            assertThat(raw(alone)).as(way).doesNotContain("multipart/");
            assertThat(shown(alone).at("text")).as(way).isNull();
            assertThat(shown(alone).at("html")).as(way).isNull();
        }
    }

    @Test
    void aForwardHasNoEmptyAlternativeOfItsOwn() {
        String forward = "/messages/" + URLEncoder.encode("<empty@x.test>", StandardCharsets.UTF_8) + "/forward";
        for (String blank : BLANK) {
            assertThat(raw(sent(forward, blank, blank)))
                    .doesNotContain("text/html")
                    .contains("Hello.");
        }
    }

    @Test
    void eachOptionalStringMayBeEmpty() {
        Map<String, List<String>> members = Map.of(
                "/v0/inboxes",
                List.of("username", "domain", "display_name", "client_id", "status"),
                "/v0/pods",
                List.of("description", "client_id"),
                "/v0/api-keys",
                List.of("expires_at"),
                path("/messages/send"),
                List.of("cc", "bcc", "reply_to", "subject", "text", "html", "labels"),
                path("/drafts"),
                List.of(
                        "cc",
                        "bcc",
                        "reply_to",
                        "subject",
                        "text",
                        "html",
                        "labels",
                        "in_reply_to",
                        "forward_of",
                        "send_at",
                        "client_id"));
        members.forEach((path, names) -> {
            for (String name : names) {
                String body = "{" + members(name, "")
                        + (path.contains("inboxes/") ? "," + members("to", "x@y.test") : "") + "}";
                HttpProbe.Answer answer = http().post(path, body).is(200);
                assertThat(answer.at(name)).as(path + " " + name).isNotEqualTo("");
            }
        });
        http().post(path("/messages/send"), """
            {"to":"x@y.test","attachments":[{"filename":"","content_type":"","content_id":"",
            "content_disposition":"","url":"","content":""}]}\
            """).is(200);
        for (String required : List.of("/v0/domains domain", "/v0/webhooks url", "/v0/lists/receive/block entry")) {
            String[] parts = required.split(" ", -1);
            assertThat(http().post(parts[0], json(parts[1], "", "event_types", "message.received"))
                            .is(400)
                            .at("errors.0.message"))
                    .isEqualTo(parts[1] + " is required");
        }
    }

    @Test
    void anEmptyStringInAChangeClears() {
        String draft = http().post(path("/drafts"), """
                    {"to":"a@y.test","cc":"b@y.test","reply_to":"c@y.test","subject":"S","text":"T","html":"H",
                    "send_at":"2100-01-01T00:00:00Z"}\
                    """.replace(
                                "2100-01-01T00:00:00Z",
                                world.clock().instant().plusSeconds(3_600).toString()))
                .is(200)
                .text("draft_id");
        for (String name : List.of("to", "cc", "reply_to", "subject", "text", "html", "send_at")) {
            HttpProbe.Answer changed =
                    http().patch(path("/drafts/" + draft), json(name, "")).is(200);
            assertThat(changed.at(name)).as(name).isIn(null, List.of());
        }
        http().patch(path("/drafts/" + draft), json("in_reply_to", "", "forward_of", ""))
                .is(200);
        http().patch("/v0/inboxes/" + inbox, json("display_name", "Someone")).is(200);
        assertThat(http().patch("/v0/inboxes/" + inbox, json("display_name", ""))
                        .is(200)
                        .at("display_name"))
                .isNotEqualTo("Someone");
    }

    /** The id of a message with these bodies. */
    private static String sent(String way, String text, String html) {
        boolean isReply = way.contains("/reply");
        String bodies = members("text", text, "html", html) + "}";
        String body = (isReply ? "{" : "{" + members("to", "x@y.test") + ",") + bodies;
        if (way.startsWith("/")) {
            return http().post(path(way), body).is(200).text("message_id");
        }
        boolean isChange = way.equals("patch");
        String first = isChange ? json("to", "x@y.test", "text", "before", "html", "before") : body;
        String draft = http().post(path("/drafts"), first).is(200).text("draft_id");
        if (isChange) {
            http().patch(path("/drafts/" + draft), body).is(200);
        }
        return http().post(path("/drafts/" + draft + "/send"), "").is(200).text("message_id");
    }

    private static String path(String rest) {
        return "/v0/inboxes/" + inbox + rest;
    }

    private static HttpProbe.Answer shown(String id) {
        return http().get(path("/messages/" + URLEncoder.encode(id, StandardCharsets.UTF_8)))
                .is(200);
    }

    private static String raw(String id) {
        URI link = URI.create(http().get(path("/messages/" + URLEncoder.encode(id, StandardCharsets.UTF_8) + "/raw"))
                .is(200)
                .text("download_url"));
        try (InputStream in = link.toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
