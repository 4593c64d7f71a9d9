package dev.inboxd.mail.message;

import dev.inboxd.mail.address.AddressHeader;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.charset.Charsets;
import dev.inboxd.mail.charset.Iso2022Jp;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads an address field of received mail from its octets. Its structure is found before anything is decoded, so that
 * it is the same for the authentication, which knows no charset, and for those who read the message (attack A9): in
 * some charsets an octet of a letter is a backslash or an @.
 */
public final class AddressField {
    private AddressField() {}

    /**
     * The addresses of a field as the authentication judges them; names are not decoded.
     *
     * @param octets the value, with its folds, one character for each octet
     */
    public static List<MailAddress> undecoded(String octets) {
        return AddressHeader.parse(unfolded(octets), name -> name, address -> text(address, null));
    }

    /**
     * The addresses of a field.
     *
     * @param charset the charset of names that are neither encoded nor UTF-8, or null
     */
    static List<MailAddress> read(String octets, @Nullable String charset, Set<Defect> defects) {
        return AddressHeader.parse(
                unfolded(octets),
                name -> EncodedWords.decode(text(name, charset), defects),
                address -> text(address, null));
    }

    /** A line break before white space is none (RFC 5322 §2.2.3), any other is a space, as every control is. */
    private static String unfolded(String written) {
        String octets = Iso2022Jp.inUtf8(written);
        StringBuilder line = new StringBuilder(octets.length());
        for (int i = 0; i < octets.length(); i++) {
            char c = octets.charAt(i);
            if ((c >= ' ' && c != 0x7F) || c == 0) {
                line.append(c);
            } else if (!isBreak(c) || !isBeforeSpace(octets, i + 1)) {
                line.append(' ');
            }
        }
        return line.toString();
    }

    private static boolean isBreak(char c) {
        return c == '\r' || c == '\n';
    }

    /** A fold has a line break of two octets at most; more of them are looked at one by one. */
    private static boolean isBeforeSpace(String octets, int at) {
        int next = at < octets.length() && isBreak(octets.charAt(at)) ? at + 1 : at;
        return next < octets.length() && (octets.charAt(next) == ' ' || octets.charAt(next) == '\t');
    }

    private static String text(String octets, @Nullable String charset) {
        byte[] bytes = octets.getBytes(StandardCharsets.ISO_8859_1);
        byte[] readable = charset == null ? bytes : Charsets.toUtf8(bytes, charset, true);
        return HeaderText.clean(Charsets.decodeUnlabelled(readable, readable.length));
    }
}
