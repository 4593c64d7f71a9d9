package dev.inboxd.mail.smtp;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Locale;
import java.util.Set;

/**
 * Scans mail data while it is received: counts Received fields (RFC 5321 §6.3), and digests everything but the trace
 * fields on top, so that the same mail over different relays has the same digest. Accepts blocks of any length.
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

    /** @param digest updated with the data; it belongs to the caller */
    public MessageScanner(MessageDigest digest) {
        this.digest = digest;
    }

    /** Received fields so far in the top header section. */
    public int received() {
        return received;
    }

    /** Scans the octets from {@code from} to before {@code to}. */
    public void scan(byte[] buffer, int from, int to) {
        int next = from;
        int digested = from; // when not traceOnly: octets from here on are not digested yet
        while (at != At.BODY && next < to) {
            byte octet = buffer[next];
            switch (at) {
                case LINE_START -> {
                    if ((octet == ' ' || octet == '\t') && nameLength > 0) {
                        at = At.VALUE; // RFC 5322 §2.2.3: a folded line continues the field
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

    /** Handles the complete name of a field; returns whether it is a trace field. */
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
