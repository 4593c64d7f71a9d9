package dev.inboxd.smtp.client;

import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.smtp.MailDsn;
import dev.inboxd.mail.smtp.RecipientDsn;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The envelope of one message for one recipient (RFC 5321 §2.3.1): another one has another reverse-path.
 *
 * @param reversePath where bounces go; null for the null reverse-path {@code <>}
 * @param recipient the forward-path
 * @param size the message's octets (RFC 1870)
 * @param content what the message is made of
 * @param until when it must be out of our hands, whatever hosts are tried, by {@link System#nanoTime}
 * @param dsn what the sender wants to be told, for a host that offers to (RFC 3461)
 * @param recipientDsn what of this recipient
 */
public record SmtpEnvelope(
        @Nullable AddrSpec reversePath,
        AddrSpec recipient,
        long size,
        Content content,
        long until,
        MailDsn dsn,
        RecipientDsn recipientDsn) {
    private static final Duration LONG = Duration.ofDays(1);

    /** What a host must be able to carry. */
    public enum Content {
        /** ASCII throughout, as our composer writes. */
        SEVEN_BIT,
        /** 8-bit text in the body (RFC 6152). */
        EIGHT_BIT,
        /** UTF-8 in header fields (RFC 6532). */
        UTF8;

        /**
         * What a message is made of. Our composer's bodies are ASCII, and what users composed where it could be converted.
         *
         * @param message from its start; read to the end or to what decides, and closed
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

    /** One that may take its time. */
    public SmtpEnvelope(@Nullable AddrSpec reversePath, AddrSpec recipient, long size, Content content) {
        this(reversePath, recipient, size, content, System.nanoTime() + LONG.toNanos());
    }

    /** One whose sender wants nothing of reports. */
    SmtpEnvelope(@Nullable AddrSpec reversePath, AddrSpec recipient, long size, Content content, long until) {
        this(reversePath, recipient, size, content, until, MailDsn.NONE, RecipientDsn.NONE);
    }

    /** Whether there is no time left. */
    public boolean isLate() {
        return System.nanoTime() - until >= 0;
    }

    /** Whether the host must offer SMTPUTF8 (RFC 6531 §3.2). */
    boolean needsSmtpUtf8() {
        return content == Content.UTF8 || !recipient.isAscii() || (reversePath != null && !reversePath.isAscii());
    }
}
