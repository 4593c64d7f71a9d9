package dev.inboxd.notify.stream;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.server.World;
import java.util.List;
import org.junit.jupiter.api.Test;

/** promises.md P11: who may see a message, but not the thread around it, is told of the message alone. */
class MessageWithoutThreadHttpTest {
    private static final String TYPES = "," + members("event_types", List.of("message.received.unauthenticated"));

    private static void mail(World world, String inbox, String from, String id, String more) {
        assertThat(world.mail(
                        from,
                        inbox,
                        "From: " + from + "\nTo: " + inbox + "\nSubject: " + id + "\nMessage-ID: <" + id + "@x.test>\n"
                                + more + "\nHello.\n"))
                .startsWith("250");
    }

    @Test
    void aThreadThatIsHiddenSaysNothingBesideTheMessage() {
        try (World world = World.start()) {
            String inbox = world.inbox("alone");
            mail(world, inbox, "spammer@example.com", "first", "");
            world.http()
                    .patch("/v0/inboxes/" + inbox + "/messages/%3Cfirst@x.test%3E", json("add_labels", List.of("spam")))
                    .is(200);
            String key = world.http()
                    .post(
                            "/v0/api-keys",
                            json("permissions", object("message_read", true, "label_unauthenticated_read", true)))
                    .is(200)
                    .text("api_key");
            try (SocketProbe lesser = SocketProbe.open(world.httpPort(), key).subscribe(TYPES);
                    SocketProbe whole =
                            SocketProbe.open(world.httpPort(), world.key()).subscribe(TYPES)) {
                mail(world, inbox, "jo@example.com", "second", "In-Reply-To: <first@x.test>\n");
                assertThat(whole.next().text()).contains("spammer@example.com").contains(members("message_count", 2));
                assertThat(lesser.next().text())
                        .doesNotContain("spammer@example.com")
                        .contains(members("message_count", 1))
                        .contains("<second@x.test>");
            }
        }
    }
}
