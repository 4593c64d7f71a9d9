package dev.inboxd.smtp.submission;

import dev.inboxd.base.tls.TrustAnyone;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.SSLSocket;

/** A mail program, as plain as can be: STARTTLS, AUTH PLAIN, and messages over one session. */
final class SubmissionProbe implements AutoCloseable {
    private final Socket tcp;
    private Socket socket;
    private BufferedReader in;

    /** Opens an encrypted session on that port of this machine. */
    SubmissionProbe(int port) {
        try {
            tcp = new Socket(InetAddress.getLoopbackAddress(), port);
            tcp.setTcpNoDelay(true);
            tcp.setSoTimeout(30_000);
            socket = tcp;
            in = reader(tcp);
            reply();
            command("EHLO client.test");
            command("STARTTLS");
            SSLSocket secured =
                    (SSLSocket) TrustAnyone.context().getSocketFactory().createSocket(tcp, "localhost", port, true);
            secured.startHandshake();
            socket = secured;
            in = reader(secured);
            command("EHLO client.test");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (GeneralSecurityException noTls) {
            throw new IllegalStateException(noTls);
        }
    }

    private static BufferedReader reader(Socket of) throws IOException {
        return new BufferedReader(new InputStreamReader(of.getInputStream(), StandardCharsets.ISO_8859_1));
    }

    String login(String user, String password) {
        return command("AUTH PLAIN "
                + Base64.getEncoder().encodeToString(("\0" + user + "\0" + password).getBytes(StandardCharsets.UTF_8)));
    }

    /** Sends a message whose lines may end in LF; returns the last reply, or the one that refused. */
    String send(String from, List<String> to, String message) {
        String reply = begin(from, to);
        return reply.startsWith("3") ? command(content(message)) : reply;
    }

    /** The envelope and DATA; returns 354, or what refused. */
    String begin(String from, List<String> to) {
        String reply = command("MAIL FROM:<" + from + ">");
        for (String recipient : to) {
            reply = reply.startsWith("2") ? command("RCPT TO:<" + recipient + ">") : reply;
        }
        if (!reply.startsWith("2")) {
            if (!reply.startsWith("421")) {
                command("RSET");
            }
            return reply;
        }
        return command("DATA");
    }

    static String content(String message) {
        String lines = message.replace("\n", "\r\n").replace("\r\n.", "\r\n..");
        return lines + (lines.endsWith("\r\n") ? "." : "\r\n.");
    }

    /** Says a line and returns the whole reply, its lines joined. */
    String command(String line) {
        say(line);
        return reply();
    }

    /** Says a line and does not wait. */
    void say(String line) {
        try {
            socket.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().flush();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The next reply, its lines joined; empty when the connection has ended. */
    String reply() {
        try {
            StringBuilder reply = new StringBuilder();
            String line;
            do {
                line = in.readLine();
                reply.append(reply.isEmpty() ? "" : " | ").append(line == null ? "" : line);
            } while (line != null && line.length() > 3 && line.charAt(3) == '-');
            return reply.toString();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Ends the connection with RST, as a network does that is gone. */
    void cut() {
        try {
            tcp.setSoLinger(true, 0);
            tcp.close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
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
