package dev.inboxd.mail.address;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * Parses the address fields of received mail (RFC 5322 §3.4 with its obsolete forms and common errors of senders). It
 * never fails: groups are flattened, comments and routes dropped, entries without an address left out.
 */
public final class AddressHeader {
    /** Maximum number of addresses read from one field. */
    public static final int MAX_ADDRESSES = 1_000;

    private static final int MAX_JOINED = 998;

    private final String text;
    private final UnaryOperator<String> decodePhrase;
    private final List<MailAddress> addresses = new ArrayList<>();
    private final StringBuilder phrase = new StringBuilder();
    private String lastWord = "";
    private int pos;

    private AddressHeader(String text, UnaryOperator<String> decodePhrase) {
        this.text = text;
        this.decodePhrase = decodePhrase;
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
        return List.copyOf(new AddressHeader(text, decodePhrase).read());
    }

    private List<MailAddress> read() {
        while (pos < text.length() && addresses.size() < MAX_ADDRESSES) {
            char c = text.charAt(pos);
            switch (c) {
                case '"' -> quotedString();
                case '(' -> skipComment();
                case '<' -> angleAddress();
                case ',', ';' -> {
                    bareAddress();
                    pos++;
                }
                case ':' -> {
                    phrase.setLength(0); // RFC 5322 §3.4: the words before the colon name a group
                    lastWord = "";
                    pos++;
                }
                case ' ', '\t' -> pos++;
                default -> word();
            }
        }
        if (addresses.size() < MAX_ADDRESSES) {
            bareAddress();
        }
        return addresses;
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
        add(phrase.toString(), withoutRoute(text.substring(start, pos)));
        while (pos < text.length() && text.charAt(pos) == '>') {
            pos++;
        }
    }

    // RFC 5322 §4.4 obs-route: <@a,@b:user@domain>
    private static String withoutRoute(String address) {
        var spec = address.strip();
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
        var all = phrase.toString();
        if (lastWord.indexOf('@') > 0) {
            add(all.substring(0, all.length() - lastWord.length()), lastWord);
        } else if (all.equals(lastWord) && isPlainWord(all)) {
            add("", all);
        }
        phrase.setLength(0);
        lastWord = "";
    }

    private static boolean isPlainWord(String word) {
        return !word.isEmpty() && !word.startsWith("=?") && word.indexOf('@') < 0;
    }

    private void add(String name, String address) {
        if (!address.isEmpty()) {
            addresses.add(new MailAddress(decodePhrase.apply(name.strip()).strip(), address));
        }
        phrase.setLength(0);
        lastWord = "";
    }
}
