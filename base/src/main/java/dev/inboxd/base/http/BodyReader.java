package dev.inboxd.base.http;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.ConnectionMetaData;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;

/** Receives the body of one request, in memory that it reserves as the body grows. */
final class BodyReader {
    private static final int FIRST = 4 * 1024;

    private final Request in;
    private final BodyBudget.Share memory;
    private final UnreadBody unread;

    BodyReader(Request in, BodyBudget.Share memory, UnreadBody unread) {
        this.in = in;
        this.memory = memory;
        this.unread = unread;
    }

    /**
     * Receives the body.
     *
     * @param json whether the body must not carry another media type than JSON
     * @throws BodyTooLargeException when it is longer than the limit
     * @throws Problem when it is compressed, has another media type, does not arrive whole, or there is no memory
     */
    byte[] read(BodyLimit limit, boolean json) {
        if (in.getLength() == 0) {
            return BufferUtil.toArray(BufferUtil.EMPTY_BUFFER);
        }
        String encoding = in.getHeaders().get("Content-Encoding");
        if (encoding != null && !encoding.equalsIgnoreCase("identity")) {
            throw RequestBody.badHeader(
                    "content-encoding", "Content-Encoding is not supported for requests; send plain JSON");
        }
        byte[] body;
        try (KeptConnection.Silence _ = silence();
                InputStream stream = Content.Source.asInputStream(in)) {
            body = receive(stream, limit);
            unread.received();
        } catch (IOException cut) {
            unread.close();
            throw Problem.invalid(List.of(new Fault(List.of(), "The body did not arrive whole and in time")));
        }
        if (json
                && body.length > 0
                && RequestBody.isOtherThanJson(in.getHeaders().get("Content-Type"))) {
            throw RequestBody.badType("Content-Type must be application/json");
        }
        return body;
    }

    private KeptConnection.Silence silence() {
        ConnectionMetaData connection = in.getConnectionMetaData();
        KeptConnection keptConnection = connection.getConnector().getBean(KeptConnection.class);
        return keptConnection == null || connection.getHttpVersion() == HttpVersion.HTTP_2 // whose streams have a bound
                ? () -> {}
                : KeptConnection.bound(connection.getConnection().getEndPoint(), keptConnection.idle());
    }

    private byte[] receive(InputStream stream, BodyLimit limit) throws IOException {
        long began = System.nanoTime();
        // The array grows with what arrives: an announced length alone costs nothing.
        byte[] body =
                new byte[(int) Math.min(in.getLength() < 0 ? FIRST : Math.min(in.getLength(), FIRST), limit.bytes())];
        int size = 0;
        while (true) {
            if (size == body.length) {
                int next = stream.read();
                if (next < 0) {
                    return body;
                }
                if (size == limit.bytes()) {
                    throw new BodyTooLargeException(limit);
                }
                body = Arrays.copyOf(body, room(Math.min(2 * size + FIRST, limit.bytes())));
                body[size++] = (byte) next;
            }
            int count = stream.read(body, size, body.length - size);
            if (count < 0) {
                return Arrays.copyOf(body, size);
            }
            size += count;
            // An idle timeout bounds the silence between two bytes; this check bounds the whole time.
            if (isTooSlow(System.nanoTime() - began, size)) {
                throw new IOException("the body comes too slowly");
            }
        }
    }

    /** Whether a body arrives too slowly: after 30 seconds, the average must be 1,000 bytes a second. */
    static boolean isTooSlow(long nanos, long size) {
        long seconds = nanos / 1_000_000_000;
        return seconds > 30 && size < seconds * 1_000;
    }

    private int room(int size) {
        try {
            memory.grow(size);
            return size;
        } catch (Problem busy) {
            unread.close();
            throw busy;
        }
    }
}
