package dev.inboxd.cli.query;

import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the signs and words of an expression. */
final class QueryLexer {
    /** The longest first, so that one is not taken for the beginning of another. */
    private static final List<String> SIGNS = List.of(
            "[?", "[]", "&&", "||", "==", "!=", "<=", ">=", "[", "]", "{", "}", "(", ")", ".", ",", ":", "*", "@", "|",
            "!", "<", ">", "&");

    private final String text;
    private int at;

    QueryLexer(String text) {
        this.text = text;
    }

    /** All of them, and {@code end}. */
    List<QueryToken> tokens() {
        List<QueryToken> tokens = new ArrayList<>();
        while (at < text.length()) {
            char c = text.charAt(at);
            if (Character.isWhitespace(c)) {
                at++;
            } else {
                tokens.add(token(c, at));
            }
        }
        tokens.add(new QueryToken("end", null, at));
        return tokens;
    }

    private QueryToken token(char c, int start) {
        if (isLetter(c)) {
            return new QueryToken("name", run(), start);
        }
        if (isDigit(c) || (c == '-' && at + 1 < text.length() && isDigit(text.charAt(at + 1)))) {
            return new QueryToken("number", number(), start);
        }
        return switch (c) {
            case '"' -> new QueryToken("quoted", json('"' + enclosed('"', true) + '"', start), start);
            case '\'' -> new QueryToken("literal", enclosed('\'', false), start);
            case '`' -> new QueryToken("literal", literal(start), start);
            default -> sign(start);
        };
    }

    private QueryToken sign(int start) {
        for (String sign : SIGNS) {
            if (text.startsWith(sign, at)) {
                at += sign.length();
                return new QueryToken(sign, null, start);
            }
        }
        throw new QueryException("there is no sign " + text.charAt(at) + " (character " + (at + 1) + ")");
    }

    private String run() {
        int start = at;
        while (at < text.length() && (isLetter(text.charAt(at)) || isDigit(text.charAt(at)))) {
            at++;
        }
        return text.substring(start, at);
    }

    private Object number() {
        int start = at++;
        while (at < text.length() && isDigit(text.charAt(at))) {
            at++;
        }
        try {
            return Long.valueOf(text.substring(start, at));
        } catch (NumberFormatException large) {
            throw new QueryException("the number " + text.substring(start, at) + " is too large");
        }
    }

    /** What stands between two of a mark. Other marks in it are behind a backslash, which stays where JSON reads it. */
    private String enclosed(char mark, boolean keepsEscapes) {
        int start = at++;
        StringBuilder inside = new StringBuilder();
        while (at < text.length() && text.charAt(at) != mark) {
            boolean isEscape = text.charAt(at) == '\\' && at + 1 < text.length();
            if (isEscape && !keepsEscapes && text.charAt(at + 1) == mark) {
                at++;
            } else if (isEscape && keepsEscapes) {
                inside.append(text.charAt(at++));
            }
            inside.append(text.charAt(at++));
        }
        if (at >= text.length()) {
            throw new QueryException("nothing ends the " + mark + " (character " + (start + 1) + ")");
        }
        at++;
        return inside.toString();
    }

    private @Nullable Object literal(int start) {
        return json(enclosed('`', false).strip(), start);
    }

    private static @Nullable Object json(String json, int start) {
        try {
            return Json.parse(("[" + json + "]").getBytes(StandardCharsets.UTF_8)) instanceof List<?> list
                            && list.size() == 1
                    ? list.getFirst()
                    : null;
        } catch (Problem malformed) {
            throw new QueryException("that is no JSON: " + json + " (character " + (start + 1) + ")");
        }
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }
}
