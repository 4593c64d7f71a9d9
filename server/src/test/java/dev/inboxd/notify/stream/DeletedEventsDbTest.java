package dev.inboxd.notify.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What was deleted before it was told is told from the rows, which have nothing of it, and not from memory. */
class DeletedEventsDbTest {
    @Test
    @Proves("P19")
    void aRowSaysThatItsMessageWasDeletedOrItsInboxWas() {
        try (World world = World.start()) {
            String inbox = world.inbox("gone");
            String other = world.inbox("kept");
            mail(world, inbox, "<one@x.test>");
            mail(world, inbox, "<two@x.test>");
            mail(world, other, "<three@x.test>");
            assertThat(gone(world)).isEmpty();
            world.http()
                    .delete("/v0/inboxes/" + inbox + "/messages/"
                            + URLEncoder.encode("<one@x.test>", StandardCharsets.UTF_8))
                    .is(200);
            assertThat(gone(world)).containsExactly("<one@x.test>");
            world.http().delete("/v0/inboxes/" + inbox).is(200);
            // The rows of an inbox go with it, soon; until then each says that its message is gone.
            assertThat(told(world)).containsExactly("<three@x.test>");
        }
    }

    private static void mail(World world, String inbox, String name) {
        assertThat(world.mail(
                        "jo@example.com",
                        inbox,
                        "From: Jo <jo@example.com>\nTo: " + inbox + "\nMessage-ID: " + name + "\n\nHello.\n"))
                .startsWith("250");
    }

    private static List<String> gone(World world) {
        return names(world, LoggedEvent::messageDeleted);
    }

    private static List<String> told(World world) {
        return names(world, row -> !row.messageDeleted());
    }

    private static List<String> names(World world, Predicate<LoggedEvent> some) {
        return world
                .database()
                .read(tx -> StreamSql.rows(
                        tx, View.of(world.organization()), new StreamSql.LogRange(0, Long.MAX_VALUE, null, 1_000)))
                .stream()
                .filter(some)
                .flatMap(row -> Stream.ofNullable(row.messageName()))
                .distinct()
                .toList();
    }
}
