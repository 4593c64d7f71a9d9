import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The plainest client there is, beside which deliveries are measured: some loops post the same bytes over connections
 * that are kept, and do nothing else. Prints how many a second were answered.
 */
final class Posting {
    private Posting() {}

    /** Arguments: URL, a file with the body, seconds, and how many loops. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(arguments[0]))
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofByteArray(Files.readAllBytes(Path.of(arguments[1]))))
                .build();
        int loops = Integer.parseInt(arguments[3]);
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            run(client, request, loops, 2); // warms up
            System.out.println(run(client, request, loops, Integer.parseInt(arguments[2])));
        }
    }

    private static long run(HttpClient client, HttpRequest request, int loops, int seconds)
            throws InterruptedException {
        long begin = System.nanoTime();
        long end = begin + TimeUnit.SECONDS.toNanos(seconds);
        AtomicLong answered = new AtomicLong();
        CountDownLatch over = new CountDownLatch(loops);
        for (int i = 0; i < loops; i++) {
            Thread.ofVirtual().start(() -> {
                try {
                    while (System.nanoTime() < end) {
                        client.send(request, HttpResponse.BodyHandlers.discarding());
                        answered.incrementAndGet();
                    }
                } catch (IOException | InterruptedException gone) {
                    System.err.println("a loop ended: " + gone.getMessage());
                } finally {
                    over.countDown();
                }
            });
        }
        over.await();
        return answered.get() * TimeUnit.SECONDS.toNanos(1) / (System.nanoTime() - begin);
    }
}
