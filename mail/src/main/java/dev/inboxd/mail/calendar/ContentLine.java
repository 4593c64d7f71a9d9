package dev.inboxd.mail.calendar;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A property as it stands (RFC 5545 §3.1), without escapes of its value undone.
 *
 * @param name in upper case
 * @param parameters their names in upper case; of a repeated one the first
 */
record ContentLine(String name, Map<String, String> parameters, String value) {
    private static final int MAX_NAME = 64;
    private static final int DAY = "19970714".length();
    private static final int MIDNIGHT = "19970714T000000".length();

    /** The name that a line begins with, in upper case; empty when it is none. */
    static String name(String line) {
        int end = 0;
        while (end < line.length() && end <= MAX_NAME && isNameCharacter(line.charAt(end))) {
            end++;
        }
        boolean isWhole = end > 0 && end < line.length() && (line.charAt(end) == ':' || line.charAt(end) == ';');
        return isWhole ? line.substring(0, end).toUpperCase(Locale.ROOT) : "";
    }

    private static boolean isNameCharacter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    }

    /** Reads a line whose name is known. */
    static ContentLine parse(String name, String line) throws CalendarSyntaxException {
        Map<String, String> parameters = new HashMap<>();
        int at = name.length();
        while (at < line.length() && line.charAt(at) == ';') {
            int end = end(line, at + 1);
            addParameter(parameters, line.substring(at + 1, end));
            at = end;
        }
        CalendarSyntaxException.check(at < line.length(), "A property has no value");
        return new ContentLine(name, parameters, line.substring(at + 1));
    }

    /** Where a parameter ends: at the next colon or semicolon outside of quotes. */
    private static int end(String line, int from) {
        boolean isQuoted = false;
        int at = from;
        while (at < line.length()) {
            char c = line.charAt(at);
            if (c == '"') {
                isQuoted = !isQuoted;
            } else if (!isQuoted && (c == ':' || c == ';')) {
                return at;
            }
            at++;
        }
        return at;
    }

    private static void addParameter(Map<String, String> parameters, String text) {
        int equals = text.indexOf('=');
        if (equals > 0 && equals <= MAX_NAME) {
            String name = text.substring(0, equals).strip().toUpperCase(Locale.ROOT);
            parameters.putIfAbsent(name, decoded(text.substring(equals + 1)));
        }
    }

    /** The value without quotes, and with its escapes undone (RFC 6868 §3.2). */
    private static String decoded(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            char next = i + 1 < text.length() ? text.charAt(i + 1) : ' ';
            if (c == '^' && (next == 'n' || next == '^' || next == '\'')) {
                plain.append(next == 'n' ? '\n' : next == '^' ? '^' : '"');
                i++;
            } else if (c != '"') {
                plain.append(c);
            }
        }
        return plain.toString();
    }

    /** Whether each of its values is a time at midnight on the wall. */
    boolean isMidnight() {
        return Arrays.stream(value.split(",", -1))
                .map(String::strip)
                .allMatch(time -> time.length() == MIDNIGHT && time.endsWith("T000000"));
    }

    /** The same with days for values at midnight; as it is where one is not. */
    ContentLine inDays() {
        if (!isMidnight()) {
            return this;
        }
        Map<String, String> others = new HashMap<>(parameters);
        others.remove("TZID");
        others.put("VALUE", "DATE");
        return new ContentLine(
                name,
                others,
                Arrays.stream(value.split(",", -1))
                        .map(time -> time.strip().substring(0, DAY))
                        .collect(Collectors.joining(",")));
    }

    /** A parameter, or null. */
    @Nullable
    String parameter(String parameter) {
        return parameters.get(parameter);
    }

    /** A parameter that is one of a few words, in upper case; empty when it is not there. */
    String word(String parameter) {
        return parameters.getOrDefault(parameter, "").strip().toUpperCase(Locale.ROOT);
    }
}
