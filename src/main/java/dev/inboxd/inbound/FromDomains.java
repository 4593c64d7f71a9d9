package dev.inboxd.inbound;

import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.address.Author;
import dev.inboxd.mail.address.DomainName;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.dkim.HeaderFields;
import dev.inboxd.mail.message.AddressField;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The author domains of a message, from its From field (RFC 9989 §5.3.1).
 *
 * @param domains each once, in A-labels
 * @param single whether the message has exactly one From field with exactly one author; any other form can be read
 *     differently by different programs (attack A9)
 */
record FromDomains(List<String> domains, boolean single) {
    /** Maximum number of domains that are looked up; honest mail has fewer. */
    private static final int MAX_DOMAINS = 10;

    FromDomains {
        domains = List.copyOf(domains);
    }

    static FromDomains of(HeaderFields header) {
        Set<String> domains = new LinkedHashSet<>();
        List<MailAddress> addresses = new ArrayList<>();
        boolean unambiguous = header.all("from").size() == 1;
        for (HeaderFields.Field field : header.all("from")) {
            addresses.addAll(AddressField.undecoded(field.value()));
        }
        for (MailAddress address : addresses) {
            AddrSpec author = Author.ofAddress(address.address());
            String domain = author == null ? ascii(address.domain()) : author.domain();
            unambiguous &= author != null;
            if (domain != null && !domain.startsWith("[")) {
                domains.add(domain);
            }
        }
        return new FromDomains(domains.stream().limit(MAX_DOMAINS).toList(), unambiguous && addresses.size() == 1);
    }

    /** The domain in A-labels and lower case, or null when it is invalid. */
    static @Nullable String ascii(String domain) {
        try {
            return domain.isEmpty() ? null : DomainName.toAscii(domain);
        } catch (AddressSyntaxException malformed) {
            return null;
        }
    }
}
