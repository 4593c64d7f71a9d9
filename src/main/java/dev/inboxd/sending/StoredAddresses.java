package dev.inboxd.sending;

import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.address.MailAddress;
import java.util.List;

/** Parses addresses of stored messages, {@code addr} or {@code Name <addr>}. The texts came from arbitrary senders. */
final class StoredAddresses {
    private StoredAddresses() {}

    /** The address of a text; an empty list when mail cannot be sent to it. */
    static List<MailAddress> parse(String text) {
        int open = text.lastIndexOf('<');
        boolean named = open >= 0 && text.endsWith(">");
        String address = named ? text.substring(open + 1, text.length() - 1) : text;
        String name = named ? text.substring(0, open).strip() : null;
        try {
            return List.of(new MailAddress(name, AddrSpec.parse(address).toString()));
        } catch (AddressSyntaxException unusable) {
            return List.of();
        }
    }
}
