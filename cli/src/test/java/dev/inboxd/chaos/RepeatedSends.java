package dev.inboxd.chaos;

import static dev.inboxd.testing.JsonText.json;

import dev.inboxd.base.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Many senders of the same requests (promise P4), and some that name no key and repeat what was not answered (P5),
 * while the service is killed under them. In the end there is one message of each request.
 */
final class RepeatedSends {
    static final int SENDERS = 50;
    static final int KEYS = 200;
    static final int UNNAMED_SENDERS = 10;
    static final int UNNAMED_EACH = 10;
    static final int REQUESTS = SENDERS * KEYS + UNNAMED_SENDERS * UNNAMED_EACH;

    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Service.Place place;
    private final String key;
    private final String inbox;
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Map<String, Set<String>> answers = new ConcurrentHashMap<>();
    private final Queue<String> strange = new ConcurrentLinkedQueue<>();
    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger cut = new AtomicInteger();
    private final List<Thread> threads = new ArrayList<>();

    /** Senders of that inbox, with that key of the organization. */
    RepeatedSends(Service.Place place, String key, String inbox) {
        this.place = place;
        this.key = key;
        this.inbox = inbox;
    }

    /** Lets everybody begin; the order of each comes from the seed. */
    void start(long seed) {
        for (int i = 0; i < SENDERS; i++) {
            Random random = new Random(seed + i);
            threads.add(Thread.ofVirtual().start(() -> {
                List<Integer> order =
                        new ArrayList<>(IntStream.range(0, KEYS).boxed().toList());
                Collections.shuffle(order, random);
                order.forEach(number -> send("named " + number, "key-" + number));
            }));
        }
        for (int i = 0; i < UNNAMED_SENDERS; i++) {
            int sender = i;
            threads.add(Thread.ofVirtual()
                    .start(() -> IntStream.range(0, UNNAMED_EACH)
                            .forEach(number -> send("unnamed " + sender + " " + number, null))));
        }
    }

    /** How many requests have their answer. */
    int answered() {
        return answered.get();
    }

    /** Lets everybody finish; the service must be up. */
    void finish() {
        for (Thread thread : threads) {
            try {
                thread.join();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /**
     * What is wrong in the end; empty when there is one message of each request, and everybody heard of that one.
     *
     * @param truth what the service holds
     */
    List<String> wrong(StoredState truth) {
        List<String> wrong = new ArrayList<>(strange);
        answers.forEach((subject, names) -> {
            int made = truth.sent().getOrDefault(subject, 0);
            if (made != 1 || names.size() != 1) {
                wrong.add(subject + ": " + made + " messages, " + names.size() + " answers");
            }
        });
        int expected = KEYS + UNNAMED_SENDERS * UNNAMED_EACH;
        if (answers.size() != expected) {
            wrong.add(answers.size() + " requests were answered instead of " + expected);
        }
        return wrong;
    }

    @Override
    public String toString() {
        return answered + " answers, " + cut + " requests cut short, " + answers.size() + " messages";
    }

    /** As good clients do: what got no answer, or is refused for now, is asked again. */
    private void send(String subject, @Nullable String idempotencyKey) {
        HttpResponse<byte[]> answer = post(subject, idempotencyKey);
        while (answer == null || answer.statusCode() == 409 || answer.statusCode() == 503) {
            cut.addAndGet(answer == null ? 1 : 0);
            LockSupport.parkNanos(PAUSE.toNanos());
            answer = post(subject, idempotencyKey);
        }
        if (answer.statusCode() == 200 && Json.parse(answer.body()) instanceof Map<?, ?> sent) {
            answers.computeIfAbsent(subject, _ -> ConcurrentHashMap.newKeySet())
                    .add(String.valueOf(sent.get("message_id")));
        } else {
            strange.add(subject + ": " + answer.statusCode());
        }
        answered.incrementAndGet();
    }

    /** One request; null when no answer came. */
    private @Nullable HttpResponse<byte[]> post(String subject, @Nullable String idempotencyKey) {
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + place.httpPort() + "/v0/inboxes/" + inbox + "/messages/send"))
                .timeout(Duration.ofSeconds(30))
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json("to", "jo@elsewhere.test", "subject", subject)));
        if (idempotencyKey != null) {
            request.header("Idempotency-Key", idempotencyKey);
        }
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (IOException lost) {
            return null;
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
