package dev.inboxd.base.http;

import dev.inboxd.base.http.syntax.ByteRange;
import dev.inboxd.base.http.syntax.ContentDisposition;
import dev.inboxd.base.json.JsonObject;
import java.io.InputStream;

/**
 * A file that never changes, offered for download: whole, or the one range that the request names (RFC 9110 §14).
 *
 * @param filename name to save it under; any text
 * @param mediaType its Content-Type
 * @param size its octets
 * @param etag strong validator of these octets (§8.8.3), without its quotes
 * @param source where it is read
 */
public record FileDownload(String filename, String mediaType, long size, String etag, Source source) {
    /** Opens a file. */
    @FunctionalInterface
    public interface Source {
        /** Opens the octets from the offset on, at least as many as {@code length}. The server closes the stream. */
        InputStream open(long offset, long length);
    }

    /** The answer to a request for this file: 200, 206, 304 or 416. */
    public Response to(Request request) {
        String tag = "\"" + etag + "\"";
        String condition = request.header("If-Range");
        // §13.1.5: a client that holds part of another version must get the whole; only the tag proves the version.
        boolean same = condition == null || condition.equals(tag);
        // §14.2: a range is of GET alone.
        ByteRange range = same && !request.isHead() ? ByteRange.of(request.header("Range"), size) : null;
        Response answer;
        if (range == null) {
            answer = Response.stream(mediaType, size, source.open(0, size));
        } else if (range.length() == 0) {
            answer = Response.of(416, JsonObject.of("message", "The range lies behind the end"))
                    .header("Content-Range", "bytes */" + size);
        } else {
            long end = range.first() + range.length() - 1;
            answer = Response.stream(mediaType, range.length(), source.open(range.first(), range.length()))
                    .status(206)
                    .header("Content-Range", "bytes " + range.first() + "-" + end + "/" + size);
        }
        return answer.header("ETag", tag)
                .header("Accept-Ranges", "bytes")
                .header("Content-Disposition", ContentDisposition.attachment(filename));
    }
}
