package dev.inboxd.mcp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.mail.markdown.TokenEstimate;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;

/** Calls a tool, and then all that the results say in {@code rest}, until nothing is left out. */
final class ToolWalk {
    private static final Set<String> TEXTS = Set.of("markdown", "text", "extractedText", "html", "description");
    private static final int MOST_CALLS = 600;

    private final McpProbe client;
    private final int mostTokens;
    private final Map<String, NavigableMap<Long, String>> texts = new LinkedHashMap<>();
    private final Map<String, Set<String>> entries = new LinkedHashMap<>();
    private String fence = "";
    private int calls;

    /** A walk by a client whose results have so many tokens at most. */
    ToolWalk(McpProbe client, int mostTokens) {
        this.client = mostTokens == 25_000 ? client : client.query("max_tokens=" + mostTokens);
        this.mostTokens = mostTokens;
    }

    /** A call that a result names. */
    private record Call(String tool, Map<String, Object> arguments) {}

    /** Walks; the first call has these arguments. */
    ToolWalk from(String tool, Map<String, Object> arguments) {
        Deque<Call> open = new ArrayDeque<>(List.of(new Call(tool, arguments)));
        Set<Call> known = new HashSet<>(open);
        while (!open.isEmpty()) {
            Call call = open.removeFirst();
            assertThat(++calls).as(call.tool).isLessThan(MOST_CALLS);
            Map<?, ?> result = result(call);
            fence = String.valueOf(result.get("fence"));
            read(result, "", call.arguments.get("offset") instanceof Long from ? from : 0);
            for (Call next : named(result.get("rest") instanceof String rest ? rest : "")) {
                if (known.add(next)) {
                    open.add(next);
                }
            }
        }
        return this;
    }

    private Map<?, ?> result(Call call) {
        Answer answer = client.call(call.tool, Json.text(call.arguments)).is(200);
        String text = answer.text("result.content.0.text");
        assertThat(answer.at("result.isError")).as(() -> call.tool + " " + text).isEqualTo(false);
        assertThat(TokenEstimate.of(text)).as(call.tool).isLessThanOrEqualTo(mostTokens);
        return (Map<?, ?>) Objects.requireNonNull(Json.parse(text.getBytes(StandardCharsets.UTF_8)));
    }

    private void read(Map<?, ?> object, String owner, long offset) {
        String id = owner;
        for (String name : List.of("eventId", "draftId", "lastMessageId", "messageId")) {
            id = object.get(name) instanceof String own ? own : id;
        }
        for (Map.Entry<?, ?> each : object.entrySet()) {
            String key = id + " " + each.getKey();
            switch (each.getValue()) {
                case Map<?, ?> map -> read(map, id, offset);
                case List<?> list -> list(list, key, id, offset);
                case String text
                when TEXTS.contains(each.getKey()) ->
                    texts.computeIfAbsent(key, _ -> new TreeMap<>())
                            .merge(offset, unfenced(text), (a, b) -> a.length() > b.length() ? a : b);
                case String text -> entries(key).add(text);
                case null, default -> {
                    // nothing that could be cut
                }
            }
        }
    }

    private void list(List<?> list, String key, String owner, long offset) {
        for (Object item : list) {
            if (item instanceof Map<?, ?> map) {
                read(map, owner, offset);
                entries(key).add(String.valueOf(map.values().iterator().next()));
            } else {
                entries(key).add(String.valueOf(item));
            }
        }
    }

    private Set<String> entries(String key) {
        return entries.computeIfAbsent(key, _ -> new HashSet<>());
    }

    private String unfenced(String text) {
        String first = "<mail " + fence + ">\n";
        return text.startsWith(first) ? text.substring(first.length(), text.length() - first.length() - 1) : text;
    }

    /** A text as far as its pieces follow each other. */
    String text(String id, String name) {
        StringBuilder text = new StringBuilder();
        long place = 0;
        for (Map.Entry<Long, String> piece :
                texts.getOrDefault(id + " " + name, new TreeMap<>()).entrySet()) {
            long length = piece.getValue().codePointCount(0, piece.getValue().length());
            if (piece.getKey() <= place && piece.getKey() + length > place) {
                int from = piece.getValue().offsetByCodePoints(0, (int) (place - piece.getKey()));
                text.append(piece.getValue(), from, piece.getValue().length());
                place = piece.getKey() + length;
            }
        }
        return text.toString();
    }

    /** What was read of a list, or of the texts that are no bodies, of an object. */
    Set<String> entries(String id, String name) {
        return entries.getOrDefault(id + " " + name, Set.of());
    }

    /** The messages whose texts were read. */
    Set<String> messages() {
        Set<String> ids = new HashSet<>();
        texts.keySet().stream().filter(key -> key.endsWith(" markdown")).forEach(key -> ids.add(key.split(" ", 2)[0]));
        return ids;
    }

    /** The pieces of a text in their order. */
    List<String> pieces(String id) {
        return new ArrayList<>(
                texts.getOrDefault(id + " markdown", new TreeMap<>()).values());
    }

    private static List<Call> named(String rest) {
        List<Call> calls = new ArrayList<>();
        for (int start = 0; start < rest.length(); ) {
            int open = rest.indexOf(" {", start);
            StringBuilder json = new StringBuilder();
            int place = open + 1;
            boolean isText = false;
            for (boolean goesOn = true; goesOn; place++) {
                char c = rest.charAt(place);
                if (isText && c == '\\') {
                    json.append(c).append(rest.charAt(++place));
                    continue;
                }
                isText ^= c == '"';
                json.append(isText || c != ':' ? String.valueOf(c) : '"' + ":");
                boolean isBehindComma = c == ' ' && json.charAt(json.length() - 2) == ',';
                json.append(!isText && (c == '{' || isBehindComma) ? String.valueOf('"') : "");
                goesOn = isText || c != '}';
            }
            calls.add(new Call(
                    rest.substring(start, open), arguments(json.toString().replace("{" + '"' + "}", "{}"))));
            start = place + 2;
        }
        return calls;
    }

    private static Map<String, Object> arguments(String json) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        JsonTree.of(json.getBytes(StandardCharsets.UTF_8))
                .members()
                .forEach((name, value) -> arguments.put(name, value.value() == null ? List.of() : value.value()));
        return arguments;
    }
}
