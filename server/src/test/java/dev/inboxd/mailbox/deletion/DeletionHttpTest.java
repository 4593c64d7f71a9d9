package dev.inboxd.mailbox.deletion;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmtpProbe;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Promise P19: what was deleted is gone, and nothing else is. */
class DeletionHttpTest {
    private static final String ALL = "?include_unauthenticated=true";

    @RegisterExtension
    private static final World world = World.start();

    @Test
    @Proves("P19")
    void aDeletedMessageLeavesItsThreadAsIfItHadNeverBeenThere() {
        String inbox = world.inbox("one");
        received(inbox, "<1@one.test>", "jo@example.com", "");
        String before = shape(thread(inbox));
        received(inbox, "<2@one.test>", "canary-ann@example.com", "References: <1@one.test>\n");
        assertThat(thread(inbox).at("message_count")).isEqualTo(2L);
        world.http().delete(path(inbox, "<2@one.test>")).is(200);
        assertThat(shape(thread(inbox))).isEqualTo(before);
        assertThat(world.http().get(path(inbox, "<2@one.test>")).is(404).text("message"))
                .isEqualTo("Message not found");
        world.http().delete(path(inbox, "<2@one.test>")).is(404);
        assertThat(feed(inbox))
                .startsWith(
                        "label.removed unauthenticated <2@one.test>",
                        "label.removed unread <2@one.test>",
                        "label.removed received <2@one.test>");
    }

    @Test
    void theLastMessageTakesTheThreadWithItAndALaterReplyStartsAnother() {
        String inbox = world.inbox("last");
        received(inbox, "<1@last.test>", "jo@example.com", "References: <0@last.test>\n");
        String thread = thread(inbox).text("thread_id");
        world.http().delete(path(inbox, "<1@last.test>")).is(200);
        world.http().get("/v0/threads/" + thread).is(404);
        received(inbox, "<2@last.test>", "jo@example.com", "References: <0@last.test> <1@last.test>\n");
        assertThat(thread(inbox).text("thread_id")).isNotEqualTo(thread);
        assertThat(count("message_reference", "thread_id = '" + thread + "'")).isZero();
    }

    @Test
    @Proves("P19")
    void nothingOfADeletedMessageIsLeftInTheDatabaseNorBehindItsLinks() {
        String inbox = world.inbox("canary");
        world.http().post("/v0/webhooks", """
                {"url":"http://127.0.0.1:9/",
                "event_types":["message.received.unauthenticated","message.sent"]}""").is(200);
        assertThat(world.mail("kanari-path@example.com", inbox, """
                From: Kanari <kanari-from@example.com>
                Subject: kanari-subject
                Message-ID: <c1@x.test>
                MIME-Version: 1.0
                Content-Type: multipart/mixed; boundary=b

                --b
                Content-Type: text/plain

                kanari-body
                --b
                Content-Disposition: attachment; filename="kanari-file"

                kanari-bytes
                --b--
                """)).startsWith("250");
        String sent = world.http()
                .post(
                        "/v0/inboxes/" + inbox + "/messages/send",
                        json("to", "kanari-to@elsewhere.test", "text", "kanari-sent"))
                .is(200)
                .text("message_id");
        Eventually.await(
                () -> world.http().get(path(inbox, sent)).is(200).list("labels").contains("delivered"));
        Eventually.await(() -> count("delivery", "payload is not null") >= 1);
        HttpProbe.Answer message = world.http().get(path(inbox, "<c1@x.test>")).is(200);
        String attachment =
                link(path(inbox, "<c1@x.test>") + "/attachments/" + message.text("attachments.0.attachment_id"));
        String raw = link(path(inbox, "<c1@x.test>") + "/raw");
        assertThat(tablesWith("kanari")).contains("message", "thread", "attachment", "event", "submission_recipient");
        for (String name : List.of("<c1@x.test>", sent)) {
            world.http().delete(path(inbox, name)).is(200);
        }
        assertThat(tablesWith("kanari")).isEmpty();
        assertThat(count("delivery", "true")).isZero();
        world.anonymous().get(attachment).is(404);
        world.anonymous().get(raw).is(404);
    }

    @Test
    @Proves("P19")
    void aLargeMessageKeepsItsBytesAsLongAsOneOfItsCopiesIsThere() {
        String first = world.inbox("large-1");
        String second = world.inbox("large-2");
        String body = ("x".repeat(70) + "\r\n").repeat(5_000);
        try (SmtpProbe probe = new SmtpProbe(world.smtpPort())) {
            assertThat(probe.send(
                            "jo@example.com",
                            List.of(first, second),
                            "From: jo@example.com\r\nMessage-ID: <large@x.test>\r\n\r\n" + body))
                    .startsWith("250");
        }
        String raw = link(path(second, "<large@x.test>") + "/raw");
        world.http().delete(path(first, "<large@x.test>")).is(200);
        assertThat(world.anonymous().get(raw).is(200).body()).hasSizeGreaterThan(300_000);
        assertThat(count("message_content", "blob is not null")).isOne();
        world.http().delete("/v0/inboxes/" + second).is(200);
        Eventually.await(() -> count("message_content", "blob is not null") == 0);
        world.anonymous().get(raw).is(404);
    }

    @Test
    @Proves("P19")
    void aLongThreadGoesWhollyAtEveryLevel() {
        for (String level : List.of("organization", "pod", "inbox")) {
            String inbox = world.inbox("long-" + level);
            int messages = level.equals("organization") ? 2 * Erasure.SLICE + 1 : 3;
            try (SmtpProbe session = new SmtpProbe(world.smtpPort())) {
                for (int i = 0; i < messages; i++) {
                    String mail = mail(
                            inbox,
                            "<" + i + "@" + level + ".test>",
                            "jo@example.com",
                            i == 0 ? "" : "References: <0@" + level + ".test>\n");
                    assertThat(session.send("jo@example.com", List.of(inbox), mail))
                            .startsWith("250");
                }
            }
            received(inbox, "<other@" + level + ".test>", "jo@example.com", "");
            HttpProbe.Answer list = threads(inbox);
            String thread = list.text("threads.1.thread_id");
            assertThat(list.at("threads.1.message_count")).isEqualTo((long) messages);
            String path = switch (level) {
                        case "pod" ->
                            "/v0/pods/"
                                    + world.http().get("/v0/inboxes/" + inbox).text("pod_id");
                        case "inbox" -> "/v0/inboxes/" + inbox;
                        default -> "/v0";
                    }
                    + "/threads/" + thread;
            world.http().delete(path).is(200);
            world.http().get(path).is(404);
            world.http().delete(path).is(404);
            assertThat(world.http()
                            .get("/v0/inboxes/" + inbox + "/messages" + ALL)
                            .is(200)
                            .list("messages"))
                    .hasSize(1);
            assertThat(count("message_reference", "thread_id = '" + thread + "'"))
                    .isZero();
            received(inbox, "<late@" + level + ".test>", "jo@example.com", "References: <1@" + level + ".test>\n");
            assertThat(threads(inbox).text("threads.0.thread_id")).isNotEqualTo(thread);
        }
    }

    @Test
    void whatAKeyCannotSeeItCannotDelete() {
        String inbox = world.inbox("unseen");
        received(inbox, "<1@unseen.test>", "jo@example.com", "");
        String blind = world.http()
                .post("/v0/api-keys", json("name", "b", "permissions", object("message_delete", true)))
                .is(200)
                .text("api_key");
        world.as(blind).delete(path(inbox, "<1@unseen.test>")).is(404);
        world.as(blind).delete("/v0/threads/" + thread(inbox).text("thread_id")).is(404);
        world.http().get(path(inbox, "<1@unseen.test>")).is(200);
    }

    private static void received(String inbox, String name, String from, String more) {
        assertThat(world.mail("jo@example.com", inbox, mail(inbox, name, from, more)))
                .startsWith("250");
    }

    private static String mail(String inbox, String name, String from, String more) {
        return "From: " + from + "\nTo: " + inbox + "\nSubject: " + name + "\nMessage-ID: " + name + "\n" + more
                + "\nHello.\n";
    }

    private static HttpProbe.Answer threads(String inbox) {
        return world.http().get("/v0/inboxes/" + inbox + "/threads" + ALL).is(200);
    }

    private static HttpProbe.Answer thread(String inbox) {
        return world.http()
                .get("/v0/threads/" + threads(inbox).text("threads.0.thread_id"))
                .is(200);
    }

    /** A thread without the time of its last change. */
    private static String shape(HttpProbe.Answer thread) {
        return thread.text().replaceAll("\"updated_at\":\"[^\"]*\"", "");
    }

    private static List<String> feed(String inbox) {
        return world.http().get("/v0/inboxes/" + inbox + "/events").is(200).list("events").stream()
                .map(entry -> (Map<?, ?>) entry)
                .map(entry -> entry.get("event_type") + " " + entry.get("label") + " " + entry.get("message_id"))
                .toList();
    }

    private static String link(String path) {
        return URI.create(world.http().get(path).is(200).text("download_url")).getRawPath();
    }

    private static int count(String table, String condition) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*) as n from " + table + " t where " + condition)
                        .single(row -> row.integer("n")));
    }

    /** Every table with a row that holds the word, in text or in bytes. */
    private static List<String> tablesWith(String word) {
        List<String> tables = world.database()
                .read(tx -> tx.sql("select c.relname::text as name from pg_class c"
                                + " where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1")
                        .list(row -> row.text("name")));
        String hex = java.util.HexFormat.of().formatHex(word.getBytes(StandardCharsets.UTF_8));
        return tables.stream()
                .filter(table -> count(table, "t::text ilike '%" + word + "%' or t::text ilike '%" + hex + "%'") > 0)
                .toList();
    }

    private static String path(String inbox, String name) {
        return "/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(name, StandardCharsets.UTF_8);
    }
}
