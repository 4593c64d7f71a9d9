package dev.inboxd.screening;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.tenant.organization.Organizations;
import dev.inboxd.tenant.organization.SecurityMode;
import dev.inboxd.testing.Eventually;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The modes: who sets them, when they count, and what each does with mail (security.md §1, rulings 79 to 83). */
class SecurityModeHttpTest {
    @Test
    void asShippedNothingIsScanned() {
        try (SecuredWorld secured = SecuredWorld.start("")) {
            HttpProbe http = secured.world().http();
            assertThat(http.get("/v0/organizations").is(200).at("message_security"))
                    .isEqualTo("off");
            String mail = secured.order();
            assertThat(http.get(secured.path(mail)).is(200).at("security")).isNull();
            assertThat(secured.log(mail)).containsExactly("message.received received,unread");
            http.post(secured.path(mail) + "/security-feedback", json("feedback", "missed_threat"))
                    .is(409);
        }
    }

    @Test
    void theServersModeCountsForWhoChoseNone() {
        try (SecuredWorld secured = SecuredWorld.start(Map.of("INBOXD_MESSAGE_SECURITY", "hold"), "")) {
            HttpProbe http = secured.world().http();
            assertThat(http.get("/v0/organizations").is(200).at("message_security"))
                    .isEqualTo("hold");
            assertThat(http.get(secured.path(secured.order())).is(200).list("labels"))
                    .asString()
                    .contains("held");
            secured.mode("monitor").is(403);
            HttpProbe.Answer lowered = secured.releaser()
                    .patch("/v0/organizations", json("message_security", "monitor"))
                    .is(200);
            assertThat(lowered.at("message_security")).isEqualTo("monitor");
            assertThat(lowered.text("organization_id"))
                    .isEqualTo(http.get("/v0/organizations").is(200).text("organization_id"));
            assertThat(http.get(secured.path(secured.order())).is(200).list("labels"))
                    .asString()
                    .doesNotContain("held");
        }
    }

    @ParameterizedTest
    @Tag("long")
    @CsvSource(delimiter = '|', textBlock = """
                    {}
                    {"message_security":"strict"}
                    {"message_security":true}
                    {"mode":"hold"}""")
    void anotherModeIsRefused(String body) {
        try (SecuredWorld secured = SecuredWorld.start("")) {
            secured.world().http().patch("/v0/organizations", body).is(400);
        }
    }

    @Test
    void keysOfLessThanTheOrganizationSetNothing() {
        try (SecuredWorld secured = SecuredWorld.start("")) {
            World world = secured.world();
            String body = json("message_security", "hold");
            for (String key : List.of(world.inboxKey(secured.inbox()), world.podKey(world.pod("other")))) {
                HttpProbe.Answer refused =
                        world.as(key).patch("/v0/organizations", body).is(403);
                assertThat(refused.text("code")).isEqualTo("missing_permission");
                assertThat(refused.text("fix")).contains("organization_read");
            }
            String restricted = world.http()
                    .post("/v0/api-keys", json("permissions", object("message_read", true, "inbox_read", true)))
                    .is(200)
                    .text("api_key");
            assertThat(world.as(restricted)
                            .patch("/v0/organizations", body)
                            .is(403)
                            .text("code"))
                    .isEqualTo("unrestricted_key_required");
            world.as(world.session()).patch("/v0/organizations", body).is(200);
            world.as(world.session())
                    .patch("/v0/organizations", json("message_security", "off"))
                    .is(200);
        }
    }

    /** The other node has just stored mail in the mode of before, and its next mail is judged all the same. */
    @Test
    void aChangeCountsForTheNextMailOnEveryNode() {
        try (SecuredWorld secured = SecuredWorld.start("");
                World other = secured.world().beside()) {
            SecuredWorld there = new SecuredWorld(other, secured.inbox());
            other.dns().text("friend.test", "v=spf1 ip4:127.0.0.1 -all");
            String before = there.order();
            assertThat(other.http().get(there.path(before)).is(200).at("security"))
                    .isNull();
            secured.mode("hold").is(200);
            String after = there.order();
            assertThat(other.http().get(there.path(after)).is(200).list("labels"))
                    .asString()
                    .contains("held");
            assertThat(secured.log(after))
                    .containsExactly("label.added received,unread,held", "message.security.review");
            // the operator's command writes to the same rows
            other.database().<Boolean>write(other.organization(), tx -> {
                Organizations.setMessageSecurity(
                        tx, other.organization(), SecurityMode.OFF, tx.next().at());
                return true;
            });
            String last = secured.order();
            assertThat(secured.world().http().get(secured.path(last)).is(200).at("security"))
                    .isNull();
        }
    }

    @Test
    void mailIsJudgedWhateverElseItIsLabelled() {
        try (SecuredWorld secured = SecuredWorld.start("hold")) {
            HttpProbe http = secured.world().http();
            String stranger = secured.mail("Hello", "", SecuredWorld.ORDER + "\n", "who@stranger.test");
            assertThat(http.get(secured.path(stranger)).is(200).at("labels"))
                    .isEqualTo(List.of("received", "unread", "unauthenticated", "held"));
            http.post(secured.path() + "/lists/receive/block", json("entry", SecuredWorld.FRIEND))
                    .is(200);
            assertThat(http.get(secured.path(secured.order())).is(200).at("labels"))
                    .isEqualTo(List.of("received", "unread", "blocked", "held"));
            String sender = secured.world().inbox("colleague");
            String local = http.post(
                            "/v0/inboxes/" + sender + "/messages/send",
                            json("to", List.of(secured.inbox()), "text", SecuredWorld.ORDER))
                    .is(200)
                    .text("message_id");
            Eventually.await(() -> http.get(secured.path(local)).status() == 200);
            assertThat(http.get(secured.path(local)).is(200).at("labels"))
                    .isEqualTo(List.of("received", "unread", "held"));
        }
    }

    @Test
    @Tag("long")
    void monitorTellsOfMailAsEverAndThenOfItsVerdict() throws IOException {
        try (SecuredWorld secured = SecuredWorld.start("monitor");
                FakeEndpoint endpoint = FakeEndpoint.start()) {
            HttpProbe http = secured.world().http();
            String types = members("event_types", List.of("message.received"));
            String hook = http.post("/v0/webhooks", """
                    {"url":"%s",%s}""".formatted(endpoint.url("/hook"), types))
                    .is(200)
                    .text("webhook_id");
            endpoint.always(endpoint.hang());
            String mail = secured.order();
            FakeEndpoint.Received first = endpoint.take();
            assertThat(first.text()).contains("xylophone").doesNotContain("\"security\"");
            assertThat(http.get(secured.path(mail)).is(200).at("security.verdict"))
                    .isEqualTo("review");
            assertThat(http.get(secured.path() + "/messages").is(200).at("messages.0.security.verdict"))
                    .isEqualTo("review");
            assertThat(secured.log(mail))
                    .containsExactly("message.received received,unread", "message.security.completed");
            http.patch(
                            "/v0/webhooks/" + hook,
                            json("event_types", List.of("message.received", "message.security.completed")))
                    .is(200);
            endpoint.always(FakeEndpoint.status(200));
            secured.world().restart();
            assertThat(endpoint.take().text()).isEqualTo(first.text());
            secured.world().dns().text("friend.test", "v=spf1 ip4:127.0.0.1 -all");
            secured.mail("Lunch", "At noon?");
            assertThat(List.of(endpoint.take().text(), endpoint.take().text()))
                    .anyMatch(text -> text.contains("Lunch") && !text.contains("\"security\""))
                    .anyMatch(text -> text.contains(members("verdict", "clear")) && !text.contains("Lunch"));
        }
    }

    @Test
    void onFeedbackReadersSpendTwentyOpinions() throws Exception {
        try (SecuredWorld secured = SecuredWorld.start("monitor");
                var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            World world = secured.world();
            String mail = secured.order();
            String reader = world.http()
                    .post("/v0/api-keys", json("permissions", object("message_read", true, "inbox_read", true)))
                    .is(200)
                    .text("api_key");
            String path = secured.path(mail) + "/security-feedback";
            HttpProbe.Answer given = world.as(reader)
                    .post(path, json("feedback", "incorrect_review", "notes", "A\nquote"))
                    .is(200);
            assertThat(given.at("feedback")).isEqualTo("incorrect_review");
            assertThat(given.at("notes")).isEqualTo("A\nquote");
            assertThat(given.text("feedback_id")).hasSize(36);
            assertThat(given.text("created_at")).endsWith("Z");
            List<Future<HttpProbe.Answer>> answers = new ArrayList<>();
            for (int i = 0; i < 25; i++) {
                answers.add(threads.submit(() -> world.as(reader).post(path, json("feedback", "missed_threat"))));
            }
            int stored = 1;
            for (var answer : answers) {
                stored += answer.get().status() == 200 ? 1 : 0;
            }
            assertThat(stored).isEqualTo(20);
            assertThat(world.as(reader)
                            .post(path, json("feedback", "missed_threat"))
                            .is(403)
                            .text("code"))
                    .isEqualTo("limit_exceeded");
            for (String body : List.of("{}", json("feedback", "x"), json("feedback", "missed_threat", "notes", " "))) {
                world.as(reader).post(path, body).is(400);
            }
            world.as(reader)
                    .post(secured.path("<no@x.test>") + "/security-feedback", json("feedback", "missed_threat"))
                    .is(404);
        }
    }
}
