package dev.inboxd.reference;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.http.ErrorWords;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Each code of an error with its status, meaning and remedy, and the calls that give it. */
final class ErrorOutline {
    private ErrorOutline() {}

    /** The codes by a description. */
    static JsonTree of(Map<String, @Nullable Object> openApi) {
        JsonTree outline = new ApiOutline(openApi).tree();
        List<String> common = outline.texts("codes");
        Map<String, List<Object>> calls = new LinkedHashMap<>();
        outline.list("topics")
                .forEach(topic -> topic.list("calls")
                        .forEach(call -> call.texts("codes")
                                .forEach(code -> calls.computeIfAbsent(code, _ -> new ArrayList<>())
                                        .add(Map.of("id", call.text("id"), "summary", call.text("summary"))))));
        Map<String, String> words = ErrorWords.all();
        List<Map<String, @Nullable Object>> list = new ArrayList<>();
        for (ErrorCode code : ErrorCode.values()) {
            String name = code.wireName();
            Map<String, @Nullable Object> entry = new LinkedHashMap<>();
            entry.put("code", name);
            entry.put("status", code.status());
            entry.put("words", words.get(name));
            entry.put("fix", code.fix());
            entry.put("common", common.contains(name));
            entry.put("calls", calls.getOrDefault(name, List.of()));
            list.add(entry);
        }
        return JsonTree.of(Json.write(list));
    }
}
