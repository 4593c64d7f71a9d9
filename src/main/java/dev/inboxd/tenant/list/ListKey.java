package dev.inboxd.tenant.list;

import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.address.DomainName;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What entries and addresses are compared by: an address or a domain in lower case, its domain in A-labels (RFC 5890
 * §2.3.2.1). A domain stands for itself alone, not for its subdomains.
 *
 * @param text the one form of it; empty for what is neither
 */
record ListKey(String text) {
    /** Whether it stands for every address of a domain. */
    boolean isDomain() {
        return text.indexOf('@') < 0;
    }

    /** The key of an entry that somebody wrote, or null when it is neither an address nor a domain. */
    static @Nullable ListKey ofEntry(String written) {
        boolean address = written.indexOf('@') >= 0;
        if (!address && (written.indexOf('.') < 0 || written.startsWith("["))) {
            return null; // one word is rather a mistake
        }
        try {
            String text = address ? address(written) : DomainName.toAscii(written);
            return text.indexOf('*') >= 0 ? null : new ListKey(text);
        } catch (AddressSyntaxException neither) {
            return null;
        }
    }

    /**
     * The key of an address on its way in or out. One that is malformed cannot be on a list, but its domain can.
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

    /** The key of an address's domain; of a domain, itself. */
    ListKey ofDomain() {
        return isDomain() ? this : new ListKey(text.substring(text.lastIndexOf('@') + 1));
    }

    private static String address(String written) {
        return AddrSpec.parse(written).toString().toLowerCase(Locale.ROOT);
    }
}
