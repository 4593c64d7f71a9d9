import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A WebSocket client that costs little itself: a plain socket, texts alone (RFC 6455 §5.2), and answers to pings. */
final class SocketPeer implements AutoCloseable {
    private static final int PER_ADDRESS = 900;

    private final Socket socket = new Socket();
    private final DataInputStream in;

    /** The server has a limit for each address, so every 900 peers have one of their own. */
    SocketPeer(int port, String key, int number) throws IOException {
        socket.bind(new InetSocketAddress("127.0.1." + (1 + number / PER_ADDRESS), 0));
        socket.setTcpNoDelay(true);
        socket.connect(new InetSocketAddress("127.0.0.1", port));
        in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), 256));
        socket.getOutputStream()
                .write(("GET /v0?api_key=" + key + " HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                                + "Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                                + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append((char) in.readUnsignedByte());
        }
        if (!head.toString().startsWith("HTTP/1.1 101 ")) {
            throw new IOException(head.toString());
        }
        send(
                1,
                "{\"type\":\"subscribe\",\"event_types\":[\"message.received\",\"message.received.unauthenticated\"]}"
                        .getBytes(StandardCharsets.US_ASCII));
        next();
    }

    /** Sends a short frame, masked with zeroes. */
    private void send(int opcode, byte[] payload) throws IOException {
        ByteArrayOutputStream frame = new ByteArrayOutputStream();
        frame.write(0x80 | opcode);
        frame.write(0x80 | 126);
        frame.write(payload.length >> 8);
        frame.write(payload.length);
        frame.write(new byte[4]);
        frame.write(payload);
        synchronized (this) {
            socket.getOutputStream().write(frame.toByteArray());
        }
    }

    /** The next whole text. */
    byte[] next() throws IOException {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        while (true) {
            int first = in.readUnsignedByte();
            int length = in.readUnsignedByte();
            long size = length == 127 ? in.readLong() : length == 126 ? in.readUnsignedShort() : length;
            byte[] payload = in.readNBytes(Math.toIntExact(size));
            switch (first & 15) {
                case 8 -> throw new IOException("closed with " + ((payload[0] & 0xFF) << 8 | payload[1] & 0xFF));
                case 9 -> send(10, payload);
                case 10 -> {}
                default -> {
                    text.write(payload);
                    if (first >= 0x80) {
                        return text.toByteArray();
                    }
                }
            }
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
