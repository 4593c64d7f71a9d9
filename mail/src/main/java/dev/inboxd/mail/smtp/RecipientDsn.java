package dev.inboxd.mail.smtp;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * DSN parameters of a recipient: NOTIFY and ORCPT of RCPT (RFC 3461 §4.1, §4.2). Both are stored as received, because
 * they are relayed unchanged (RFC 3461 §5.2.1).
 *
 * @param conditions value of NOTIFY: keywords of {@link Notify} with commas between them; empty when absent
 * @param orcpt an address type, a semicolon, and the address in xtext or, for the type utf-8, in UTF-8 (RFC 6533 §3);
 *     at most {@value #LONGEST_ORCPT} characters; empty when absent
 */
public record RecipientDsn(String conditions, String orcpt) {
    /** No parameters. */
    public static final RecipientDsn NONE = new RecipientDsn("", "");

    static final int LONGEST_ORCPT = 500;

    /** Condition of a report (RFC 3461 §4.1). */
    public enum Notify {
        NEVER,
        SUCCESS,
        FAILURE,
        DELAY
    }

    /** Whether the sender requests a report on this condition. */
    public boolean asksFor(Notify when) {
        return List.of(conditions.split(",", -1)).contains(when.name());
    }

    /** Whether NOTIFY is present without this condition (RFC 3461 §5.2.5, §5.2.6). */
    public boolean forbids(Notify when) {
        return !conditions.isEmpty() && !asksFor(when);
    }

    /** Whether the parameters can be sent without SMTPUTF8. */
    boolean isAscii() {
        return orcpt.chars().allMatch(c -> c < 0x80);
    }

    /**
     * The parameters for any server: characters beyond ASCII are escaped as in {@code \x{FC}} (RFC 6533 §3). A value
     * that becomes too long for other servers is left out.
     */
    public RecipientDsn ascii() {
        String ascii = ascii(orcpt);
        return isAscii() ? this : new RecipientDsn(conditions, ascii.length() > LONGEST_ORCPT ? "" : ascii);
    }

    /** An address with its type, in the form of report fields (RFC 3464 §2.3.2, RFC 6533 §3), printable ASCII. */
    public static String typed(String address) {
        String ascii = ascii(address);
        return (ascii.equals(address) ? "rfc822; " : "utf-8; ") + ascii;
    }

    static String ascii(String address) {
        StringBuilder ascii = new StringBuilder(address.length() + 16);
        address.codePoints().forEach(c -> {
            if (c < 0x80) {
                ascii.append((char) c);
            } else {
                ascii.append("\\x{")
                        .append(Integer.toHexString(c).toUpperCase(Locale.ROOT))
                        .append('}');
            }
        });
        return ascii.toString();
    }

    /** The original recipient with its address type, printable ASCII; null when ORCPT is absent. */
    public @Nullable String originalRecipient() {
        int semicolon = orcpt.indexOf(';');
        String address = semicolon < 0 ? null : Xtext.decode(ascii(orcpt.substring(semicolon + 1)));
        return address == null ? null : orcpt.substring(0, semicolon + 1) + address;
    }

    /** The parameters in the syntax of RCPT, with a space before each; empty when there are none. */
    public String parameters() {
        return (conditions.isEmpty() ? "" : " NOTIFY=" + conditions) + (orcpt.isEmpty() ? "" : " ORCPT=" + orcpt);
    }
}
