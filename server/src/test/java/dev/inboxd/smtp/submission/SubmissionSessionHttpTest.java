package dev.inboxd.smtp.submission;

import static dev.inboxd.smtp.submission.SubmissionProbe.content;
import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who submits is who it says, as every reader sees it, and for as long as its key lasts (attack A9, promise P12). */
class SubmissionSessionHttpTest {
    private static final List<String> JO = List.of("jo@elsewhere.test");

    @RegisterExtension
    private static final World world = World.start();

    @Test
    @Proves("A9a")
    void nobodyLooksLikeSomebodyElseToAnyReader() {
        String inbox = world.inbox("looks");
        String own = "<" + inbox + ">";
        try (SubmissionProbe probe = opened(world, inbox, world.key())) {
            for (String from : List.of(
                    "ceo@victim.test " + own,
                    "\"ceo@victim.test\" " + own,
                    "a@b.test, " + own,
                    "friends: " + inbox + ";",
                    own + " (ceo@victim.test)",
                    inbox + " (ceo)",
                    "<@relay.test:" + inbox + ">",
                    "=?utf-8?q?ceo=40victim.test?= " + own,
                    "=?utf-8?b?Y2Vv77ygdmljdGltLnRlc3Q=?= " + own, // a wide @
                    "\"=?utf-8?q?ceo=40victim.test?=\" " + own,
                    "=?utf-8?q?ceo=40?= =?utf-8?q?victim.test?= " + own,
                    "Ceo " + own + " x",
                    own + own,
                    "Ceo " + own + ",",
                    "x " + inbox,
                    "Ceo <<" + inbox + ">>")) {
                assertThat(probe.send(inbox, JO, "From: " + from + "\n\nx"))
                        .as(from)
                        .startsWith("550-5.7.1 Sender not");
                assertThat(probe.send(inbox, JO, "From: " + inbox + "\nSender: " + from + "\n\nx"))
                        .as(from)
                        .startsWith("550-5.7.1 Sender not");
            }
            for (String header : List.of(
                    "From ceo@victim.test Sun Nov 22\nFrom: " + inbox,
                    "From ceo@victim.test\nFrom: " + inbox,
                    ">From ceo@victim.test\nFrom: " + inbox,
                    " folded\nFrom: " + inbox,
                    "no field\nFrom: " + inbox,
                    "From : " + inbox,
                    "From: " + inbox + "\n \nFrom: ceo@victim.test",
                    "From: " + inbox + "\nX:a\0b",
                    ": x\nFrom: " + inbox,
                    "From: " + inbox + "\nContent-Type: text/plain\nContent-Type: text/html",
                    "From: " + inbox + "\nContent-Type: text/plain; charset=utf-8; charset=utf-7")) {
                assertThat(probe.send(inbox, JO, header + "\n\nx")).as(header).startsWith("554 5.6.0 The header");
            }
            for (String from : List.of(
                    inbox,
                    own,
                    "Ann Doe " + own,
                    "Ann J. Doe " + own,
                    "\"Doe, Ann\" \"(sales)\" " + own,
                    "\n Ann\n " + own,
                    "=?utf-8?q?J=C3=B6_=40_Acme?= " + own,
                    "Jö " + own,
                    "\"" + inbox + "\" " + own,
                    "\"Ann @ Acme\" " + own)) {
                assertThat(probe.send(inbox, JO, "From: " + from + "\n\nx"))
                        .as(from)
                        .startsWith("250");
            }
        }
        // the interface is as strict with the name it writes there
        for (String name : List.of("ceo@victim.test", "Ceo <ceo@victim.test>", "ceo\uff20victim.test", "x" + inbox)) {
            String body = json("display_name", name);
            assertThat(world.http().patch("/v0/inboxes/" + inbox, body).is(400).text())
                    .contains("display_name", "somebody else");
            assertThat(world.http().post("/v0/inboxes", body).is(400).text()).contains("display_name", "somebody else");
        }
        world.http()
                .patch("/v0/inboxes/" + inbox, json("display_name", "Ann @ Acme, " + inbox))
                .is(200);
    }

    @Test
    @Proves({"P10b", "P12"})
    void aSessionIsClosedWhenItsKeyIsRevokedOrExpiresOnAnyNode() {
        String inbox = world.inbox("revoked");
        Answer made = key(json("name", "soon gone"));
        String expires = world.clock().instant().plus(Duration.ofHours(1)).toString();
        Answer expiring = key(json("name", "short", "expires_at", expires));
        try (World other = world.beside();
                SubmissionProbe here = opened(world, inbox, made.text("api_key"));
                SubmissionProbe there = opened(other, inbox, made.text("api_key"));
                SubmissionProbe brief = opened(world, inbox, expiring.text("api_key"));
                SubmissionProbe staying = opened(world, inbox, world.key())) {
            assertThat(here.send(inbox, JO, "From: " + inbox + "\n\nx")).startsWith("250");
            world.http().delete("/v0/api-keys/" + made.text("api_key_id")).is(200);
            for (SubmissionProbe probe : List.of(here, there)) {
                assertThat(probe.reply()).startsWith("421 4.7.0"); // nobody has said a word
                assertThat(probe.reply()).isEmpty();
            }
            world.advance(Duration.ofHours(2));
            assertThat(brief.reply()).startsWith("421 4.7.0");
            assertThat(staying.send(inbox, JO, "From: " + inbox + "\n\nx")).startsWith("250");
        }
    }

    @Test
    @Proves("P10b")
    void aKeyThatLostThePermissionOrTheInboxBeginsNoMessageAndEndsNoneThatIsComing() {
        String inbox = world.inbox("narrowed");
        Answer made = key(json("name", "narrowed"));
        try (SubmissionProbe probe = opened(world, inbox, made.text("api_key"));
                SubmissionProbe during = opened(world, inbox, made.text("api_key"))) {
            assertThat(during.begin(inbox, JO)).startsWith("354");
            world.http()
                    .patch("/v0/api-keys/" + made.text("api_key_id"), json("permissions", object("message_read", true)))
                    .is(200);
            assertThat(probe.command("MAIL FROM:<" + inbox + ">")).startsWith("421 4.7.0");
            assertThat(probe.reply()).isEmpty();
            assertThat(during.command(content("From: " + inbox + "\n\nx"))).startsWith("550");
        }
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages")
                        .is(200)
                        .list("messages"))
                .isEmpty();
    }

    private static SubmissionProbe opened(World at, String inbox, String secret) {
        SubmissionProbe probe = new SubmissionProbe(at.submissionPort());
        assertThat(probe.login(inbox, secret)).startsWith("235");
        return probe;
    }

    private static Answer key(String body) {
        return world.http().post("/v0/api-keys", body).is(200);
    }
}
