package dev.inboxd.sandbox.access;

import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.address.DomainName;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Whom a rule or a fault is for: an address in lower case, or {@code *@} and a domain. */
public final class RecipientPattern {
    /** Completes the sentence "… must be". */
    public static final String EXPECTED = "an address, or *@ and a domain";

    private RecipientPattern() {}

    /** The pattern in its one form; null when it is none. */
    public static @Nullable String parse(String text) {
        try {
            return text.startsWith("*@")
                    ? "*@" + DomainName.toAscii(text.substring(2))
                    : AddrSpec.parse(text).toString().toLowerCase(Locale.ROOT);
        } catch (AddressSyntaxException malformed) {
            return null;
        }
    }

    /** The patterns that mean an address. */
    public static List<String> matching(AddrSpec address) {
        return List.of(
                address.toString().toLowerCase(Locale.ROOT),
                address.withoutDetail().toString().toLowerCase(Locale.ROOT),
                "*@" + address.domain());
    }
}
