package dev.inboxd.smtp.client;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The service extensions in the reply to EHLO (RFC 5321 §4.1.1.1): keywords in upper case with their parameters. */
public record EhloExtensions(Map<String, String> keywords) {
    static final EhloExtensions NONE = new EhloExtensions(Map.of());

    public EhloExtensions {
        keywords = Map.copyOf(keywords);
    }

    /** Parses the lines of the reply; the first is the greeting and is skipped. */
    public static EhloExtensions of(List<String> lines) {
        var keywords = new HashMap<String, String>();
        for (var line : lines.subList(1, lines.size())) {
            if (line.isEmpty()) {
                continue;
            }
            int space = line.indexOf(' ');
            var keyword = space < 0 ? line : line.substring(0, space);
            keywords.put(
                    keyword.toUpperCase(Locale.ROOT),
                    space < 0 ? "" : line.substring(space + 1).strip());
        }
        return new EhloExtensions(keywords);
    }

    boolean has(String keyword) {
        return keywords.containsKey(keyword);
    }

    /** The parameters of a keyword, in upper case; empty when it is not offered. */
    List<String> parameters(String keyword) {
        return List.of(
                keywords.getOrDefault(keyword, "").toUpperCase(Locale.ROOT).split(" +"));
    }

    /**
     * The maximum size of a message that the host states (RFC 1870 §4), in octets; the largest long when it states
     * none.
     */
    public long maxSize() {
        var size = keywords.getOrDefault("SIZE", "");
        boolean number = !size.isEmpty() && size.length() <= 18 && size.chars().allMatch(c -> c >= '0' && c <= '9');
        long limit = number ? Long.parseLong(size) : 0;
        return limit == 0 ? Long.MAX_VALUE : limit;
    }
}
