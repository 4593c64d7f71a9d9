package dev.inboxd.mail.address;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Parses the address fields of received mail (RFC 5322 §3.4 with its obsolete forms and common errors of senders). It
 * never fails: groups are flattened, comments and routes dropped, entries without an address left out.
 */
public final class AddressHeader {
    /** Maximum number of addresses read from one field. */
    public static final int MAX_ADDRESSES = 1_000;

    private static final int MAX_JOINED = 998;
    private static final String MAILTO = "mailto:";

    private final String text;
    private final UnaryOperator<String> decodePhrase;
    private final UnaryOperator<String> decodeAddress;
    private final List<MailAddress> addresses = new ArrayList<>();
    private final StringBuilder phrase = new StringBuilder();
    private String lastWord = "";
    /** Where the words after the last comma begin in the phrase: those before may belong to a name. */
    private int entry;

    private @Nullable String soleWord;
    private int pos;

    private AddressHeader(String text, UnaryOperator<String> decodePhrase, UnaryOperator<String> decodeAddress) {
        this.text = text;
        this.decodePhrase = decodePhrase;
        this.decodeAddress = decodeAddress;
    }

    /**
     * Parses one field.
     *
     * @param text the unfolded field body, encoded words (RFC 2047) still encoded: structure is found before decoding,
     *     so that an encoded comma or bracket never makes an address
     * @param decodePhrase decodes the encoded words of a display name
     * @return at most {@link #MAX_ADDRESSES} addresses in order
     */
    public static List<MailAddress> parse(String text, UnaryOperator<String> decodePhrase) {
        return parse(text, decodePhrase, UnaryOperator.identity());
    }

    /**
     * Parses one field whose characters are the octets of the mail. The structure of a field is in its ASCII octets:
     * found before they are decoded, it is the same in every charset.
     *
     * @param octets the unfolded field body, one character per octet
     * @param decodePhrase decodes a display name
     * @param decodeAddress decodes an address
     * @return at most {@link #MAX_ADDRESSES} addresses in order
     */
    public static List<MailAddress> parse(
            String octets, UnaryOperator<String> decodePhrase, UnaryOperator<String> decodeAddress) {
        return List.copyOf(new AddressHeader(octets, decodePhrase, decodeAddress).read());
    }

    private List<MailAddress> read() {
        while (pos < text.length() && addresses.size() < MAX_ADDRESSES) {
            char c = text.charAt(pos);
            switch (c) {
                case '"' -> quotedString();
                case '(' -> skipComment();
                case '<' -> angleAddress();
                case ',' -> comma();
                case ';' -> {
                    bareAddress();
                    reset();
                    pos++;
                }
                case ':' -> {
                    reset(); // RFC 5322 §3.4: the words before the colon name a group
                    pos++;
                }
                case ' ', '\t' -> pos++;
                default -> word();
            }
        }
        if (addresses.size() < MAX_ADDRESSES) {
            bareAddress();
        }
        if (addresses.isEmpty() && soleWord != null) {
            addresses.add(new MailAddress(null, decodeAddress.apply(soleWord)));
        }
        return addresses;
    }

    /**
     * Ends an entry. Without an address it is no entry: {@code From: Smith, John <john@x>} has one mailbox, whose name
     * should be in quotes.
     */
    private void comma() {
        pos++;
        if (lastWord.indexOf('@') > 0) {
            bareAddress();
        } else if (!phrase.isEmpty()) {
            noteSoleWord();
            phrase.append(phrase.charAt(phrase.length() - 1) == ',' ? "" : ",");
            lastWord = "";
            entry = phrase.length();
        }
    }

    private void quotedString() {
        int start = pos;
        var content = new StringBuilder();
        for (pos++; pos < text.length() && text.charAt(pos) != '"'; pos++) {
            if (text.charAt(pos) == '\\' && pos + 1 < text.length()) {
                pos++;
            }
            content.append(text.charAt(pos));
        }
        pos = Math.min(pos + 1, text.length());
        if (pos < text.length() && text.charAt(pos) == '@') {
            int domain = pos;
            skipAtom();
            appendWord(text.substring(start, domain) + text.substring(domain, pos));
        } else {
            appendWord(content.toString());
            lastWord = "";
        }
    }

    // Comments nest (RFC 5322 §3.2.2); counting instead of recursion keeps any depth harmless.
    private void skipComment() {
        int depth = 0;
        for (; pos < text.length(); pos++) {
            char c = text.charAt(pos);
            if (c == '\\') {
                pos++;
            } else if (c == '(') {
                depth++;
            } else if (c == ')' && --depth == 0) {
                pos++;
                return;
            }
        }
    }

    private void angleAddress() {
        while (pos < text.length() && text.charAt(pos) == '<') {
            pos++;
        }
        int start = pos;
        boolean quoted = false;
        while (pos < text.length() && (quoted || text.charAt(pos) != '>')) {
            quoted ^= text.charAt(pos) == '"';
            pos += quoted && text.charAt(pos) == '\\' ? 2 : 1;
        }
        pos = Math.min(pos, text.length());
        boolean isCut = entry > 0 && phrase.length() == entry;
        add(phrase.substring(0, isCut ? entry - 1 : phrase.length()), addrSpec(text.substring(start, pos)));
        while (pos < text.length() && text.charAt(pos) == '>') {
            pos++;
        }
    }

    /** The addr-spec in angle brackets, without an obsolete route (RFC 5322 §4.4) and without the scheme of a link. */
    private static String addrSpec(String content) {
        var spec = content.strip();
        if (spec.regionMatches(true, 0, MAILTO, 0, MAILTO.length())) {
            int query = spec.indexOf('?'); // RFC 6068 §2
            return spec.substring(MAILTO.length(), query < 0 ? spec.length() : query)
                    .strip();
        }
        int colon = spec.startsWith("@") ? spec.indexOf(':') : -1;
        return colon < 0 ? spec : spec.substring(colon + 1).strip();
    }

    private void word() {
        int start = pos;
        skipAtom();
        if (pos == start) {
            pos++; // a stray bracket or similar
            return;
        }
        appendWord(text.substring(start, pos));
    }

    private void skipAtom() {
        while (pos < text.length() && "\"(<,;: \t>".indexOf(text.charAt(pos)) < 0) {
            pos++;
        }
        // RFC 5321 §4.1.3: the colons of [IPv6:...] belong to the domain
        if (text.startsWith("[IPv6:", pos - 5)) {
            while (pos < text.length() && "], ".indexOf(text.charAt(pos)) < 0) {
                pos++;
            }
            skipAtom();
        }
    }

    private void appendWord(String word) {
        // RFC 5322 §4.4: "a . b @ c" may have spaces around dots and the @
        boolean atDot = word.startsWith(".") || lastWord.endsWith(".");
        boolean joins = !lastWord.isEmpty()
                && lastWord.length() < MAX_JOINED
                && (word.startsWith("@") || lastWord.endsWith("@") || (atDot && lastWord.indexOf('@') >= 0));
        if (joins) {
            lastWord += word;
            phrase.append(word);
        } else {
            phrase.append(phrase.isEmpty() ? "" : " ").append(word);
            lastWord = word;
        }
    }

    /** Ends an entry without angle brackets: its last word is the address, if it looks like one. */
    private void bareAddress() {
        if (lastWord.indexOf('@') > 0) {
            add(phrase.substring(entry, phrase.length() - lastWord.length()), lastWord);
        } else {
            noteSoleWord();
        }
    }

    /** A field of one word, such as the user's name in mail from this very machine. */
    private void noteSoleWord() {
        boolean isWord = soleWord == null && entry == 0 && CharSequence.compare(phrase, lastWord) == 0;
        soleWord = isWord && !lastWord.isEmpty() && !lastWord.startsWith("=?") && lastWord.indexOf('@') < 0
                ? lastWord
                : soleWord;
    }

    private void add(String name, String address) {
        if (!address.isEmpty()) {
            addresses.add(new MailAddress(decodePhrase.apply(name.strip()).strip(), decodeAddress.apply(address)));
        }
        reset();
    }

    private void reset() {
        phrase.setLength(0);
        lastWord = "";
        entry = 0;
    }
}
