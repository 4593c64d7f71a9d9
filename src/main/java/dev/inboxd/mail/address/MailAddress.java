package dev.inboxd.mail.address;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One mailbox of an address field (RFC 5322 §3.4), for display.
 *
 * @param name the display name, decoded and unquoted; null when there is none
 * @param address the addr-spec, its domain in lower case, its local part as written
 */
public record MailAddress(@Nullable String name, String address) {
    public MailAddress {
        name = name == null || name.isBlank() ? null : name;
        address = withLowerCaseDomain(address);
    }

    /** The part after the last {@code @}, or an empty string for an address without one. */
    public String domain() {
        return address.substring(address.lastIndexOf('@') + 1 + (address.indexOf('@') < 0 ? address.length() : 0));
    }

    /** {@code addr} or {@code Name <addr>}, the form of the API. */
    @Override
    public String toString() {
        return name == null ? address : name + " <" + address + ">";
    }

    private static String withLowerCaseDomain(String address) {
        int domain = address.lastIndexOf('@') + 1;
        for (int i = domain; domain > 0 && i < address.length(); i++) {
            char c = address.charAt(i);
            if ((c >= 'A' && c <= 'Z') || c >= 0x80) {
                return address.substring(0, domain) + address.substring(domain).toLowerCase(Locale.ROOT);
            }
        }
        return address;
    }
}
