package dev.inboxd.cli.mail;

import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.ExactJson;
import dev.inboxd.base.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The values that were given to the flags of a command.
 *
 * @param texts by the member, in the order of the flags
 * @param body the JSON of {@code --body}, or {@code @} and a file; null when there is none
 */
record FlagValues(Map<String, List<String>> texts, @Nullable String body) {
    /** Names of the members that have a value. */
    Set<String> members() {
        return texts.keySet();
    }

    /** The first value of a member; null when it was not given. */
    @Nullable
    String first(String member) {
        List<String> values = texts.get(member);
        return values == null || values.isEmpty() ? null : values.getFirst();
    }

    /**
     * The call with these values.
     *
     * @throws CommandFailure when a value is not of the kind that its flag takes
     */
    OperationCall call(MailOperation operation, Terminal terminal) {
        String path = operation.path();
        StringBuilder query = new StringBuilder();
        Map<String, String> headers = new LinkedHashMap<>();
        Map<String, @Nullable Object> members = new LinkedHashMap<>(body(terminal));
        for (MailFlag flag : operation.flags()) {
            List<String> values = texts.getOrDefault(flag.member(), List.of());
            if (values.isEmpty()) {
                continue;
            }
            switch (flag.place()) {
                case PATH -> path = path.replace("{" + flag.member() + "}", segment(flag, values.getFirst()));
                case QUERY ->
                    values.forEach(value -> query.append(query.isEmpty() ? '?' : '&')
                            .append(OperationCall.encoded(flag.member()))
                            .append('=')
                            .append(OperationCall.encoded(plain(flag, value))));
                case HEADER -> headers.put(flag.member(), values.getFirst());
                case BODY -> members.put(flag.member(), value(flag, values, terminal));
            }
        }
        boolean hasBody = !operation.media().isEmpty()
                && (!members.isEmpty() || !operation.method().equals("DELETE"));
        return new OperationCall(
                operation.method(),
                path + query,
                headers,
                operation.media(),
                hasBody ? text(operation.media(), members) : null,
                operation.isOpen());
    }

    private static String segment(MailFlag flag, String value) {
        if (value.isEmpty() || value.equals(".") || value.equals("..")) {
            throw CommandFailure.usage(flag.name() + " needs a value");
        }
        return OperationCall.encoded(value);
    }

    private static String text(String media, Map<String, @Nullable Object> members) {
        if (!media.equals("application/x-www-form-urlencoded")) {
            return Json.text(new ExactJson(members)); // a member that is null clears, at any depth
        }
        List<String> pairs = new ArrayList<>();
        members.forEach((name, value) -> {
            Collection<?> values = value instanceof Collection<?> several
                    ? several
                    : List.of(value == null ? "" : String.valueOf(value));
            values.forEach(
                    item -> pairs.add(OperationCall.encoded(name) + "=" + OperationCall.encoded(String.valueOf(item))));
        });
        return String.join("&", pairs);
    }

    private Map<String, @Nullable Object> body(Terminal terminal) {
        if (body == null) {
            return Map.of();
        }
        Map<String, @Nullable Object> members = new LinkedHashMap<>();
        if (!(json("--body", body, terminal) instanceof Map<?, ?> object)) {
            throw CommandFailure.usage("--body must be a JSON object, or @ and a file that has one");
        }
        object.forEach((name, value) -> members.put(String.valueOf(name), value));
        return members;
    }

    private static @Nullable Object value(MailFlag flag, List<String> values, Terminal terminal) {
        if (!flag.isRepeated()) {
            return single(flag, values.getFirst(), terminal);
        }
        List<@Nullable Object> list = new ArrayList<>();
        values.forEach(value -> list.add(single(flag, value, terminal)));
        return list;
    }

    private static @Nullable Object single(MailFlag flag, String value, Terminal terminal) {
        return switch (flag.kind()) {
            case TEXT -> value;
            case BOOLEAN -> plain(flag, value).equals("true");
            case NUMBER -> Long.valueOf(plain(flag, value));
            case JSON -> json(flag.name(), value, terminal);
        };
    }

    /** A value as text, when it is of the kind of its flag. */
    private static String plain(MailFlag flag, String value) {
        if (flag.kind() == MailFlag.Kind.BOOLEAN && !value.equals("true") && !value.equals("false")) {
            throw CommandFailure.usage(flag.name() + " is true or false, not " + value);
        }
        if (flag.kind() == MailFlag.Kind.NUMBER) {
            try {
                return String.valueOf(Long.parseLong(value));
            } catch (NumberFormatException notNumber) {
                throw CommandFailure.usage(flag.name() + " must be a whole number, not " + value);
            }
        }
        return value;
    }

    private static @Nullable Object json(String name, String value, Terminal terminal) {
        byte[] json = TextFile.plain(
                value.startsWith("@") ? terminal.read(value.substring(1)) : value.getBytes(StandardCharsets.UTF_8));
        try {
            return Json.parse(json);
        } catch (Problem malformed) {
            throw CommandFailure.usage(name + " must be JSON, or @ and a file that has it: " + malformed.message());
        }
    }
}
