package dev.inboxd.mail.address;

import java.util.ArrayList;
import java.util.List;

/**
 * Parses addresses as people write them in API requests: {@code Jo <a@b.example>, c@d.example}. Strict: faults are
 * refused.
 */
public final class AddressList {
    private AddressList() {}

    /**
     * Parses a comma-separated list of addresses, each bare or with a display name, quoted or not.
     *
     * @param text the list; commas inside quotes belong to the name
     * @return at least one address, in order
     * @throws AddressSyntaxException when the list is malformed; the message names the fault
     */
    public static List<MailAddress> parse(String text) {
        var addresses = new ArrayList<MailAddress>();
        int from = 0;
        while (from <= text.length()) {
            int comma = endOfEntry(text, from);
            addresses.add(entry(text.substring(from, comma).strip()));
            from = comma + 1;
        }
        return List.copyOf(addresses);
    }

    private static int endOfEntry(String text, int from) {
        boolean quoted = false;
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\\' && quoted) {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                return i;
            }
        }
        return text.length();
    }

    private static MailAddress entry(String entry) {
        if (!entry.endsWith(">")) {
            return new MailAddress(null, AddrSpec.parse(entry).toString());
        }
        int open = entry.lastIndexOf('<');
        if (open < 0) {
            throw new AddressSyntaxException("A > needs its <: Name <local-part@domain>");
        }
        var address = AddrSpec.parse(entry.substring(open + 1, entry.length() - 1));
        return new MailAddress(displayName(entry.substring(0, open).strip()), address.toString());
    }

    private static String displayName(String phrase) {
        boolean quoted = phrase.length() >= 2 && phrase.startsWith("\"") && phrase.endsWith("\"");
        var name = new StringBuilder(phrase.length());
        for (int i = quoted ? 1 : 0; i < phrase.length() - (quoted ? 1 : 0); i++) {
            char c = phrase.charAt(i);
            if (c < ' ' || c == 0x7F || (!quoted && (c == '<' || c == '>'))) {
                throw new AddressSyntaxException("A display name has no angle brackets or control characters");
            }
            if (quoted && c == '\\' && i + 2 < phrase.length()) {
                c = phrase.charAt(++i);
            }
            name.append(c);
        }
        return name.toString();
    }
}
