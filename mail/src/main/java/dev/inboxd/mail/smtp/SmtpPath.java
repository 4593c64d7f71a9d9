package dev.inboxd.mail.smtp;

/**
 * A mailbox in an envelope, RFC 5321 §4.1.2. A source route in front of it is parsed and dropped (RFC 5321 §3.3,
 * appendix C).
 *
 * @param localPart the local part without quoting: {@code "a b"@c} and {@code "a"@c} have the local parts {@code a b}
 *     and {@code a}. Case as received. It never contains control characters; all other characters are possible, {@code
 *     @ % !} included, and none of them means routing here
 * @param domain the domain, ASCII letters in lower case, or an address literal with its brackets; U-labels stay as
 *     received (RFC 6531 §3.3). Empty only for the bare {@code <postmaster>} of RFC 5321 §4.5.1
 */
public record SmtpPath(String localPart, String domain) implements ReversePath {
    /** Refuses control characters, which could break a line of the protocol or of a header. */
    public SmtpPath {
        if (localPart.chars().anyMatch(SmtpPath::isControl) || domain.chars().anyMatch(c -> isControl(c) || c == ' ')) {
            throw new IllegalArgumentException("Control character in a path");
        }
    }

    /** Whether this is {@code <postmaster>} without a domain, in any case. */
    public boolean isBarePostmaster() {
        return domain.isEmpty();
    }

    @Override
    public String address() {
        String local = isDotString(localPart) ? localPart : quoted(localPart);
        return domain.isEmpty() ? local : local + "@" + domain;
    }

    /** The path in its angle brackets, as in a command or a trace field. */
    @Override
    public String toString() {
        return "<" + address() + ">";
    }

    private static boolean isDotString(String text) {
        boolean dotMayFollow = false;
        for (int i = 0; i < text.length(); i++) {
            boolean dot = text.charAt(i) == '.';
            if (dot ? !dotMayFollow : !isAtext(text.charAt(i))) {
                return false;
            }
            dotMayFollow = !dot;
        }
        return dotMayFollow;
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 8).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\');
            }
            quoted.append(c);
        }
        return quoted.append('"').toString();
    }

    /** atext of RFC 5322 §3.2.3, with the non-ASCII characters that RFC 6531 §3.3 adds. */
    static boolean isAtext(char c) {
        return isLetterOrDigit(c) || "!#$%&'*+-/=?^_`{|}~".indexOf(c) >= 0 || c > 0x9f;
    }

    /** Let-dig of RFC 5321 §4.1.2. */
    static boolean isLetterOrDigit(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }

    /** C0 and C1 controls and DEL. */
    static boolean isControl(int c) {
        return c < ' ' || (c >= 0x7f && c <= 0x9f);
    }
}
