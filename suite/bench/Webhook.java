import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * A webhook endpoint that costs next to nothing: reads each request, hands on its body, answers 200. Run by itself it
 * prints its port and then, for each line it reads, how many requests came so far.
 */
final class Webhook implements AutoCloseable {
    private static final byte[] OK = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final String LENGTH = "content-length:";

    private final ServerSocket socket;
    private final Consumer<byte[]> bodies;

    Webhook(Consumer<byte[]> bodies) throws IOException {
        this.bodies = bodies;
        this.socket = new ServerSocket(0, 1_024, InetAddress.getLoopbackAddress());
    }

    /** Counts until its input ends. */
    public static void main(String[] arguments) throws IOException {
        AtomicLong count = new AtomicLong();
        try (Webhook webhook = new Webhook(_ -> count.incrementAndGet())) {
            webhook.start();
            System.out.println(webhook.port());
            while (System.in.read() >= 0) {
                System.out.println(count.get());
            }
        }
    }

    int port() {
        return socket.getLocalPort();
    }

    void start() {
        Thread.ofVirtual().start(() -> {
            try {
                while (true) {
                    Socket peer = socket.accept();
                    Thread.ofVirtual().start(() -> serve(peer));
                }
            } catch (IOException closed) {
                // The end of the benchmark.
            }
        });
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private void serve(Socket peer) {
        try (peer;
                InputStream in = new BufferedInputStream(peer.getInputStream(), 16_384)) {
            peer.setTcpNoDelay(true);
            OutputStream out = peer.getOutputStream();
            int length = readHeader(in);
            while (length >= 0) {
                bodies.accept(in.readNBytes(length));
                out.write(OK);
                length = readHeader(in);
            }
        } catch (IOException gone) {
            // The sender is free to hang up.
        }
    }

    /** Reads up to the empty line and returns the length of the body, or -1 at the end of the connection. */
    private static int readHeader(InputStream in) throws IOException {
        int length = 0;
        StringBuilder line = new StringBuilder();
        boolean any = false;
        for (int c = in.read(); c >= 0; c = in.read()) {
            if (c == '\n') {
                if (line.isEmpty() && any) {
                    return length;
                }
                any = true;
                if (line.length() > LENGTH.length()
                        && line.substring(0, LENGTH.length()).equalsIgnoreCase(LENGTH)) {
                    length = Integer.parseInt(line.substring(LENGTH.length()).strip());
                }
                line.setLength(0);
            } else if (c != '\r') {
                line.append((char) c);
            }
        }
        return -1;
    }
}
