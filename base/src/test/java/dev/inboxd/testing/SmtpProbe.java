package dev.inboxd.testing;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

/** A mail server elsewhere, as plain as can be: one session over a real socket. */
public final class SmtpProbe implements AutoCloseable {
    private final Socket socket;
    private final BufferedReader in;
    private final OutputStream out;

    /** Opens a session with the service on that port of this machine. */
    public SmtpProbe(int port) {
        this(port, Duration.ofSeconds(30));
    }

    /**
     * Opens a session with the service on that port of this machine.
     *
     * @param patience how long it waits for each reply
     */
    public SmtpProbe(int port, Duration patience) {
        try {
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
            socket.setTcpNoDelay(true);
            socket.setSoTimeout(Math.toIntExact(patience.toMillis()));
            in = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.ISO_8859_1));
            out = socket.getOutputStream();
            reply();
            command("EHLO elsewhere.test");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Sends one command and returns the last line of its reply. */
    public String command(String line) {
        return command(line, StandardCharsets.UTF_8);
    }

    private String command(String line, Charset charset) {
        try {
            out.write((line + "\r\n").getBytes(charset));
            out.flush();
            return reply();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Sends a whole message and returns the last reply: after the dot, or the one that refused. */
    public String send(String from, List<String> to, String message) {
        return send(from, to, message, StandardCharsets.UTF_8);
    }

    /** The same with octets, whose lines may end in any way; in the session all end in CR LF. */
    public String send(String from, List<String> to, byte[] message) {
        String lines = new String(message, StandardCharsets.ISO_8859_1)
                .replace("\r\n", "\n")
                .replace("\r", "\n");
        return send(from, to, lines, StandardCharsets.ISO_8859_1);
    }

    /** After 354: lines that end in CR LF, none beginning with a dot; returns the reply to the final dot. */
    public String data(byte[] message) {
        try {
            out.write(message);
            out.write(new byte[] {'.', '\r', '\n'});
            out.flush();
            return reply();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private String send(String from, List<String> to, String message, Charset charset) {
        String reply = command("MAIL FROM:<" + from + ">");
        for (String recipient : to) {
            reply = reply.startsWith("2") ? command("RCPT TO:<" + recipient + ">") : reply;
        }
        reply = reply.startsWith("2") ? command("DATA") : reply;
        if (!reply.startsWith("3")) {
            return reply;
        }
        String lines = message.replace("\r\n", "\n").replace("\n.", "\n..").replace("\n", "\r\n");
        String stuffed = lines.startsWith(".") ? "." + lines : lines;
        boolean ended = stuffed.isEmpty() || stuffed.endsWith("\r\n");
        return command(stuffed + (ended ? "." : "\r\n."), charset);
    }

    private String reply() throws IOException {
        String line = in.readLine();
        while (line != null && line.length() > 3 && line.charAt(3) == '-') {
            line = in.readLine();
        }
        return line == null ? "" : line;
    }

    @Override
    public void close() {
        try {
            socket.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
