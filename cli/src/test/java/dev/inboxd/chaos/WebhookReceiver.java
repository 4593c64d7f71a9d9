package dev.inboxd.chaos;

import dev.inboxd.base.json.Json;
import dev.inboxd.net.FakeEndpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** The agent's end of the webhook; it never dies. The same event may come twice, but always under the same id. */
final class WebhookReceiver implements AutoCloseable {
    private final FakeEndpoint endpoint = FakeEndpoint.start();
    private final Map<String, String> events = new ConcurrentHashMap<>();
    private final Queue<String> renamed = new ConcurrentLinkedQueue<>();
    private final AtomicInteger received = new AtomicInteger();

    WebhookReceiver() {
        Thread.ofVirtual().start(this::read);
    }

    String url() {
        return endpoint.url("/hook");
    }

    /** Whether the arrival of that message in that inbox was told. */
    private boolean has(String inbox, String message) {
        return events.containsKey(inbox + " " + message);
    }

    /** What was acknowledged and not told yet; the operator's own organization has no webhook. */
    List<String> missing(Ledger ledger) {
        List<String> missing = new ArrayList<>();
        for (Ledger.Deed deed : ledger.acknowledged()) {
            if (deed instanceof Ledger.Mail mail) {
                mail.recipients().stream()
                        .filter(to -> !to.startsWith("postmaster") && !has(to, mail.name()))
                        .forEach(to -> missing.add(mail + " to the webhook for " + to));
            }
        }
        return missing;
    }

    /** Arrivals that were told under more than one event id. */
    List<String> renamed() {
        return List.copyOf(renamed);
    }

    /** How many posts came. */
    int received() {
        return received.get();
    }

    private void read() {
        try {
            while (true) {
                FakeEndpoint.Received post = endpoint.received().take();
                received.incrementAndGet();
                if (Json.parse(post.content()) instanceof Map<?, ?> event
                        && event.get("message") instanceof Map<?, ?> message) {
                    String arrival = message.get("inbox_id") + " " + message.get("message_id");
                    String id = String.valueOf(event.get("event_id"));
                    String before = events.putIfAbsent(arrival, id);
                    if (before != null && !before.equals(id)) {
                        renamed.add(arrival);
                    }
                }
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        try {
            endpoint.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
