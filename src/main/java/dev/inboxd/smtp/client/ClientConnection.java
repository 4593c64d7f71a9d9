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

/** Commands out, replies in, every wait bounded. */
final class ClientConnection implements AutoCloseable {
    private final WriteTimeout guard;
    private final Duration whole;
    private final Set<ClientConnection> open;
    private final ReplyReader replies = new ReplyReader(this::next);
    private final byte[] buffer = new byte[2_048];
    private Socket socket;
    private InputStream in;
    private OutputStream out;
    private int at;
    private int filled;
    private long deadline;
    private long lastMoment;

    private ClientConnection(Socket socket, SmtpTimeouts timeouts, Set<ClientConnection> open) throws IOException {
        this.socket = socket;
        this.in = socket.getInputStream();
        this.whole = timeouts.whole();
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
     * @param open where it is until it is closed
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
     * Goes on over TLS: nothing that was said before counts any more (RFC 3207 §4.2).
     *
     * @throws TlsFailedException when the two cannot agree, or the certificate is not believed
     */
    void secure(ClientTls tls, SmtpEndpoint endpoint, Duration limit) throws IOException {
        out.flush();
        if (at < filled) { // RFC 3207 §5 for clients: who can add to the plain text must not be heard as the host
            throw new ProtocolException("The host said something between STARTTLS and TLS");
        }
        guard.started(); // a host may also drip its handshake
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
     * The time for one message begins. A host may answer each command at the last moment and take the message in drops: what
     * is over time ends by an exception.
     */
    void nextMessage() {
        lastMoment = System.nanoTime() + whole.toNanos();
    }

    /**
     * The same, for a message that must be over before.
     *
     * @param until by {@link System#nanoTime}
     */
    void nextMessage(long until) {
        nextMessage();
        lastMoment = until - lastMoment < 0 ? until : lastMoment;
    }

    /** Writes a command; it leaves with the next read at the latest. */
    void command(String line) throws IOException {
        if (line.indexOf('\r') >= 0 || line.indexOf('\n') >= 0 || line.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("A command must be one line");
        }
        out.write(line.getBytes(StandardCharsets.UTF_8));
        out.write('\r');
        out.write('\n');
    }

    /** The next reply, all of it within the given time. */
    ReplyReader.Lines reply(Duration limit) throws IOException {
        out.flush();
        boolean last = left() < limit.toNanos();
        deadline = last ? lastMoment : System.nanoTime() + limit.toNanos();
        try {
            return replies.read();
        } catch (SocketTimeoutException late) {
            throw last
                    ? overTime()
                    : new SocketTimeoutException("The host did not answer within " + limit.toSeconds() + " s");
        }
    }

    private long left() {
        return lastMoment - System.nanoTime();
    }

    private SocketTimeoutException overTime() {
        return new SocketTimeoutException("The time for the message is over");
    }

    /** Where the message goes. */
    OutputStream out() {
        return out;
    }

    private int next() throws IOException {
        if (at == filled) {
            // The deadline is for the whole reply, so a host that drips gains nothing.
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new SocketTimeoutException();
            }
            socket.setSoTimeout((int) Math.min(left, Integer.MAX_VALUE));
            filled = Math.max(0, in.read(buffer));
            at = 0;
            if (filled == 0) {
                return -1;
            }
        }
        return buffer[at++] & 0xff;
    }

    /** Ends it, from any thread, also while its own thread waits for the other side. */
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
        } catch (IOException gone) {
            return; // that is what was wanted
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
