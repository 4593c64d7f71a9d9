package dev.inboxd.mail.smtp;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a sender wants to be told of one recipient: NOTIFY and ORCPT of RCPT (RFC 3461 §4.1, §4.2). Both are kept as they
 * were given, because so they are passed on (RFC 3461 §5.2.1).
 *
 * @param conditions of NOTIFY: keywords of {@link Notify} with commas between them; empty when it was not given
 * @param orcpt a type of addresses, a semicolon, and the address in xtext or, of the type utf-8, in UTF-8 (RFC 6533 §3);
 *     at most {@value #LONGEST_ORCPT} characters; empty when it was not given
 */
public record RecipientDsn(String conditions, String orcpt) {
    /** Nothing was said. */
    public static final RecipientDsn NONE = new RecipientDsn("", "");

    static final int LONGEST_ORCPT = 500;

    /** When to report (RFC 3461 §4.1). */
    public enum Notify {
        NEVER,
        SUCCESS,
        FAILURE,
        DELAY
    }

    /** Whether the sender has asked for a report then. */
    public boolean asksFor(Notify when) {
        return List.of(conditions.split(",", -1)).contains(when.name());
    }

    /** Whether the sender has said when to report, and not then (RFC 3461 §5.2.5, §5.2.6). */
    public boolean forbids(Notify when) {
        return !conditions.isEmpty() && !asksFor(when);
    }

    /** Whether it may be said without SMTPUTF8. */
    boolean isAscii() {
        return orcpt.chars().allMatch(c -> c < 0x80);
    }

    /**
     * The same for any server: what is beyond ASCII is written out, as in {@code \x{FC}} (RFC 6533 §3). What is too long
     * for others then is left out.
     */
    public RecipientDsn ascii() {
        String ascii = ascii(orcpt);
        return isAscii() ? this : new RecipientDsn(conditions, ascii.length() > LONGEST_ORCPT ? "" : ascii);
    }

    /** An address with its type, as fields of reports have it (RFC 3464 §2.3.2, RFC 6533 §3), printable ASCII. */
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

    /** The recipient as the sender wrote it, with the type of address, printable ASCII; null when it did not say. */
    public @Nullable String originalRecipient() {
        int semicolon = orcpt.indexOf(';');
        String address = semicolon < 0 ? null : Xtext.decode(ascii(orcpt.substring(semicolon + 1)));
        return address == null ? null : orcpt.substring(0, semicolon + 1) + address;
    }

    /** As they stand behind a path in RCPT, with a space before each; empty when nothing was said. */
    public String parameters() {
        return (conditions.isEmpty() ? "" : " NOTIFY=" + conditions) + (orcpt.isEmpty() ? "" : " ORCPT=" + orcpt);
    }
}
