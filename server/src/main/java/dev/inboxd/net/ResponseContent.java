package dev.inboxd.net;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.zip.ZipException;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Reads the content of a response up to a limit, with its content codings undone. */
final class ResponseContent {
    private static final Logger LOG = LoggerFactory.getLogger(ResponseContent.class);

    private final Response response;
    private final long limit;
    private final boolean anyStatus;

    /**
     * How much of the content of a response is read.
     *
     * @param most octets
     * @param anyStatus whether also of another response than 2xx
     */
    record ContentLimits(long most, boolean anyStatus) {
        static ContentLimits successful(long most) {
            return new ContentLimits(most, false);
        }
    }

    ResponseContent(Response response, ContentLimits limits) {
        this.response = response;
        this.limit = limits.most();
        this.anyStatus = limits.anyStatus();
    }

    /**
     * Writes the content.
     *
     * @throws IOException only when {@code content} cannot be written
     */
    HttpOutcome copy(InputStream in, OutputStream content) throws IOException {
        int status = response.getStatus();
        long announced = response.getHeaders().getLongField(HttpHeader.CONTENT_LENGTH);
        if ((!anyStatus && (status < 200 || status > 299)) || announced > limit) {
            return outcome(0, true);
        }
        ContentCodings codings = ContentCodings.of(response.getHeaders().getCSV(HttpHeader.CONTENT_ENCODING, false));
        String fault = codings.fault();
        return fault == null ? copy(codings, in, content) : failed(fault);
    }

    private HttpOutcome copy(ContentCodings codings, InputStream in, OutputStream content) throws IOException {
        byte[] buffer = new byte[16 * 1024];
        long bytes = 0;
        InputStream plain = null;
        try {
            while (true) {
                int count;
                try {
                    plain = plain == null ? codings.undone(in) : plain;
                    count = plain.read(buffer);
                } catch (IOException e) {
                    boolean coded =
                            !codings.names().isEmpty() && (e instanceof ZipException || e instanceof EOFException);
                    return coded
                            ? failed("The content is not compressed as the server says, or is not complete.")
                            : HttpFailures.of(e);
                }
                if (count < 0) {
                    return outcome(bytes, false);
                }
                int accepted = (int) Math.min(count, limit - bytes);
                content.write(buffer, 0, accepted);
                bytes += accepted;
                if (accepted < count) {
                    return outcome(bytes, true);
                }
            }
        } finally {
            close(plain);
        }
    }

    /** Frees what the coding holds. The connection may have ended before; what was read is what counts. */
    private static void close(@Nullable InputStream content) {
        try {
            if (content != null) {
                content.close();
            }
        } catch (IOException ended) {
            LOG.debug("content not closed: cause={}", ended.toString());
        }
    }

    private static HttpOutcome.NoResponse failed(String detail) {
        return new HttpOutcome.NoResponse(HttpOutcome.Failure.BAD_RESPONSE, detail);
    }

    private HttpOutcome.Response outcome(long bytes, boolean truncated) {
        return new HttpOutcome.Response(
                response.getStatus(),
                new HttpOutcome.ResponseFields(
                        field(HttpHeader.CONTENT_TYPE),
                        field(HttpHeader.LOCATION),
                        field(HttpHeader.CONTENT_DISPOSITION)),
                bytes,
                truncated,
                "");
    }

    private @Nullable String field(HttpHeader name) {
        return response.getHeaders().get(name);
    }
}
