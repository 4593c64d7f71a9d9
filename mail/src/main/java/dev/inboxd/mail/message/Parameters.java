package dev.inboxd.mail.message;

import dev.inboxd.mail.charset.Charsets;
import dev.inboxd.mail.charset.Iso2022Jp;
import dev.inboxd.mail.io.Hex;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A structured value with parameters, such as Content-Type and Content-Disposition (RFC 2045 §5.1, RFC 2183),
 * including the continuations and charsets of RFC 2231. The first of two equal parameters counts.
 */
final class Parameters {
    static final int MAX_LENGTH = 2_048;
    private static final int MAX_COUNT = 100;
    private static final Set<String> PLACES = Set.of("name", "filename", "boundary", "start", "type");
    /** What may follow a name of a file that has spaces and no quotes. */
    private static final String BEHIND_NAME = " charset name filename boundary format delsp size type creation-date "
            + "read-date modification-date x-unix-mode x-mac-type x-mac-creator ";

    private final String text;
    private final Set<Defect> defects;
    /** Raw values, one character per octet, by the name in lower case with its RFC 2231 suffixes. */
    private final Map<String, String> raw = new HashMap<>();

    private final String value;
    private int semicolon = -1;
    private int pos;
    private boolean isCommentUnclosed;

    /** Parses a field body with one character per raw octet; folds count as spaces. */
    Parameters(String body, Set<Defect> defects) {
        this.text = Iso2022Jp.inUtf8(body);
        this.defects = defects;
        var first = firstToken(text.substring(0, semicolon(0)));
        // Some senders leave the value out and begin with the parameters.
        boolean isParameter = first.indexOf('=') > 0;
        value = isParameter ? "" : first.endsWith(",") ? first.substring(0, first.length() - 1) : first;
        if (!isParameter && !first.isEmpty()) {
            pos = text.length() - text.stripLeading().length() + first.length();
            goToNext();
        } else if (!isParameter) {
            pos = semicolon(0);
        }
        while (pos < text.length() && raw.size() < MAX_COUNT) {
            parameter();
        }
    }

    /** The value before the parameters, in lower case, without comments. */
    String value() {
        return value;
    }

    /**
     * The parameter as raw octets, one per character, for values that are compared with the body, such as a boundary.
     */
    @Nullable
    String octets(String name) {
        return raw.get(name);
    }

    /** The parameters that say something of the content: not its name and not the boundaries around it. */
    Map<String, String> plain() {
        var plain = new TreeMap<String, String>();
        raw.forEach((name, octets) -> {
            if (name.indexOf('*') < 0 && !PLACES.contains(name)) {
                plain.put(name, octets);
            }
        });
        return plain;
    }

    /**
     * The octets of a parameter that is neither UTF-8 nor encoded, one per character: they name no charset, and are
     * read in that of the message.
     *
     * @return null for any other parameter
     */
    @Nullable
    String unlabelled(String name) {
        var octets = raw.containsKey(name + '*') || raw.containsKey(name + "*0*") ? null : raw.get(name);
        if (octets == null || octets.chars().allMatch(c -> c < 0x80)) {
            return null;
        }
        var bytes = octets.getBytes(StandardCharsets.ISO_8859_1);
        return Charsets.isUtf8(bytes, bytes.length) ? null : octets;
    }

    /** The parameter as text. */
    @Nullable
    String text(String name) {
        var extended = raw.get(name + '*');
        if (extended != null) {
            return extended(extended);
        }
        if (raw.containsKey(name + "*0") || raw.containsKey(name + "*0*")) {
            return continued(name);
        }
        var plain = raw.get(name);
        if (plain == null) {
            return null;
        }
        var octets = plain.getBytes(StandardCharsets.ISO_8859_1);
        // RFC 2047 §5 forbids encoded words here; many senders write them.
        return HeaderText.decode(octets, 0, octets.length, defects);
    }

    private String extended(String encoded) {
        int language = encoded.indexOf('\'');
        int start = language < 0 ? -1 : encoded.indexOf('\'', language + 1);
        var octets = new ByteArrayOutputStream(encoded.length());
        percentDecode(encoded.substring(start + 1), octets);
        return HeaderText.clean(decoded(octets, start < 0 ? "" : encoded.substring(0, language)));
    }

    // RFC 2231 §3 and §4.1: each segment states by itself whether it is encoded; only the first names the charset.
    private String continued(String name) {
        var octets = new ByteArrayOutputStream();
        var charset = "";
        for (int i = 0; ; i++) {
            var plain = raw.get(name + '*' + i);
            var encoded = raw.get(name + '*' + i + '*');
            if (encoded != null) {
                int language = i > 0 ? -1 : encoded.indexOf('\'');
                int start = language < 0 ? -1 : encoded.indexOf('\'', language + 1);
                charset = start < 0 ? charset : encoded.substring(0, language);
                percentDecode(encoded.substring(start + 1), octets);
            } else if (plain != null) {
                octets.writeBytes(plain.getBytes(StandardCharsets.ISO_8859_1));
            } else {
                break;
            }
        }
        if (octets.size() > MAX_LENGTH) {
            defects.add(Defect.PARAMETER_TOO_LONG);
        }
        return HeaderText.clean(decoded(octets, charset));
    }

    private String decoded(ByteArrayOutputStream octets, String charset) {
        var bytes = octets.toByteArray();
        int length = Math.min(bytes.length, MAX_LENGTH);
        if (Charsets.isUnknown(charset)) {
            defects.add(Defect.UNKNOWN_CHARSET);
        }
        return charset.isEmpty()
                ? HeaderText.decode(bytes, 0, length, defects)
                : Charsets.decode(bytes, length, charset);
    }

    private static void percentDecode(String text, ByteArrayOutputStream octets) {
        for (int i = 0; i < text.length(); i++) {
            int octet = text.charAt(i) == '%' && i + 2 < text.length()
                    ? Hex.octet(text.charAt(i + 1), text.charAt(i + 2))
                    : -1;
            octets.write(octet < 0 ? text.charAt(i) : octet);
            i += octet < 0 ? 0 : 2;
        }
    }

    private void parameter() {
        while (pos < text.length() && (text.charAt(pos) == ';' || isSpace(text.charAt(pos)))) {
            pos++;
        }
        int start = pos;
        while (pos < text.length() && text.charAt(pos) != '=' && text.charAt(pos) != ';') {
            pos++;
        }
        var name = name(text.substring(start, pos).strip());
        if (pos == text.length() || text.charAt(pos) == ';') {
            return;
        }
        pos++;
        while (pos < text.length() && isSpace(text.charAt(pos))) {
            pos++;
        }
        var content = pos < text.length() && text.charAt(pos) == '"' ? quoted() : unquoted(name);
        if (content.length() > MAX_LENGTH) {
            defects.add(Defect.PARAMETER_TOO_LONG);
            content = content.substring(0, MAX_LENGTH);
        }
        if (!name.isEmpty() && raw.putIfAbsent(name, content) != null) {
            defects.add(Defect.DUPLICATE_PARAMETER);
        }
    }

    private String quoted() {
        var content = new StringBuilder();
        for (pos++; pos < text.length() && text.charAt(pos) != '"'; pos++) {
            char c = text.charAt(pos);
            char next = pos + 1 < text.length() ? text.charAt(pos + 1) : 0;
            // A backslash before any other character belongs to a Windows path and is not a quoted-pair.
            if (c == '\\' && (next == '"' || next == '\\')) {
                c = next;
                pos++;
            }
            if (c != '\r' && c != '\n') {
                content.append(c);
            }
        }
        pos = Math.min(pos + 1, text.length());
        goToNext();
        return content.toString();
    }

    private String unquoted(String name) {
        int start = pos;
        int end = semicolon(pos);
        if (!name.startsWith("name") && !name.startsWith("filename")) {
            while (pos < end && !isSpace(text.charAt(pos)) && text.charAt(pos) != '(') {
                pos++;
            }
            int behind = pos;
            goToNext();
            return text.substring(start, behind);
        }
        for (pos = start; pos < end && !(isSpace(text.charAt(pos)) && isBehindName(nameAt(pos + 1))); pos++) {
            // the name goes on
        }
        return text.substring(start, pos).strip();
    }

    /** Goes to the next semicolon, or to a parameter before it: many senders leave the semicolon out (ruling 137). */
    private void goToNext() {
        int next = pos;
        while (next < text.length() && (isSpace(text.charAt(next)) || text.charAt(next) == '(')) {
            int end = text.charAt(next) != '(' ? next : isCommentUnclosed ? -1 : text.indexOf(')', next);
            isCommentUnclosed |= end < 0; // so no later one closes
            next = end < 0 ? text.length() : end + 1;
        }
        pos = nameAt(next).isEmpty() ? semicolon(pos) : next;
    }

    /** The name of the parameter that begins there, in lower case; empty when none does. */
    private String nameAt(int start) {
        int end = start;
        while (end < text.length() && isOfName(text.charAt(end))) {
            end++;
        }
        int equals = end;
        while (end > start && equals < text.length() && isSpace(text.charAt(equals))) {
            equals++;
        }
        return end > start && equals < text.length() && text.charAt(equals) == '='
                ? text.substring(start, end).toLowerCase(Locale.ROOT)
                : "";
    }

    private static boolean isBehindName(String name) {
        int star = name.indexOf('*'); // RFC 2231 §3
        return !name.isEmpty() && BEHIND_NAME.contains(" " + (star < 0 ? name : name.substring(0, star)) + " ");
    }

    private static boolean isOfName(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || "-_.*".indexOf(c) >= 0;
    }

    /** The next semicolon, or the end; looked for once, however many parameters stand before it. */
    private int semicolon(int from) {
        if (semicolon < from) {
            int index = text.indexOf(';', from);
            semicolon = index < 0 ? text.length() : index;
        }
        return semicolon;
    }

    /** The last word before the equals sign, or the first one before a comment. */
    private static String name(String written) {
        int blank = written.indexOf('(') < 0 ? written.length() - 1 : -1;
        while (blank >= 0 && !isSpace(written.charAt(blank))) {
            blank--;
        }
        return firstToken(written.substring(blank + 1));
    }

    private static String firstToken(String text) {
        return token(text.strip()).toLowerCase(Locale.ROOT);
    }

    private static String token(String text) {
        int end = 0;
        while (end < text.length() && !isSpace(text.charAt(end)) && text.charAt(end) != '(') {
            end++;
        }
        return text.substring(0, end);
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }
}
