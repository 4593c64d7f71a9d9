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
        assertThat(console.page(inbox)).contains("waiting for me since", "waiting for them since");
        assertThat(console.page(inbox + "?tab=me"))
                .contains("waiting for me since <time datetime=\"" + asked.time(question))
                .doesNotContain("waiting for them since");
        assertThat(console.page(inbox + "?tab=them"))
                .contains("waiting for them since")
                .doesNotContain("waiting for me since");
        assertThat(console.page("/mail?waiting=me"))
                .contains("waiting for me since", "<option value=\"me\" selected>")
                .doesNotContain("waiting for them since");
        asked.label(question, "add_labels", "settled");
        assertThat(console.page(inbox + "?tab=me"))
                .contains("Nobody waits for an answer from here")
                .doesNotContain("waiting for me since");
        assertThat(world.operator().get("/console/mail?waiting=you").is(400).text())
                .contains("Something is not in order");
    }
}
