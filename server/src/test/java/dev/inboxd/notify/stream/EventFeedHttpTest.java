package dev.inboxd.notify.stream;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The log of everything a key may see, and the wait for one message, with a second node on the same database. */
class EventFeedHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static World beside;
    private static ExecutorService threads;

    @BeforeAll
    static void start() {
        beside = world.beside();
        threads = Executors.newVirtualThreadPerTaskExecutor();
    }

    @AfterAll
    static void stop() {
        threads.close();
        beside.close();
    }

    private static void mail(World node, String inbox, String subject, String more) {
        assertThat(node.mail(
                        "jo@example.com",
                        inbox,
                        "From: Jo <jo@example.com>\nTo: " + inbox + "\nSubject: " + subject + "\n" + more
                                + "\nHello.\n"))
                .startsWith("250");
    }

    private static String now() {
        return world.http().get("/v0/events?cursor=now").is(200).text("next_cursor");
    }

    private static List<String> texts(Answer page, String member) {
        return ((List<?>) Objects.requireNonNull(page.at("events")))
                .stream()
                        .map(event -> String.valueOf(((Map<?, ?>) event).get(member)))
                        .toList();
    }

    private static String subject(Answer page, int event) {
        return page.text("events." + event + ".message.subject");
    }

    @Test
    void theLogTellsOfMailAndOfEachLabelInOrder() {
        String inbox = world.inbox("log");
        String cursor = now();
        mail(world, inbox, "Hello", "");
        Answer page = world.http().get("/v0/events?cursor=" + cursor).is(200);
        assertThat(texts(page, "event_type"))
                .startsWith("message.received.unauthenticated", "label.added", "label.added");
        assertThat(texts(page, "event_id")).isSorted().doesNotHaveDuplicates();
        assertThat(page.text("events.1.inbox_id")).isEqualTo(inbox);
        Answer feed = world.http()
                .get("/v0/inboxes/" + inbox + "/events?ascending=true")
                .is(200);
        assertThat(texts(page, "event_id").subList(1, 3))
                .isEqualTo(texts(feed, "event_id").subList(0, 2));
        assertThat(world.http()
                        .get("/v0/events?cursor=" + page.text("next_cursor"))
                        .is(200)
                        .at("count"))
                .isEqualTo(0L);
    }

    @Test
    void theIdOfAnyEventIsACursorEvenThatOfALabel() {
        String inbox = world.inbox("ids");
        String cursor = now();
        mail(world, inbox, "One", "");
        mail(world, inbox, "Two", "");
        List<String> all = texts(world.http().get("/v0/events?cursor=" + cursor).is(200), "event_id");
        for (int i = 0; i < all.size(); i++) {
            assertThat(texts(world.http().get("/v0/events?cursor=" + all.get(i)).is(200), "event_id"))
                    .isEqualTo(all.subList(i + 1, all.size()));
        }
    }

    @Test
    void pagesFollowOneAnotherAndFiltersHold() {
        String one = world.inbox("filter-a");
        String two = world.inbox("filter-b");
        String cursor = now();
        for (int i = 0; i < 5; i++) {
            mail(world, i % 2 == 0 ? one : two, "mail " + i, "");
        }
        List<String> subjects = new ArrayList<>();
        Answer page = world.http()
                .get("/v0/events?limit=2&event_types=message.received.unauthenticated&inbox_ids=" + one + "&cursor="
                        + cursor)
                .is(200);
        while (!Objects.equals(page.at("count"), 0L)) {
            for (int i = 0; i < texts(page, "event_id").size(); i++) {
                subjects.add(subject(page, i));
            }
            page = world.http()
                    .get("/v0/events?limit=2&event_types=message.received.unauthenticated&inbox_ids=" + one + "&cursor="
                            + page.text("next_cursor"))
                    .is(200);
        }
        assertThat(subjects).containsExactly("mail 0", "mail 2", "mail 4");
    }

    @Test
    void whatIsWrongIsSaid() {
        for (String query : List.of(
                "cursor=evt_0",
                "cursor=" + "A".repeat(72),
                "wait=-1",
                "wait=301",
                "limit=0",
                "event_types=nonsense",
                "cursor=" + "x".repeat(300))) {
            Answer answer = world.http().get("/v0/events?" + query).is(400);
            assertThat(answer.text("errors.0.path.0")).as(query).isEqualTo(query.substring(0, query.indexOf('=')));
        }
        world.http().get("/v0/events?inbox_ids=nobody@mail.localhost").is(404);
        String reader = world.http()
                .post("/v0/api-keys", json("permissions", object("message_read", true)))
                .is(200)
                .text("api_key");
        Answer refused = world.as(reader)
                .get("/v0/events?event_types=message.received.spam")
                .is(403);
        assertThat(refused.text("message")).isEqualTo("label_spam_read is forbidden");
        assertThat(world.as(reader).get("/v0/events").is(200).text()).doesNotContain("message.received.spam");
    }

    @Test
    void anInboxKeySeesItsInboxAlone() {
        String mine = world.inbox("scoped-a");
        String other = world.inbox("scoped-b");
        String key = world.http()
                .post("/v0/inboxes/" + mine + "/api-keys", "{}")
                .is(200)
                .text("api_key");
        mail(world, other, "Other", "");
        mail(world, mine, "Mine", "");
        Answer page = world.as(key)
                .get("/v0/events?event_types=message.received.unauthenticated")
                .is(200);
        assertThat(page.at("count")).isEqualTo(1L);
        assertThat(subject(page, 0)).isEqualTo("Mine");
    }

    /** Many writers on two nodes, one reader that waits: everything once and in order. */
    @Test
    @Proves("P7")
    void aReaderThatWaitsMissesNothing() {
        String inbox = world.inbox("waits");
        String cursor = now();
        int writers = 6;
        int mails = 20;
        List<CompletableFuture<Void>> all = IntStream.range(0, writers)
                .mapToObj(writer -> CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; i < mails; i++) {
                                mail(writer % 2 == 0 ? world : beside, inbox, writer + "." + i, "");
                            }
                        },
                        threads))
                .toList();
        List<String> ids = new ArrayList<>();
        List<String> subjects = new ArrayList<>();
        HttpProbe http = beside.as(world.key());
        while (subjects.size() < writers * mails) {
            Answer page = http.get("/v0/events?event_types=message.received.unauthenticated&wait=20&inbox_ids=" + inbox
                            + "&cursor=" + cursor)
                    .is(200);
            assertThat(page.at("count")).as("it waits for something").isNotEqualTo(0L);
            ids.addAll(texts(page, "event_id"));
            for (int i = 0; i < texts(page, "event_id").size(); i++) {
                subjects.add(subject(page, i));
            }
            cursor = page.text("next_cursor");
        }
        all.forEach(CompletableFuture::join);
        assertThat(ids).isSorted().doesNotHaveDuplicates();
        assertThat(subjects).hasSize(writers * mails).doesNotHaveDuplicates();
    }

    @Test
    void aWaitEndsWhenItsTimeIsOver() {
        Answer page = world.http()
                .get("/v0/events?cursor=now&wait=1&inbox_ids=" + world.inbox("over"))
                .is(200);
        assertThat(page.at("count")).isEqualTo(0L);
    }

    @Test
    void headDoesNotWait() {
        long began = System.nanoTime();
        world.http().send("HEAD", "/v0/events?cursor=now&wait=300", null).is(200);
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(Duration.ofSeconds(60));
    }

    @Test
    @Proves("P12")
    void aKeyThatIsRevokedWhileItWaitsIsToldNothing() {
        String inbox = world.inbox("revoked-wait");
        Answer key = world.http().post("/v0/api-keys", "{}").is(200);
        CompletableFuture<Answer> waiting = CompletableFuture.supplyAsync(
                () -> world.as(key.text("api_key")).get("/v0/events?cursor=now&wait=20&inbox_ids=" + inbox), threads);
        Eventually.await(() -> isParked(world));
        world.http().delete("/v0/api-keys/" + key.text("api_key_id")).is(200);
        mail(world, inbox, "Secret", "");
        waiting.join().is(401);
    }

    @Test
    void aWaitForAMessageFindsWhatIsThereAndThenTheNext() {
        String inbox = world.inbox("otp");
        String path = "/v0/inboxes/" + inbox + "/messages/wait?include_unauthenticated=true&";
        String before = world.http().get(path + "timeout=0").is(200).text("next_cursor");
        mail(world, inbox, "Your code: 1", "");
        mail(world, inbox, "News", "");
        mail(world, inbox, "Your code: 2", "");
        Answer first = world.http()
                .get(path + "subject=code&timeout=0&cursor=" + before)
                .is(200);
        assertThat(first.text("message.subject")).isEqualTo("Your code: 1");
        assertThat(first.text("message.text")).contains("Hello.");
        Answer second = world.http()
                .get(path + "subject=CODE&from=jo&cursor=" + first.text("next_cursor"))
                .is(200);
        assertThat(second.text("message.subject")).isEqualTo("Your code: 2");
        Answer none = world.http()
                .get(path + "subject=code&timeout=0&cursor=" + second.text("next_cursor"))
                .is(200);
        assertThat(none.at("message")).isNull();
        mail(world, inbox, "Your code: 3", "");
        assertThat(world.http()
                        .get(path + "subject=code&cursor=" + none.text("next_cursor"))
                        .is(200)
                        .text("message.subject"))
                .isEqualTo("Your code: 3");
        assertThat(world.http()
                        .get(path + "subject=code&timeout=0&cursor=now")
                        .is(200)
                        .at("message"))
                .isNull();
    }

    /** Whatever comes between the look and the wait, on this node or another, is found. */
    @Test
    @Proves("P7")
    void aWaitForAMessageMissesNoneThatComesMeanwhile() {
        String inbox = world.inbox("meanwhile");
        String cursor = world.http()
                .get("/v0/inboxes/" + inbox + "/messages/wait?include_unauthenticated=true&cursor=now&timeout=0")
                .is(200)
                .text("next_cursor");
        for (int i = 0; i < 30; i++) {
            String subject = "round " + i;
            World writer = i % 2 == 0 ? world : beside;
            CompletableFuture<Void> mail = CompletableFuture.runAsync(() -> mail(writer, inbox, subject, ""), threads);
            Answer found = world.http()
                    .get("/v0/inboxes/" + inbox + "/messages/wait?include_unauthenticated=true&timeout=20&cursor="
                            + cursor)
                    .is(200);
            assertThat(found.text("message.subject")).isEqualTo(subject);
            cursor = found.text("next_cursor");
            mail.join();
        }
    }

    @Test
    void aWaitForAnAnswerFindsTheAnswerAlone() {
        String inbox = world.inbox("answers");
        String path = "/v0/inboxes/" + inbox + "/messages/wait?include_unauthenticated=true&timeout=0&in_reply_to="
                + URLEncoder.encode("<question@x.test>", StandardCharsets.UTF_8);
        mail(world, inbox, "Another answer", "In-Reply-To: <other@x.test>\n");
        assertThat(world.http().get(path).is(200).at("message")).isNull();
        mail(world, inbox, "The answer", "In-Reply-To: <question@x.test>\n");
        assertThat(world.http().get(path).is(200).text("message.subject")).isEqualTo("The answer");
    }

    @Test
    void waitsEndWhenTheServerStops() {
        World third = world.beside();
        String inbox = world.inbox("stopping");
        CompletableFuture<Answer> waiting = CompletableFuture.supplyAsync(
                () -> third.as(world.key())
                        .get("/v0/inboxes/" + inbox
                                + "/messages/wait?include_unauthenticated=true&cursor=now&timeout=25"),
                threads);
        Eventually.await(() -> isParked(third));
        third.close();
        assertThat(waiting.join().is(200).at("message")).isNull();
    }

    private static boolean isParked(World node) {
        return node.anonymous().get("/metrics").is(200).text().contains("inboxd_waits 1");
    }
}
