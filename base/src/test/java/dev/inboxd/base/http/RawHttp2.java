package dev.inboxd.base.http;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** An HTTP/2 connection in the clear on which a test sends exactly the frames it wants (RFC 9113 §4, §6). */
public final class RawHttp2 implements AutoCloseable {
    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RST_STREAM = 3;
    static final int SETTINGS = 4;
    static final int GOAWAY = 7;
    private static final int WINDOW_UPDATE = 8;
    static final int CONTINUATION = 9;
    static final int END_STREAM = 1;
    static final int END_HEADERS = 4;

    private static final int INITIAL_WINDOW_SIZE = 4;

    private final Socket socket;

    public RawHttp2(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(20_000);
        socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        send(SETTINGS, 0, 0, new byte[0]);
    }

    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Frame(int type, int flags, int stream, byte[] payload) {
        String text() {
            return new String(payload, StandardCharsets.UTF_8);
        }

        /** The error of RST_STREAM, or of GOAWAY, where it stands behind the last stream. */
        int error() {
            return ByteBuffer.wrap(payload).getInt(type == GOAWAY ? 4 : 0);
        }
    }

    void send(int type, int flags, int stream, byte[] payload) throws IOException {
        ByteBuffer frame = ByteBuffer.allocate(9 + payload.length);
        frame.put((byte) (payload.length >> 16))
                .putShort((short) payload.length)
                .put((byte) type)
                .put((byte) flags);
        socket.getOutputStream().write(frame.putInt(stream).put(payload).array());
    }

    /** Asks for a path, with more header fields as names and values in turn. */
    public void get(int stream, String path, String... more) throws IOException {
        send(HEADERS, END_STREAM | END_HEADERS, stream, request(path, more));
    }

    /** How much of each answer is taken without a further word (RFC 9113 §6.5.2). */
    public void window(int octets) throws IOException {
        send(
                SETTINGS,
                0,
                0,
                ByteBuffer.allocate(6)
                        .putShort((short) INITIAL_WINDOW_SIZE)
                        .putInt(octets)
                        .array());
    }

    /** Takes so much more of a stream, or with 0 of the connection (RFC 9113 §6.9). */
    public void open(int stream, int octets) throws IOException {
        send(WINDOW_UPDATE, 0, stream, ByteBuffer.allocate(4).putInt(octets).array());
    }

    /** The stream of the next answer that begins. */
    public int begun() throws IOException {
        return next(HEADERS).stream();
    }

    /** Wants no answer any more (RFC 9113 §8.1). */
    public void cancel(int stream) throws IOException {
        send(RST_STREAM, 0, stream, new byte[] {0, 0, 0, 8});
    }

    /** The next octets of an answer. */
    public String data() throws IOException {
        return next(DATA).text();
    }

    static byte[] request(String path, String... more) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        field(block, ":method", "GET");
        field(block, ":scheme", "http");
        field(block, ":path", path);
        field(block, ":authority", "localhost");
        for (int i = 0; i < more.length; i += 2) {
            field(block, more[i], more[i + 1]);
        }
        return block.toByteArray();
    }

    /** RFC 7541 §6.2.2: a literal field without indexing, with a new name; nothing here is longer than 126 octets. */
    private static void field(ByteArrayOutputStream block, String name, String value) {
        block.write(0);
        block.write(name.length());
        block.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
        block.write(value.length());
        block.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
    }

    /** The next frame; null when the server has closed the connection. */
    @Nullable
    Frame next() throws IOException {
        DataInputStream in = new DataInputStream(socket.getInputStream());
        int first = in.read();
        if (first < 0) {
            return null;
        }
        int length = first << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        int flags = in.readUnsignedByte();
        int stream = in.readInt();
        return new Frame(type, flags, stream, in.readNBytes(length));
    }

    /** The next frame of that type; fails when the server has closed the connection before. */
    Frame next(int type) throws IOException {
        StringBuilder before = new StringBuilder();
        for (Frame frame = next(); frame != null; frame = next()) {
            if (frame.type == type) {
                return frame;
            }
            before.append(' ').append(frame.type).append(": ").append(frame.text());
        }
        throw new IOException("closed before a frame of type " + type + ", after" + before);
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
