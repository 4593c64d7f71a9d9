package dev.inboxd.base.yaml;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A document that a person wrote: plain values, as {@link dev.inboxd.base.json.Json#parse} gives them, and the line of
 * each. A number that is not whole, or beyond a long, stays the text that was written.
 *
 * @param root the value of the whole document
 * @param lines where each value stands, by its path of names and positions; counted from one
 */
public record YamlDocument(@Nullable Object root, Map<List<Object>, Integer> lines) {
    /** The largest document, in octets. */
    public static final int MOST_BYTES = 1024 * 1024;

    /** A document without a value. */
    public static final YamlDocument EMPTY = new YamlDocument(null, Map.of());

    /** The path of a fault that says itself where it is. */
    private static final List<Object> NO_PATH = List.of("");

    public YamlDocument {
        lines = Map.copyOf(lines);
    }

    /**
     * Reads a document of YAML 1.2 in UTF-8, of at most {@link #MOST_BYTES}.
     *
     * @throws Problem {@code validation_error} with one fault that says itself where it is
     */
    public static YamlDocument read(byte[] bytes) {
        if (bytes.length > MOST_BYTES) {
            throw Problem.invalid("", "it is larger than 1 MiB");
        }
        try {
            return YamlReader.read(StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(bytes))
                    .toString());
        } catch (CharacterCodingException malformed) {
            throw Problem.invalid("", "it is not UTF-8");
        }
    }

    /** Whether a fault says itself where it is, as one of YAML does. */
    public static boolean isWhole(Fault fault) {
        return fault.path().equals(NO_PATH);
    }

    /** The line of a value, or of the value that it is in. */
    public int line(List<Object> path) {
        for (int length = path.size(); length > 0; length--) {
            Integer line = lines.get(path.subList(0, length));
            if (line != null) {
                return line;
            }
        }
        return 1;
    }

    /** A path as a person writes it, such as {@code apps[0].name}; a name that is no word stands in quotes. */
    public static String member(List<Object> path) {
        StringBuilder member = new StringBuilder();
        for (Object step : path) {
            if (step instanceof Integer) {
                member.append('[').append(step).append(']');
            } else {
                member.append(member.isEmpty() ? "" : ".").append(isWord(step.toString()) ? step : "\"" + step + "\"");
            }
        }
        return member.toString();
    }

    private static boolean isWord(String name) {
        return !name.isEmpty() && name.chars().allMatch(c -> Character.isLetterOrDigit(c) || c == '_' || c == '-');
    }
}
