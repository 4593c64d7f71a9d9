import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * An endpoint that tells how fast it was posted to. Prints its port, and then answers each line it reads:
 * {@code count}, how many came so far; {@code rate N}, from now on the times of N are taken; {@code wait}, once they
 * have come, how many a second came after the first tenth of them; {@code body FILE}, once the last body is in that
 * file.
 */
final class Drain {
    private long count;
    private byte[] last = new byte[0];
    private long[] times = new long[0];

    private Drain() {}

    public static void main(String[] arguments) throws IOException {
        Drain drain = new Drain();
        try (Webhook webhook = new Webhook(drain::came);
                BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
            webhook.start();
            System.out.println(webhook.port());
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                String[] words = line.split(" ");
                switch (words[0]) {
                    case "rate" -> drain.watch(Integer.parseInt(words[1]));
                    case "wait" -> System.out.println(drain.rate());
                    case "body" -> {
                        Files.write(Path.of(words[1]), drain.last());
                        System.out.println("written");
                    }
                    default -> System.out.println(drain.count());
                }
            }
        }
    }

    private synchronized void came(byte[] body) {
        if (count < times.length) {
            times[(int) count] = System.nanoTime();
        }
        count++;
        last = body;
    }

    private synchronized long count() {
        return count;
    }

    private synchronized byte[] last() {
        return last;
    }

    /** Counts anew, and takes the times of so many. */
    private synchronized void watch(int many) {
        count = 0;
        times = new long[many];
        System.out.println("watching");
    }

    private long rate() {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(5);
        while (count() < times.length && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        synchronized (this) {
            int from = times.length / 10;
            return count < times.length
                    ? 0
                    : (times.length - 1 - from) * TimeUnit.SECONDS.toNanos(1) / (times[times.length - 1] - times[from]);
        }
    }
}
