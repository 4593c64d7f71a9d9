package dev.inboxd.base.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** A connection on which a test says exactly the bytes it wants. */
final class RawSocket implements AutoCloseable {
    private final Socket socket;

    RawSocket(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
    }

    void send(String bytes) throws IOException {
        socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** Says that nothing more will come. */
    void end() throws IOException {
        socket.shutdownOutput();
    }

    /** Everything until the server closes the connection. */
    String rest() throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /** The status of an answer, of which nothing more is read. */
    int status() throws IOException {
        String line = new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
        return Integer.parseInt(line.substring(9));
    }

    /** One answer with a Content-Length. */
    Answer answer() throws IOException {
        InputStream in = socket.getInputStream();
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.UTF_8).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new IOException("closed after: " + head);
            }
            head.write(next);
        }
        String header = head.toString(StandardCharsets.UTF_8);
        int length = 0;
        for (String line : header.lines().toList()) {
            if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                length = Integer.parseInt(line.substring(15).strip());
            }
        }
        return new Answer(
                Integer.parseInt(header.substring(9, 12)),
                header,
                new String(in.readNBytes(length), StandardCharsets.UTF_8));
    }

    record Answer(int status, String header, String body) {}

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
