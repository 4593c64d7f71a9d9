package dev.inboxd;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.apikey.ApiKey;
import dev.inboxd.apikey.ApiKeys;
import dev.inboxd.database.Database;
import dev.inboxd.database.DatabaseFailure;
import dev.inboxd.database.Tx;
import dev.inboxd.error.Problem;
import dev.inboxd.http.HttpProbe;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Every verb that writes, against every other, in one organization and from two nodes: PostgreSQL never has to break a
 * deadlock, because the organization's clock is the first lock of each. {@code -Dtest.long=true} runs it for a minute.
 */
class DeadlockHttpTest {
    private static final Duration TIME =
            Boolean.getBoolean("test.long") ? Duration.ofMinutes(1) : Duration.ofSeconds(8);
    private static final int THREADS = 12;
    private static final int INBOXES = 6;
    private static final int MOST_KNOWN = 500;

    private final List<World> nodes = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private final AtomicInteger number = new AtomicInteger();
    private final Map<String, LongAdder> done = new ConcurrentHashMap<>();
    private final ConcurrentLinkedQueue<Known> known = new ConcurrentLinkedQueue<>();

    private record Known(String inbox, String message) {}

    /** Something that writes; throws or fails an assertion when the answer is not one of those it may be. */
    private interface Verb {
        void run(World node, Random random);
    }

    private final Map<String, Verb> verbs = new TreeMap<>(Map.ofEntries(
            Map.entry("receive", this::receive),
            Map.entry("receive for two organizations", this::receiveTwice),
            Map.entry("relabel", this::relabel),
            Map.entry("relabel a thread", this::relabelThread),
            Map.entry("forward", this::forward),
            Map.entry("delete message", this::deleteMessage),
            Map.entry("delete thread", this::deleteThread),
            Map.entry("create inbox", this::createInbox),
            Map.entry("update inbox", this::updateInbox),
            Map.entry("delete inbox", this::deleteInbox),
            Map.entry("send", this::send),
            Map.entry("make and delete webhook", this::webhook),
            Map.entry("issue key", this::issueKey),
            Map.entry("make, change and delete pod", this::pod),
            Map.entry("register, check and delete domain", this::domain),
            Map.entry("draft, change, send and delete", this::draft)));

    @BeforeEach
    void start() {
        nodes.add(World.start());
        nodes.add(nodes.getFirst().beside());
        for (int i = 0; i < INBOXES; i++) {
            names.add("lock" + i);
            nodes.getFirst().inbox("lock" + i);
        }
    }

    @AfterEach
    void stop() {
        nodes.forEach(World::close);
    }

    @Test
    void noVerbEverDeadlocksWithAnother() {
        String name = databaseName();
        long end = System.nanoTime() + TIME.toNanos();
        together(THREADS, thread -> {
            Random random = new Random(thread);
            List<Map.Entry<String, Verb>> all = List.copyOf(verbs.entrySet());
            while (System.nanoTime() < end) {
                Map.Entry<String, Verb> verb = all.get(random.nextInt(all.size()));
                verb.getValue().run(nodes.get(thread % nodes.size()), random);
                done.computeIfAbsent(verb.getKey(), _ -> new LongAdder()).increment();
            }
        });
        assertThat(done.keySet()).isEqualTo(verbs.keySet());
        assertThat(deadlocksIn(name)).isZero();
    }

    @Test
    void rowsLockedInTwoOrdersAreCounted() {
        String name = databaseName();
        CountDownLatch bothHoldOne = new CountDownLatch(2);
        AtomicInteger broken = new AtomicInteger();
        together(2, thread -> {
            try {
                nodes.get(thread).database().writeGlobal(tx -> {
                    lock(tx, names.get(thread));
                    bothHoldOne.countDown();
                    waitFor(bothHoldOne);
                    return lock(tx, names.get(1 - thread));
                });
            } catch (DatabaseFailure | Problem deadlock) {
                broken.incrementAndGet();
            }
        });
        assertThat(broken).hasValue(1);
        assertThat(deadlocksIn(name)).isOne();
    }

    private static int lock(Tx tx, String username) {
        return tx.sqlAcross("update inbox set updated_at = updated_at where address = :address")
                .bind("address", username + "@mail.localhost").run();
    }

    private static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private interface Task {
        void run(int thread);
    }

    private static void together(int threads, Task task) {
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                int thread = i;
                running.add(executor.submit(() -> task.run(thread)));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } catch (InterruptedException | ExecutionException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private String databaseName() {
        return nodes.getFirst().database().read(tx -> tx.sql("select current_database()::text as name")
                .one(row -> row.text("name")));
    }

    /** Connections hand in their counts when they end, so everything is closed first. */
    private long deadlocksIn(String name) {
        nodes.forEach(World::close);
        nodes.clear();
        try (Database other = new Database(TestPostgres.database(), null)) {
            return other.read(tx -> tx.sql("select d.deadlocks from pg_stat_database d where d.datname = :name")
                    .bind("name", name).one(row -> row.longer("deadlocks")));
        }
    }

    private String anyName(Random random) {
        return names.get(random.nextInt(names.size()));
    }

    private String anyInbox(Random random) {
        return anyName(random) + "@mail.localhost";
    }

    private void receive(World node, Random random) {
        deliver(node, random, List.of(anyInbox(random), anyInbox(random)));
    }

    private void receiveTwice(World node, Random random) {
        deliver(node, random, List.of("postmaster@mail.localhost", anyInbox(random)));
    }

    /** One of the inboxes may be gone just now; then it is refused for good or for the moment. */
    private void deliver(World node, Random random, List<String> inboxes) {
        String message = "<" + number.incrementAndGet() + "@x.test>";
        Known before = known.peek();
        String reference = before == null || random.nextBoolean() ? "" : "In-Reply-To: " + before.message() + "\n";
        try (SmtpProbe session = new SmtpProbe(node.smtpPort())) {
            String reply = session.send("w@x.test", List.copyOf(Set.copyOf(inboxes)),
                    "From: w@x.test\nMessage-ID: " + message + "\n" + reference + "\nHello.\n");
            assertThat(reply).matches("250 .*|550 5\\.1\\.1.*|451 .*");
            if (reply.startsWith("250")) {
                known.add(new Known(inboxes.getLast(), message));
                if (known.size() > MOST_KNOWN) {
                    known.poll();
                }
            }
        }
    }

    private void relabel(World node, Random random) {
        String message = anyMessage(random);
        if (message != null) {
            assertThat(node.http().patch(message, anyChange(random)).status()).isIn(200, 404);
        }
    }

    private void relabelThread(World node, Random random) {
        String thread = anyThread(node, random);
        if (thread != null) {
            assertThat(node.http().patch(thread, anyChange(random)).status()).isIn(200, 404, 422);
        }
    }

    private void deleteMessage(World node, Random random) {
        String message = anyMessage(random);
        if (message != null) {
            assertThat(node.http().delete(message).status()).isIn(200, 404);
        }
    }

    private void deleteThread(World node, Random random) {
        String thread = anyThread(node, random);
        if (thread != null) {
            assertThat(node.http().delete(thread).status()).isIn(200, 404);
        }
    }

    private void forward(World node, Random random) {
        String message = anyMessage(random);
        if (message != null) {
            assertThat(node.http().post(message + "/forward", "{\"to\":\"" + anyInbox(random) + "\"}").status())
                    .isIn(200, 404, 403);
        }
    }

    private static String anyChange(Random random) {
        return random.nextBoolean() ? "{\"add_labels\":[\"a\"]}" : "{\"remove_labels\":[\"a\",\"unread\"]}";
    }

    private @Nullable String anyMessage(Random random) {
        Known message = known.stream().skip(random.nextInt(1 + known.size() / 2)).findFirst().orElse(null);
        return message == null ? null : "/v0/inboxes/" + message.inbox() + "/messages/"
                + URLEncoder.encode(message.message(), StandardCharsets.UTF_8);
    }

    private @Nullable String anyThread(World node, Random random) {
        HttpProbe.Answer list = node.http().get("/v0/threads?include_unauthenticated=true&limit=20").is(200);
        int threads = list.list("threads").size();
        return threads == 0 ? null : "/v0/threads/" + list.text("threads." + random.nextInt(threads) + ".thread_id");
    }

    private void createInbox(World node, Random random) {
        assertThat(node.http().post("/v0/inboxes", "{\"username\":\"" + anyName(random) + "\"}").status())
                .isIn(200, 403);
    }

    private void updateInbox(World node, Random random) {
        assertThat(node.http().patch("/v0/inboxes/" + anyInbox(random),
                "{\"display_name\":\"" + random.nextInt() + "\"}").status()).isIn(200, 404);
    }

    /** And makes it again, so that there is always something to write to. */
    private void deleteInbox(World node, Random random) {
        String username = anyName(random);
        assertThat(node.http().delete("/v0/inboxes/" + username + "@mail.localhost").status()).isIn(200, 404);
        assertThat(node.http().post("/v0/inboxes", "{\"username\":\"" + username + "\"}").status()).isIn(200, 403);
    }

    private void pod(World node, Random random) {
        String path = "/v0/pods/" + node.http().post("/v0/pods", "{}").is(200).text("pod_id");
        node.http().patch(path, "{\"name\":\"" + random.nextInt() + "\"}").is(200);
        node.http().post(path + "/lists/send/block", "{\"entry\":\"blocked.example\"}").is(200);
        node.http().delete(path).is(200);
    }

    /** Few names, so that the nodes check and change the same ones. */
    private void domain(World node, Random random) {
        String name = "d" + random.nextInt(3) + ".example";
        assertThat(node.http().post("/v0/domains", "{\"domain\":\"" + name + "\"}").status()).isIn(200, 409);
        assertThat(node.http().patch("/v0/domains/" + name, "{\"tracking_enabled\":" + random.nextBoolean() + "}").status())
                .isIn(200, 404);
        assertThat(node.http().post("/v0/domains/" + name + "/verify", "").status()).isIn(200, 404, 409);
        assertThat(node.http().delete("/v0/domains/" + name).status()).isIn(200, 404);
    }

    private void issueKey(World node, Random random) {
        UUID organization = node.database().read(tx -> tx.sqlAcross("select o.organization_id from organization o"
                + " where o.type = 'console'").one(row -> row.uuid("organization_id")));
        String secret = node.database().write(organization, tx -> ApiKeys.issue(tx, organization,
                new ApiKeys.Order("k" + random.nextInt(), ApiKey.Owner.ORGANIZATION, ApiKey.Grant.ROOT, null, false),
                tx.next().at()).secret());
        node.as(secret).get("/v0/inboxes").is(200); // which notes that the key was used
    }

    private void send(World node, Random random) {
        assertThat(node.http().post("/v0/inboxes/" + anyInbox(random) + "/messages/send", "{\"to\":[\""
                + anyInbox(random) + "\",\"jo@elsewhere.test\"],\"subject\":\"" + number.incrementAndGet() + "\"}")
                .status()).isIn(200, 403, 404); // 403: a recipient's mail bounced while its inbox was gone
    }

    /** One that is due at once besides, which the schedule takes. */
    private void draft(World node, Random random) {
        String drafts = "/v0/inboxes/" + anyInbox(random) + "/drafts";
        HttpProbe.Answer draft = node.http().post(drafts, "{\"to\":\"jo@elsewhere.test\",\"attachments\":[{\"content\":\"aGk=\"}]"
                + (random.nextBoolean() ? "" : ",\"send_at\":\"" + node.clock().instant() + "\"") + "}");
        assertThat(draft.status()).isIn(200, 404);
        if (draft.status() == 200) {
            String path = drafts + "/" + draft.text("draft_id");
            assertThat(node.http().patch(path, "{\"subject\":\"" + random.nextInt() + "\"}").status()).isIn(200, 404, 409);
            assertThat((random.nextBoolean() ? node.http().delete(path) : node.http().post(path + "/send", "")).status())
                    .isIn(200, 404, 409);
        }
    }

    private void webhook(World node, Random random) {
        String id = node.http().post("/v0/webhooks", "{\"url\":\"http://127.0.0.1:9/" + random.nextInt()
                + "\",\"event_types\":[\"message.received.unauthenticated\",\"message.sent\"]}").is(200)
                .text("webhook_id");
        node.http().delete("/v0/webhooks/" + id).is(200);
    }
}
