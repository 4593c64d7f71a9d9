package dev.inboxd.mail.auth;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses Authentication-Results: this server's own fields in full, of others only the name of their server. */
public final class AuthResultsParser {
    private static final Pattern BLANKS = Pattern.compile("[ \t\r\n]+");
    private static final List<String> DOMAINS = List.of("smtp.mailfrom", "smtp.helo", "header.d");

    private AuthResultsParser() {}

    /**
     * Parses a field that this server wrote.
     *
     * @param value the text behind the name, unfolded or not
     * @return null when {@link AuthenticationResults#value} did not write it
     */
    public static @Nullable AuthenticationResults read(String value) {
        AuthenticationResults.Spf spf = null;
        AuthenticationResults.Dmarc dmarc = null;
        AuthenticationResults.Arc arc = null;
        List<AuthenticationResults.Dkim> dkim = new ArrayList<>();
        Set<@Nullable String> passed = new HashSet<>();
        String[] parts = value.split(";", -1);
        for (String part : List.of(parts).subList(1, parts.length)) {
            Map<String, String> words = words(part);
            String method = words.getOrDefault("", "");
            AuthResult result = AuthResult.parse(words.getOrDefault(method, ""));
            if (result == null) {
                return null;
            }
            DOMAINS.stream()
                    .filter(_ -> result == AuthResult.PASS)
                    .map(words::get)
                    .forEach(passed::add);
            switch (method) {
                case "spf" ->
                    spf = new AuthenticationResults.Spf(
                            result,
                            !words.containsKey("smtp.helo"),
                            Objects.requireNonNullElse(
                                    words.get("smtp.helo"), words.getOrDefault("smtp.mailfrom", "")));
                case "dkim" ->
                    dkim.add(new AuthenticationResults.Dkim(
                            result,
                            words.get("header.d"),
                            words.get("header.s"),
                            words.get("header.a"),
                            words.get("header.b")));
                case "dmarc" -> dmarc = dmarc(result, words, passed);
                case "arc" -> arc = new AuthenticationResults.Arc(result, words.get("header.d"));
                default -> {
                    return null;
                }
            }
        }
        dkim.removeIf(signature -> signature.result() == AuthResult.NONE);
        return spf == null || dmarc == null || arc == null ? null : new AuthenticationResults(spf, dkim, dmarc, arc);
    }

    /** Fields of earlier versions do not say what is aligned; then a pass of DMARC, or of the very domain, does. */
    private static AuthenticationResults.Dmarc dmarc(
            AuthResult result, Map<String, String> words, Set<@Nullable String> passed) {
        String author = words.get("header.from");
        String word = words.get("policy.aligned");
        boolean aligned = word == null
                ? result == AuthResult.PASS || (author != null && passed.contains(author))
                : word.equals("yes");
        return new AuthenticationResults.Dmarc(result, author, words.get("policy.dmarc"), aligned);
    }

    /** The words of one result by name; the word without a name is the method. */
    private static Map<String, String> words(String part) {
        Map<String, String> words = new HashMap<>();
        for (String word : BLANKS.split(part.strip(), -1)) {
            int equals = word.indexOf('=');
            if (equals > 0) {
                String name = word.substring(0, equals);
                words.putIfAbsent("", name);
                words.putIfAbsent(name, word.substring(equals + 1).replace("\"", ""));
            }
        }
        return words;
    }

    /**
     * Whether a field claims to be of that server (RFC 8601 §5), so that it must not be stored as received.
     *
     * @param value the text behind the name of the field, folded or not, one character per octet
     * @param authservId this server's name
     */
    public static boolean claims(String value, String authservId) {
        int at = blanks(value, 0);
        StringBuilder name = new StringBuilder();
        if (at < value.length() && value.charAt(at) == '"') {
            for (at++; at < value.length() && value.charAt(at) != '"'; at++) {
                at += value.charAt(at) == '\\' && at + 1 < value.length() ? 1 : 0;
                name.append(value.charAt(at));
            }
        } else {
            for (; at < value.length() && "; \t\r\n(/".indexOf(value.charAt(at)) < 0; at++) {
                name.append(value.charAt(at));
            }
        }
        String claimed = name.toString().strip();
        return (claimed.endsWith(".") ? claimed.substring(0, claimed.length() - 1) : claimed)
                .toLowerCase(Locale.ROOT)
                .equals(authservId.toLowerCase(Locale.ROOT));
    }

    /** Skips white space and comments, nested ones too (RFC 5322 §3.2.2). */
    private static int blanks(String value, int from) {
        int depth = 0;
        int i = from;
        for (; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\\' && depth > 0) {
                i++;
            } else if (c == '(') {
                depth++;
            } else if (c == ')' && depth > 0) {
                depth--;
            } else if (depth == 0 && c != ' ' && c != '\t' && c != '\r' && c != '\n') {
                return i;
            }
        }
        return Math.min(i, value.length());
    }
}
