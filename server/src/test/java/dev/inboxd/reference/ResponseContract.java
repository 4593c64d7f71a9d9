package dev.inboxd.reference;

import com.networknt.schema.Error;
import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.inboxd.base.json.Json;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Holds what a server answers against the description: status, media type, each member, and the code of an error. The
 * schemas are compiled once in a Java, each when the first answer needs it.
 */
public final class ResponseContract {
    private static final String ID = "https://inboxd.test/api";
    private static final Map<?, ?> API = read("docs/api.yaml");
    private static final Map<?, ?> COMPONENTS = map(API, "components");
    private static final StrictSchemas STRICT = new StrictSchemas(map(COMPONENTS, "schemas"));
    private static final Map<String, @Nullable Object> DEFINITIONS = definitions();
    private static final List<PathTemplate> PATHS = map(API, "paths").keySet().stream()
            .map(path -> PathTemplate.of(String.valueOf(path)))
            .toList();
    private static final Set<String> COMMON = codes(API);
    private static final Map<String, Schema> COMPILED = new ConcurrentHashMap<>();
    private static final SchemaRegistry REGISTRY = registry();

    private ResponseContract() {}

    /** As it stands in the checkout. */
    private static Map<?, ?> read(String file) {
        try {
            return ApiDescription.read(Files.readString(Path.of(file)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** The objects of both descriptions. */
    private static Map<String, @Nullable Object> definitions() {
        Map<String, @Nullable Object> all = new LinkedHashMap<>(STRICT.all());
        map(map(read("docs/events.yaml"), "components"), "schemas")
                .forEach((name, schema) -> all.put(String.valueOf(name), STRICT.of(schema)));
        return all;
    }

    /** What of a frame of the WebSocket, or of a delivery to a webhook, is not described; empty when all is well. */
    public static String faultOfEvent(byte[] json) {
        String type = Json.parse(json) instanceof Map<?, ?> object ? String.valueOf(object.get("type")) : "";
        return switch (type) {
            case "event" -> fault("Event", json);
            case "subscribed" -> fault("Subscribed", json);
            case "error" -> fault("SocketError", json);
            default -> "no frame has the type " + type;
        };
    }

    /** A path of the description, and the segments of it. */
    private record PathTemplate(String text, List<String> segments) {
        static PathTemplate of(String text) {
            return new PathTemplate(text, List.of(text.split("/", -1)));
        }

        boolean fits(List<String> path) {
            return path.size() == segments.size()
                    && IntStream.range(0, path.size())
                            .allMatch(i -> segments.get(i).startsWith("{")
                                    || segments.get(i).equals(path.get(i)));
        }

        /** A fixed word goes before a parameter. */
        long fixed() {
            return segments.stream().filter(each -> !each.startsWith("{")).count();
        }
    }

    /**
     * An answer of the server.
     *
     * @param request method and path, with its query
     * @param mediaType of its content, without parameters; null when it has none
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Answer(
            String request, int status, @Nullable String mediaType, byte[] content) {}

    /** What of an answer the description does not have; empty when all is well. */
    public static String fault(Answer answer) {
        int space = answer.request.indexOf(' ');
        String path = answer.request.substring(space + 1).replaceFirst("[?].*", "");
        Map<?, ?> operation = operation(answer.request.substring(0, space), path);
        if (operation == null) {
            return isOpen(path) ? "" : unknown(answer);
        }
        Map<?, ?> described = response(operation, answer.status);
        if (described == null) {
            return "status " + answer.status + " is not described";
        }
        if (answer.mediaType == null || answer.content.length == 0) {
            return "";
        }
        Map<?, ?> content = map(described, "content");
        Map<?, ?> media = content.get(answer.mediaType) instanceof Map<?, ?> exact ? exact : map(content, "*/*");
        if (!content.containsKey(answer.mediaType) && !content.containsKey("*/*")) {
            return "the media type " + answer.mediaType + " is not described";
        }
        if (!answer.mediaType.equals("application/json")) {
            return "";
        }
        String fault = media.containsKey("schema") ? fault(media.get("schema"), answer.content) : "";
        return !fault.isEmpty() || answer.status < 400 ? fault : code(operation, answer);
    }

    /** Whether a value is as a named schema says; the faults otherwise. */
    public static String fault(String schema, byte[] json) {
        return fault(Map.of("$ref", "#/components/schemas/" + schema), json);
    }

    /** What is no part of the API: pages of the console, their files, and MCP, which has a protocol of its own. */
    static boolean isOpen(String path) {
        return path.equals("/")
                || path.equals("/mcp")
                || path.equals("/connect")
                || path.startsWith("/assets/")
                || path.equals("/console")
                || (path.startsWith("/console/") && !path.startsWith("/console/session"));
    }

    /** A path or a method that does not exist is an error in the one form. */
    private static String unknown(Answer answer) {
        return answer.status < 400
                ? "the call is not described"
                : answer.content.length == 0 ? "" : fault("Error", answer.content);
    }

    private static String code(Map<?, ?> operation, Answer answer) {
        if (!(Json.parse(answer.content) instanceof Map<?, ?> error) || !(error.get("docs") instanceof String)) {
            return "";
        }
        String code = String.valueOf(error.get("code"));
        return COMMON.contains(code) || codes(operation).contains(code)
                ? ""
                : "the code " + code + " is not described for " + operation.get("operationId");
    }

    private static Set<String> codes(Map<?, ?> holder) {
        Set<String> codes = new TreeSet<>();
        if (holder.get("x-error-codes") instanceof List<?> list) {
            list.forEach(code -> codes.add(String.valueOf(code)));
        }
        return codes;
    }

    /** An operation with its own members and the parameters of its path; null when there is none. */
    static @Nullable Map<?, ?> operation(String method, String path) {
        List<String> segments = List.of(path.split("/", -1));
        return PATHS.stream()
                .filter(template -> template.fits(segments))
                .max(Comparator.comparingLong(PathTemplate::fixed))
                .map(template -> map(map(API, "paths"), template.text()))
                .map(item ->
                        item.get(method.toLowerCase(Locale.ROOT)) instanceof Map<?, ?> found ? with(item, found) : null)
                .orElse(null);
    }

    private static Map<?, ?> with(Map<?, ?> item, Map<?, ?> operation) {
        Map<Object, @Nullable Object> whole = new LinkedHashMap<>(operation);
        List<@Nullable Object> parameters = new ArrayList<>();
        for (Map<?, ?> each : List.of(item, operation)) {
            if (each.get("parameters") instanceof List<?> list) {
                list.forEach(one -> parameters.add(resolved(one)));
            }
        }
        whole.put("parameters", parameters);
        return whole;
    }

    /** What a reference into the components leads to; anything else is itself. */
    static @Nullable Object resolved(@Nullable Object part) {
        if (part instanceof Map<?, ?> map && map.get("$ref") instanceof String ref) {
            String[] steps = ref.split("/", -1);
            return map(COMPONENTS, steps[2]).get(steps[3]);
        }
        return part;
    }

    private static @Nullable Map<?, ?> response(Map<?, ?> operation, int status) {
        Map<?, ?> responses = map(operation, "responses");
        Object found = responses.get(Integer.toString(status));
        if (found == null) {
            found = responses.get(status / 100 + "XX");
        }
        if (!(found instanceof Map<?, ?> response)) {
            return null;
        }
        return resolved(response) instanceof Map<?, ?> whole ? whole : null;
    }

    /** Whether a value is as a schema says; the faults otherwise. */
    static String fault(@Nullable Object schema, byte[] json) {
        Schema compiled = COMPILED.computeIfAbsent(Json.text(schema), _ -> compiled(schema));
        List<Error> errors = compiled.validate(new String(json, StandardCharsets.UTF_8), InputFormat.JSON);
        List<String> words = new ArrayList<>();
        errors.stream().limit(8).forEach(error -> words.add(error.toString()));
        return String.join("; ", words);
    }

    private static Schema compiled(@Nullable Object schema) {
        if (schema instanceof Map<?, ?> map && map.get("$ref") instanceof String ref) {
            return REGISTRY.getSchema(SchemaLocation.of(ID + ref.replace("#/components/schemas/", "#/$defs/")));
        }
        Map<String, @Nullable Object> alone = new LinkedHashMap<>();
        if (STRICT.of(schema) instanceof Map<?, ?> strict) {
            strict.forEach((name, value) -> alone.put(String.valueOf(name), value));
        }
        return REGISTRY.getSchema(
                JsonMapper.shared().writeValueAsString(alone).replace("\"#/$defs/", "\"" + ID + "#/$defs/"));
    }

    private static SchemaRegistry registry() {
        String document = JsonMapper.shared().writeValueAsString(Map.of("$id", ID, "$defs", DEFINITIONS));
        return SchemaRegistry.withDefaultDialect(
                SpecificationVersion.DRAFT_2020_12, builder -> builder.schemas(Map.of(ID, document)));
    }

    /** A member that is an object, or an empty one. */
    static Map<?, ?> map(Map<?, ?> holder, String name) {
        return holder.get(name) instanceof Map<?, ?> map ? map : Map.of();
    }
}
