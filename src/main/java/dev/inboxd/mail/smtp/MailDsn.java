package dev.inboxd.mail.smtp;

import org.jspecify.annotations.Nullable;

/**
 * What a sender wants of all reports about one message: RET and ENVID of MAIL (RFC 3461 §4.3, §4.4). Both are kept as
 * they were given, because so they are passed on (RFC 3461 §5.2.1).
 *
 * @param ret {@code FULL} or {@code HDRS}; empty when it was not given
 * @param envid in xtext, at most {@value #LONGEST_ENVID} characters; empty when it was not given
 */
public record MailDsn(String ret, String envid) {
    /** Nothing was said. */
    public static final MailDsn NONE = new MailDsn("", "");

    static final int LONGEST_ENVID = 100;

    /** Whether the sender wants its whole message back when it fails, and not the header alone. */
    public boolean isFull() {
        return ret.equals("FULL");
    }

    /** The sender's own name for the transmission, printable ASCII; null when it gave none. */
    public @Nullable String envelopeId() {
        return Xtext.decode(envid);
    }

    /** As they stand behind a path in MAIL, with a space before each; empty when nothing was said. */
    public String parameters() {
        return (ret.isEmpty() ? "" : " RET=" + ret) + (envid.isEmpty() ? "" : " ENVID=" + envid);
    }
}
