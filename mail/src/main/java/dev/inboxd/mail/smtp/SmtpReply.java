package dev.inboxd.mail.smtp;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One SMTP reply, RFC 5321 §4.2.
 *
 * @param code the three digits, 200 to 599
 * @param status the enhanced status code (RFC 2034 §4), or null where the RFC forbids one: greeting, EHLO, 354
 * @param text the text for people; a line feed in it starts the next line of a multi-line reply. A character that is
 *     not printable US-ASCII is written as {@code ?}, so that text of any origin is safe to send
 */
public record SmtpReply(int code, @Nullable EnhancedStatus status, String text) {
    /** RFC 5321 §4.5.3.1.5: a reply line has at most 512 octets, with code and CRLF; a longer line is cut. */
    private static final int MAX_LINE_TEXT = 490;

    /** A neutral success. */
    public static final SmtpReply OK = of(250, "2.0.0", "OK");
    /** The reverse-path is accepted. */
    public static final SmtpReply SENDER_OK = of(250, "2.1.0", "Sender OK");
    /** The forward-path is accepted. */
    public static final SmtpReply RECIPIENT_OK = of(250, "2.1.5", "Recipient OK");
    /** The domain is served here, but the mailbox does not exist. */
    public static final SmtpReply NO_SUCH_MAILBOX = of(550, "5.1.1", "No such mailbox here");
    /** The recipient's domain is not served here. */
    public static final SmtpReply RELAY_DENIED = of(550, "5.7.1", "Relaying denied: that domain is not served here");
    /** A failure of this server; the client keeps the message and tries again. */
    public static final SmtpReply TRY_LATER = of(451, "4.3.0", "Temporary failure, try again later");
    /** At the end of a message, when it turns out that it can be kept elsewhere only; the session ends with it. */
    public static final SmtpReply MOVED_AWAY = of(421, "4.3.2", "The service or the mailbox has moved, connect again");
    /** RFC 3463 §3.4, X.3.2: the host on which the mailbox is resident is not accepting messages. */
    public static final SmtpReply MAILBOX_AWAY = of(451, "4.3.2", "The mailbox moves or has moved, try again later");
    /** The disk is nearly full. */
    public static final SmtpReply NO_STORAGE = of(452, "4.3.1", "Insufficient storage, try again later");
    /** RFC 3463 §3.3: the recipient's mailbox is full, not the system. */
    public static final SmtpReply MAILBOX_FULL = of(452, "4.2.2", "The mailbox is full, try again later");
    /** RFC 1870 §6.1 and §6.3: the message is, or will be, larger than the fixed maximum. */
    public static final SmtpReply TOO_LARGE = of(552, "5.3.4", "Message exceeds the maximum size");
    /** An order of commands that RFC 5321 §4.1.4 does not allow. */
    public static final SmtpReply BAD_SEQUENCE = of(503, "5.5.1", "Bad sequence of commands");

    /** Refuses codes that no reply can have. */
    public SmtpReply {
        if (code < 200 || code > 599) {
            throw new IllegalArgumentException("Not a reply code: " + code);
        }
    }

    /** A reply with an enhanced status code in its dotted form. */
    public static SmtpReply of(int code, String status, String text) {
        return new SmtpReply(code, EnhancedStatus.parse(status), text);
    }

    /** A reply without an enhanced status code. */
    public static SmtpReply of(int code, String text) {
        return new SmtpReply(code, null, text);
    }

    /** Whether the command succeeded: 2yz. */
    public boolean isPositive() {
        return code < 300;
    }

    /** Whether a retry is pointless: 5yz. */
    public boolean isPermanentFailure() {
        return code >= 500;
    }

    /**
     * The reply in protocol form, each line ended by CRLF; RFC 5321 §4.2.1, RFC 2034 §4 for the status on each line.
     */
    public byte[] toBytes() {
        StringBuilder wire = new StringBuilder(text.length() + 16);
        int from = 0;
        boolean last;
        do {
            int end = text.indexOf('\n', from);
            last = end < 0;
            int to = last ? text.length() : end;
            wire.append(code).append(last ? ' ' : '-');
            if (status != null) {
                wire.append(status).append(' ');
            }
            appendPrintable(wire, from, Math.min(to, from + MAX_LINE_TEXT));
            wire.append("\r\n");
            from = to + 1;
        } while (!last);
        return wire.toString().getBytes(StandardCharsets.US_ASCII);
    }

    private void appendPrintable(StringBuilder wire, int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            wire.append(c >= ' ' && c <= '~' ? c : '?');
        }
    }

    /** The reply on one line, for logs and tests. */
    @Override
    public String toString() {
        return new String(toBytes(), StandardCharsets.US_ASCII).stripTrailing().replace("\r\n", " | ");
    }
}
