package dev.inboxd.mailbox.claim;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Mail that waits for an answer, and claims of it. */
public final class ClaimFixture {
    private final World world;
    private final String inbox;

    /** In an inbox of that world. */
    public ClaimFixture(World world, String inbox) {
        this.world = world;
        this.inbox = inbox;
        world.dns().text("x.test", "v=spf1 ip4:127.0.0.1 -all"); // its mail is what it says
    }

    /** Lets a mail come in; its path. */
    public String mail(String id, String more) {
        String mail = "Message-ID: <" + id + "@x.test>\r\nFrom: Kim <kim@x.test>\r\nTo: " + inbox
                + "\r\nSubject: Chair\r\n" + more + "\r\nWhat does the blue one cost?\r\n";
        assertThat(world.mail("kim@x.test", inbox, mail)).startsWith("250");
        return message(id);
    }

    /** The path of a message. */
    public String message(String id) {
        return path("/messages/" + encoded("<" + id + "@x.test>"));
    }

    /** A path of the inbox. */
    public String path(String end) {
        return "/v0/inboxes/" + inbox + end;
    }

    /** A claim for a worker. */
    public HttpProbe.Answer claim(String path, String worker) {
        return world.http().post(path + "/claim", json("worker", worker));
    }

    static String encoded(String id) {
        return URLEncoder.encode(id, StandardCharsets.UTF_8);
    }
}
