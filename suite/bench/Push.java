import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Latency of events at their listeners. Sender and listeners are one process, so that one clock gives both times.
 * Prints microseconds from the 250, which may be negative, one a line, or "lost".
 *
 * <ul>
 * <li>{@code frames}: to the WebSocket frame, for a number of messages at a rate.
 * <li>{@code waits}: to the return of the wait for the message, in inboxes with commas between them.
 * <li>{@code fanout}: to the last of many sockets, in twenty rounds.
 * <li>{@code sockets}, {@code parked}: opens that number of sockets, or of requests that wait, says so, and ends
 *     at an octet of its input; parked requests are then woken by one message, and it says when all were answered.
 * </ul>
 */
final class Push {
    private static final long PATIENCE = TimeUnit.SECONDS.toNanos(60);
    private static final Pattern CURSOR = Pattern.compile("\"next_cursor\":\"([^\"]+)\"");
    private static final String OK = "HTTP/1.1 200 OK\r\n";
    private static final int ROUNDS = 20;

    private final int http;
    private final int smtp;
    private final String key;
    private final String inbox;
    private final Map<String, Long> accepted = new ConcurrentHashMap<>();
    private final Map<String, Long> arrived = new ConcurrentHashMap<>();

    private Push(String[] arguments) {
        http = Integer.parseInt(arguments[1]);
        smtp = Integer.parseInt(arguments[2]);
        key = arguments[3];
        inbox = arguments[4];
    }

    /** Arguments: what, HTTP port, SMTP port, key, recipient, how many, and messages per second. */
    public static void main(String[] arguments) throws Exception {
        Push push = new Push(arguments);
        int count = Integer.parseInt(arguments[5]);
        switch (arguments[0]) {
            case "frames" -> push.frames(count, Integer.parseInt(arguments[6]));
            case "waits" -> push.waits(count, Integer.parseInt(arguments[6]));
            case "fanout" -> push.fanout(count);
            case "sockets" -> push.sockets(count);
            default -> push.parked(count);
        }
        System.exit(0);
    }

    private void frames(int count, int perSecond) throws IOException {
        SocketPeer peer = new SocketPeer(http, key, 0);
        Thread.startVirtualThread(() -> {
            try {
                while (true) {
                    arrived(peer.next());
                }
            } catch (IOException gone) {
                System.err.println("the socket ended: " + gone.getMessage());
            }
        });
        send(count, perSecond);
    }

    /** Each request that waits has an inbox of its own, as an agent has; together they get all messages. */
    private void waits(int count, int perSecond) throws Exception {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        try {
            for (String own : inbox.split(",")) {
                String first = cursor(wait(client, own, "now", 0));
                Thread.startVirtualThread(() -> follow(client, own, first));
            }
            send(count, perSecond);
        } finally {
            client.shutdownNow(); // a wait is under way
        }
    }

    private void follow(HttpClient client, String own, String first) {
        String cursor = first;
        try {
            while (true) {
                String answer = wait(client, own, cursor, 60);
                arrived(answer.getBytes(StandardCharsets.UTF_8));
                cursor = cursor(answer);
            }
        } catch (IOException | InterruptedException gone) {
            // The end of the measurement; what did not arrive is printed as lost.
        }
    }

    private String wait(HttpClient client, String own, String cursor, int seconds)
            throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + http + path(own, cursor, seconds));
        return client.send(
                        HttpRequest.newBuilder(uri)
                                .header("Authorization", "Bearer " + key)
                                .build(),
                        HttpResponse.BodyHandlers.ofString())
                .body();
    }

    private static String path(String own, String cursor, int seconds) {
        return "/v0/inboxes/" + URLEncoder.encode(own, StandardCharsets.UTF_8)
                + "/messages/wait?include_unauthenticated=true&cursor=" + cursor + "&timeout=" + seconds;
    }

    private static String cursor(String answer) throws IOException {
        Matcher cursor = CURSOR.matcher(answer);
        if (!cursor.find()) {
            throw new IOException(answer);
        }
        return cursor.group(1);
    }

    private void arrived(byte[] body) {
        long now = System.nanoTime();
        String mark = Steady.mark(body);
        if (mark != null) {
            arrived.putIfAbsent(mark, now);
        }
    }

    private void send(int count, int perSecond) throws IOException {
        Steady.send(smtp, inbox, count, perSecond, mark -> accepted.put(mark, System.nanoTime()));
        long deadline = System.nanoTime() + PATIENCE;
        while (arrived.size() < count && System.nanoTime() < deadline) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
        accepted.forEach((mark, time) -> {
            Long arrival = arrived.get(mark);
            System.out.println(arrival == null ? "lost" : Long.toString((arrival - time) / 1_000));
        });
    }

    private void fanout(int count) throws IOException, InterruptedException {
        List<SocketPeer> peers = open(count);
        for (int round = 0; round < ROUNDS; round++) {
            CountDownLatch told = new CountDownLatch(count);
            for (SocketPeer peer : peers) {
                Thread.startVirtualThread(() -> {
                    try {
                        peer.next();
                        told.countDown();
                    } catch (IOException gone) {
                        System.err.println("a socket ended: " + gone.getMessage());
                    }
                });
            }
            long[] at = new long[1];
            Steady.send(smtp, inbox, 1, 1, _ -> at[0] = System.nanoTime());
            boolean all = told.await(60, TimeUnit.SECONDS);
            System.out.println(all ? Long.toString((System.nanoTime() - at[0]) / 1_000) : "lost");
        }
    }

    private void sockets(int count) throws IOException {
        List<SocketPeer> peers = open(count);
        // They answer pings as long as they are open.
        peers.forEach(peer -> Thread.startVirtualThread(() -> {
            try {
                while (true) {
                    peer.next();
                }
            } catch (IOException gone) {
                System.err.println("a socket ended: " + gone.getMessage());
            }
        }));
        System.out.println("open");
        System.in.read();
    }

    private List<SocketPeer> open(int count) throws IOException {
        List<SocketPeer> peers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            peers.add(new SocketPeer(http, key, i));
        }
        return peers;
    }

    /** A request that is answered "busy" asks again a second later, as every client has to. */
    private void parked(int count) throws IOException, InterruptedException {
        CountDownLatch answered = new CountDownLatch(count);
        LongAdder busy = new LongAdder();
        for (int i = 0; i < count; i++) {
            String from = "127.0.1." + (1 + i / 900);
            Socket first = asked(from);
            Thread.startVirtualThread(() -> {
                Socket asked = first;
                try {
                    while (!answer(asked).startsWith(OK)) {
                        busy.increment();
                        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
                        asked = asked(from);
                    }
                    answered.countDown();
                } catch (IOException gone) {
                    System.err.println("a wait ended: " + gone.getMessage());
                }
            });
        }
        System.out.println("open");
        System.in.read();
        System.err.println(busy.sum() + " were told that the server is busy");
        long[] at = new long[1];
        Steady.send(smtp, inbox, 1, 1, _ -> at[0] = System.nanoTime());
        boolean all = answered.await(60, TimeUnit.SECONDS);
        System.out.println(all ? Long.toString((System.nanoTime() - at[0]) / 1_000) : "lost " + answered.getCount());
    }

    private Socket asked(String from) throws IOException {
        Socket socket = new Socket();
        socket.bind(new InetSocketAddress(from, 0));
        socket.connect(new InetSocketAddress("127.0.0.1", http));
        socket.getOutputStream()
                .write(("GET " + path(inbox, "now", 300)
                                + " HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + key
                                + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** The first octets of an answer; without a buffer, of which there would be 10,000. */
    private static String answer(Socket socket) throws IOException {
        try (InputStream in = socket.getInputStream()) {
            return new String(in.readNBytes(OK.length()), StandardCharsets.US_ASCII);
        }
    }
}
