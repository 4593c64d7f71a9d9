package dev.inboxd.inbound.authentication;

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
 * @param author the author, when the message has exactly one From field with exactly one author; any other form can be
 *     read differently by different programs (attack A9)
 */
record FromDomains(List<String> domains, @Nullable AddrSpec author) {
    /** Maximum number of domains that are looked up; honest mail has fewer. */
    private static final int MAX_DOMAINS = 10;

    FromDomains {
        domains = List.copyOf(domains);
    }

    static FromDomains of(HeaderFields header) {
        Set<String> domains = new LinkedHashSet<>();
        List<MailAddress> addresses = new ArrayList<>();
        for (HeaderFields.Field field : header.all("from")) {
            addresses.addAll(AddressField.undecoded(field.value()));
        }
        AddrSpec last = null;
        for (MailAddress address : addresses) {
            last = Author.ofAddress(address.address());
            for (String written : last == null ? domains(address.address()) : List.of(last.domain())) {
                String domain = ascii(written);
                if (domain != null && !domain.startsWith("[")) {
                    domains.add(domain);
                }
            }
        }
        boolean single = header.all("from").size() == 1 && addresses.size() == 1;
        return new FromDomains(domains.stream().limit(MAX_DOMAINS).toList(), single ? last : null);
    }

    /** All that may be a domain in a text that is no address, such as two addresses without a comma (ruling 131). */
    private static List<String> domains(String text) {
        List<String> domains = new ArrayList<>();
        for (int at = text.indexOf('@'); at >= 0 && domains.size() < MAX_DOMAINS; at = text.indexOf('@', at + 1)) {
            int end = at + 1;
            while (end < text.length() && " \t@".indexOf(text.charAt(end)) < 0) {
                end++;
            }
            domains.add(text.substring(at + 1, end));
        }
        return domains;
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
