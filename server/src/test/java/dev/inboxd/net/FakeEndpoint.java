package dev.inboxd.net;

import dev.inboxd.reference.ResponseContract;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP/1.1 endpoint for tests on a loopback port of its own, answering as scripted and recording what it was sent.
 * Without a script it answers 200 to everything over kept-alive connections.
 */
public final class FakeEndpoint implements AutoCloseable {
    /**
     * A request as it arrived.
     *
     * @param fields header fields; names compare without case, a repeated one keeps its last value
     * @param arrival {@link System#nanoTime} when its last octet was read
     * @param connection number of the connection it came over, from 1
     * @param serverName the TLS SNI, when there was one
     */
    @SuppressWarnings("ArrayRecordComponent")
    public record Received(
            String method,
            String path,
            Map<String, String> fields,
            byte[] content,
            long arrival,
            int connection,
            @Nullable String serverName) {
        /** The content as UTF-8. */
        public String text() {
            return new String(content, StandardCharsets.UTF_8);
        }
    }

    /** What to do with one request. */
    @FunctionalInterface
    public interface Behaviour {
        /** Writes a response; returns whether the connection stays open. */
        boolean answer(Connection connection) throws IOException, InterruptedException;
    }

    private final ServerSocket listener;
    private final boolean tls;
    private final Deque<Behaviour> script = new ArrayDeque<>();
    private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicInteger connections = new AtomicInteger();
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile Behaviour otherwise = status(200);

    private FakeEndpoint(@Nullable SSLContext context, InetAddress loopback) throws IOException {
        listener = context == null
                ? new ServerSocket(0, 1024, loopback)
                : context.getServerSocketFactory().createServerSocket(0, 1024, loopback);
        tls = context != null;
    }

    /** Starts an endpoint without TLS. */
    public static FakeEndpoint start() {
        return start(null);
    }

    /** Starts an endpoint, with TLS when a context is given. */
    public static FakeEndpoint start(@Nullable SSLContext context) {
        return start(context, InetAddress.getLoopbackAddress());
    }

    /** Starts an endpoint without TLS at another address of this machine. */
    public static FakeEndpoint startAt(String address) {
        return start(null, InetAddress.ofLiteral(address));
    }

    private static FakeEndpoint start(@Nullable SSLContext context, InetAddress loopback) {
        try {
            FakeEndpoint endpoint = new FakeEndpoint(context, loopback);
            Thread.ofVirtual().start(endpoint::accept);
            return endpoint;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The URL of a path here, by address. */
    public String url(String path) {
        return url("127.0.0.1", path);
    }

    /** The URL of a path here, by a name that leads to 127.0.0.1. */
    public String url(String host, String path) {
        return (tls ? "https://" : "http://") + host + ":" + listener.getLocalPort() + path;
    }

    /** From now on every request not covered by {@link #then} is treated so. */
    public FakeEndpoint always(Behaviour behaviour) {
        otherwise = behaviour;
        return this;
    }

    /** Appends to the script: the next requests are treated so, one each, in this order. */
    public synchronized FakeEndpoint then(Behaviour... behaviours) {
        script.addAll(List.of(behaviours));
        return this;
    }

    /** All requests so far that nobody took. */
    public BlockingQueue<Received> received() {
        return received;
    }

    /** The next request; fails after ten seconds. */
    public Received take() {
        return take(Duration.ofSeconds(10));
    }

    /** The next request; fails when none comes in time. */
    public Received take(Duration patience) {
        Received next = takeRaw(patience);
        if (next.fields().containsKey("webhook-id")) {
            hold(next);
        }
        return next;
    }

    /** The next request of a test that makes up its events; fails after ten seconds. */
    public Received takeRaw() {
        return takeRaw(Duration.ofSeconds(10));
    }

    private Received takeRaw(Duration patience) {
        try {
            Received next = received.poll(patience.toNanos(), TimeUnit.NANOSECONDS);
            if (next == null) {
                throw new AssertionError("no request within " + patience);
            }
            return next;
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A delivery of the service is as {@code docs/api.yaml} says. */
    private static void hold(Received delivery) {
        String fault = delivery.text().startsWith("{\"type\":\"event\"")
                ? ResponseContract.faultOfEvent(delivery.content())
                : "";
        if (!fault.isEmpty()) {
            throw new AssertionError("docs/api.yaml and a delivery: " + fault + "\n" + delivery.text());
        }
    }

    /** How many connections were accepted so far. */
    public int connections() {
        return connections.get();
    }

    /** An empty response with this status. */
    public static Behaviour status(int status) {
        return respond(status, "", "");
    }

    /** A whole response; {@code fields} are further header lines, each ending in CR LF. */
    public static Behaviour respond(int status, String fields, String content) {
        byte[] octets = content.getBytes(StandardCharsets.UTF_8);
        byte[] head = ("HTTP/1.1 " + status + " Scripted\r\nContent-Length: " + octets.length + "\r\n" + fields
                        + "\r\n")
                .getBytes(StandardCharsets.UTF_8);
        return connection -> {
            ByteArrayOutputStream whole = new ByteArrayOutputStream();
            whole.write(head);
            whole.write(octets);
            connection.write(whole.toByteArray());
            return true;
        };
    }

    /** These octets, then the end of the connection. */
    public static Behaviour raw(String text) {
        return connection -> {
            connection.write(text.getBytes(StandardCharsets.ISO_8859_1));
            return false;
        };
    }

    /** Another behaviour once the latch is released. */
    public static Behaviour after(CountDownLatch latch, Behaviour behaviour) {
        return connection -> {
            latch.await();
            return behaviour.answer(connection);
        };
    }

    /** No answer, until the endpoint is closed. */
    public Behaviour hang() {
        return _ -> {
            closed.await();
            return false;
        };
    }

    /** {@code start} at once, then {@code piece} again and again until the other side or the endpoint closes. */
    public Behaviour endless(String start, String piece, Duration pause) {
        byte[] octets = piece.getBytes(StandardCharsets.ISO_8859_1);
        return connection -> {
            connection.write(start.getBytes(StandardCharsets.ISO_8859_1));
            while (!closed.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                connection.write(octets);
            }
            return false;
        };
    }

    /** The connection is closed without an answer. */
    public static Behaviour hangUp() {
        return _ -> false;
    }

    /** These octets, then the connection is reset. */
    public static Behaviour reset(String text) {
        return connection -> {
            connection.write(text.getBytes(StandardCharsets.ISO_8859_1));
            connection.socket.setSoLinger(true, 0);
            return false;
        };
    }

    /** Stops listening, ends every connection and every hanging behaviour. */
    @Override
    public void close() throws IOException {
        closed.countDown();
        listener.close();
        for (Socket socket : open) {
            socket.close();
        }
    }

    private void accept() {
        try {
            while (true) {
                Socket socket = listener.accept();
                open.add(socket);
                int number = connections.incrementAndGet();
                Thread.ofVirtual().start(() -> serve(socket, number));
            }
        } catch (IOException e) {
            // Closed: the test is over.
        }
    }

    private void serve(Socket socket, int number) {
        try (socket) {
            socket.setTcpNoDelay(true);
            Connection connection = new Connection(socket, number);
            while (true) {
                received.add(connection.read());
                if (!next().answer(connection)) {
                    return;
                }
            }
        } catch (IOException | InterruptedException e) {
            // The client has hung up.
        } finally {
            open.remove(socket);
        }
    }

    private synchronized Behaviour next() {
        return script.isEmpty() ? otherwise : script.removeFirst();
    }

    /** One connection, as a behaviour sees it. */
    public static final class Connection {
        private final Socket socket;
        private final int number;
        private final InputStream in;
        private final OutputStream out;
        private @Nullable Received last;

        private Connection(Socket socket, int number) throws IOException {
            this.socket = socket;
            this.number = number;
            this.in = new BufferedInputStream(socket.getInputStream());
            this.out = socket.getOutputStream();
        }

        /** Sends octets at once. */
        public void write(byte[] octets) throws IOException {
            out.write(octets);
            out.flush();
        }

        private Received read() throws IOException {
            String[] start = line().split(" ", 3);
            Map<String, String> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            for (String line = line(); !line.isEmpty(); line = line()) {
                int colon = line.indexOf(':');
                fields.put(line.substring(0, colon), line.substring(colon + 1).strip());
            }
            byte[] content = in.readNBytes(Integer.parseInt(fields.getOrDefault("Content-Length", "0")));
            Received whole = new Received(start[0], start[1], fields, content, System.nanoTime(), number, serverName());
            last = whole;
            return whole;
        }

        /** The request that is to be answered. */
        public Received request() {
            return Objects.requireNonNull(last);
        }

        private String line() throws IOException {
            ByteArrayOutputStream line = new ByteArrayOutputStream();
            for (int c = in.read(); c != '\n'; c = in.read()) {
                if (c < 0) {
                    throw new EOFException();
                }
                line.write(c);
            }
            return line.toString(StandardCharsets.ISO_8859_1).stripTrailing();
        }

        private @Nullable String serverName() {
            if (socket instanceof SSLSocket secure && secure.getSession() instanceof ExtendedSSLSession session) {
                return session.getRequestedServerNames().stream()
                        .filter(SNIHostName.class::isInstance)
                        .map(name -> ((SNIHostName) name).getAsciiName())
                        .findFirst()
                        .orElse(null);
            }
            return null;
        }
    }
}
