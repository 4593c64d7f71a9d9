package dev.inboxd.mail.compose;

import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.AddressSyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Builds the header section; each method writes one kind of field. */
final class HeaderWriter {
    private static final int LONGEST_WORD = 900; // a long link must stay one word
    private static final int LONGEST_NAME_WORD = 60;

    private final StringBuilder text = new StringBuilder();
    private boolean ascii = true;

    /** A field of free text (RFC 5322 §3.6.5): plain if possible, else in encoded words. */
    void unstructured(String name, String value) {
        var field = new FoldedField(name);
        if (travelsPlain(value, LONGEST_WORD)) {
            plain(field, " ", value);
        } else {
            EncodedWordWriter.encode(value, field.room()).forEach(field::add);
        }
        add(field);
    }

    /** A field of words that are encoded already. */
    void words(String name, List<String> words) {
        var field = new FoldedField(name);
        words.forEach(field::add);
        add(field);
    }

    /**
     * A field of ids. One beyond ASCII stands as it is where the addresses need SMTPUTF8 anyway (RFC 6532 §3.3). Else
     * it is encoded as many programs do, because a host without that extension would refuse the message.
     */
    void ids(String name, List<String> ids) {
        var field = new FoldedField(name);
        for (var id : ids) {
            if (!ascii || SafeText.isPlain(id)) {
                field.add(id);
            } else {
                EncodedWordWriter.encode(id, field.room()).forEach(field::add);
            }
        }
        add(field);
    }

    /** An address field; {@code path} names it in errors. */
    void mailboxes(String name, String path, List<Mailbox> mailboxes) {
        var field = new FoldedField(name);
        for (int i = 0; i < mailboxes.size(); i++) {
            var mailbox = mailboxes.get(i);
            var at = mailboxes.size() == 1 && path.equals("from") ? path : path + "[" + i + "]";
            mailbox(field, at, mailbox, i < mailboxes.size() - 1 ? "," : "");
        }
        add(field);
    }

    private void mailbox(FoldedField field, String path, Mailbox mailbox, String separator) {
        var address = address(path + ".address", mailbox.address());
        ascii &= address.isAscii();
        var name = name(path, mailbox.name());
        if (name.isEmpty()) {
            field.add(address + separator);
        } else {
            phrase(field, name);
            field.add("<" + address + ">" + separator);
        }
    }

    private static AddrSpec address(String path, String address) {
        try {
            return AddrSpec.parse(address);
        } catch (AddressSyntaxException refused) {
            throw new MalformedFieldException(path, "is no address: " + refused.getMessage());
        }
    }

    private static String name(String path, @Nullable String name) {
        return name == null ? "" : SafeText.header(path + ".name", name).strip();
    }

    /**
     * RFC 5322 §3.2.5: atoms where possible, a quoted string where needed, encoded words (RFC 2047 §5) for the rest.
     */
    private static void phrase(FoldedField field, String name) {
        if (!travelsPlain(name, LONGEST_NAME_WORD)) {
            EncodedWordWriter.encode(name, field.room()).forEach(field::add);
        } else if (name.chars().allMatch(c -> c == ' ' || SafeText.isAtext(c)) && !name.contains("  ")) {
            plain(field, " ", name);
        } else {
            plain(field, " ", QuotedString.string(name));
        }
    }

    /**
     * Whether the value can be written plainly: visible ASCII, clean edges, nothing that looks encoded, short words.
     */
    private static boolean travelsPlain(String value, int longest) {
        if (!SafeText.isPlain(value) || !value.equals(value.strip()) || value.contains("=?")) {
            return false;
        }
        int unfoldable = 0;
        for (int i = 0; i < value.length(); i++) {
            boolean foldsHere = isSpace(value.charAt(i)) && !isSpace(value.charAt(i - 1));
            unfoldable = foldsHere ? 1 : unfoldable + 1;
            if (unfoldable > longest) {
                return false;
            }
        }
        return true;
    }

    /** Splits at white space and keeps every space in place. */
    private static void plain(FoldedField field, String firstSpace, String value) {
        var space = firstSpace;
        int i = 0;
        do {
            int end = i;
            while (end < value.length() && !isSpace(value.charAt(end))) {
                end++;
            }
            field.add(space, value.substring(i, end));
            i = end;
            while (i < value.length() && isSpace(value.charAt(i))) {
                i++;
            }
            space = value.substring(end, i);
        } while (i < value.length());
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t';
    }

    void add(FoldedField field) {
        text.append(field);
    }

    /** Whether all addresses so far are ASCII. */
    boolean isAscii() {
        return ascii;
    }

    byte[] bytes() {
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }
}
