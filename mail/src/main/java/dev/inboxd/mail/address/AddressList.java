package dev.inboxd.mail.address;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Parses an address list in one text (RFC 5322 §3.4), as people write it in API requests: {@code Jo <a@b.example>,
 * c@d.example}. Strict: faults are refused, except brackets, an @ and unpaired backslashes in a name.
 */
public final class AddressList {
    /** Maximum number of addresses in one list. */
    private static final int MAX_ADDRESSES = 1_000;

    private final String text;
    private final List<MailAddress> addresses = new ArrayList<>();
    /** The display name, or the address of an entry without angle brackets. */
    private final StringBuilder words = new StringBuilder();
    /** As {@link #words}, with the quotes of quoted strings. */
    private final StringBuilder written = new StringBuilder();

    private boolean inGroup;
    private int group;
    private int start;
    private int pos;

    private AddressList(String text) {
        this.text = text;
    }

    /**
     * Parses a list of addresses, each bare or with a display name, quoted or not. Comments are skipped, groups are
     * flattened.
     *
     * @return the addresses in order; empty when there is nothing between the commas
     * @throws AddressSyntaxException when the list is malformed; the message quotes the entry and names the fault
     */
    public static List<MailAddress> parse(String text) {
        return List.copyOf(new AddressList(text).read());
    }

    private List<MailAddress> read() {
        while (pos <= text.length()) {
            char c = pos < text.length() ? text.charAt(pos) : ',';
            switch (c) {
                case ',' -> {
                    endEntry();
                    pos++;
                    start = pos;
                }
                case ';' -> endGroup();
                case ':' -> beginGroup();
                case '<' -> angleAddress();
                case '"' -> quotedString();
                case '(' -> comment();
                case '[' -> literal();
                case '>', ')' -> throw fault("A " + c + " in a name needs double quotes around the name");
                default -> {
                    append(pos, pos + 1);
                    pos++;
                }
            }
        }
        if (inGroup) {
            start = group;
            throw fault("A group ends with ; and a name that holds : needs double quotes");
        }
        return addresses;
    }

    private void append(int from, int to) {
        words.append(text, from, to);
        written.append(text, from, to);
    }

    /** Ends an entry without angle brackets. */
    private void endEntry() {
        String entry = AddressText.trimmed(written.toString());
        if (!entry.isEmpty()) {
            add(null, entry);
        }
        reset();
    }

    private void add(@Nullable String name, String address) {
        if (addresses.size() == MAX_ADDRESSES) {
            throw new AddressSyntaxException("A list has at most " + MAX_ADDRESSES + " addresses");
        }
        try {
            addresses.add(new MailAddress(name, AddrSpec.parse(address).toString()));
        } catch (AddressSyntaxException wrong) {
            throw fault(String.valueOf(wrong.getMessage()));
        }
    }

    private void reset() {
        words.setLength(0);
        written.setLength(0);
    }

    private void beginGroup() {
        if (inGroup || words.toString().isBlank()) {
            throw fault("A name that holds : needs double quotes");
        }
        inGroup = true;
        group = start;
        pos++;
        start = pos;
        reset();
    }

    private void endGroup() {
        if (!inGroup) {
            throw fault("Addresses are separated by commas, and a name that holds ; needs double quotes");
        }
        endEntry();
        inGroup = false;
        pos++;
        skipSpace();
        start = pos;
        requireSeparator();
    }

    private void angleAddress() {
        int open = pos + 1;
        int end = open;
        boolean quoted = false;
        while (end < text.length() && (quoted || text.charAt(end) != '>')) {
            quoted ^= text.charAt(end) == '"';
            end += quoted && text.charAt(end) == '\\' ? 2 : 1;
        }
        if (end >= text.length()) {
            throw fault("A < needs its >: Name <local-part@domain>");
        }
        pos = end + 1;
        add(words.toString(), AddressText.trimmed(text.substring(open, end)));
        reset();
        skipSpace();
        requireSeparator();
    }

    /** Between two entries stands a comma. */
    private void requireSeparator() {
        if (pos < text.length() && text.charAt(pos) != ',' && !(inGroup && text.charAt(pos) == ';')) {
            pos = Math.min(text.length(), pos + 1);
            throw fault("A comma must separate it from what follows");
        }
    }

    private void skipSpace() {
        while (pos < text.length() && (AddressText.isUnseen(text.charAt(pos)) || text.charAt(pos) == '(')) {
            if (text.charAt(pos) == '(') {
                comment();
            } else {
                pos++;
            }
        }
    }

    private void quotedString() {
        int open = pos;
        for (pos++; pos < text.length() && text.charAt(pos) != '"'; pos++) {
            pos += text.charAt(pos) == '\\' ? 1 : 0;
            words.append(text, Math.min(pos, text.length()), Math.min(pos + 1, text.length()));
        }
        if (pos >= text.length()) {
            throw fault("A double quote needs its second one");
        }
        pos++;
        written.append(text, open, pos);
    }

    /** Comments nest (RFC 5322 §3.2.2). */
    private void comment() {
        int depth = 0;
        for (; pos < text.length(); pos++) {
            char c = text.charAt(pos);
            pos += c == '\\' ? 1 : 0;
            depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            if (depth == 0) {
                pos++;
                return;
            }
        }
        throw fault("A ( needs its ), and a name that holds ( needs double quotes");
    }

    /** A domain literal (RFC 5321 §4.1.3), whose colons begin no group; any other bracket is a character of a name. */
    private void literal() {
        int end = pos + 1;
        while (end < text.length() && isOfLiteral(text.charAt(end))) {
            end++;
        }
        int next = end < text.length() && text.charAt(end) == ']' ? end + 1 : pos + 1;
        append(pos, next);
        pos = next;
    }

    /** A fault of the present entry. */
    private AddressSyntaxException fault(String message) {
        return AddressSyntaxException.in(
                text.substring(start, Math.min(pos, text.length())).strip(), message);
    }

    private static boolean isOfLiteral(char c) {
        return Character.isLetterOrDigit(c) || ".:-".indexOf(c) >= 0;
    }
}
