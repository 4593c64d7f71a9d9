import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How long after the 250 a message's webhook arrives, at a light and steady rate. Sender and endpoint are one process,
 * so that one clock tells both times. Prints its port, waits for one line (the webhook exists then), sends, and prints
 * for each message the microseconds from the 250 to the webhook, which may be negative, or "lost".
 */
final class Latency {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);

    private final Map<String, Long> accepted = new ConcurrentHashMap<>();
    private final Map<String, Long> arrived = new ConcurrentHashMap<>();

    /** Arguments: SMTP port, recipient, messages, messages per second. */
    public static void main(String[] arguments) throws IOException {
        Latency latency = new Latency();
        try (Webhook webhook = new Webhook(body -> latency.arrived(body, System.nanoTime()))) {
            webhook.start();
            System.out.println(webhook.port());
            System.in.read();
            Steady.send(
                    Integer.parseInt(arguments[0]),
                    arguments[1],
                    Integer.parseInt(arguments[2]),
                    Integer.parseInt(arguments[3]),
                    mark -> latency.accepted.put(mark, System.nanoTime()));
            latency.print();
        }
    }

    private void arrived(byte[] body, long time) {
        String mark = Steady.mark(body);
        if (mark != null) {
            arrived.putIfAbsent(mark, time);
        }
    }

    private void print() {
        long deadline = System.nanoTime() + PATIENCE;
        while (arrived.size() < accepted.size() && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        accepted.forEach((mark, time) -> {
            Long arrival = arrived.get(mark);
            System.out.println(arrival == null ? "lost" : Long.toString((arrival - time) / 1_000));
        });
    }
}
