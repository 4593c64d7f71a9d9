package dev.inboxd.mail.address;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * One exact address, {@code local-part@domain} (RFC 5321 §4.1.2), as SMTP commands and the API take it.
 *
 * @param localPart as written, without needless quotes and without escapes: {@code "john doe"} is {@code john doe}
 * @param domain in lower case; a domain name, or an address literal in its brackets
 */
public record AddrSpec(String localPart, String domain) {
    private static final int MAX_LOCAL_PART = 64;
    private static final int MAX_PATH = 254;
    private static final int MAX_LABEL = 63;

    /**
     * Reads one address, nothing around it.
     *
     * @param text what the user or the peer wrote, without angle brackets or display name
     * @throws AddressSyntaxException when it is not an address or longer than RFC 5321 §4.5.3.1 allows
     */
    public static AddrSpec parse(String text) {
        int at = text.lastIndexOf('@');
        if (at < 0) {
            throw new AddressSyntaxException("An address needs an @: local-part@domain");
        }
        // RFC 5321 §4.5.3.1.3: a path has at most 256 octets, its angle brackets included.
        if (octets(text) > MAX_PATH) {
            throw new AddressSyntaxException("An address has at most 254 octets");
        }
        var domain = text.substring(at + 1);
        checkDomain(domain);
        return new AddrSpec(localPart(text.substring(0, at)), domain.toLowerCase(Locale.ROOT));
    }

    /** True when a character lies beyond ASCII, so that the address needs SMTPUTF8 on its way (RFC 6531). */
    public boolean isInternational() {
        return !isAscii(localPart) || !isAscii(domain);
    }

    /** True when the domain is an address in brackets (RFC 5321 §4.1.3). */
    public boolean hasAddressLiteral() {
        return domain.startsWith("[");
    }

    /** The address as it goes on the wire; the local part is quoted when it must be. */
    @Override
    public String toString() {
        return (isDotAtom(localPart) ? localPart : quoted(localPart)) + '@' + domain;
    }

    private static String localPart(String text) {
        var local = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"") ? unquoted(text) : text;
        if (local.equals(text) && !isDotAtom(local)) {
            throw new AddressSyntaxException("The part before the @ must be words joined by single dots");
        }
        // RFC 5321 §4.5.3.1.1
        if (octets(local) > MAX_LOCAL_PART) {
            throw new AddressSyntaxException("The part before the @ has at most 64 octets");
        }
        return local;
    }

    private static String unquoted(String quoted) {
        var local = new StringBuilder(quoted.length());
        for (int i = 1; i < quoted.length() - 1; i++) {
            char c = quoted.charAt(i);
            if (c == '\\' && i + 1 < quoted.length() - 1) {
                c = quoted.charAt(++i);
            } else if (c == '"' || c == '\\') {
                throw new AddressSyntaxException("A quoted part before the @ must escape \" and \\");
            }
            if (c < ' ' || c == 0x7F || Character.isSurrogate(c)) {
                throw new AddressSyntaxException("Control characters are not allowed in an address");
            }
            local.append(c);
        }
        return local.toString();
    }

    private static String quoted(String local) {
        return '"' + local.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static boolean isDotAtom(String text) {
        boolean afterDot = true;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '.' ? afterDot : !isAtomCharacter(c)) {
                return false;
            }
            afterDot = c == '.';
        }
        return !afterDot;
    }

    // RFC 5322 §3.2.3 atext; RFC 6531 §3.3 adds everything beyond ASCII.
    private static boolean isAtomCharacter(char c) {
        return c >= 0x80 ? isVisible(c) : Character.isLetterOrDigit(c) || "!#$%&'*+-/=?^_`{|}~".indexOf(c) >= 0;
    }

    private static boolean isVisible(char c) {
        return c >= 0xA0 && !Character.isSurrogate(c) && !Character.isWhitespace(c) && !Character.isSpaceChar(c)
                && Character.getType(c) != Character.FORMAT && c < 0xFFFE;
    }

    private static void checkDomain(String domain) {
        if (domain.startsWith("[")) {
            checkLiteral(domain);
            return;
        }
        int label = 0;
        for (int i = 0; i <= domain.length(); i++) {
            char c = i < domain.length() ? domain.charAt(i) : '.';
            if (c == '.') {
                checkLabel(domain.substring(label, i));
                label = i + 1;
            } else if (!isDomainCharacter(c)) {
                throw new AddressSyntaxException("The part after the @ must be a domain name");
            }
        }
    }

    private static void checkLabel(String label) {
        if (label.isEmpty() || octets(label) > MAX_LABEL || label.startsWith("-") || label.endsWith("-")) {
            throw new AddressSyntaxException("The part after the @ must be a domain name");
        }
    }

    // RFC 5321 §4.1.2 knows no underscore; hosts on the internet do, and they send mail.
    private static boolean isDomainCharacter(char c) {
        return c >= 0x80 ? isVisible(c) : Character.isLetterOrDigit(c) || c == '-' || c == '_';
    }

    private static void checkLiteral(String domain) {
        boolean bracketed = domain.length() > 2 && domain.endsWith("]");
        for (int i = 1; bracketed && i < domain.length() - 1; i++) {
            char c = domain.charAt(i);
            bracketed = c < 0x80 && (Character.isLetterOrDigit(c) || c == '.' || c == ':' || c == '-');
        }
        if (!bracketed) {
            throw new AddressSyntaxException("An address literal is written like [192.0.2.1] or [IPv6:2001:db8::1]");
        }
    }

    private static int octets(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private static boolean isAscii(String text) {
        return text.chars().allMatch(c -> c < 0x80);
    }
}
