package dev.inboxd.inbound;

import dev.inboxd.mail.address.AddressHeader;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.address.DomainName;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.dkim.HeaderFields;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The author domains of a message, from its From field (RFC 9989 §5.3.1).
 *
 * @param domains each once, in A-labels
 * @param single whether the message has exactly one From field with exactly one valid address; any other form can be
 *     read differently by different programs (attack A9)
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
            addresses.addAll(AddressHeader.parse(unfolded(field.value()), UnaryOperator.identity()));
        }
        for (MailAddress address : addresses) {
            String domain = ascii(address.domain());
            if (domain == null) {
                unambiguous = false;
            } else {
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

    /** Unfolds a field value and decodes its octets as UTF-8 (RFC 6532). */
    private static String unfolded(String value) {
        String line = value.replace("\r\n", "");
        boolean ascii = line.chars().allMatch(c -> c < 0x80);
        return ascii ? line : new String(line.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
