package dev.inboxd.console;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.SmtpProbe;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Pages stay small however much there is to show, and every key has a button that can be seen. */
class ConsoleSizeHttpTest {
    private static final int PAGE = 31 * 1024;
    private static final int MANY = 35;

    @RegisterExtension
    private static final World world = World.start();

    private static ConsoleProbe console;
    private static String thread = "";

    @BeforeAll
    static void start() {
        console = ConsoleProbe.of(world, "full");
        String inbox = "/v0/inboxes/" + console.inbox();
        for (int i = 0; i < MANY; i++) {
            String name = "an-inbox-with-a-long-name-" + i;
            world.http()
                    .post("/v0/inboxes", json("username", name, "display_name", "Support of shop " + i))
                    .is(200);
            world.http().post("/v0/webhooks", """
                    {"url":"http://127.0.0.1:9/hooks/of/a/customer/%s","event_types":["message.received",
                    "message.sent"]}""".formatted(i)).is(200);
            world.http()
                    .post("/v0/api-keys", json("name", "The key of agent number " + i))
                    .is(200);
        }
        try (SmtpProbe smtp = new SmtpProbe(world.smtpPort())) {
            for (int i = 0; i < MANY; i++) {
                smtp.send(
                        "jo@shop.test",
                        List.of(console.inbox()),
                        "From: Jo Field of the shop <jo@shop.test>\r\nTo: " + console.inbox() + "\r\nMessage-ID: <m" + i
                                + "@shop.test>\r\nSubject: " + "A subject of some length ".repeat(4) + i + "\r\n\r\n"
                                + "Words of a mail. ".repeat(40) + "\r\n");
            }
        }
        thread = "/inboxes/" + console.inbox() + "/threads/"
                + world.http()
                        .get(inbox + "/messages/%3Cm1@shop.test%3E")
                        .is(200)
                        .text("thread_id");
        console.sends("/inboxes/" + console.inbox(), "do", "approval-on").is(303);
        for (int i = 0; i < 12; i++) {
            world.http()
                    .post(inbox + "/messages/send", """
                    {"to":["jo@shop.test","eve@shop.test"],
                    "subject":"May I? %s","text":"%s"}""".formatted(i, "Words of a draft. ".repeat(70)))
                    .is(200);
        }
    }

    @Test
    void fullPagesAreSmall() {
        List<String> tooLarge = new ArrayList<>();
        for (String path : List.of(
                "",
                "/inboxes",
                "/inboxes/" + console.inbox(),
                "/inboxes/" + console.inbox() + "?tab=drafts",
                "/mail",
                thread,
                "/approvals",
                "/webhooks",
                "/keys",
                "/people",
                "/activity",
                "/apps",
                "/domains",
                "/queue",
                "/inboxes/" + console.inbox() + "/calendar?month=2031-01",
                "/inboxes/" + console.inbox() + "/messages/%3Cm1@shop.test%3E")) {
            Answer page = world.operator().get("/console" + path).is(200);
            if (page.body().length > PAGE) {
                tooLarge.add(path + ": " + page.body().length);
            }
        }
        assertThat(tooLarge).isEmpty();
    }

    @Test
    void whatPagesLoadIsSmall() {
        assertThat(world.anonymous().get("/assets/inboxd.css").is(200).body().length)
                .isLessThanOrEqualTo(16 * 1024);
        assertThat(world.anonymous().get("/assets/console.js").is(200).body().length)
                .isLessThanOrEqualTo(20 * 1024);
        // Lists and conversations alone load it: picking, reading beside the list, the place on the way back.
        assertThat(world.anonymous().get("/assets/lists.js").is(200).body().length)
                .isLessThanOrEqualTo(9 * 1024);
    }

    @Test
    void everyKeyHasAButtonThatSaysIt() {
        String list = console.page("/inboxes/" + console.inbox());
        for (String key : List.of("j", "k", "o", "u", "i", "g", "x", "?")) {
            assertThat(list).as(key).contains("data-key=\"" + key + "\"");
        }
        assertThat(list)
                .contains(
                        "Next <kbd>j</kbd>",
                        "Search <kbd>/</kbd>",
                        "Select <kbd>x</kbd>",
                        "Go to… <kbd>Ctrl K</kbd>",
                        "<kbd>i</kbd>");
        String conversation = console.page(thread);
        for (String key : List.of("e", "r", "a", "u")) {
            assertThat(conversation).as(key).contains("data-key=\"" + key + "\"", "<kbd>" + key + "</kbd>");
        }
        String script = world.anonymous().get("/assets/console.js").is(200).text();
        for (String key : List.of("j", "k", "o", "u", "e", "r", "a", "i", "g", "x")) {
            assertThat(script).as("the list of keys has " + key).contains(" " + key + ": \"");
        }
    }
}
