package dev.inboxd.mail.compose;

import java.nio.charset.StandardCharsets;

/**
 * An address in its two parts (RFC 5322 §3.4.1, RFC 5321 §4.1.2), safe to render into a field or a command.
 *
 * @param localPart the local part without quoting, never empty, no control characters; may be non-ASCII (RFC 6531)
 * @param domain a host name in A-labels or a domain literal
 */
public record AddrSpec(String localPart, String domain) {
    /** Checks both parts; a domain in U-labels becomes A-labels. */
    public AddrSpec {
        SafeText.header("address", localPart);
        if (localPart.isEmpty() || localPart.getBytes(StandardCharsets.UTF_8).length > 64) {
            throw new MalformedFieldException("address", "needs a local part of 1 to 64 octets"); // RFC 5321 §4.5.3.1.1
        }
        if (localPart.chars().anyMatch(Character::isISOControl)) {
            throw new MalformedFieldException("address", "must not contain control characters");
        }
        domain = DomainName.toAscii("address", SafeText.header("address", domain));
        if (localPart.length() + domain.length() > 253) {
            throw new MalformedFieldException("address", "is longer than 254 characters"); // RFC 5321 §4.5.3.1.3
        }
    }

    /** Reads {@code local@domain}, the local part quoted or not; errors name the given field. */
    public static AddrSpec parse(String field, String address) {
        SafeText.header(field, address);
        int at = address.lastIndexOf('@');
        if (at < 1) {
            throw new MalformedFieldException(field, "is not of the form local@domain");
        }
        try {
            return new AddrSpec(unquote(field, address.substring(0, at)), address.substring(at + 1));
        } catch (MalformedFieldException refused) {
            throw new MalformedFieldException(field, refused.reason());
        }
    }

    private static String unquote(String field, String local) {
        if (!local.startsWith("\"")) {
            if (!isDotAtom(local)) {
                throw new MalformedFieldException(field, "has a local part that needs quotes");
            }
            return local;
        }
        var content = new StringBuilder();
        for (int i = 1; i < local.length(); i++) {
            char c = local.charAt(i);
            if (c == '"') {
                if (i == local.length() - 1) {
                    return content.toString();
                }
                break;
            }
            if (c == '\\' && ++i < local.length()) {
                c = local.charAt(i);
            }
            content.append(c);
        }
        throw new MalformedFieldException(field, "has a badly quoted local part");
    }

    private static boolean isDotAtom(String local) {
        return !local.startsWith(".") && !local.endsWith(".") && !local.contains("..")
                && local.chars().allMatch(c -> c == '.' || c >= 0x80 || SafeText.isAtext(c));
    }

    /** Whether the local part is ASCII, so that the address travels without SMTPUTF8. */
    public boolean isAscii() {
        return SafeText.isAscii(localPart);
    }

    /** {@code local@domain}, the local part quoted only where it must be. */
    @Override
    public String toString() {
        if (isDotAtom(localPart)) {
            return localPart + "@" + domain;
        }
        return Quoted.string(localPart) + "@" + domain;
    }
}
