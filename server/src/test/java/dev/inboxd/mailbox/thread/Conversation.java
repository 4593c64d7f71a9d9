package dev.inboxd.mailbox.thread;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A conversation of an inbox with somebody elsewhere, whose mail is authenticated. */
public final class Conversation {
    private final World world;
    private final String inbox;
    private String last = "";

    private Conversation(World world, String inbox) {
        this.world = world;
        this.inbox = inbox;
    }

    /** Has the mail of elsewhere.test taken for what it says. */
    public static void trust(World world) {
        world.dns().text("elsewhere.test", "v=spf1 ip4:127.0.0.1 -all");
    }

    /** A conversation that has no message yet. */
    public static Conversation in(World world, String inbox) {
        return new Conversation(world, inbox);
    }

    /** A message comes in; returns its id. */
    public String receives(String... fields) {
        String id = "<" + UUID.randomUUID() + "@elsewhere.test>";
        assertThat(world.mail(
                        "kim@elsewhere.test",
                        inbox,
                        "From: kim@elsewhere.test\nTo: " + inbox + "\nSubject: Chair\nMessage-ID: " + id + "\n"
                                + (last.isEmpty() ? "" : "In-Reply-To: " + last + "\n")
                                + String.join(
                                        "",
                                        List.of(fields).stream()
                                                .map(field -> field + "\n")
                                                .toList())
                                + "\nHello.\n"))
                .startsWith("250");
        last = id;
        return id;
    }

    /** The inbox writes; returns the id of the message. */
    public String sends(String... recipients) {
        Object to = recipients.length == 0 ? List.of("kim@elsewhere.test") : List.of(recipients);
        HttpProbe.Answer sent = last.isEmpty()
                ? world.http().post(path("messages", "send"), json("to", to, "subject", "Chair", "text", "Hi"))
                : world.http().post(path("messages", last, "reply"), json("to", to, "text", "Hi"));
        last = sent.is(200).text("message_id");
        return last;
    }

    /** Changes the labels of a message. */
    public void label(String message, String member, String label) {
        world.http().patch(path("messages", message), json(member, label)).is(200);
    }

    void delete(String message) {
        world.http().delete(path("messages", message)).is(200);
    }

    /** The thread, as its inbox has it. */
    public HttpProbe.Answer thread() {
        return world.http()
                .get(path("threads", message(last).text("thread_id")))
                .is(200);
    }

    public HttpProbe.Answer message(String message) {
        return world.http().get(path("messages", message)).is(200);
    }

    /** When a message came or went. */
    public String time(String message) {
        return message(message).text("timestamp");
    }

    /** Direction and time, or nulls. */
    public List<@Nullable Object> waiting() {
        return Arrays.asList(thread().at("last_direction"), thread().at("waiting_since"));
    }

    String path(String... segments) {
        StringBuilder path = new StringBuilder("/v0/inboxes/" + inbox);
        for (String segment : segments) {
            path.append('/').append(URLEncoder.encode(segment, StandardCharsets.UTF_8));
        }
        return path.toString();
    }

    /** The ids of the threads of a list. */
    public static List<String> ids(HttpProbe.Answer list) {
        return list.is(200).list("threads").stream()
                .map(item -> Objects.requireNonNull(((Map<?, ?>) item).get("thread_id"))
                        .toString())
                .toList();
    }
}
