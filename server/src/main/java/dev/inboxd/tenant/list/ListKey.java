package dev.inboxd.tenant.list;

import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.address.DomainName;
import dev.inboxd.mail.address.MailAddress;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The key by which entries and addresses are compared: an address or a domain in lower case, its domain in A-labels
 * (RFC 5890 §2.3.2.1). A domain does not include its subdomains.
 *
 * @param text the canonical form; empty for what is neither an address nor a domain
 */
record ListKey(String text) {
    /** Whether the key is a domain, and matches all of its addresses. */
    boolean isDomain() {
        return text.indexOf('@') < 0;
    }

    /**
     * The key of an entry in a request: a domain, or an address as this service shows it, whose name is left out.
     *
     * @return null when it is neither
     */
    static @Nullable ListKey ofEntry(String written) {
        boolean address = written.indexOf('@') >= 0;
        if (!address && (written.indexOf('.') < 0 || written.startsWith("["))) {
            return null; // a single label is probably a mistake
        }
        try {
            String text = address ? address(written) : DomainName.toAscii(written.strip());
            return text.indexOf('*') >= 0 ? null : new ListKey(text);
        } catch (AddressSyntaxException neither) {
            return null;
        }
    }

    /**
     * The key of an address of a message. A malformed address cannot be on a list, but its domain can: then the key is
     * the domain.
     */
    static ListKey ofAddress(String address) {
        try {
            return new ListKey(address(address));
        } catch (AddressSyntaxException malformed) {
            int end = address.length();
            while (end > 0 && (address.charAt(end - 1) == '.' || address.charAt(end - 1) == ' ')) {
                end--;
            }
            ListKey domain = ofEntry(address.substring(Math.min(end, address.lastIndexOf('@') + 1), end));
            return domain == null ? new ListKey("") : domain;
        }
    }

    /** The key of the address's domain; the key itself for a domain. */
    ListKey ofDomain() {
        return isDomain() ? this : new ListKey(text.substring(text.lastIndexOf('@') + 1));
    }

    private static String address(String written) {
        return MailAddress.parse(written).address().toLowerCase(Locale.ROOT);
    }
}
