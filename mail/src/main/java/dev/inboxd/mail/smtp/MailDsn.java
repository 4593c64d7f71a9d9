package dev.inboxd.mail.smtp;

import org.jspecify.annotations.Nullable;

/**
 * DSN parameters of a message: RET and ENVID of MAIL (RFC 3461 §4.3, §4.4). Both are stored as received, because they
 * are relayed unchanged (RFC 3461 §5.2.1).
 *
 * @param ret {@code FULL} or {@code HDRS}; empty when absent
 * @param envid in xtext, at most {@value #LONGEST_ENVID} characters; empty when absent
 */
public record MailDsn(String ret, String envid) {
    /** No parameters. */
    public static final MailDsn NONE = new MailDsn("", "");

    static final int LONGEST_ENVID = 100;

    /** Whether a failure report is to return the whole message, and not the header alone. */
    public boolean isFull() {
        return ret.equals("FULL");
    }

    /** The sender's id of the transmission, printable ASCII; null when absent. */
    public @Nullable String envelopeId() {
        return Xtext.decode(envid);
    }

    /** The parameters in the syntax of MAIL, with a space before each; empty when there are none. */
    public String parameters() {
        return (ret.isEmpty() ? "" : " RET=" + ret) + (envid.isEmpty() ? "" : " ENVID=" + envid);
    }
}
