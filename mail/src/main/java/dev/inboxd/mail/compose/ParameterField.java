package dev.inboxd.mail.compose;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** A Content-Type or Content-Disposition field: a value with parameters (RFC 2045 §5.1, RFC 2183 §2, RFC 2231). */
final class ParameterField {
    private static final int LINE = 74; // 76 less the leading space and the semicolon
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private final String name;
    private final List<String> words = new ArrayList<>();

    ParameterField(String name, String value) {
        this.name = name;
        words.add(value);
    }

    /** Adds a parameter: a token or quoted string if it is short visible ASCII, else RFC 2231. */
    ParameterField with(String attribute, String value) {
        if (isPlainToken(value) && attribute.length() + value.length() + 1 <= LINE) {
            words.add(attribute + "=" + value);
        } else if (fitsQuoted(attribute, value)) {
            words.add(attribute + "=" + QuotedString.string(value));
        } else {
            extended(attribute, value);
        }
        return this;
    }

    /** RFC 2231 §7: strict readers refuse its three special characters in a token, so a value with one is quoted. */
    private static boolean isPlainToken(String value) {
        return SafeText.isToken(value) && value.chars().noneMatch(c -> c == '*' || c == '\'' || c == '%');
    }

    /** Some readers decode an encoded word inside a quoted string, so a value that looks like one is not quoted. */
    private static boolean fitsQuoted(String attribute, String value) {
        return SafeText.isPlain(value)
                && !value.contains("\t")
                && !value.contains("=?")
                && attribute.length() + QuotedString.string(value).length() + 1 <= LINE;
    }

    /** RFC 2231 §4 on one line, or the continuations of §3 with §4.1; a character is never split. */
    private void extended(String attribute, String value) {
        var octets = new ArrayList<String>();
        value.codePoints().forEach(c -> octets.add(percent(Character.toString(c))));
        var singleLine = attribute + "*=utf-8''" + String.join("", octets);
        if (singleLine.length() <= LINE) {
            words.add(singleLine);
            return;
        }
        int section = 0;
        var line = new StringBuilder(attribute + "*0*=utf-8''");
        for (var octet : octets) {
            if (line.length() + octet.length() > LINE) {
                words.add(line.toString());
                section++;
                line = new StringBuilder(attribute + "*" + section + "*=");
            }
            line.append(octet);
        }
        words.add(line.toString());
    }

    /** RFC 2231 §7: attribute-char stays, everything else becomes %XX. */
    private static String percent(String character) {
        var out = new StringBuilder();
        for (byte octet : character.getBytes(StandardCharsets.UTF_8)) {
            if (SafeText.isAlphanumeric(octet) || (octet > 0 && "!#$&+-.^_`{|}~".indexOf(octet) >= 0)) {
                out.append((char) octet);
            } else {
                out.append('%');
                HEX.toHexDigits(out, octet);
            }
        }
        return out.toString();
    }

    FoldedField field() {
        var field = new FoldedField(name);
        for (int i = 0; i < words.size(); i++) {
            field.add(words.get(i) + (i < words.size() - 1 ? ";" : ""));
        }
        return field;
    }
}
