package dev.inboxd.net;

import org.jspecify.annotations.Nullable;

/** Result of an exchange with another server. Nothing that server or its DNS can do raises an exception. */
public sealed interface HttpOutcome {
    /**
     * A response with any status; a redirect is an ordinary response.
     *
     * @param status the status code (RFC 9110 §15)
     * @param fields header fields
     * @param bytes octets of content read, after any content coding is undone
     * @param truncated whether the content was longer than the limit and the connection was closed
     * @param opening beginning of the response to a post, as text without control characters, for people to read
     */
    record Response(int status, ResponseFields fields, long bytes, boolean truncated, String opening)
            implements HttpOutcome {
        /** A response whose only field is its media type. */
        public Response(int status, @Nullable String mediaType, long bytes, boolean truncated) {
            this(status, new ResponseFields(mediaType, null, null), bytes, truncated, "");
        }

        /** Whether the status is 2xx. */
        public boolean successful() {
            return status >= 200 && status < 300;
        }
    }

    /**
     * Header fields of a response as received, unchecked, an octet a character; null for each that is not there.
     *
     * @param mediaType the Content-Type field
     * @param location the Location field
     * @param disposition the Content-Disposition field (RFC 6266)
     */
    record ResponseFields(
            @Nullable String mediaType,
            @Nullable String location,
            @Nullable String disposition) {}

    /**
     * No complete response.
     *
     * @param detail one sentence that may be shown to the owner of the URL
     * @param unsent whether no octet of the request can have left: there was no connection for it, or no TLS session.
     *     Without this the other server may have acted on it
     */
    record NoResponse(Failure kind, String detail, boolean unsent) implements HttpOutcome {
        /** A failure of which it is not known how far the request came. */
        public NoResponse(Failure kind, String detail) {
            this(kind, detail, false);
        }
    }

    /** Reason why there is no response. */
    enum Failure {
        /** The name leads to an address that the policy refuses. */
        REFUSED_ADDRESS,
        /** The name does not resolve. */
        DNS,
        /** No TCP connection. */
        CONNECT,
        /** No TLS session, or a certificate for another host. */
        TLS,
        /** The deadline passed before the exchange was complete. */
        TIMEOUT,
        /** The connection ended before the response was complete. */
        RESET,
        /** The response is not HTTP, or its header is too large. */
        BAD_RESPONSE,
        /** Too many exchanges with this host are waiting already. */
        BUSY,
        /** The calling thread was interrupted. */
        CANCELLED
    }
}
