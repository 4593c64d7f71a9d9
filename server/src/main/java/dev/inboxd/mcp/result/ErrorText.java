package dev.inboxd.mcp.result;

import dev.inboxd.base.json.Json;
import dev.inboxd.mail.markdown.TokenEstimate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The JSON of an error, within the bound of results whatever the caller sent (mcp.md §2). */
public final class ErrorText {
    /** Ways to show an error, the longest first. */
    private static final List<Length> LENGTHS = List.of(
            new Length(1_000, 20), new Length(500, 20), new Length(200, 20), new Length(100, 10), new Length(50, 2));

    /** Members without which an error says nothing. */
    private static final List<String> LEAST = List.of("name", "code", "message", "fix", "retryable", "retryAfter");

    private ErrorText() {}

    /**
     * How an error is shown.
     *
     * @param longest the most characters of a text, and of a name
     * @param most the most entries of a list, and of an object in it
     */
    private record Length(int longest, int most) {
        @Nullable
        Object of(@Nullable Object value) {
            return switch (value) {
                case String text -> of(text);
                case List<?> list -> list.stream().limit(most).map(this::of).toList();
                case Map<?, ?> map -> {
                    Map<Object, @Nullable Object> shown = new LinkedHashMap<>();
                    map.entrySet().stream()
                            .limit(most)
                            .forEach(member -> shown.put(of(member.getKey().toString()), of(member.getValue())));
                    yield shown;
                }
                case null, default -> value;
            };
        }

        private String of(String text) {
            return text.length() <= longest
                    ? text
                    : text.substring(0, Character.isHighSurrogate(text.charAt(longest - 1)) ? longest - 1 : longest)
                            + "...";
        }
    }

    /**
     * The text of an error with these members.
     *
     * @param mostTokens the bound
     */
    public static String of(Map<Object, @Nullable Object> error, int mostTokens) {
        for (Length length : LENGTHS) {
            String text = text(error, length);
            if (TokenEstimate.of(text) <= mostTokens) {
                return text;
            }
        }
        Map<Object, @Nullable Object> least = new LinkedHashMap<>(error);
        least.keySet().removeIf(name -> !LEAST.contains(name.toString()));
        return text(least, LENGTHS.getLast());
    }

    private static String text(Map<Object, @Nullable Object> error, Length length) {
        Map<Object, @Nullable Object> shown = new LinkedHashMap<>();
        error.forEach((name, value) -> shown.put(name, length.of(value)));
        return Json.text(shown);
    }
}
