package dev.inboxd.console;

import static dev.inboxd.testing.JsonText.json;

import dev.inboxd.server.World;
import dev.inboxd.testing.SmtpProbe;
import java.util.List;

/**
 * The console of an organization that has much to show.
 *
 * @param inbox one with much mail
 * @param thread the path of one of its conversations
 */
record FullConsole(World world, String inbox, String thread) {
    private static final int MANY = 35;

    static FullConsole of(World world) {
        ConsoleProbe console = ConsoleProbe.of(world, "full");
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
        String thread = "/inboxes/" + console.inbox() + "/threads/"
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
        return new FullConsole(world, console.inbox(), thread);
    }

    /** The pages that show it. */
    List<String> paths() {
        return List.of(
                "",
                "/inboxes",
                "/inboxes/" + inbox,
                "/inboxes/" + inbox + "?tab=drafts",
                "/mail",
                thread,
                "/approvals",
                "/webhooks",
                "/keys",
                "/people",
                "/activity",
                "/components",
                "/apps",
                "/domains",
                "/queue",
                "/inboxes/" + inbox + "/calendar?month=2031-01",
                "/inboxes/" + inbox + "/messages/%3Cm1@shop.test%3E");
    }
}
