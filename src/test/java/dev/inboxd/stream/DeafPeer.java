package dev.inboxd.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.json.Json;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** A WebSocket peer over a plain socket (RFC 6455 §5.2) that reads only when it is told to. */
final class DeafPeer implements AutoCloseable {
    private final Socket socket = new Socket();
    private final DataInputStream in;
    private int closeCode;

    DeafPeer(int port, String key) throws IOException {
        socket.setReceiveBufferSize(16 * 1024);
        socket.setSoTimeout(20_000);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        in = new DataInputStream(socket.getInputStream());
        socket.getOutputStream().write(("GET /v0 HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nAuthorization: Bearer "
                + key + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        // RFC 6455 §1.3: the example of the RFC.
        assertThat(head.toString()).startsWith("HTTP/1.1 101 ").contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }

    /** Sends a short text, masked with zeroes. */
    void say(String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write(0x81);
        frame.write(0x80 | 126);
        frame.write(bytes.length >> 8);
        frame.write(bytes.length);
        frame.write(new byte[4]);
        frame.write(bytes);
        socket.getOutputStream().write(frame.toByteArray());
    }

    /** Reads everything until the server closes. */
    List<Map<?, ?>> readAll() throws IOException {
        List<Map<?, ?>> texts = new ArrayList<>();
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        while (true) {
            int first = in.readUnsignedByte();
            int length = in.readUnsignedByte();
            long size = length == 127 ? in.readLong() : length == 126 ? in.readUnsignedShort() : length;
            byte[] payload = in.readNBytes(Math.toIntExact(size));
            int opcode = first & 15;
            if (opcode == 8) {
                closeCode = ((payload[0] & 0xFF) << 8) | (payload[1] & 0xFF);
                return texts;
            }
            if (opcode < 2) {
                text.write(payload);
                if (first >= 0x80) {
                    texts.add((Map<?, ?>) Objects.requireNonNull(Json.parse(text.toByteArray())));
                    text.reset();
                }
            }
        }
    }

    int closeCode() {
        return closeCode;
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
