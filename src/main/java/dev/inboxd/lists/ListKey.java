package dev.inboxd.lists;

import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.compose.DomainName;
import dev.inboxd.mail.compose.MalformedFieldException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What entries and addresses are compared by: an address or a domain in lower case, its domain in A-labels (RFC 5890
 * §2.3.2.1). A domain stands for itself alone, not for its subdomains.
 *
 * @param text the one form of it; empty for what is neither
 */
record ListKey(String text) {
    private static final int LONGEST = 254;

    /** Whether it stands for every address of a domain. */
    boolean isDomain() {
        return text.indexOf('@') < 0;
    }

    /** The key of an entry that somebody wrote, or null when it is neither an address nor a domain. */
    static @Nullable ListKey ofEntry(String written) {
        try {
            String text = written.indexOf('@') < 0 ? domain(written) : address(AddrSpec.parse(written));
            boolean wildcard = text.indexOf('*') >= 0;
            return wildcard || text.length() > LONGEST ? null : new ListKey(text);
        } catch (AddressSyntaxException | MalformedFieldException neither) {
            return null;
        }
    }

    /**
     * The key of an address on its way in or out. One that is malformed cannot be on a list, but its domain can.
     */
    static ListKey ofAddress(String address) {
        try {
            return new ListKey(address(AddrSpec.parse(address)));
        } catch (AddressSyntaxException | MalformedFieldException malformed) {
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

    private static String domain(String written) {
        if (written.indexOf('.') < 0 || written.startsWith("[")) {
            throw new MalformedFieldException("entry", "is no domain"); // one word is rather a mistake
        }
        return DomainName.toAscii("entry", written);
    }

    private static String address(AddrSpec address) {
        String domain = address.domain().chars().allMatch(c -> c < 0x80) ? address.domain()
                : DomainName.toAscii("entry", address.domain());
        return new AddrSpec(address.localPart(), domain).toString().toLowerCase(Locale.ROOT);
    }
}
