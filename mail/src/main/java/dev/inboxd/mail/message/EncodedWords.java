package dev.inboxd.mail.message;

import dev.inboxd.mail.address.EncodedWord;
import dev.inboxd.mail.charset.Charsets;
import dev.inboxd.mail.io.Hex;
import java.io.ByteArrayOutputStream;
import java.util.Locale;
import java.util.Set;

/**
 * Decodes encoded words (RFC 2047, RFC 2231 §5) in a field. Adjacent words of one charset are joined as bytes before
 * they are decoded, because senders split characters between words. Malformed words stay unchanged.
 */
final class EncodedWords {
    static final int MAX_WORDS = 500;

    private final String text;
    private final Set<Defect> defects;
    private final StringBuilder decoded;
    private final ByteArrayOutputStream pending = new ByteArrayOutputStream();
    private String pendingCharset = "";
    private int words;

    private EncodedWords(String text, Set<Defect> defects) {
        this.text = text;
        this.defects = defects;
        decoded = new StringBuilder(text.length());
    }

    static String decode(String text, Set<Defect> defects) {
        return HeaderText.clean(new EncodedWords(text, defects).decode());
    }

    private String decode() {
        int literal = 0;
        int start = text.indexOf("=?");
        while (start >= 0 && words < MAX_WORDS) {
            int end = word(start, literal);
            literal = end < 0 ? literal : end;
            start = text.indexOf("=?", end < 0 ? start + 2 : end);
        }
        if (start >= 0) {
            defects.add(Defect.TOO_MANY_ENCODED_WORDS);
        }
        flush();
        return decoded.append(text, literal, text.length()).toString();
    }

    /**
     * Decodes the word at {@code start}.
     *
     * @return its end, or -1 when there is none
     */
    private int word(int start, int literal) {
        int charsetEnd = text.indexOf('?', start + 2);
        int textStart = charsetEnd + 3;
        boolean begins = charsetEnd > 0 && charsetEnd <= start + 80 && textStart <= text.length();
        if (!begins || text.charAt(textStart - 1) != '?') {
            return -1;
        }
        int textEnd = EncodedWord.endOfText(text, textStart);
        char encoding = Character.toUpperCase(text.charAt(charsetEnd + 1));
        if (textEnd < 0 || (encoding != 'Q' && encoding != 'B')) {
            return -1;
        }
        var charset = charset(start + 2, charsetEnd);
        // RFC 2047 §6.2: white space between adjacent words is not shown
        boolean adjacent = words > 0 && text.substring(literal, start).isBlank();
        if (!adjacent) {
            flush();
            decoded.append(text, literal, start);
        } else if (!charset.equals(pendingCharset)) {
            flush();
        }
        pendingCharset = charset;
        words++;
        if (encoding == 'B') {
            base64(textStart, textEnd);
        } else {
            quoted(textStart, textEnd);
        }
        return textEnd + 2;
    }

    private String charset(int from, int to) {
        int language = text.indexOf('*', from); // RFC 2231 §5
        return text.substring(from, language >= 0 && language < to ? language : to)
                .toLowerCase(Locale.ROOT);
    }

    private void quoted(int from, int to) {
        for (int i = from; i < to; i++) {
            char c = text.charAt(i);
            int octet = c == '=' && i + 2 < to ? Hex.octet(text.charAt(i + 1), text.charAt(i + 2)) : -1;
            if (octet >= 0) {
                pending.write(octet);
                i += 2;
            } else {
                writeRaw(c == '_' ? ' ' : c);
            }
        }
    }

    private void writeRaw(char c) {
        if (c < 0x80) {
            pending.write(c);
        } else {
            pending.writeBytes(Charsets.encode(c, pendingCharset));
        }
    }

    private void base64(int from, int to) {
        int bits = 0;
        int count = 0;
        for (int i = from; i < to; i++) {
            int value = Base64InputStream.value(text.charAt(i));
            if (value < 0) {
                continue;
            }
            bits = bits << 6 | value;
            if (++count % 4 != 1) {
                pending.write(bits >> (6 - 2 * ((count - 1) % 4)));
            }
        }
    }

    private void flush() {
        if (pending.size() > 0) {
            if (Charsets.isUnknown(pendingCharset)) {
                defects.add(Defect.UNKNOWN_CHARSET);
            }
            decoded.append(Charsets.decode(pending.toByteArray(), pending.size(), pendingCharset));
            pending.reset();
        }
    }
}
