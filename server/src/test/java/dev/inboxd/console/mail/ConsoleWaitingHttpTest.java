package dev.inboxd.console.mail;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.console.ConsoleProbe;
import dev.inboxd.mailbox.thread.Conversation;
import dev.inboxd.server.World;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Lists of the console say who waits, and since when. */
class ConsoleWaitingHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @Test
    void listsSayWhoWaitsAndAreFilteredByIt() {
        Conversation.trust(world);
        ConsoleProbe console = ConsoleProbe.of(world, "waits");
        Conversation asked = Conversation.in(world, console.inbox());
        String question = asked.receives("X-About: chairs");
        Conversation answered = Conversation.in(world, console.inbox());
        answered.receives();
        answered.sends();
        String inbox = "/inboxes/" + ConsoleProbe.encoded(console.inbox());
        assertThat(console.page(inbox)).contains("waiting for me</span>", "waiting for them</span>");
        assertThat(console.page(inbox + "?tab=me"))
                .contains("waiting for me</span>", "<time datetime=\"" + asked.time(question))
                .doesNotContain("waiting for them</span>");
        assertThat(console.page(inbox + "?tab=them"))
                .contains("waiting for them</span>")
                .doesNotContain("waiting for me</span>");
        assertThat(console.page("/mail?waiting=me"))
                .contains("waiting for me</span>", "value=\"waiting:me\"")
                .doesNotContain("waiting for them</span>");
        asked.receives("X-About: chairs");
        assertThat(console.page(inbox + "?tab=me"))
                .as("the time since when is said where it is not that of the row")
                .contains("waiting for me since <time datetime=\"" + asked.time(question));
        assertThat(console.page("/mail?waiting=you")).contains("The filter waiting: takes me or them");
    }
}
