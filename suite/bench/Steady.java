import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

/** Sends 4 KB messages over one SMTP session at a steady rate, each with a mark of its own in the subject. */
final class Steady {
    private static final byte[] MARK = "bench-".getBytes(StandardCharsets.US_ASCII);
    private static final int MARK_LENGTH = 14;
    private static final AtomicInteger NEXT = new AtomicInteger();

    private Steady() {}

    /** The first mark in some bytes, or null. */
    static String mark(byte[] bytes) {
        for (int i = 0; i + MARK_LENGTH <= bytes.length; i++) {
            if (startsAt(bytes, i)) {
                return new String(bytes, i, MARK_LENGTH, StandardCharsets.US_ASCII);
            }
        }
        return null;
    }

    private static boolean startsAt(byte[] body, int from) {
        for (int i = 0; i < MARK.length; i++) {
            if (body[from + i] != MARK[i]) {
                return false;
            }
        }
        return true;
    }

    /** Sends that number, to the recipients in turn, with commas between; passes on each mark right after its 250. */
    static void send(int port, String recipients, int count, int perSecond, Consumer<String> accepted)
            throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port));
            socket.setTcpNoDelay(true);
            BufferedReader in =
                    new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
            OutputStream out = socket.getOutputStream();
            expect(in, "220");
            say(out, in, "EHLO client.test", "250");
            String[] turns = recipients.split(",");
            long start = System.nanoTime();
            for (int i = 0; i < count; i++) {
                long due = start + TimeUnit.SECONDS.toNanos(1) * i / perSecond;
                while (System.nanoTime() < due) {
                    LockSupport.parkNanos(due - System.nanoTime());
                }
                String recipient = turns[i % turns.length];
                String mark = "bench-%08d".formatted(NEXT.getAndIncrement());
                say(out, in, "MAIL FROM:<sender@client.test>", "250");
                say(out, in, "RCPT TO:<" + recipient + ">", "250");
                say(out, in, "DATA", "354");
                say(out, in, message(mark, recipient), "250");
                accepted.accept(mark);
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
}
