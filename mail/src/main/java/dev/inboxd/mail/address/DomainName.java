package dev.inboxd.mail.address;

import com.ibm.icu.text.IDNA;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Domain names in the form of the protocols: A-labels (RFC 5890 §2.3.2.1), mapped by UTS-46 as in browsers and other
 * mail servers.
 */
public final class DomainName {
    private static final IDNA UTS46 = IDNA.getUTS46Instance(
            IDNA.NONTRANSITIONAL_TO_ASCII | IDNA.NONTRANSITIONAL_TO_UNICODE | IDNA.CHECK_BIDI | IDNA.CHECK_CONTEXTJ);

    private DomainName() {}

    /**
     * The domain in lower-case ASCII; a domain literal such as {@code [192.0.2.1]} stays a literal.
     *
     * @throws AddressSyntaxException when the text is not a domain
     */
    public static String toAscii(String domain) {
        if (domain.startsWith("[")) {
            return literal(domain);
        }
        var result = new StringBuilder();
        var findings = new IDNA.Info();
        UTS46.nameToASCII(domain, result, findings);
        var errors = findings.getErrors();
        errors.remove(IDNA.Error.HYPHEN_3_4); // host names such as r3---x exist
        if (!errors.isEmpty() || !isHostName(result)) {
            throw new AddressSyntaxException("The part after the @ must be a domain name");
        }
        return result.toString();
    }

    /**
     * As {@link #toAscii}, or the text itself when it is not a domain; such a text is never a domain of this server.
     */
    public static String asciiOrItself(String domain) {
        for (int i = 0; i < domain.length(); i++) {
            if (domain.charAt(i) >= 0x80) {
                try {
                    return toAscii(domain);
                } catch (AddressSyntaxException none) {
                    return domain;
                }
            }
        }
        return domain;
    }

    /**
     * The domain as its readers write it, for a domain beyond ASCII: mapped, so that it has no invisible and no wide
     * characters, and still the same domain.
     *
     * @param domain one that {@link #toAscii} takes
     * @return null for a domain in ASCII
     */
    static @Nullable String inItsScript(String domain) {
        if (domain.chars().allMatch(c -> c < 0x80)) {
            return null;
        }
        var mapped = new StringBuilder();
        UTS46.nameToUnicode(domain, mapped, new IDNA.Info());
        return toAscii(mapped.toString()).equals(toAscii(domain)) ? mapped.toString() : null;
    }

    /** RFC 5321 §4.1.3; the permitted characters are those of IPv4, IPv6 and tagged literals. */
    private static String literal(String domain) {
        boolean literal = domain.length() > 2
                && domain.length() < 64
                && domain.endsWith("]")
                && domain.chars()
                        .skip(1)
                        .limit(domain.length() - 2)
                        .allMatch(c -> isAlphanumeric(c) || c == '.' || c == ':' || c == '-');
        if (!literal) {
            throw new AddressSyntaxException("An address literal is written like [192.0.2.1] or [IPv6:2001:db8::1]");
        }
        return domain.toLowerCase(Locale.ROOT);
    }

    /** RFC 1123 §2.1 labels, and the underscore, which existing mail domains use. */
    private static boolean isHostName(CharSequence name) {
        int label = 0;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '.' ? label == 0 : c != '-' && c != '_' && !isAlphanumeric(c)) {
                return false;
            }
            label = c == '.' ? 0 : label + 1;
            if (label > 63) {
                return false;
            }
        }
        return label > 0 && name.length() <= 253;
    }

    private static boolean isAlphanumeric(int c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
