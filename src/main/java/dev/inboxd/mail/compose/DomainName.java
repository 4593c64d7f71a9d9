package dev.inboxd.mail.compose;

import com.ibm.icu.text.IDNA;

/** Domains as they travel: A-labels (RFC 5890 §2.3.2.1), by UTS-46 as browsers and other mailers map them. */
public final class DomainName {
    private static final IDNA UTS46 = IDNA.getUTS46Instance(
            IDNA.NONTRANSITIONAL_TO_ASCII | IDNA.CHECK_BIDI | IDNA.CHECK_CONTEXTJ);

    private DomainName() {}

    /**
     * The domain in lower-case ASCII; a domain literal such as {@code [192.0.2.1]} stays itself.
     *
     * @param field what a refusal names
     * @throws MalformedFieldException when it is no domain
     */
    public static String toAscii(String field, String domain) {
        if (isLiteral(domain)) {
            return domain;
        }
        var result = new StringBuilder();
        var findings = new IDNA.Info();
        UTS46.nameToASCII(domain, result, findings);
        var errors = findings.getErrors();
        errors.remove(IDNA.Error.HYPHEN_3_4); // hosts named like r3---x exist
        if (!errors.isEmpty() || !isHostName(result)) {
            throw new MalformedFieldException(field, "has no valid domain");
        }
        return result.toString();
    }

    /** RFC 5321 §4.1.3; the closing set of characters is what IPv4, IPv6 and tagged literals need. */
    private static boolean isLiteral(String domain) {
        return domain.length() > 2 && domain.length() < 64 && domain.startsWith("[") && domain.endsWith("]")
                && domain.substring(1, domain.length() - 1).chars()
                        .allMatch(c -> SafeText.isAlphanumeric(c) || c == '.' || c == ':' || c == '-');
    }

    /** RFC 1123 §2.1 labels, and the underscore that real mail domains use. */
    private static boolean isHostName(CharSequence name) {
        int label = 0;
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '.' ? label == 0 : c != '-' && c != '_' && !SafeText.isAlphanumeric(c)) {
                return false;
            }
            label = c == '.' ? 0 : label + 1;
            if (label > 63) {
                return false;
            }
        }
        return label > 0 && name.length() <= 253;
    }
}
