package dev.inboxd.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.SmtpProbe;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Somebody at the open console of a server, without a browser.
 *
 * @param world the server
 * @param inbox an inbox of its organization
 */
public record ConsoleProbe(World world, String inbox) {
    /** A console of a server to which mail from shop.test can come. */
    public static ConsoleProbe of(World world, String username) {
        // Else the mail would be hidden: nobody vouches for it.
        world.dns().text("shop.test", "v=spf1 ip4:127.0.0.1 -all").text("_dmarc.shop.test", "v=DMARC1; p=reject");
        return new ConsoleProbe(world, world.inbox(username));
    }

    /** The page at a path below {@code /console}. */
    public String page(String path) {
        return world.operator().get("/console" + path).is(200).text();
    }

    /** Sends a form as a page does, with names and values in turn. */
    public Answer sends(String path, String... pairs) {
        String keys = page("/keys");
        StringBuilder form = new StringBuilder("token=" + between(keys, "name=\"token\" value=\"", "\""));
        for (int i = 0; i < pairs.length; i += 2) {
            form.append('&').append(pairs[i]).append('=').append(encoded(pairs[i + 1]));
        }
        HttpProbe browser = world.operator()
                .with("Content-Type", "application/x-www-form-urlencoded")
                .with("Origin", "http://127.0.0.1:" + world.httpPort());
        return browser.post("/console" + path, form.toString());
    }

    /** Receives a mail from shop.test, and returns the path of its conversation. */
    public String received(String id, String content) {
        try (SmtpProbe smtp = new SmtpProbe(world.smtpPort())) {
            smtp.send(
                    "jo@shop.test",
                    List.of(inbox),
                    "From: Jo <jo@shop.test>\r\nTo: " + inbox + "\r\nMessage-ID: <" + id + "@shop.test>\r\n" + content);
        }
        Answer message = world.http()
                .get("/v0/inboxes/" + inbox + "/messages/%3C" + id + "@shop.test%3E")
                .is(200);
        return "/inboxes/" + inbox + "/threads/" + message.text("thread_id");
    }

    /** A name as a segment of a path. */
    public static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8);
    }

    /** What stands between two texts of a page. */
    public static String between(String page, String before, String behind) {
        assertThat(page).contains(before);
        int start = page.indexOf(before) + before.length();
        return page.substring(start, page.indexOf(behind, start));
    }
}
