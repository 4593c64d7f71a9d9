package dev.inboxd.smtp.server;

import dev.inboxd.mail.smtp.DotReader;
import dev.inboxd.mail.smtp.SmtpCommand;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.platform.tls.ServerTls;
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
 * The connection of one session: lines and data in, replies out. Replies are kept back until the client has to be
 * waited for, so that a pipelined group is answered by one packet (RFC 2920 §3.2). Only {@link #disconnect}, {@link #waited}
 * and {@link #abort} may be called by other threads than the session's.
 */
final class SmtpConnection {
    private static final Logger LOG = LoggerFactory.getLogger(SmtpConnection.class);
    private static final SmtpCommand LINE_TOO_LONG = new SmtpCommand.Invalid(
            SmtpReply.of(500, "5.5.2", "Line too long, " + SmtpCommand.MAX_LINE + " octets are the limit"));

    private static final int BUFFER = 16 * 1024;
    private static final int MAX_REPLIES = 16 * 1024;
    /** How often, and for how long, a session lets others run before it waits. */
    private static final int TURNS = 10;

    private static final long LONGEST_TURNS_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
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
    private volatile @Nullable SmtpReply cutWith;

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

    /** A line in the buffer, from its first octet to before its CRLF. */
    private record Line(int from, int to, boolean tooLong) {}

    /** Waits for the next command line, all of it within the idle time. */
    SmtpCommand command() throws IOException {
        Line line = line(SmtpCommand.MAX_LINE);
        return line.tooLong ? LINE_TOO_LONG : SmtpCommand.parse(buffer, line.from, line.to);
    }

    /** Waits for the answer to a challenge of AUTH (RFC 4954 §4); null when it is too long. */
    @Nullable
    String readResponse() throws IOException {
        Line line = line(SmtpCommand.MAX_AUTH_LINE);
        return line.tooLong ? null : new String(buffer, line.from, line.to - line.from, StandardCharsets.ISO_8859_1);
    }

    private Line line(int usual) throws IOException {
        waitingSince = now();
        try {
            int max = usual;
            int seen = 0; // octets after next known to hold no line end
            boolean tooLong = false;
            while (true) {
                int at = lineEnd(next + seen);
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
                seen = at - next;
                fill();
            }
        } finally {
            waitingSince = 0;
        }
    }

    /** RFC 4954 §4.5 allows longer lines with this command alone. */
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

    /** Reads mail data to its end, or to the octet that spoils it. */
    DotReader.State content(DotReader reader, DotReader.Content content, MinimumDataRate pace) throws IOException {
        while (true) {
            int from = next;
            next = reader.read(buffer, next, end, content);
            if (reader.state() != DotReader.State.OPEN) {
                return reader.state();
            }
            pace.count(next - from);
            await();
        }
    }

    /** Reads so many octets, whatever they are. All of them count, or small pieces that come whole would never be late. */
    void octets(long count, DotReader.Content content, MinimumDataRate pace) throws IOException {
        long left = count;
        while (true) {
            int some = (int) Math.min(left, end - next);
            content.take(buffer, next, next + some);
            next += some;
            left -= some;
            pace.count(some);
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

    /** Whether the client has sent more than has been read. */
    boolean hasInput() {
        return next < end;
    }

    /** Sends what is kept back, then lets the client begin TLS; the handshake must be done within the idle time. */
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

    /** Makes the session's next wait end with a farewell; only the first call counts. */
    void disconnect(SmtpReply farewell) {
        if (cutWith != null) {
            return;
        }
        cutWith = farewell;
        try {
            tcp.shutdownInput();
        } catch (IOException e) {
            abort();
        }
    }

    /** How long the session has been waiting for its client, in nanoseconds; 0 when it is not. */
    long waited() {
        long since = waitingSince;
        return since == 0 ? 0 : now() - since;
    }

    /** Closes the connection now, whatever is going on; harmless when it is closed. */
    void abort() {
        try {
            tcp.close();
        } catch (IOException e) {
            LOG.debug("Cannot close: {}", e.getMessage());
        }
    }

    /** Sends what is kept back and closes; the client is known to expect it. */
    void close() throws IOException {
        flush();
        socket.close();
    }

    /**
     * Sends a last reply to a client that may still be sending. Closing at once would reset the connection and could
     * destroy the reply on its way, so for a moment the client is listened to, and ignored.
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

    private void linger(InputStream rest) throws IOException {
        tcp.setSoTimeout(1_000);
        long begun = now();
        int read = 0;
        for (long octets = 0; read >= 0 && octets < LINGER_OCTETS && now() - begun < LINGER_NANOS; octets += read) {
            read = rest.read(buffer);
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
            letOthersRun();
        }
        System.arraycopy(buffer, next, buffer, 0, end - next);
        end -= next;
        next = 0;
        int read = in.read(buffer, end, BUFFER - end);
        if (read < 0) {
            SmtpReply farewell = cutWith;
            if (farewell != null) {
                throw new DisconnectException(farewell);
            }
            throw new EOFException("The client closed the connection");
        }
        end += read;
    }

    /**
     * The client has its answer. While other sessions have their turns it often sends what comes next, so nobody has to watch
     * the connection and be woken for it; with nothing else to run this takes microseconds (docs/performance.md).
     */
    @SuppressWarnings("ThreadPriorityCheck") // nothing but speed depends on it
    private static void letOthersRun() {
        long begun = System.nanoTime();
        for (int i = 0; i < TURNS && System.nanoTime() - begun < LONGEST_TURNS_NANOS; i++) {
            Thread.yield();
        }
    }

    /** Sends what is kept back. */
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

    /** Never 0. */
    private static long now() {
        return System.nanoTime() | 1;
    }
}
