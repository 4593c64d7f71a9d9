package dev.inboxd.mail.address;

import java.nio.charset.StandardCharsets;

/**
 * One exact address, {@code local-part@domain} (RFC 5321 §4.1.2), in API requests, header fields and SMTP commands. A
 * parsed address can be written to all of them unchanged, so every accepted recipient can also be written to.
 *
 * @param localPart never empty, without needless quotes and without escapes: {@code "john doe"} is {@code john doe},
 *     and {@code ken..88} is what {@code "ken..88"} is (ruling 130); no control characters; may be beyond
 *     ASCII (RFC 6531)
 * @param domain in lower case: a domain name in A-labels, or an address literal in its brackets
 */
public record AddrSpec(String localPart, String domain) {
    private static final int MAX_PATH = 254;

    /**
     * Parses one address with nothing around it.
     *
     * @param text the text of a user or a peer, without angle brackets or display name
     * @throws AddressSyntaxException when it is not an address or longer than RFC 5321 §4.5.3.1 allows
     */
    public static AddrSpec parse(String text) {
        int at = text.lastIndexOf('@');
        if (at < 0) {
            throw new AddressSyntaxException("An address needs an @: local-part@domain");
        }
        if (text.length() > MAX_PATH) {
            throw tooLong();
        }
        var address = new AddrSpec(localPart(text.substring(0, at)), DomainName.toAscii(text.substring(at + 1)));
        // RFC 5321 §4.5.3.1.3: a path has at most 256 octets, its angle brackets included.
        if (octets(address.toString()) > MAX_PATH) {
            throw tooLong();
        }
        return address;
    }

    private static AddressSyntaxException tooLong() {
        return new AddressSyntaxException("An address has at most 254 octets");
    }

    /** Whether the local part is ASCII, so that the address travels without SMTPUTF8 (RFC 6531). */
    public boolean isAscii() {
        return localPart.chars().allMatch(c -> c < 0x80);
    }

    /** True when the domain is an address in brackets (RFC 5321 §4.1.3). */
    public boolean hasAddressLiteral() {
        return domain.startsWith("[");
    }

    /**
     * The address of the person, without the detail behind a plus sign (RFC 5233 §4): most mail servers deliver
     * {@code ann+anything@example.com} to {@code ann@example.com}. A local part that begins with the sign is kept.
     */
    public AddrSpec withoutDetail() {
        int plus = localPart.indexOf('+');
        return plus > 0 ? new AddrSpec(localPart.substring(0, plus), domain) : this;
    }

    /**
     * Whether two addresses are of one person: detail and case make no difference.
     *
     * @param left an address, with or without a name before it
     * @param right likewise
     * @return false when one of them is no address
     */
    public static boolean areOfOnePerson(String left, String right) {
        try {
            AddrSpec first = parse(MailAddress.bare(left)).withoutDetail();
            AddrSpec second = parse(MailAddress.bare(right)).withoutDetail();
            return first.localPart.equalsIgnoreCase(second.localPart) && first.domain.equals(second.domain);
        } catch (AddressSyntaxException unusable) {
            return false;
        }
    }

    /** The address in SMTP and header syntax; the local part is quoted when necessary. */
    @Override
    public String toString() {
        return (isDotAtom(localPart) ? localPart : quoted(localPart)) + '@' + domain;
    }

    private static String localPart(String text) {
        var local = text.length() >= 2 && text.startsWith("\"") && text.endsWith("\"") ? unquoted(text) : text;
        if (local.equals(text) && !isAtomsAndDots(local)) {
            throw new AddressSyntaxException("The part before the @ must be words joined by dots");
        }
        // RFC 5321 §4.5.3.1.1 has at most 64 octets, but §4.5.3.1 asks for no limit where possible, and the addresses
        // for replies of many services are longer.
        if (local.isEmpty()) {
            throw new AddressSyntaxException("The part before the @ must not be empty");
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
            if (Character.isISOControl(c) || Character.isSurrogate(c)) {
                throw new AddressSyntaxException("Control characters are not allowed in an address");
            }
            local.append(c);
        }
        return local.toString();
    }

    private static String quoted(String local) {
        return '"' + local.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** Dots may stand at any place: carriers gave out addresses like {@code ken..88@}, which are written in quotes. */
    private static boolean isAtomsAndDots(String text) {
        return text.chars().allMatch(c -> c == '.' || isAtomCharacter((char) c));
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
        return c >= 0xA0
                && !Character.isSurrogate(c)
                && !Character.isWhitespace(c)
                && !Character.isSpaceChar(c)
                && Character.getType(c) != Character.FORMAT
                && c < 0xFFFE;
    }

    private static int octets(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }
}
