package dev.inboxd.smtp.server;

import dev.inboxd.base.tls.ServerTls;
import dev.inboxd.mail.smtp.DotReader;
import dev.inboxd.mail.smtp.SmtpCommand;
import dev.inboxd.mail.smtp.SmtpReply;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection of one session: reads commands and content, writes replies. Replies are buffered until the session
 * waits for its client, so that a pipelined group is answered in one packet (RFC 2920 §3.2). Other threads than the
 * session's may call only {@link #disconnect}, {@link #waited} and {@link #abort}.
 */
final class SmtpConnection {
    private static final Logger LOG = LoggerFactory.getLogger(SmtpConnection.class);
    private static final SmtpCommand LINE_TOO_LONG = new SmtpCommand.Invalid(
            SmtpReply.of(500, "5.5.2", "Line too long, " + SmtpCommand.MAX_LINE + " octets are the limit"));

    private static final int BUFFER = 16 * 1024;
    private static final int MAX_REPLIES = 16 * 1024;
    private static final byte[] AUTH = {'a', 'u', 't', 'h', ' '};
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long LINGER_OCTETS = 4 * 1024 * 1024;

    private final Socket tcp;
    private Socket socket; // tcp itself, or TLS over it
    private InputStream in;
    private OutputStream out;
    private final byte[] buffer = new byte[BUFFER];
    private int next;
    private int end;
    private final ByteArrayOutputStream replies = new ByteArrayOutputStream(512);
    private volatile long waitingSince;
    private volatile @Nullable SmtpReply disconnectReply;

    SmtpConnection(Socket tcp) throws IOException {
        this.tcp = tcp;
        this.socket = tcp;
        tcp.setTcpNoDelay(true);
        this.in = tcp.getInputStream();
        this.out = tcp.getOutputStream();
    }

    InetAddress address() {
        return tcp.getInetAddress();
    }

    void send(SmtpReply reply) throws IOException {
        replies.writeBytes(reply.toBytes());
        if (replies.size() > MAX_REPLIES) {
            flush();
        }
    }

    /** A line in the buffer, from its first octet to the octet before its CRLF. */
    private record Line(int from, int to, boolean tooLong) {}

    /** Waits for the next command line. The idle time applies to the whole line. */
    SmtpCommand command() throws IOException {
        Line line = line(SmtpCommand.MAX_LINE);
        return line.tooLong ? LINE_TOO_LONG : SmtpCommand.parse(buffer, line.from, line.to);
    }

    /** Waits for the response to a challenge of AUTH (RFC 4954 §4); null when the line is too long. */
    @Nullable
    String readResponse() throws IOException {
        Line line = line(SmtpCommand.MAX_AUTH_LINE);
        return line.tooLong ? null : new String(buffer, line.from, line.to - line.from, StandardCharsets.ISO_8859_1);
    }

    private Line line(int usual) throws IOException {
        waitingSince = now();
        try {
            int max = usual;
            int scanned = 0; // octets after next known to hold no line end
            boolean tooLong = false;
            while (true) {
                int at = lineEnd(next + scanned);
                // Of a line that is too long, the rest is here, and not its beginning.
                if (!tooLong && HttpRequestLine.begins(buffer, next, at)) {
                    throw new DisconnectException(SmtpReplies.HTTP);
                }
                if (at < end && buffer[at] == '\n') {
                    throw new DisconnectException(SmtpReplies.BARE_LF);
                }
                max = isAuth() ? SmtpCommand.MAX_AUTH_LINE : max;
                if (at + 1 < end) {
                    return lineBefore(at, tooLong, max);
                }
                if (at - next > max) {
                    tooLong = true;
                    next = at;
                }
                scanned = at - next;
                fill();
            }
        } finally {
            waitingSince = 0;
        }
    }

    /** Whether the line begins with AUTH, the only command with longer lines (RFC 4954 §4.5). */
    private boolean isAuth() {
        boolean same = end - next >= AUTH.length;
        for (int i = 0; same && i < AUTH.length; i++) {
            same = (buffer[next + i] | 0x20) == AUTH[i];
        }
        return same;
    }

    private Line lineBefore(int at, boolean tooLong, int max) {
        if (buffer[at + 1] != '\n') {
            throw new DisconnectException(SmtpReplies.BARE_CR);
        }
        int from = next;
        next = at + 2;
        return new Line(from, at, tooLong || next - from > max);
    }

    /** Reads mail data up to its end or to the first octet that violates RFC 5321. */
    DotReader.State content(DotReader reader, DotReader.Content content, MinimumDataRate rate) throws IOException {
        while (true) {
            int from = next;
            next = reader.read(buffer, next, end, content);
            if (reader.state() != DotReader.State.OPEN) {
                return reader.state();
            }
            rate.count(next - from);
            await();
        }
    }

    /**
     * Reads exactly {@code count} octets. All count for the rate: small pieces that arrive whole must not escape it.
     */
    void octets(long count, DotReader.Content content, MinimumDataRate rate) throws IOException {
        long left = count;
        while (true) {
            int available = (int) Math.min(left, end - next);
            content.take(buffer, next, next + available);
            next += available;
            left -= available;
            rate.count(available);
            if (left == 0) {
                return;
            }
            await();
        }
    }

    private void await() throws IOException {
        waitingSince = now();
        fill();
        waitingSince = 0;
    }

    /** Whether input of the client is buffered that was not read yet. */
    boolean hasInput() {
        return next < end;
    }

    /** Sends the buffered replies, then performs the TLS handshake within the idle time. */
    void startTls(ServerTls tls) throws IOException {
        flush();
        SSLSocket secured = tls.wrap(tcp);
        waitingSince = now();
        secured.startHandshake();
        waitingSince = 0;
        in = secured.getInputStream();
        out = secured.getOutputStream();
        socket = secured;
    }

    /** Makes the session's next wait for input end with that reply; only the first call counts. */
    void disconnect(SmtpReply last) {
        if (disconnectReply != null) {
            return;
        }
        disconnectReply = last;
        try {
            tcp.shutdownInput();
        } catch (IOException e) {
            abort();
        }
    }

    /** How long the session has been waiting for its client, in nanoseconds; 0 when it is not waiting. */
    long waited() {
        long since = waitingSince;
        return since == 0 ? 0 : now() - since;
    }

    /** Closes the connection at once, whatever the session is doing; no effect when it is closed. */
    void abort() {
        try {
            tcp.close();
        } catch (IOException e) {
            LOG.debug("SMTP connection not closed: {}", e.getMessage());
        }
    }

    /** Sends the buffered replies and closes the connection; for a client that expects the end. */
    void close() throws IOException {
        flush();
        socket.close();
    }

    /**
     * Sends a final reply to a client that may still be sending. Closing at once would reset the connection and could
     * destroy the reply in transit, so input is read and discarded for up to two seconds.
     */
    void close(SmtpReply last) throws IOException {
        send(last);
        flush();
        socket.shutdownOutput();
        if (!tcp.isInputShutdown()) {
            linger(tcp.getInputStream());
        }
        socket.close();
    }

    private void linger(InputStream input) throws IOException {
        tcp.setSoTimeout(1_000);
        long started = now();
        int read = 0;
        for (long octets = 0; read >= 0 && octets < LINGER_OCTETS && now() - started < LINGER_NANOS; octets += read) {
            read = input.read(buffer);
        }
    }

    private int lineEnd(int from) {
        int i = from;
        while (i < end && buffer[i] != '\r' && buffer[i] != '\n') {
            i++;
        }
        return i;
    }

    private void fill() throws IOException {
        if (replies.size() > 0) {
            flush();
        }
        System.arraycopy(buffer, next, buffer, 0, end - next);
        end -= next;
        next = 0;
        int read = in.read(buffer, end, BUFFER - end);
        if (read < 0) {
            SmtpReply last = disconnectReply;
            if (last != null) {
                throw new DisconnectException(last);
            }
            throw new EOFException("The client closed the connection");
        }
        end += read;
    }

    /** Sends the buffered replies. */
    void flush() throws IOException {
        if (replies.size() > 0) {
            long before = waitingSince;
            waitingSince = before == 0 ? now() : before;
            replies.writeTo(out);
            replies.reset();
            out.flush();
            waitingSince = before;
        }
    }

    /** Monotonic time in nanoseconds, never 0. */
    private static long now() {
        return System.nanoTime() | 1;
    }
}
