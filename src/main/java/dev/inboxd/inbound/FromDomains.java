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
 * From whose domains a message says to be (RFC 9989 §5.3.1).
 *
 * @param domains each once, in A-labels
 * @param single whether there is one From field with one address that can be one: all else is made to be read
 *     differently by different programs (attack A9)
 */
record FromDomains(List<String> domains, boolean single) {
    /** More are not asked about; nobody honest has as many. */
    private static final int MOST = 10;

    FromDomains {
        domains = List.copyOf(domains);
    }

    static FromDomains of(HeaderFields header) {
        Set<String> domains = new LinkedHashSet<>();
        List<MailAddress> addresses = new ArrayList<>();
        boolean sound = header.all("from").size() == 1;
        for (HeaderFields.Field field : header.all("from")) {
            addresses.addAll(AddressHeader.parse(unfolded(field.value()), UnaryOperator.identity()));
        }
        for (MailAddress address : addresses) {
            String domain = ascii(address.domain());
            if (domain == null) {
                sound = false;
            } else {
                domains.add(domain);
            }
        }
        return new FromDomains(domains.stream().limit(MOST).toList(), sound && addresses.size() == 1);
    }

    /** The domain in A-labels and small letters, or null when it is none. */
    static @Nullable String ascii(String domain) {
        try {
            return domain.isEmpty() ? null : DomainName.toAscii(domain);
        } catch (AddressSyntaxException malformed) {
            return null;
        }
    }

    /** One character per octet becomes what it says (RFC 6532). */
    private static String unfolded(String value) {
        String line = value.replace("\r\n", "");
        boolean ascii = line.chars().allMatch(c -> c < 0x80);
        return ascii ? line : new String(line.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }
}
