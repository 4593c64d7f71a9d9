package dev.inboxd.smtp.client;

import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.smtp.MailDsn;
import dev.inboxd.mail.smtp.RecipientDsn;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The envelope of a message for one recipient (RFC 5321 §2.3.1). Each recipient has its own reverse-path.
 *
 * @param reversePath where bounces go; null for the null reverse-path {@code <>}
 * @param recipient the forward-path
 * @param size octets of the message (RFC 1870)
 * @param content the encoding of the message
 * @param until the deadline for all attempts with all hosts, by {@link System#nanoTime}
 * @param dsn the delivery status notifications that the sender requested, for a host that offers DSN (RFC 3461)
 * @param recipientDsn the notifications requested for this recipient
 */
public record SmtpEnvelope(
        @Nullable AddrSpec reversePath,
        AddrSpec recipient,
        long size,
        Content content,
        long until,
        MailDsn dsn,
        RecipientDsn recipientDsn) {
    private static final Duration DEFAULT_TIME_LIMIT = Duration.ofDays(1);

    /** The encoding of a message, which decides the extensions that the host needs. */
    public enum Content {
        /** ASCII only, as our composer writes. */
        SEVEN_BIT,
        /** 8-bit text in the body (RFC 6152). */
        EIGHT_BIT,
        /** UTF-8 in header fields (RFC 6532). */
        UTF8;

        /**
         * Determines the encoding of a message. Our composer writes ASCII bodies; a submitted message was converted to
         * ASCII where that is possible.
         *
         * @param message from its start; read to its end or to the octet that decides, and closed
         */
        public static Content of(InputStream message) throws IOException {
            try (InputStream in = message) {
                byte[] piece = new byte[8_192];
                boolean header = true;
                byte last = '\n';
                for (int read = in.read(piece); read >= 0; read = in.read(piece)) {
                    for (int i = 0; i < read; i++) {
                        byte octet = piece[i];
                        if (octet < 0) {
                            return header ? UTF8 : EIGHT_BIT;
                        }
                        header &= last != '\n' || octet != '\r'; // the empty line
                        last = octet;
                    }
                }
                return SEVEN_BIT;
            }
        }
    }

    /** An envelope with a deadline of one day. */
    public SmtpEnvelope(@Nullable AddrSpec reversePath, AddrSpec recipient, long size, Content content) {
        this(reversePath, recipient, size, content, System.nanoTime() + DEFAULT_TIME_LIMIT.toNanos());
    }

    /** An envelope without requested notifications. */
    SmtpEnvelope(@Nullable AddrSpec reversePath, AddrSpec recipient, long size, Content content, long until) {
        this(reversePath, recipient, size, content, until, MailDsn.NONE, RecipientDsn.NONE);
    }

    /** Whether the deadline has passed. */
    public boolean isLate() {
        return System.nanoTime() - until >= 0;
    }

    /** Whether the host must offer SMTPUTF8 (RFC 6531 §3.2). */
    boolean needsSmtpUtf8() {
        return content == Content.UTF8 || !recipient.isAscii() || (reversePath != null && !reversePath.isAscii());
    }
}
