package dev.inboxd.sandbox.person;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What mail to people by script meets, and what they do then, on a relay that nothing may reach. */
class ScriptedPeopleHttpTest {
    private static final String RULES = "/sandbox/recipients";

    @RegisterExtension
    private static final World world = World.start(Map.of(
            "INBOXD_DELIVERY",
            "relay",
            "INBOXD_RELAY",
            "smtp://127.0.0.1:9",
            "INBOXD_PRIVATE_TARGETS",
            "allow",
            "INBOXD_TRACKING_HOST",
            "link.mail.localhost"));

    private String inbox;

    @BeforeEach
    void inbox(TestInfo test) {
        inbox = world.http().post("/v0/inboxes", "{}").is(200).text("inbox_id");
    }

    @Test
    void theyTakeRefuseAndDelayAsTheirNamesSay() {
        String taken = send("accept@sandbox.test");
        awaitLabel(taken, "delivered");
        awaitLabel(send("Anybody+tag@a1.sandbox.test"), "delivered");
        String bounced = send("bounce@a1.sandbox.test");
        awaitLabel(bounced, "bounced");
        assertThat(get(bounced).text("deliveries.0.answer")).startsWith("550 5.1.1");
        String refused = send("bounce-5.7.1+x@a2.sandbox.test");
        awaitLabel(refused, "bounced");
        assertThat(get(refused).text("deliveries.0.answer")).startsWith("550 5.7.1");
        String full = send("full@a1.sandbox.test");
        awaitLabel(full, "delayed");
        assertThat(get(full).text("deliveries.0.answer")).startsWith("452 4.2.2");
        String delayed = send("delay-10m@a1.sandbox.test");
        awaitLabel(delayed, "delayed");
        assertThat(get(delayed).text("deliveries.0.answer")).startsWith("450 4.2.0");
        world.advance(Duration.ofMinutes(20));
        awaitLabel(delayed, "delivered");
        String again = json("to", "bounce@a1.sandbox.test", "text", "Again");
        world.http().post("/v0/inboxes/" + inbox + "/messages/send", again).is(403); // it is on the block list now
        assertThat(world.anonymous()
                        .get("/sandbox/messages?to=accept@sandbox.test&organization_id=" + world.organization())
                        .is(200)
                        .list("messages"))
                .hasSize(1);
    }

    @Test
    void theyAnswerInTheThreadAfterTheirTime() {
        String message = send("reply-2h@a1.sandbox.test");
        awaitLabel(message, "delivered");
        assertThat(received()).isEmpty();
        world.advance(Duration.ofHours(2));
        Eventually.await(() -> received().size() == 1);
        HttpProbe.Answer answer = get(received().getFirst());
        assertThat(answer.text("from")).isEqualTo("reply-2h@a1.sandbox.test");
        assertThat(answer.text("subject")).isEqualTo("Re: Offer");
        assertThat(answer.text("in_reply_to")).isEqualTo(message);
        assertThat(answer.text("thread_id")).isEqualTo(get(message).text("thread_id"));
        assertThat(answer.text("text")).contains("Thank you, received.", "> The offer");
        String away = send("out-of-office@a1.sandbox.test");
        awaitLabel(away, "delivered");
        world.advance(Duration.ofMinutes(1));
        Eventually.await(() -> received().size() == 2);
        assertThat(get(received().getFirst()).text("headers.Auto-Submitted")).isEqualTo("auto-replied");
    }

    @Test
    void theirReportsBounceAndComplain() {
        String bounced = send("bounce-later@b1.sandbox.test");
        String unwanted = send("complain@b1.sandbox.test");
        awaitLabel(bounced, "delivered");
        awaitLabel(unwanted, "delivered");
        world.advance(Duration.ofMinutes(1));
        awaitLabel(bounced, "bounced");
        awaitLabel(unwanted, "complained");
        world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", "complain@b1.sandbox.test", "text", "Hi"))
                .is(403);
    }

    @Test
    void aScriptIsWalkedMailByMailAndItsLastStepStays() {
        HttpProbe.Answer rule = world.http().post(RULES, """
                        {"match":"Kim@customers.example","inbox_id":"%s","script":[{"answer":"drop"},
                        {"then":[{"do":"reply","after":"PT3H","text":"Sorry, yes please.","quote":false,
                        "from":"Kim <kim@private.example>","attachments":[{"filename":"a.txt","content":"aGk="}]}]},
                        {"answer":"bounce","code":554,
                        "enhanced":"5.7.0","text":"Enough"}]}""".formatted(inbox)).is(200);
        assertThat(rule.text("match")).isEqualTo("kim@customers.example");
        String first = send("kim@customers.example");
        awaitLabel(first, "delivered");
        String second = follow(first);
        awaitLabel(second, "delivered");
        world.advance(Duration.ofHours(3));
        Eventually.await(() -> received().size() == 1);
        HttpProbe.Answer answer = get(received().getFirst());
        assertThat(answer.text("from")).isEqualTo("Kim <kim@private.example>");
        assertThat(answer.text("text").strip()).isEqualTo("Sorry, yes please.");
        assertThat(answer.text("attachments.0.filename")).isEqualTo("a.txt");
        assertThat(answer.text("thread_id")).isEqualTo(get(first).text("thread_id"));
        String third = follow(second);
        awaitLabel(third, "bounced");
        assertThat(get(third).text("deliveries.0.answer")).isEqualTo("554 5.7.0 Enough");
        HttpProbe.Answer list = world.http().get(RULES).is(200);
        assertThat(list.at("rules.0.hits")).isEqualTo(3L);
        world.http().delete(RULES + "/" + rule.text("rule_id")).is(200);
        world.http().delete(RULES + "/" + rule.text("rule_id")).is(404);
    }

    @Test
    void theNewestRuleWinsForItsTimesAndForItsOrganizationAlone() {
        rule(json("match", "*@c.example", "script", List.of(object("answer", "accept"))));
        rule(json("match", "*@c.example", "script", List.of(object("answer", "bounce")), "times", 1));
        awaitLabel(send("one@c.example"), "bounced");
        awaitLabel(send("two@c.example"), "delivered");
        HttpProbe other = world.as(world.otherOrganization());
        assertThat(other.get(RULES).is(200).at("count")).isEqualTo(0L);
        String foreign = other.post("/v0/inboxes", "{}").is(200).text("inbox_id");
        String theirs = other.post("/v0/inboxes/" + foreign + "/messages/send", json("to", "x@c.example", "text", "Hi"))
                .is(200)
                .text("message_id");
        String path = "/v0/inboxes/" + foreign + "/messages/" + encoded(theirs);
        Eventually.await(() -> other.get(path).text().contains("delayed")); // the relay is not there
        String mine = world.http().get(RULES).is(200).text("rules.0.rule_id");
        other.delete(RULES + "/" + mine).is(404);
        world.as(world.inboxKey(inbox)).get(RULES).is(403);
    }

    @Test
    void theyClickAndUnsubscribe() throws IOException {
        try (FakeEndpoint shop = FakeEndpoint.start()) {
            rule("""
                    {"match":"reader@c.test","script":[{"then":[{"do":"click","link":"confirm","after":"PT0S"},
                    {"do":"unsubscribe","after":"PT0S"}]}]}""");
            String link = shop.url("/yes?a=1");
            String message = world.http()
                    .post(
                            "/v0/inboxes/" + inbox + "/messages/send",
                            json(
                                    "to",
                                    "reader@c.test",
                                    "subject",
                                    "News",
                                    "html",
                                    "<a href='http://127.0.0.1:1/no'>No</a> <a href=\"" + link
                                            + "\">Please <b>confirm</b></a>",
                                    "headers",
                                    JsonObject.of("List-Unsubscribe", "<" + shop.url("/out") + ">")
                                            .with("List-Unsubscribe-Post", "List-Unsubscribe=One-Click")))
                    .is(200)
                    .text("message_id");
            awaitLabel(message, "delivered");
            assertThat(shop.take().path()).isEqualTo("/yes?a=1");
            assertThat(shop.take().text()).isEqualTo("List-Unsubscribe=One-Click");
        }
    }

    @Test
    void theyAnswerInvitations() {
        String event = world.http()
                .post("/v0/inboxes/" + inbox + "/calendar/events", """
                        {"title":"Review","start":"2099-01-01T10:00:00","end":"2099-01-01T11:00:00",
                        "attendees":[{"email":"accept-invitation@d.sandbox.test"},
                        {"email":"decline-invitation@d.sandbox.test"}],"send_invites":true}""")
                .is(201)
                .text("event.event_id");
        // Each takes a mail of its own; who takes it behind the advance answers a minute after that.
        for (String who : List.of("accept", "decline")) {
            Eventually.await(() -> world.anonymous()
                            .get("/sandbox/messages?to=" + who + "-invitation@d.sandbox.test")
                            .list("messages")
                            .size()
                    == 1);
        }
        world.advance(Duration.ofMinutes(2));
        String path = "/v0/inboxes/" + inbox + "/calendar/events/" + event;
        Eventually.await(() -> world.http().get(path).text().contains("\"accepted\"")
                && world.http().get(path).text().contains("\"declined\""));
    }

    @Test
    void aScriptMayAnswerAnInvitationTentatively() {
        rule(json("match", "maybe@c.example", "script", List.of(object("then", List.of(now("tentative"))))));
        String event = world.http()
                .post("/v0/inboxes/" + inbox + "/calendar/events", """
                        {"title":"Review","start":"2099-01-01T10:00:00","end":"2099-01-01T11:00:00",
                        "attendees":[{"email":"maybe@c.example"}],"send_invites":true}""")
                .is(201)
                .text("event.event_id");
        String path = "/v0/inboxes/" + inbox + "/calendar/events/" + event;
        Eventually.await(() -> world.http().get(path).text().contains("\"tentative\""));
    }

    @Test
    @Tag("long")
    void theyOpenMailThatHasAPixel() {
        rule(json("match", "reader@open.example", "script", List.of(object("then", List.of(now("open"))))));
        String tracked = json("to", "reader@open.example", "html", "<p>Hi</p>", "track_opens", true);
        String opened = world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", tracked)
                .is(200)
                .text("message_id");
        awaitLabel(opened, "opened");
        String plain = send("open@e.sandbox.test");
        awaitLabel(plain, "delivered");
        world.advance(Duration.ofMinutes(1));
        awaitLabel(send("accept@e.sandbox.test"), "delivered");
        assertThat(get(plain).list("labels").contains("opened")).isFalse();
    }

    private static JsonObject now(String what) {
        return object("do", what, "after", "PT0S");
    }

    @Test
    @Proves("P25")
    void whatPeopleDoIsOfOneOrganizationAlone() {
        HttpProbe other = world.as(world.otherOrganization());
        String foreign = other.post("/v0/inboxes", "{}").is(200).text("inbox_id");
        String rule = json(
                "match",
                "kim@both.example",
                "script",
                List.of(object("then", List.of(object("do", "reply", "after", "PT1H")))));
        rule(rule);
        other.post(RULES, rule).is(200);
        String mine = send("kim@both.example");
        awaitLabel(mine, "delivered");
        String path = "/v0/inboxes/" + foreign + "/messages";
        other.post(path + "/send", json("to", "kim@both.example", "text", "Hi")).is(200);
        Eventually.await(
                () -> other.get(path + "?labels=delivered").list("messages").size() == 1);
        world.http()
                .post("/sandbox/reset", json("keep", List.of("messages", "events")))
                .is(200);
        world.advance(Duration.ofHours(1));
        Eventually.await(
                () -> other.get(path + "?labels=received").list("messages").size() == 1);
        assertThat(received()).isEmpty();
        assertThat(world.http().get(RULES).is(200).at("count")).isEqualTo(0L);
        assertThat(other.get(RULES).is(200).at("rules.0.hits")).isEqualTo(1L);
    }

    @Test
    void anOrganizationHasAThousandRulesAndFourMebibytesOfScripts() {
        HttpProbe many = world.as(world.otherOrganization());
        UUID organization =
                UUID.fromString(many.get("/v0/organizations").is(200).text("organization_id"));
        world.database()
                .<Integer>write(
                        organization,
                        tx -> tx.sql(View.of(organization), """
                        insert into sandbox_rule (organization_id, rule_id, match, script, hits, created_at)
                        select {organization}, gen_random_uuid(), 'a@b.test', :script, 0, :at
                        from generate_series(1, 999)""")
                                .bind("script", "[{}]")
                                .bind("at", world.clock().instant())
                                .run());
        String small = json("match", "a@b.test", "script", List.of(object("answer", "drop")));
        many.post(RULES, small).is(200);
        assertThat(many.post(RULES, small).is(403).text("resource")).isEqualTo("rules");
        HttpProbe large = world.as(world.otherOrganization());
        String script = json(
                "match",
                "a@b.test",
                "script",
                List.of(object(
                        "then",
                        List.of(
                                object("do", "reply", "text", "x".repeat(99_000)),
                                object("do", "reply", "text", "y".repeat(99_000))))));
        for (int i = 0; i < 21; i++) {
            large.post(RULES, script).is(200);
        }
        assertThat(large.post(RULES, script).is(403).text("resource")).isEqualTo("script_bytes");
        large.post(RULES, small).is(200);
    }

    @Test
    void everyFaultHasThePathOfItsStep() {
        HttpProbe.Answer wrong = world.http().post(RULES, """
                        {"match":"nobody","script":[{"answer":"accept","code":550},
                        {"answer":"bounce","then":[{"do":"reply"}]},
                        {"then":[{"do":"dance","after":"soon"}]}]}""").is(400);
        List<String> paths = new ArrayList<>();
        wrong.list("errors").forEach(error -> paths.add(String.valueOf(((Map<?, ?>) error).get("path"))));
        assertThat(paths)
                .contains("[match]", "[script, 0, code]", "[script, 1, then]", "[script, 2, then, 0, do]")
                .contains("[script, 2, then, 0, after]");
        world.http().post(RULES, json("match", "a@b.test")).is(400);
        List<JsonObject> many = new ArrayList<>();
        for (int i = 0; i <= 50; i++) {
            many.add(object("answer", "drop"));
        }
        world.http().post(RULES, json("match", "a@b.test", "script", many)).is(400);
        String large = json("match", "a@b.test", "script", List.of(object("answer", "a".repeat(300_000))));
        world.http().post(RULES, large).is(413);
    }

    private static void rule(String rule) {
        world.http().post(RULES, rule).is(200);
    }

    private String send(String to) {
        return world.http()
                .post(
                        "/v0/inboxes/" + inbox + "/messages/send",
                        json("to", to, "subject", "Offer", "text", "The offer\nin two lines"))
                .is(200)
                .text("message_id");
    }

    private String follow(String message) {
        return world.http()
                .post(
                        "/v0/inboxes/" + inbox + "/messages/" + encoded(message) + "/reply",
                        json("to", "kim@customers.example", "text", "And?"))
                .is(200)
                .text("message_id");
    }

    private List<String> received() {
        List<String> ids = new ArrayList<>();
        world.http()
                .get("/v0/inboxes/" + inbox + "/messages?labels=received")
                .is(200)
                .list("messages")
                .forEach(message -> ids.add(String.valueOf(((Map<?, ?>) message).get("message_id"))));
        return ids;
    }

    private void awaitLabel(String message, String label) {
        Eventually.await(() -> get(message).list("labels").contains(label));
    }

    private HttpProbe.Answer get(String message) {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + encoded(message))
                .is(200);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
