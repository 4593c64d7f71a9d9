package dev.inboxd.sending.feedback;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** From the field {@code List-Unsubscribe-Post} to the entry that a click makes. */
class UnsubscribeHttpTest {
    private static final String FORM = "List-Unsubscribe=One-Click";

    @RegisterExtension
    private static final World world = World.start();

    private static String inbox;

    @BeforeAll
    static void start() {
        inbox = world.inbox("news");
    }

    @Test
    @Proves("A42a")
    void onlyAPostOfTheFormUnsubscribes() {
        String link = link("Reader@Victim.test");
        HttpProbe.Answer page = world.anonymous().get(link).is(200);
        assertThat(page.header("Content-Type")).startsWith("text/html");
        assertThat(page.text()).contains("<form method=\"post\">", "List-Unsubscribe");
        assertThat(page.header("Set-Cookie")).isNull();
        world.anonymous().send("HEAD", link, null).is(200);
        world.anonymous().post(link, "").is(400);
        world.anonymous().post(link, json("a", 1)).is(400);
        assertThat(send("reader@victim.test", "").status())
                .as("nothing has happened yet")
                .isEqualTo(200);

        form(link, FORM).is(200);
        HttpProbe.Answer entry =
                world.http().get("/v0/lists/send/block/reader@victim.test").is(200);
        assertThat(entry.text("reason")).isEqualTo("unsubscribed");
        assertThat(entry.at("read_only")).isEqualTo(true);
        assertThat(send("reader@victim.test", "").is(403).text("message")).contains("unsubscribed");
        assertThat(world.http()
                        .delete("/v0/lists/send/block/reader@victim.test")
                        .is(409)
                        .text("code"))
                .isEqualTo("cannot_delete");
        form(link, FORM).is(200);
    }

    @Test
    void theFormMayBeOfEitherEncodingAndAnEarlierReasonStays() {
        String link = link("multi@victim.test");
        world.anonymous()
                .with("Content-Type", "multipart/form-data; boundary=x")
                .post(
                        link,
                        "--x\r\nContent-Disposition:"
                                + " form-data; name=\"List-Unsubscribe\"\r\n\r\nOne-Click\r\n--x--\r\n")
                .is(200);
        assertThat(world.http()
                        .get("/v0/lists/send/block/multi@victim.test")
                        .is(200)
                        .text("reason"))
                .isEqualTo("unsubscribed");
    }

    @Test
    @Proves("A42a")
    void nobodyUnsubscribesSomebodyElse() {
        String link = link("safe@victim.test");
        String token = link.substring(link.lastIndexOf('/') + 1);
        for (int at = 0; at < token.length(); at += 7) {
            char other = token.charAt(at) == 'A' ? 'Q' : 'A';
            String forged = "/unsubscribe/" + token.substring(0, at) + other + token.substring(at + 1);
            form(forged, FORM).is(403);
            world.anonymous().get(forged).is(403);
        }
        form("/unsubscribe/x", FORM).is(403);
        form("/unsubscribe/" + "A".repeat(2_000), FORM).is(403);
        world.http().get("/v0/lists/send/block/safe@victim.test").is(404);
    }

    @Test
    void theLinkIsForOneRecipientAndWhoHasOneOfItsOwnKeepsIt() {
        assertThat(world.http()
                        .post("/v0/inboxes/" + inbox + "/messages/send", """
                {"to":["a@victim.test","b@victim.test"],"text":"Hi",
                "headers":{"List-Unsubscribe-Post":"%s"}}""".formatted(FORM))
                        .is(422)
                        .text("code"))
                .isEqualTo("unprocessable");
        String own =
                members("headers", object("List-Unsubscribe-Post", FORM, "List-Unsubscribe", "<https://own.test/u>"));
        assertThat(unsubscribe(send("own@victim.test", own).is(200))).isEqualTo("<https://own.test/u>");
    }

    private static HttpProbe.Answer form(String path, String form) {
        return world.anonymous()
                .with("Content-Type", "application/x-www-form-urlencoded")
                .post(path, form);
    }

    private static HttpProbe.Answer send(String to, String members) {
        return world.http().post("/v0/inboxes/" + inbox + "/messages/send", """
                {"to":"%s","text":"Hi"%s}""".formatted(
                        to, (members.isEmpty() ? "" : "," + members)));
    }

    private static String link(String to) {
        String field = unsubscribe(send(to, members("headers", object("List-Unsubscribe-Post", FORM)))
                .is(200));
        assertThat(field)
                .startsWith("<http://127.0.0.1:" + world.httpPort() + "/unsubscribe/")
                .endsWith(">");
        return URI.create(field.substring(1, field.length() - 1)).getPath();
    }

    private static String unsubscribe(HttpProbe.Answer sent) {
        Object headers = world.http()
                .get("/v0/inboxes/" + inbox + "/messages/"
                        + URLEncoder.encode(sent.text("message_id"), StandardCharsets.UTF_8))
                .is(200)
                .at("headers");
        return (String) Objects.requireNonNull(((Map<?, ?>) Objects.requireNonNull(headers)).get("List-Unsubscribe"));
    }
}
