package dev.inboxd.mail.address;

import com.ibm.icu.lang.UCharacter;
import com.ibm.icu.lang.UProperty;
import java.text.Normalizer;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The author of a message that the server vouches for. Every mail program must read the same author, and the author
 * must not look like somebody else (attack A9). Much stricter than {@link AddressHeader}, which reads foreign mail.
 */
public final class Author {
    private Author() {}

    /**
     * The address of a field with one mailbox in its plainest form (RFC 5322 §3.4): {@code addr}, or {@code name
     * <addr>} with words and quoted strings for a name. No groups, routes, comments or lists, and nothing obsolete but
     * dots in the name.
     *
     * @param text the unfolded field body, encoded words still encoded
     * @return null for everything else
     */
    public static @Nullable AddrSpec of(String text) {
        String field = text.strip();
        int open = field.lastIndexOf('<');
        boolean named = field.endsWith(">") && open >= 0;
        try {
            boolean plain = !named || isPhrase(field.substring(0, open));
            AddrSpec sole = plain ? address(named ? field.substring(open + 1, field.length() - 1) : field) : null;
            return sole != null && isReadAlike(text, sole) ? sole : null;
        } catch (AddressSyntaxException malformed) {
            return null;
        }
    }

    /**
     * An address of received mail as an author: an addr-spec with one @ and a domain name. Of a second @, which a
     * quoted local part may hold, some programs read the wrong one; an address literal is no domain that could vouch.
     *
     * @return null for everything else
     */
    public static @Nullable AddrSpec ofAddress(String address) {
        try {
            AddrSpec spec = AddrSpec.parse(address);
            return spec.hasAddressLiteral() || spec.localPart().indexOf('@') >= 0 ? null : spec;
        } catch (AddressSyntaxException malformed) {
            return null;
        }
    }

    /** Whether the lenient parsers for received mail find the same address. */
    private static boolean isReadAlike(String text, AddrSpec sole) {
        List<MailAddress> read = AddressHeader.parse(text, UnaryOperator.identity());
        return read.size() == 1 && AddrSpec.parse(read.getFirst().address()).equals(sole);
    }

    /**
     * The address, unless it contains invisible characters: domains are mapped without them (UTS #46 §4), while
     * readers keep them.
     */
    private static @Nullable AddrSpec address(String text) {
        boolean visible = text.codePoints()
                .noneMatch(c -> UCharacter.hasBinaryProperty(c, UProperty.DEFAULT_IGNORABLE_CODE_POINT));
        return visible ? AddrSpec.parse(text) : null;
    }

    /** RFC 5322 §3.2.5, with the dots of §4.1 and the characters of RFC 6532. */
    private static boolean isPhrase(String phrase) {
        boolean quoted = false;
        for (int i = 0; i < phrase.length(); i++) {
            char c = phrase.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (quoted) {
                i += c == '\\' ? 1 : 0;
            } else if ("()<>[]:;@\\,".indexOf(c) >= 0) {
                return false;
            }
        }
        return !quoted;
    }

    /**
     * Whether a display name looks like another person's address: most mail programs show only the name.
     *
     * @param name decoded
     * @param own the address of the mailbox, which the name may repeat
     */
    public static boolean namesAnother(String name, String own) {
        String rendered = rendered(name);
        String mine = rendered(own);
        int local = mine.lastIndexOf('@');
        for (int at = rendered.indexOf('@'); at >= 0; at = rendered.indexOf('@', at + 1)) {
            int end = at + 1;
            while (end < rendered.length() && isOfDomain(rendered.charAt(end))) {
                end++;
            }
            while (rendered.charAt(end - 1) == '.') { // the end of a sentence
                end--;
            }
            boolean address = at > 0
                    && !Character.isWhitespace(rendered.charAt(at - 1))
                    && rendered.substring(at + 1, end).indexOf('.') > 0;
            int start = at - local;
            boolean repeated = start >= 0
                    && rendered.regionMatches(true, start, mine, 0, mine.length())
                    && end == start + mine.length()
                    && (start == 0 || !isOfAddress(rendered.charAt(start - 1)));
            if (address && !repeated) {
                return true;
            }
        }
        return false;
    }

    /** The text as it looks: without invisible characters, with wide and small forms mapped to the usual ones. */
    private static String rendered(String text) {
        StringBuilder rendered = new StringBuilder();
        Normalizer.normalize(text, Normalizer.Form.NFKC)
                .replace('\u3002', '.')
                .codePoints()
                .filter(c -> Character.getType(c) != Character.FORMAT && !Character.isISOControl(c))
                .forEach(rendered::appendCodePoint);
        return rendered.toString();
    }

    private static boolean isOfDomain(char c) {
        return Character.isLetterOrDigit(c) || Character.isSurrogate(c) || c == '.' || c == '-';
    }

    private static boolean isOfAddress(char c) {
        return isOfDomain(c) || "!#$%&'*+/=?^_`{|}~".indexOf(c) >= 0;
    }
}
