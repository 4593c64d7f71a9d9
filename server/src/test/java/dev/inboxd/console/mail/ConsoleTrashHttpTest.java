package dev.inboxd.console.mail;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.job.MarkChanges;
import dev.inboxd.console.ConsoleProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Nothing is lost by a click: what a person deletes can be had back for 30 days. */
class ConsoleTrashHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static ConsoleProbe console;

    @BeforeAll
    static void start() {
        console = ConsoleProbe.of(world, "careful");
    }

    private static String received(String id) {
        return console.received(id, "Subject: About " + id + "\r\n\r\nHello\r\n");
    }

    private static String inbox() {
        return "/inboxes/" + console.inbox();
    }

    private static String labels(String id) {
        return world.http()
                .get("/v0/inboxes/" + console.inbox() + "/messages/%3C" + id + "@shop.test%3E")
                .is(200)
                .list("labels")
                .toString();
    }

    @Test
    void aDeletedConversationAsksOnceAndIsTakenBackByUndo() {
        String thread = received("undone");
        assertThat(console.page(thread)).contains("Delete…", "Its message goes to the trash", "value=\"trash\"");
        Answer gone = console.sends(thread, "do", "trash").is(303);
        assertThat(labels("undone")).contains("trash");
        String next = Objects.requireNonNull(gone.header("Location")).substring("/console".length());
        assertThat(console.page(next))
                .contains("Moved to the trash", "id=\"undo\"")
                .doesNotContain("About undone");
        console.sends(inbox(), "do", "undo", "undo", ConsoleProbe.between(next + "&", "undo=", "&"))
                .is(303);
        assertThat(labels("undone")).doesNotContain("trash");
        assertThat(console.page(inbox())).contains("About undone");
    }

    @Test
    void oneMessageGoesAloneAndIsRestoredFromTheTrash() {
        String thread = received("first");
        console.received("second", "In-Reply-To: <first@shop.test>\r\nSubject: Re: About first\r\n\r\nMore of it\r\n");
        console.sends(thread, "do", "trash-message", "message_id", "<second@shop.test>")
                .is(303);
        assertThat(console.page(thread)).contains("Hello").doesNotContain("More of it");
        assertThat(console.page(inbox() + "?tab=trash"))
                .contains("Re: About first", "It is deleted for good", "Restore", "Delete for good…");
        console.sends(inbox(), "do", "restore", "message_id", "<second@shop.test>")
                .is(303);
        assertThat(console.page(thread)).contains("More of it");
    }

    @Test
    void theTrashDeletesForGoodWhatSomebodySays() {
        String thread = received("purged");
        console.sends(thread, "do", "trash").is(303);
        assertThat(console.page(thread)).contains("is in the trash", "deleted for good", "Delete for good…");
        console.sends(inbox(), "do", "purge", "message_id", "<purged@shop.test>")
                .is(303);
        world.http()
                .get("/v0/inboxes/" + console.inbox() + "/messages/%3Cpurged@shop.test%3E")
                .is(404);
    }

    /** A label of the API deletes nothing, however it came there; taking the label away takes the mark with it. */
    @Test
    @Tag("long")
    void whatAPersonThrewAwayGoesAfterThirtyDaysAndNothingElse() {
        String thrown = received("thrown");
        String labelled = received("labelled");
        String back = received("back");
        String mixed = received("mixed");
        console.received("beside", "In-Reply-To: <mixed@shop.test>\r\nSubject: Re: About mixed\r\n\r\nMore of it\r\n");
        world.http()
                .patch(
                        "/v0/inboxes/" + console.inbox() + "/messages/%3Cmixed@shop.test%3E",
                        json("add_labels", List.of("trash")))
                .is(200);
        console.sends(mixed, "do", "trash-message", "message_id", "<beside@shop.test>")
                .is(303);
        world.http()
                .patch("/v0" + labelled, json("add_labels", List.of("trash")))
                .is(200);
        console.sends(inbox(), "do", "trash", "thread_id", thrown.substring(thrown.lastIndexOf('/') + 1))
                .is(303);
        console.sends(back, "do", "trash").is(303);
        world.http()
                .patch("/v0" + back, json("remove_labels", List.of("trash")))
                .is(200);
        world.http().patch("/v0" + back, json("add_labels", List.of("trash"))).is(200);
        assertThat(console.page(inbox() + "?tab=trash")).contains("A client moved it here");
        world.walk(Duration.ofDays(29));
        assertThat(labels("thrown")).contains("trash");
        MarkChanges marks = new MarkChanges(world.database());
        marks.hold("restore");
        Eventually.await(() -> console.page("/keys").contains("was restored from a backup"));
        world.walk(Duration.ofDays(2));
        assertThat(labels("thrown")).as("what is held goes nowhere").contains("trash");
        marks.resume();
        Eventually.await(() -> !console.page("/keys").contains("Sending is on hold."));
        world.walk(Duration.ofHours(1));
        world.http()
                .get("/v0/inboxes/" + console.inbox() + "/messages/%3Cthrown@shop.test%3E")
                .is(404);
        world.http().get("/v0" + thrown).is(404);
        world.http()
                .get("/v0/inboxes/" + console.inbox() + "/messages/%3Cbeside@shop.test%3E")
                .is(404);
        for (String kept : List.of("labelled", "back", "mixed")) {
            assertThat(labels(kept)).as(kept).contains("trash");
        }
    }
}
