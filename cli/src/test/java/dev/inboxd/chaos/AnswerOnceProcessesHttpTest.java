package dev.inboxd.chaos;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import dev.inboxd.testing.SmtpProbe;
import dev.inboxd.testing.TestPostgres;
import dev.inboxd.testing.TestSize;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Twenty workers at two nodes answer the same mails. Workers die in the middle of one and come back under another name;
 * both nodes are killed on the way.
 */
class AnswerOnceProcessesHttpTest {
    private static final int WORKERS = 20;
    private static final int MAILS = TestSize.of(40, 2_000);
    private static final Duration LIMIT = Duration.ofMinutes(TestSize.of(3, 20));
    private static final int ONE_IN = 12;

    @TempDir
    private Path folder;

    private final AtomicReferenceArray<Service> nodes = new AtomicReferenceArray<>(2);
    private final AtomicInteger names = new AtomicInteger();
    private final AtomicInteger done = new AtomicInteger();
    private NodeCluster cluster;
    private Database database;
    private String key;
    private String inbox;

    @BeforeEach
    void start() throws IOException {
        Database.Location location = TestPostgres.database();
        cluster = new NodeCluster(folder, TestPostgres.setting(location));
        nodes.set(0, cluster.start("first", Map.of()));
        nodes.set(1, cluster.start("second", Map.of()));
        database = new Database(location, null);
        key = nodes.get(0).key();
        inbox = at(0).post("/v0/inboxes", json("username", "desk")).is(200).text("inbox_id");
        try (SmtpProbe session = new SmtpProbe(nodes.get(0).smtpPort())) {
            for (int i = 0; i < MAILS; i++) {
                assertThat(session.send(
                                "kim@x.test",
                                List.of(inbox),
                                "Message-ID: " + id(i) + "\nFrom: Kim <kim@x.test>\nTo: " + inbox + "\nSubject: Chair "
                                        + i + "\n\nWhat does it cost?\n"))
                        .startsWith("250");
            }
        }
    }

    @AfterEach
    void stop() {
        for (int i = 0; i < nodes.length(); i++) {
            nodes.get(i).terminate(Duration.ofSeconds(60));
        }
        database.close();
    }

    private static String id(int number) {
        return "<chair-" + number + "@x.test>";
    }

    private HttpProbe at(int node) {
        return HttpProbe.of(nodes.get(node).httpPort(), key);
    }

    @Test
    @Proves({"P4c", "P4d"})
    void eachMailIsAnsweredOnceWhateverIsKilled() throws Exception {
        run(true);
        assertThat(answers()).hasSize(MAILS).allMatch(count -> count == 1);
    }

    /** The harness would notice. */
    @Test
    @Tag("long")
    void withoutClaimsTheSameRunAnswersSomeTwice() throws Exception {
        run(false);
        assertThat(answers()).hasSize(MAILS).anyMatch(count -> count > 1);
    }

    private void run(boolean claims) throws Exception {
        Queue<Integer> open = new ConcurrentLinkedQueue<>();
        for (int i = 0; i < MAILS; i++) {
            open.add(i);
        }
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> workers = new ArrayList<>();
            for (int i = 0; i < WORKERS; i++) {
                int seed = i;
                workers.add(threads.submit(() -> work(open, new Random(seed), claims)));
            }
            for (int part = 1; part <= 2; part++) {
                int some = MAILS * part / 3;
                Eventually.await(LIMIT, () -> done.get() >= some);
                int node = part % 2;
                nodes.get(node).kill();
                nodes.set(node, cluster.start(node == 0 ? "first" : "second", Map.of()));
            }
            for (Future<?> worker : workers) {
                worker.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
            }
        }
    }

    /** Takes some mail that is not answered as far as anybody knows, until there is none. */
    private @Nullable Void work(Queue<Integer> open, Random random, boolean claims) {
        String name = "worker-" + names.incrementAndGet();
        while (!open.isEmpty()) {
            Integer[] some = open.toArray(Integer[]::new);
            if (some.length == 0) {
                break;
            }
            int mail = some[random.nextInt(some.length)];
            boolean dies = random.nextInt(ONE_IN) == 0;
            try {
                if (answer(at(random.nextInt(2)), mail, claims ? name : null, dies) && open.remove(mail)) {
                    done.incrementAndGet();
                }
            } catch (RuntimeException lost) {
                dies = false; // its node was killed; the mail was answered, or not
            }
            if (dies) {
                name = "worker-" + names.incrementAndGet();
            }
        }
        return null;
    }

    /** Whether the mail is answered now. */
    private boolean answer(HttpProbe node, int mail, @Nullable String worker, boolean dies) {
        String path = "/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(id(mail), StandardCharsets.UTF_8);
        if (worker == null) {
            return node.post(path + "/reply", json("text", "80")).status() == 200;
        }
        HttpProbe.Answer claim = node.post(path + "/claim", """
                {"worker":"%s","ttl_seconds":10,"if_unanswered":true}""".formatted(worker));
        if (claim.status() != 200) {
            return claim.status() == 409 && claim.at("answered_by") != null;
        }
        if (dies) {
            return false;
        }
        HttpProbe.Answer sent = node.post(path + "/reply", """
                {"text":"80","if_unanswered":true,"claim_id":"%s"}""".formatted(claim.text("claim_id")));
        return sent.status() == 200;
    }

    /** How many answers each mail has. */
    private List<Integer> answers() {
        return database.read(
                tx -> tx.sqlAcrossTenants("select count(*) as n from message m where m.outgoing group by m.thread_id")
                        .list(row -> row.integer("n")));
    }
}
