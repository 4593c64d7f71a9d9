package dev.inboxd.smtp.client;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import javax.net.ssl.SSLSocket;

/** The connection of a client session: writes commands and content, reads replies. Every wait is bounded. */
final class ClientConnection implements AutoCloseable {
    private final WriteTimeout guard;
    private final Duration messageLimit;
    private final Set<ClientConnection> open;
    private final ReplyReader replies = new ReplyReader(this::next);
    private final byte[] buffer = new byte[2_048];
    private Socket socket;
    private InputStream in;
    private OutputStream out;
    private int at;
    private int filled;
    private long deadline;
    private long messageDeadline;

    private ClientConnection(Socket socket, SmtpTimeouts timeouts, Set<ClientConnection> open) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        this.messageLimit = timeouts.message();
        this.guard = new WriteTimeout(socket, timeouts.block());
        this.out = buffered(socket);
        this.open = open;
        nextMessage();
    }

    private OutputStream buffered(Socket through) throws IOException {
        return new BufferedOutputStream(new Guarded(through.getOutputStream()), 16_384);
    }

    /**
     * Connects; blocks.
     *
     * @param open the open connections; contains this one until it is closed
     * @throws IOException when the host does not accept the connection in time
     */
    static ClientConnection open(SmtpEndpoint endpoint, SmtpTimeouts timeouts, Set<ClientConnection> open)
            throws IOException {
        var socket = new Socket();
        try {
            socket.setTcpNoDelay(true);
            socket.connect(
                    new InetSocketAddress(endpoint.address(), endpoint.port()),
                    Math.toIntExact(timeouts.connect().toMillis()));
            ClientConnection connection = new ClientConnection(socket, timeouts, open);
            open.add(connection);
            return connection;
        } catch (IOException failed) {
            socket.close();
            throw failed;
        }
    }

    /**
     * Performs the TLS handshake as the client; blocks. What the host said before is discarded by the caller (RFC 3207
     * §4.2).
     *
     * @param limit maximum wait for the handshake
     * @throws TlsFailedException when there is no common version, or the certificate is not trusted
     */
    void secure(ClientTls tls, SmtpEndpoint endpoint, Duration limit) throws IOException {
        out.flush();
        if (at < filled) { // RFC 3207 §5, for clients: an attacker can insert octets into the plain text
            throw new ProtocolException("The host sent data between STARTTLS and the TLS handshake");
        }
        guard.started(); // a host may also send its handshake slowly
        try {
            SSLSocket secured = tls.over(socket, endpoint);
            secured.setSoTimeout(Math.toIntExact(limit.toMillis()));
            secured.startHandshake();
            socket = secured;
            in = secured.getInputStream();
            out = buffered(secured);
        } catch (IOException failed) {
            throw new TlsFailedException("No TLS with " + endpoint.host() + ": " + failed.getMessage(), failed);
        } finally {
            guard.ended();
        }
    }

    /**
     * Starts the time limit of one message. A host could answer each command at the last moment and read the message
     * slowly: a read or write after the limit throws.
     */
    void nextMessage() {
        messageDeadline = System.nanoTime() + messageLimit.toNanos();
    }

    /**
     * Starts the time limit of a message that has an earlier deadline.
     *
     * @param until the deadline, by {@link System#nanoTime}
     */
    void nextMessage(long until) {
        nextMessage();
        messageDeadline = until - messageDeadline < 0 ? until : messageDeadline;
    }

    /** Buffers a command; the next {@link #reply} sends it. */
    void command(String line) throws IOException {
        if (line.indexOf('\r') >= 0 || line.indexOf('\n') >= 0 || line.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("A command must be one line");
        }
        out.write(line.getBytes(StandardCharsets.UTF_8));
        out.write('\r');
        out.write('\n');
    }

    /**
     * Sends what is buffered and reads the next reply; the limit applies to the whole reply.
     *
     * @throws SocketTimeoutException when the reply is late
     */
    ReplyReader.Lines reply(Duration limit) throws IOException {
        out.flush();
        boolean last = left() < limit.toNanos();
        deadline = last ? messageDeadline : System.nanoTime() + limit.toNanos();
        try {
            return replies.read();
        } catch (SocketTimeoutException late) {
            throw last
                    ? overTime()
                    : new SocketTimeoutException("The host did not answer within " + limit.toSeconds() + " s");
        }
    }

    private long left() {
        return messageDeadline - System.nanoTime();
    }

    private SocketTimeoutException overTime() {
        return new SocketTimeoutException("The time limit of the message is exceeded");
    }

    /** The stream for the message's content. */
    OutputStream out() {
        return out;
    }

    private int next() throws IOException {
        if (at == filled) {
            // The deadline is for the whole reply, so a host that sends single octets gains no time.
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new SocketTimeoutException();
            }
            // Rounded up: what timed out is past its deadline, and no other host is tried in the rest of a millisecond.
            socket.setSoTimeout((int) Math.min(left / 1_000_000 + 1, Integer.MAX_VALUE));
            filled = Math.max(0, in.read(buffer));
            at = 0;
            if (filled == 0) {
                return -1;
            }
        }
        return buffer[at++] & 0xff;
    }

    /** Closes the connection from any thread, even while its own thread waits for the host. */
    void hangUp() {
        guard.cut();
    }

    /** Closes at once; nothing still buffered is sent. */
    @Override
    public void close() {
        open.remove(this);
        guard.close();
        try {
            socket.close();
        } catch (IOException alreadyClosed) {
            return; // it is closed
        }
    }

    private final class Guarded extends OutputStream {
        private final OutputStream socketOut;

        Guarded(OutputStream socketOut) {
            this.socketOut = socketOut;
        }

        @Override
        public void write(int octet) throws IOException {
            write(new byte[] {(byte) octet}, 0, 1);
        }

        @Override
        public void write(byte[] octets, int offset, int length) throws IOException {
            if (left() <= 0) {
                throw overTime();
            }
            guard.started();
            try {
                socketOut.write(octets, offset, length);
            } finally {
                guard.ended();
            }
        }
    }
}
