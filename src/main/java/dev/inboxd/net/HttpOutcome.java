package dev.inboxd.net;

import org.jspecify.annotations.Nullable;

/** How an exchange with another server ended. Nothing another server or its DNS can do is an exception. */
public sealed interface HttpOutcome {
    /**
     * A response came, whatever its status; redirects are answers like any other.
     *
     * @param status the status code (RFC 9110 §15)
     * @param mediaType the Content-Type field as sent, unchecked
     * @param bytes octets of content read
     * @param truncated the content was longer than wanted and the connection was closed
     * @param location where a redirect leads, as sent, unchecked; null when nothing says so
     * @param opening the beginning of the answer to a post as text, without control characters, for people to read
     */
    record Response(
            int status,
            @Nullable String mediaType,
            long bytes,
            boolean truncated,
            @Nullable String location,
            String opening)
            implements HttpOutcome {
        /** An answer of which nothing is shown. */
        public Response(int status, @Nullable String mediaType, long bytes, boolean cut, @Nullable String location) {
            this(status, mediaType, bytes, cut, location, "");
        }

        /** An answer that leads nowhere else. */
        public Response(int status, @Nullable String mediaType, long bytes, boolean cut) {
            this(status, mediaType, bytes, cut, null);
        }

        /** Whether the status is 2xx. */
        public boolean successful() {
            return status >= 200 && status < 300;
        }
    }

    /** No whole response; {@code detail} is one sentence that may be shown to the owner of the URL. */
    record NoResponse(Failure kind, String detail) implements HttpOutcome {}

    /** Why there is no response. */
    enum Failure {
        /** The name leads to an address that may not be reached. */
        REFUSED_ADDRESS,
        /** The name does not resolve. */
        DNS,
        /** No TCP connection. */
        CONNECT,
        /** No TLS session, or a certificate that is not the host's. */
        TLS,
        /** The deadline passed before the exchange was complete. */
        TIMEOUT,
        /** The connection ended in the middle. */
        RESET,
        /** What came back is not HTTP, or its header is too large. */
        BAD_RESPONSE,
        /** Our own bound on waiting exchanges with this host is reached. */
        BUSY,
        /** The calling thread was interrupted. */
        CANCELLED
    }
}
