import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
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
    private static final byte[] MARK = "bench-".getBytes(StandardCharsets.US_ASCII);
    private static final int MARK_LENGTH = 14;
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
            latency.send(Integer.parseInt(arguments[0]), arguments[1], Integer.parseInt(arguments[2]),
                    Integer.parseInt(arguments[3]));
            latency.print();
        }
    }

    private void arrived(byte[] body, long time) {
        for (int i = 0; i + MARK_LENGTH <= body.length; i++) {
            if (startsAt(body, i)) {
                arrived.putIfAbsent(new String(body, i, MARK_LENGTH, StandardCharsets.US_ASCII), time);
                return;
            }
        }
    }

    private static boolean startsAt(byte[] body, int from) {
        for (int i = 0; i < MARK.length; i++) {
            if (body[from + i] != MARK[i]) {
                return false;
            }
        }
        return true;
    }

    private void send(int port, String recipient, int count, int perSecond) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port));
            socket.setTcpNoDelay(true);
            BufferedReader in = new BufferedReader(
                    new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            OutputStream out = socket.getOutputStream();
            expect(in, "220");
            say(out, in, "EHLO client.test", "250");
            long start = System.nanoTime();
            for (int i = 0; i < count; i++) {
                long due = start + TimeUnit.SECONDS.toNanos(1) * i / perSecond;
                while (System.nanoTime() < due) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                String mark = "bench-%08d".formatted(i);
                say(out, in, "MAIL FROM:<sender@client.test>", "250");
                say(out, in, "RCPT TO:<" + recipient + ">", "250");
                say(out, in, "DATA", "354");
                say(out, in, message(mark, recipient), "250");
                accepted.put(mark, System.nanoTime());
            }
            say(out, in, "QUIT", "221");
        }
    }

    private static String message(String mark, String recipient) {
        String line = "x".repeat(70) + "\r\n";
        return "From: sender@client.test\r\nTo: " + recipient + "\r\nSubject: " + mark + "\r\nMessage-ID: <" + mark
                + "." + System.nanoTime() + "@client.test>\r\n\r\n" + line.repeat(56) + ".";
    }

    private static void say(OutputStream out, BufferedReader in, String line, String code) throws IOException {
        out.write((line + "\r\n").getBytes(StandardCharsets.US_ASCII));
        expect(in, code);
    }

    private static void expect(BufferedReader in, String code) throws IOException {
        String line = in.readLine();
        while (line != null && line.startsWith(code + "-")) {
            line = in.readLine();
        }
        if (line == null || !line.startsWith(code)) {
            throw new IOException("expected " + code + " and got " + line);
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
