package dev.inboxd.base.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** A WebSocket peer (RFC 6455 §5.2) that reads, and answers pings, only when it is told to. */
public final class RawWebSocket implements AutoCloseable {
    private static final int TEXT = 1;
    private static final int CLOSE = 8;
    private static final int PONG = 10;

    private final Socket socket;
    private final DataInputStream in;
    private int closeCode;

    /** A frame; {@code opcode} as in RFC 6455 §5.2, and whether it is the last of its message. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Frame(int opcode, boolean last, byte[] payload) {
        boolean isPing() {
            return opcode == 9;
        }
    }

    /** Opens a WebSocket over a connection with that request target and key. */
    RawWebSocket(Socket connected, String target, String key) throws IOException {
        this(target + " HTTP/1.1\r\nAuthorization: Bearer " + key, connected);
    }

    /** @param request its target, its protocol, and a header field that lets it in */
    private RawWebSocket(String request, Socket connected) throws IOException {
        socket = connected;
        socket.setSoTimeout(20_000);
        in = new DataInputStream(socket.getInputStream());
        socket.getOutputStream()
                .write(("GET " + request
                                + "\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        // RFC 6455 §1.3: the example of the RFC.
        assertThat(head.toString()).startsWith("HTTP/1.1 101 ").contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }

    /** A peer whose system takes little that nobody has read. */
    public static RawWebSocket small(int port, String target, String key) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(16 * 1024);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        return new RawWebSocket(socket, target, key);
    }

    /** The WebSocket of a page in a browser that has this cookie. */
    public static RawWebSocket ofPage(int port, String target, String cookie) throws IOException {
        return new RawWebSocket(
                target + " HTTP/1.1\r\nCookie: " + cookie, new Socket(InetAddress.getLoopbackAddress(), port));
    }

    /** Sends a short text. */
    public void say(String text) throws IOException {
        send(TEXT, text.getBytes(StandardCharsets.UTF_8));
    }

    /** Answers a ping. */
    void pong(Frame ping) throws IOException {
        send(PONG, ping.payload);
    }

    /** Masked with zeroes. */
    private void send(int opcode, byte[] payload) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write(0x80 | opcode);
        boolean isLong = payload.length > 0xFFFF;
        frame.write(0x80 | (isLong ? 127 : 126));
        if (isLong) {
            frame.writeBytes(ByteBuffer.allocate(8).putLong(payload.length).array());
        } else {
            frame.write(payload.length >> 8);
            frame.write(payload.length);
        }
        frame.write(new byte[4]);
        frame.write(payload);
        socket.getOutputStream().write(frame.toByteArray());
        socket.getOutputStream().flush();
    }

    /** The next frame; an {@link java.io.EOFException} when the server has cut the connection off. */
    Frame next() throws IOException {
        int first = in.readUnsignedByte();
        int length = in.readUnsignedByte();
        long size = length == 127 ? in.readLong() : length == 126 ? in.readUnsignedShort() : length;
        byte[] payload = new byte[Math.toIntExact(size)];
        in.readFully(payload);
        return new Frame(first & 15, first >= 0x80, payload);
    }

    /** The next text, a JSON object in one frame; pings in between are passed over. */
    public Map<?, ?> nextText() throws IOException {
        Frame frame = next();
        while (frame.isPing()) {
            frame = next();
        }
        return (Map<?, ?>) Objects.requireNonNull(Json.parse(frame.payload));
    }

    /** Reads every text until the server closes; each is a JSON object. */
    public List<Map<?, ?>> readAll() throws IOException {
        List<Map<?, ?>> objects = new ArrayList<>();
        read(text -> objects.add((Map<?, ?>) Objects.requireNonNull(Json.parse(text))));
        return objects;
    }

    /** Reads every text until the server closes, and says how many there were. */
    int count() throws IOException {
        int[] count = new int[1];
        read(_ -> count[0]++);
        return count[0];
    }

    private void read(Consumer<byte[]> texts) throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        Frame frame = next();
        while (frame.opcode != CLOSE) {
            if (frame.opcode <= TEXT) {
                text.write(frame.payload);
                if (frame.last) {
                    texts.accept(text.toByteArray());
                    text.reset();
                }
            }
            frame = next();
        }
        closeCode = ((frame.payload[0] & 0xFF) << 8) | (frame.payload[1] & 0xFF);
    }

    /** The code with which the server closed. */
    public int closeCode() {
        return closeCode;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
