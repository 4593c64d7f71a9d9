package dev.inboxd.mailbox.label.change;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Changing the labels of some messages, and of all messages of a thread. */
class LabelHttpTest {
    private static final String ALL = "include_unauthenticated=true&include_trash=true&include_spam=true";

    @RegisterExtension
    private static final World world = World.start();

    @Test
    void someMessagesAreReadAtOnceInTheOrderAskedForWithoutTheirBodies() {
        String inbox = conversation("some", 3);
        String path = "/v0/inboxes/" + inbox + "/messages/batch-get";
        HttpProbe.Answer answer = world.http()
                .post(path, json("message_ids", List.of("<3@some.test>", "<no@x.test>", "1@some.test")))
                .is(200);
        assertThat(names(answer, "messages")).containsExactly("<3@some.test>", "<1@some.test>");
        assertThat(answer.at("limit")).isEqualTo(3L);
        assertThat(answer.at("count")).isEqualTo(2L);
        assertThat(answer.at("messages.0.text")).isNull();
        assertThat(answer.at("messages.0.from_")).isEqualTo(List.of("jo@example.com"));
        for (String wrong : List.of(
                "{}",
                json("message_ids", List.of()),
                json("message_ids", List.of("<a@b>", "a@b")),
                """
                {"message_ids":[%s]}""".formatted(ids(501)),
                json("message_ids", List.of(7)))) {
            assertThat(world.http().post(path, wrong).is(400).text()).contains("message_ids");
        }
        assertThat(world.http().post(path, """
                {"message_ids":[%s]}""".formatted(ids(500))).is(200).at("limit"))
                .isEqualTo(500L);
    }

    @Test
    @Proves("A28")
    void someMessagesAreRelabelledAllOrNone() {
        String inbox = conversation("batch", 2);
        String path = "/v0/inboxes/" + inbox + "/messages/batch-update";
        String both = "{" + members("message_ids", List.of("<2@batch.test>", "<no@x.test>", "<1@batch.test>")) + ",";
        HttpProbe.Answer answer = world.http()
                .post(path, both + members("add_labels", "Hot", "remove_labels", List.of("unread")) + "}")
                .is(200);
        assertThat(names(answer, "updates")).containsExactly("<2@batch.test>", "<1@batch.test>");
        assertThat(answer.at("updates.0.labels")).isEqualTo(List.of("received", "unauthenticated", "hot"));
        assertThat(answer.at("limit")).isEqualTo(3L);
        assertThat(answer.at("count")).isEqualTo(2L);
        assertThat(thread(inbox).at("labels")).isEqualTo(List.of("received", "unauthenticated", "hot"));
        world.http()
                .post(path, both + members("add_labels", List.of("sent")) + "}")
                .is(400);
        world.http().post(path, both + members("add_labels", List.of()) + "}").is(400);
        world.http().post(path, """
                {"message_ids":[%s],"add_labels":"x"}""".formatted(ids(51))).is(400);
        List<String> many = IntStream.range(0, 98).mapToObj(i -> "l" + i).toList();
        assertThat(world.http()
                        .post(path, both + members("add_labels", many) + "}")
                        .is(400)
                        .at("errors.0.path"))
                .isEqualTo(List.of("add_labels"));
        assertThat(thread(inbox).list("labels")).hasSize(3);
    }

    @Test
    void aThreadsLabelsAreThoseOfItsMessages() {
        String inbox = conversation("thread", 3);
        String path = "/v0/inboxes/" + inbox + "/threads/" + thread(inbox).text("thread_id");
        message(inbox, "<2@thread.test>", json("add_labels", List.of("done")));
        HttpProbe.Answer answer = world.http().patch(path, """
                {"add_labels":["done","both","urgent"],"remove_labels":["both","unread"]}""").is(200);
        assertThat(answer.at("labels")).isEqualTo(List.of("received", "unauthenticated", "done", "urgent"));
        assertThat(answer.text("thread_id")).isEqualTo(thread(inbox).text("thread_id"));
        List<String> feed = feed(inbox);
        assertThat(feed.stream().filter(each -> each.startsWith("label.added done")))
                .containsExactlyInAnyOrder(
                        "label.added done <1@thread.test>",
                        "label.added done <2@thread.test>",
                        "label.added done <3@thread.test>");
        assertThat(feed.stream().filter(each -> each.startsWith("label.removed unread")))
                .hasSize(3);
        world.http()
                .patch(path, json("add_labels", List.of("done", "urgent"), "remove_labels", "unread"))
                .is(200);
        assertThat(feed(inbox)).isEqualTo(feed);
        message(inbox, "<2@thread.test>", json("remove_labels", List.of("urgent", "done")));
        assertThat(thread(inbox).list("labels").stream().map(String::valueOf)).contains("done", "urgent");
        for (String level : List.of("/v0/threads/", "/v0/pods/" + pod(inbox) + "/threads/")) {
            assertThat(world
                            .http()
                            .patch(level + thread(inbox).text("thread_id"), json("remove_labels", "urgent"))
                            .is(200)
                            .list("labels")
                            .stream()
                            .map(String::valueOf))
                    .doesNotContain("urgent");
        }
        assertThat(world.http()
                        .patch(path, json("remove_labels", List.of("received")))
                        .is(400)
                        .text("code"))
                .isEqualTo("validation_error");
        world.http().patch(path, "{}").is(400);
    }

    @Test
    void aThreadInTheTrashComesBackWithACleanMessageAndShowsOnlyThat() {
        String inbox = conversation("trash", 1);
        message(inbox, "<1@trash.test>", json("remove_labels", List.of("unauthenticated")));
        String path = "/v0/threads/" + thread(inbox).text("thread_id");
        String before = world.http().get(path).is(200).text("created_at");
        world.http().patch(path, json("add_labels", List.of("trash"))).is(200);
        assertThat(world.http().get("/v0/inboxes/" + inbox + "/threads").is(200).list("threads"))
                .isEmpty();
        assertThat(world.http().get(path).is(200).list("messages")).hasSize(1);
        world.http()
                .post("/v0/inboxes/" + inbox + "/messages/" + encoded("<1@trash.test>") + "/reply", json("text", "Hi"))
                .is(200);
        HttpProbe.Answer thread = world.http().get(path).is(200);
        assertThat(thread.list("messages")).hasSize(1);
        assertThat(thread.at("message_count")).isEqualTo(1L);
        assertThat(thread.text("created_at"))
                .isEqualTo(thread.text("messages.0.created_at"))
                .isNotEqualTo(before);
        assertThat(thread.at("received_timestamp")).isNull();
        message(inbox, "<1@trash.test>", json("remove_labels", List.of("trash")));
        HttpProbe.Answer whole = world.http().get(path).is(200);
        assertThat(whole.at("message_count")).isEqualTo(2L);
        assertThat(whole.text("created_at")).isEqualTo(before);
        assertThat(whole.at("senders")).isEqualTo(List.of("jo@example.com", inbox));
    }

    @Test
    void aThreadOfAHundredMessagesIsNotRelabelledAsAWhole() {
        String inbox = conversation("long", 99);
        String path = "/v0/threads/" + thread(inbox).text("thread_id");
        world.http().patch(path, json("add_labels", List.of("ok"))).is(200);
        received(inbox, "<100@long.test>", "<1@long.test>");
        HttpProbe.Answer refused =
                world.http().patch(path, json("add_labels", List.of("no"))).is(422);
        assertThat(refused.text("code")).isEqualTo("unprocessable");
        HttpProbe.Answer newest = world.http().get(path + "?limit=40").is(200);
        assertThat(newest.text("messages.39.message_id")).isEqualTo("<100@long.test>");
        assertThat(newest.text("messages.0.message_id")).isEqualTo("<61@long.test>");
        HttpProbe.Answer older = world.http()
                .get(path + "?limit=40&page_token=" + newest.text("next_page_token"))
                .is(200);
        assertThat(older.text("messages.39.message_id")).isEqualTo("<60@long.test>");
        assertThat(older.at("message_count")).isEqualTo(100L);
        assertThat(older.at("count")).isEqualTo(40L);
        world.http().get(path + "?limit=101").is(400);
    }

    private static String conversation(String username, int messages) {
        String inbox = world.inbox(username);
        for (int i = 1; i <= messages; i++) {
            received(inbox, "<" + i + "@" + username + ".test>", i == 1 ? null : "<1@" + username + ".test>");
        }
        return inbox;
    }

    private static void received(String inbox, String name, @Nullable String reference) {
        assertThat(world.mail(
                        "jo@example.com",
                        inbox,
                        "From: jo@example.com\nTo: " + inbox + "\nSubject: Hi\nMessage-ID: " + name + "\n"
                                + (reference == null ? "" : "References: " + reference + "\n") + "\nHello.\n"))
                .startsWith("250");
    }

    private static void message(String inbox, String name, String change) {
        world.http()
                .patch("/v0/inboxes/" + inbox + "/messages/" + encoded(name), change)
                .is(200);
    }

    private static HttpProbe.Answer thread(String inbox) {
        return world.http()
                .get("/v0/threads/"
                        + world.http()
                                .get("/v0/inboxes/" + inbox + "/threads?" + ALL)
                                .is(200)
                                .text("threads.0.thread_id"))
                .is(200);
    }

    private static String pod(String inbox) {
        return world.http().get("/v0/inboxes/" + inbox).is(200).text("pod_id");
    }

    private static List<String> feed(String inbox) {
        return world.http().get("/v0/inboxes/" + inbox + "/events?limit=100").is(200).list("events").stream()
                .map(entry -> (Map<?, ?>) entry)
                .map(entry -> entry.get("event_type") + " " + entry.get("label") + " " + entry.get("message_id"))
                .toList();
    }

    private static List<String> names(HttpProbe.Answer answer, String list) {
        return answer.list(list).stream()
                .map(item -> String.valueOf(((Map<?, ?>) item).get("message_id")))
                .toList();
    }

    private static String ids(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> "\"<i" + i + "@x.test>\"")
                .collect(Collectors.joining(","));
    }

    private static String encoded(String name) {
        return URLEncoder.encode(name, StandardCharsets.UTF_8);
    }
}
