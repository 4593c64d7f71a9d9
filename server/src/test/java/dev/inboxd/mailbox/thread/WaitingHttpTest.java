package dev.inboxd.mailbox.thread;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who waits for whom in threads, and lists of those in which somebody does (mail.md §7.1). */
class WaitingHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @BeforeAll
    static void start() {
        Conversation.trust(world);
    }

    @Test
    void whoWroteFirstWithoutAnAnswerWaitsAndTheAnswerTurnsItRound() {
        String inbox = world.inbox("turns");
        Conversation talk = Conversation.in(world, inbox);
        String first = talk.receives();
        talk.receives();
        assertThat(talk.waiting()).isEqualTo(waits("received", talk.time(first)));
        String answer = talk.sends();
        assertThat(talk.waiting()).isEqualTo(waits("sent", talk.time(answer)));
        String reminder = talk.sends();
        assertThat(talk.waiting()).isEqualTo(waits("sent", talk.time(reminder)));
        String third = talk.receives();
        talk.receives();
        assertThat(talk.waiting()).isEqualTo(waits("received", talk.time(third)));
        HttpProbe.Answer item = world.http().get("/v0/inboxes/" + inbox + "/threads?waiting=me");
        assertThat(item.text("threads.0.last_direction")).isEqualTo("received");
        assertThat(item.text("threads.0.waiting_since")).isEqualTo(talk.time(third));
    }

    @Test
    void whatIsSettledWaitsForNothingAndTheNextMessageOpensTheThreadAgain() {
        String inbox = world.inbox("settles");
        Conversation talk = Conversation.in(world, inbox);
        talk.sends();
        String thanks = talk.receives();
        talk.label(thanks, "add_labels", "settled");
        assertThat(talk.waiting()).isEqualTo(waits("received", null));
        assertThat(listed(inbox, "me")).isEmpty();
        assertThat(listed(inbox, "them")).isEmpty();
        String more = talk.receives();
        assertThat(talk.waiting()).isEqualTo(waits("received", talk.time(more)));
        talk.label(thanks, "remove_labels", "settled");
        assertThat(talk.waiting()).isEqualTo(waits("received", talk.time(thanks)));
        world.http()
                .patch(talk.path("threads", talk.thread().text("thread_id")), json("add_labels", "settled"))
                .is(200);
        assertThat(talk.waiting()).as("all at once").isEqualTo(waits("received", null));
        world.http()
                .post(
                        talk.path("messages", "batch-update"),
                        json("message_ids", List.of(thanks, more), "remove_labels", "settled"))
                .is(200);
        assertThat(talk.waiting()).as("some at once").isEqualTo(waits("received", talk.time(thanks)));
    }

    @Test
    void machinesWaitForNothingAndAreNoAnswer() {
        Conversation talk = Conversation.in(world, world.inbox("machines"));
        String sent = talk.sends();
        String away = talk.receives("Auto-Submitted: auto-replied");
        assertThat(talk.message(away).list("labels").contains("auto-reply")).isTrue();
        assertThat(talk.waiting()).isEqualTo(waits("sent", talk.time(sent)));
        talk.label(away, "remove_labels", "auto-reply");
        assertThat(talk.waiting()).isEqualTo(waits("received", talk.time(away)));
        talk.label(away, "add_labels", "auto-reply");
        assertThat(talk.waiting()).isEqualTo(waits("sent", talk.time(sent)));

        Conversation news = Conversation.in(world, world.inbox("news"));
        news.receives("Auto-Submitted: auto-generated");
        assertThat(news.waiting()).isEqualTo(waits(null, null));
    }

    @Test
    void hiddenAndDeletedMailDoesNotCount() {
        String inbox = world.inbox("hides");
        Conversation talk = Conversation.in(world, inbox);
        String first = talk.receives();
        String second = talk.receives();
        for (String label : List.of("trash", "spam")) {
            talk.label(first, "add_labels", label);
            assertThat(talk.waiting()).as(label).isEqualTo(waits("received", talk.time(second)));
            talk.label(second, "add_labels", label);
            assertThat(talk.waiting()).as(label).isEqualTo(waits(null, null));
            assertThat(listed(inbox, "me&include_spam=true&include_trash=true")).isEmpty();
            talk.label(first, "remove_labels", label);
            assertThat(talk.waiting()).as(label).isEqualTo(waits("received", talk.time(first)));
            talk.label(second, "remove_labels", label);
        }
        String answer = talk.sends();
        talk.delete(first);
        assertThat(talk.waiting()).isEqualTo(waits("sent", talk.time(answer)));
        String third = talk.receives();
        talk.delete(answer);
        assertThat(talk.waiting()).isEqualTo(waits("received", talk.time(second)));
        talk.delete(second);
        assertThat(talk.waiting()).isEqualTo(waits("received", talk.time(third)));
    }

    @Test
    void aDraftThatIsSentIsAnAnswer() {
        Conversation talk = Conversation.in(world, world.inbox("drafts"));
        String question = talk.receives();
        String draft = world.http()
                .post(talk.path("drafts"), json("in_reply_to", question, "text", "Yes"))
                .is(200)
                .text("draft_id");
        assertThat(talk.waiting()).isEqualTo(waits("received", talk.time(question)));
        String sent = world.http()
                .post(talk.path("drafts", draft, "send"), "{}")
                .is(200)
                .text("message_id");
        assertThat(talk.waiting()).isEqualTo(waits("sent", talk.time(sent)));
    }

    @Test
    void listsOfAllLevelsHaveThoseThatWaitInTheirOrderByPagesAndWithEveryFilter() {
        String inbox = world.inbox("lists");
        String pod = world.http().get("/v0/inboxes/" + inbox).is(200).text("pod_id");
        List<String> me = new ArrayList<>();
        List<String> them = new ArrayList<>();
        Conversation oldest = Conversation.in(world, inbox);
        String question = oldest.receives();
        for (int i = 0; i < 5; i++) {
            Conversation talk = Conversation.in(world, inbox);
            talk.receives();
            if (i % 2 == 1) {
                talk.sends();
            }
            (i % 2 == 1 ? them : me).add(talk.thread().text("thread_id"));
        }
        oldest.receives();
        me.add(oldest.thread().text("thread_id"));
        List<String> longest = new ArrayList<>(List.of(oldest.thread().text("thread_id")));
        longest.addAll(me.subList(0, 3));
        String label = "lists-only";
        me.forEach(id -> world.http()
                .patch("/v0/threads/" + id, json("add_labels", label))
                .is(200));
        for (String level :
                List.of("/v0/inboxes/" + inbox + "/threads", "/v0/pods/" + pod + "/threads", "/v0/threads")) {
            assertThat(pages(level + "?waiting=me&labels=" + label)).isEqualTo(me.reversed());
            assertThat(pages(level + "?waiting=me&ascending=true&labels=" + label))
                    .isEqualTo(me);
            assertThat(pages(level + "?waiting=me&order=waiting_since&labels=" + label))
                    .isEqualTo(longest);
            assertThat(pages(level + "?waiting=me&order=waiting_since&ascending=false&labels=" + label))
                    .isEqualTo(longest.reversed());
            assertThat(pages(level + "?waiting=them&labels=" + label)).isEmpty();
            assertThat(pages(level + "?waiting=them&order=waiting_since")).containsAll(them);
        }
        assertThat(pages("/v0/inboxes/" + inbox + "/threads?waiting=them")).isEqualTo(them.reversed());
        assertThat(pages("/v0/inboxes/" + inbox + "/threads?waiting=me&order=waiting_since&subject=chair&senders=kim"
                        + "&after=" + oldest.time(question)))
                .isEqualTo(longest);
        assertThat(pages("/v0/inboxes/" + inbox + "/threads?waiting=me&order=waiting_since&before="
                        + oldest.time(question)))
                .isEmpty();
        String page = world.http()
                .get("/v0/threads?waiting=me&order=waiting_since&limit=1")
                .is(200)
                .text("next_page_token");
        for (String other : List.of(
                "waiting=me",
                "waiting=them&order=waiting_since",
                "limit=1",
                "waiting=me" + "&order=waiting_since&ascending=false")) {
            world.http().get("/v0/threads?" + other + "&page_token=" + page).is(400);
        }
    }

    @Test
    void otherWordsAreRefused() {
        for (String wrong : List.of(
                "waiting=",
                "waiting=you",
                "waiting=ME",
                "waiting=me&waiting=them",
                "order=waiting_since",
                "waiting=me&order=timestamp",
                "waiting=me&order=")) {
            HttpProbe.Answer refused = world.http().get("/v0/threads?" + wrong).is(400);
            assertThat(refused.text("code")).isEqualTo("validation_error");
            assertThat(refused.at("errors.0.path")).isIn(List.of("waiting"), List.of("order"));
        }
    }

    @Test
    void eventsHaveNothingOfIt() {
        String inbox = world.inbox("events");
        Conversation talk = Conversation.in(world, inbox);
        talk.receives();
        talk.receives();
        assertThat(world.http().get("/v0/inboxes/" + inbox + "/events").is(200).text())
                .doesNotContain("last_direction", "waiting_since");
    }

    private static List<@Nullable Object> waits(@Nullable String direction, @Nullable String since) {
        return Arrays.asList(direction, since);
    }

    private static List<String> listed(String inbox, String side) {
        return Conversation.ids(world.http().get("/v0/inboxes/" + inbox + "/threads?waiting=" + side));
    }

    /** The threads of a list, read by pages of two. */
    private static List<String> pages(String list) {
        List<String> all = new ArrayList<>();
        Object token = "";
        while (token != null) {
            HttpProbe.Answer page =
                    world.http().get(list + "&limit=2&page_token=" + token).is(200);
            for (Object item : page.list("threads")) {
                Map<?, ?> thread = (Map<?, ?>) item;
                assertThat(thread.get("waiting_since")).isNotNull();
                all.add(String.valueOf(thread.get("thread_id")));
            }
            token = page.at("next_page_token");
        }
        return all;
    }
}
