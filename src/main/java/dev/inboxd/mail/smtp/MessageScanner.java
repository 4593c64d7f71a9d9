package dev.inboxd.mail.smtp;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Set;

/**
 * Watches mail data go by: counts Received fields (RFC 5321 §6.3) and digests everything but the trace fields on top,
 * so that the same mail sent twice over different relays has the same digest. May be fed in pieces of any length.
 */
public final class MessageScanner {
    private static final Set<String> TRACE = Set.of(
            "received",
            "return-path",
            "x-received",
            "received-spf",
            "delivered-to",
            "x-original-to",
            "authentication-results",
            "arc-seal",
            "arc-message-signature",
            "arc-authentication-results");
    private static final int MAX_NAME = 40;

    private enum At {
        LINE_START,
        NAME,
        VALUE,
        BODY
    }

    private final MessageDigest digest;
    private final byte[] name = new byte[MAX_NAME];
    private int nameLength;
    private At at = At.LINE_START;
    private boolean traceOnly = true;
    private int received;

    /** A scanner for one message that updates the given digest, which remains the caller's. */
    public MessageScanner(MessageDigest digest) {
        this.digest = digest;
    }

    /** Received fields seen so far in the top header section. */
    public int received() {
        return received;
    }

    /** Looks at the octets from {@code from} to before {@code to}. */
    public void scan(byte[] buffer, int from, int to) {
        int next = from;
        int digested = from; // when not traceOnly: octets from here on are not in the digest yet
        while (at != At.BODY && next < to) {
            byte octet = buffer[next];
            switch (at) {
                case LINE_START -> {
                    if ((octet == ' ' || octet == '\t') && nameLength > 0) {
                        at = At.VALUE; // RFC 5322 §2.2.3: the field goes on
                    } else if (octet == '\r') {
                        at = At.BODY;
                        digested = traceOnly ? next : digested;
                        traceOnly = false;
                    } else {
                        nameLength = 0;
                        at = At.NAME;
                    }
                }
                case NAME -> {
                    if (octet != ':' && octet != '\r' && nameLength < MAX_NAME) {
                        name[nameLength++] = octet;
                        next++;
                    } else {
                        at = At.VALUE;
                        if (!named(octet == ':') && traceOnly) {
                            traceOnly = false;
                            digest.update(name, 0, nameLength);
                            digested = next;
                        }
                    }
                }
                case VALUE -> {
                    next = lineFeed(buffer, next, to);
                    if (next < to) {
                        next++;
                        at = At.LINE_START;
                    }
                }
                case BODY -> throw new AssertionError(at);
            }
        }
        if (!traceOnly) {
            digest.update(buffer, digested, to - digested);
        }
    }

    /** Notes the field whose name has been collected; whether it is a trace field. */
    private boolean named(boolean complete) {
        String field = new String(name, 0, nameLength, StandardCharsets.ISO_8859_1)
                .strip()
                .toLowerCase(Locale.ROOT);
        if (complete && field.equals("received")) {
            received++;
        }
        return complete && TRACE.contains(field);
    }

    private static int lineFeed(byte[] buffer, int from, int to) {
        int i = from;
        while (i < to && buffer[i] != '\n') {
            i++;
        }
        return i;
    }
}
