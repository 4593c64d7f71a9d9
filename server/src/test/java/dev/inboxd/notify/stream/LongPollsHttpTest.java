package dev.inboxd.notify.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.http.RawHttp2;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many who wait, and how their waiting ends. */
class LongPollsHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static ExecutorService threads;

    @BeforeAll
    static void start() {
        threads = Executors.newVirtualThreadPerTaskExecutor();
    }

    @AfterAll
    static void stop() {
        threads.close();
    }

    private static void mail(String inbox, String subject) {
        assertThat(world.mail(
                        "jo@example.com",
                        inbox,
                        "From: Jo <jo@example.com>\nTo: " + inbox + "\nSubject: " + subject + "\n\nHello.\n"))
                .startsWith("250");
    }

    private static String path(String inbox) {
        return "/v0/inboxes/" + inbox + "/messages/wait?include_unauthenticated=true&cursor=now&timeout=25";
    }

    private static List<CompletableFuture<Answer>> waiting(World node, int count, String path) {
        List<CompletableFuture<Answer>> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(CompletableFuture.supplyAsync(() -> node.as(world.key()).get(path), threads));
        }
        await(node, count);
        return all;
    }

    /** Until so many wait. */
    private static void await(World node, int count) {
        String line = "\ninboxd_waits " + count + ".0\n";
        Eventually.await(() -> node.anonymous().get("/metrics").is(200).text().contains(line));
    }

    @Test
    @Proves("P15a")
    void manyWaitAndAllAreAnsweredWithTheSameMessage() {
        String inbox = world.inbox("crowd");
        List<CompletableFuture<Answer>> all = waiting(world, 200, path(inbox));
        mail(inbox, "To all");
        for (CompletableFuture<Answer> one : all) {
            assertThat(one.join().is(200).text("message.subject")).isEqualTo("To all");
        }
        await(world, 0);
    }

    @Test
    void whoIsWokenForNothingWaitsOn() {
        String inbox = world.inbox("sought");
        List<CompletableFuture<Answer>> all = waiting(world, 20, path(inbox) + "&subject=code");
        mail(inbox, "News");
        mail(inbox, "More news");
        mail(inbox, "Your code");
        for (CompletableFuture<Answer> one : all) {
            assertThat(one.join().is(200).text("message.subject")).isEqualTo("Your code");
        }
        await(world, 0);
    }

    @Test
    @Proves("P15a")
    void aWaitWhoseTimeIsOverLeavesItsRoom() {
        List<CompletableFuture<Answer>> all = new ArrayList<>();
        String path = "/v0/events?cursor=now&wait=1&inbox_ids=" + world.inbox("short");
        for (int i = 0; i < 20; i++) {
            all.add(CompletableFuture.supplyAsync(() -> world.http().get(path), threads));
        }
        all.forEach(one -> assertThat(one.join().is(200).at("count")).isEqualTo(0L));
        await(world, 0);
    }

    @Test
    @Proves("P15a")
    void whoLeavesItsStreamLeavesItsRoom() throws IOException {
        String inbox = world.inbox("left");
        String[] key = {"authorization", "Bearer " + world.key()};
        try (RawHttp2 client = new RawHttp2(world.httpPort())) {
            for (int stream = 1; stream <= 9; stream += 2) {
                client.get(stream, path(inbox), key);
            }
            await(world, 5);
            client.cancel(3);
            client.cancel(7);
            await(world, 3);
            mail(inbox, "To the others");
            for (int i = 0; i < 3; i++) {
                assertThat(client.data()).contains("To the others");
            }
            await(world, 0);
            client.get(11, path(inbox), key);
            await(world, 1);
        }
        await(world, 0); // its connection was closed
    }

    @Test
    @Proves("P15")
    void whoDoesNotTakeItsAnswerKeepsItsRoom() throws IOException {
        String inbox = world.inbox("slow");
        try (RawHttp2 client = new RawHttp2(world.httpPort())) {
            client.window(0);
            client.get(1, path(inbox), "authorization", "Bearer " + world.key());
            await(world, 1);
            mail(inbox, "Slowly");
            assertThat(client.begun()).isEqualTo(1);
            assertThat(world.anonymous().get("/metrics").is(200).text()).contains("\ninboxd_waits 1.0\n");
            client.open(1, 1 << 16);
            assertThat(client.data()).contains("Slowly");
            await(world, 0);
        }
    }

    /** Each looks once more, as its caller is then. */
    @Test
    @Proves("P16")
    void everybodyIsAnsweredWhenTheServerStops() {
        World second = world.beside();
        List<CompletableFuture<Answer>> all = waiting(second, 100, path(world.inbox("drained")));
        String inbox = world.inbox("deleted");
        CompletableFuture<Answer> lost =
                CompletableFuture.supplyAsync(() -> second.as(world.key()).get(path(inbox)), threads);
        await(second, 101);
        world.http().delete("/v0/inboxes/" + inbox);
        second.close();
        for (CompletableFuture<Answer> one : all) {
            assertThat(one.join().is(200).at("message")).isNull();
        }
        lost.join().is(404);
    }
}
