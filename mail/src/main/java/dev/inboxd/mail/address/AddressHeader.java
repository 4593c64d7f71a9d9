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

    /** The address without angle brackets before a bracket that never closes. */
    private String beforeBracket = "";

    private @Nullable String soleWord;
    private final CommentEnds comments;
    /** Whether some double quote has no second one: then none behind it has. */
    private boolean isQuoteUnclosed;

    private boolean isBracketQuoteUnclosed;

    private int pos;

    private AddressHeader(String text, UnaryOperator<String> decodePhrase, UnaryOperator<String> decodeAddress) {
        this.text = text;
        this.comments = new CommentEnds(text);
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
                case '(' -> comment();
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
        if (lastWord.indexOf('@') > 0 || !beforeBracket.isEmpty()) {
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
            int end = text.startsWith("=?", pos) ? EncodedWord.end(text, pos) : -1;
            if (end > 0) {
                content.append(text, pos, end);
                pos = end - 1;
                continue;
            }
            if (text.charAt(pos) == '\\' && pos + 1 < text.length()) {
                pos++;
            }
            content.append(text.charAt(pos));
        }
        if (pos >= text.length()) {
            isQuoteUnclosed = true;
            pos = start;
            word();
            return;
        }
        pos++;
        if (pos < text.length() && text.charAt(pos) == '@') {
            int domain = pos;
            skipAtom();
            appendWord(text.substring(start, domain) + text.substring(domain, pos));
        } else {
            appendWord(content.toString());
            lastWord = "";
        }
    }

    /** Skips a comment; a bracket that never closes begins none, and belongs to the name (ruling 130). */
    private void comment() {
        int end = comments.of(pos);
        if (end > 0) {
            pos = end;
        } else {
            beforeBracket = lastWord.indexOf('@') > 0 ? lastWord : beforeBracket;
            word();
        }
    }

    private void angleAddress() {
        while (pos < text.length() && text.charAt(pos) == '<') {
            pos++;
        }
        int start = pos;
        pos = closingBracket(start);
        boolean isCut = entry > 0 && phrase.length() == entry;
        add(phrase.substring(0, isCut ? entry - 1 : phrase.length()), text.substring(start, pos));
        while (pos < text.length() && text.charAt(pos) == '>') {
            pos++;
        }
    }

    /** The index of the bracket that ends an address, which is no part of a quoted string; else the end of the text. */
    private int closingBracket(int start) {
        if (isBracketQuoteUnclosed) {
            int next = text.indexOf('>', start);
            return next < 0 ? text.length() : next;
        }
        boolean quoted = false;
        int end = start;
        while (end < text.length() && (quoted || text.charAt(end) != '>')) {
            quoted ^= text.charAt(end) == '"';
            end += quoted && text.charAt(end) == '\\' ? 2 : 1;
        }
        isBracketQuoteUnclosed = quoted;
        int first = quoted ? text.indexOf('>', start) : -1;
        return first < 0 ? Math.min(end, text.length()) : first;
    }

    /** The addr-spec in angle brackets, without an obsolete route (RFC 5322 §4.4) and without the scheme of a link. */
    private static String addrSpec(String content) {
        var spec = AddressText.bare(content);
        if (spec.regionMatches(true, 0, MAILTO, 0, MAILTO.length())) {
            int query = spec.indexOf('?'); // RFC 6068 §2
            return AddressText.bare(spec.substring(MAILTO.length(), query < 0 ? spec.length() : query));
        }
        int colon = spec.startsWith("@") ? spec.indexOf(':') : -1;
        return colon < 0 ? spec : AddressText.bare(spec.substring(colon + 1));
    }

    private void word() {
        int start = pos;
        skipAtom();
        if (pos == start) {
            pos++; // a stray bracket or similar
            return;
        }
        String word = text.substring(start, pos);
        if (word.charAt(0) < 0x80
                || !AddressText.trimmed(decodeAddress.apply(word)).isEmpty()) {
            appendWord(word);
        }
    }

    private void skipAtom() {
        boolean isLiteral;
        do {
            while (pos < text.length() && !endsAtom(pos)) {
                int end = text.startsWith("=?", pos) ? EncodedWord.end(text, pos) : -1;
                pos = end > 0 ? end : pos + 1;
            }
            // RFC 5321 §4.1.3: the colons of [IPv6:...] belong to the domain
            isLiteral = text.startsWith("[IPv6:", pos - 5);
            while (isLiteral && pos < text.length() && "], ".indexOf(text.charAt(pos)) < 0) {
                pos++;
            }
        } while (isLiteral);
    }

    /** A bracket or a quote that never closes, and a bracket behind a backslash, are letters. */
    private boolean endsAtom(int at) {
        return switch (text.charAt(at)) {
            case '<', ',', ';', ':', ' ', '\t', '>' -> true;
            case '"' -> !isQuoteUnclosed;
            case '(' -> !comments.isUnclosed(at) && (at == 0 || text.charAt(at - 1) != '\\');
            default -> false;
        };
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
            String name = phrase.substring(entry, phrase.length() - lastWord.length());
            // Two addresses without a comma between them: nobody knows which one is meant (ruling 131).
            boolean isTwo = name.indexOf('@') > 0 && !name.strip().equalsIgnoreCase(lastWord);
            add(isTwo ? "" : name, isTwo ? name + lastWord : lastWord);
        } else if (!beforeBracket.isEmpty()) {
            String words = phrase.substring(entry);
            int place = words.lastIndexOf(beforeBracket);
            boolean isTwo = words.substring(0, place).indexOf('@') > 0; // as above
            add(
                    isTwo ? "" : words.substring(place + beforeBracket.length()),
                    isTwo ? words.substring(0, place) + beforeBracket : beforeBracket);
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

    private void add(String name, String written) {
        String address = addrSpec(decodeAddress.apply(written));
        if (!address.isEmpty()) {
            addresses.add(new MailAddress(decodePhrase.apply(name.strip()).strip(), address));
        }
        reset();
    }

    private void reset() {
        phrase.setLength(0);
        lastWord = "";
        beforeBracket = "";
        entry = 0;
    }
}
