package dev.inboxd.mcp.result;

import dev.inboxd.base.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The sentence that says which calls give what a result leaves out, with their arguments (mcp.md §3). */
final class ResultRest {
    private static final String OFFSET = "offset";
    private static final String LISTS_FROM = "listsFrom";
    private static final String PAGE_TOKEN = "pageToken";
    private static final String MAX_CHARS = "maxChars";
    private static final String INBOX = "inboxId";
    /** A longer argument is the caller's own, and is not said again. */
    private static final int LONGEST = 1_100;

    /** How texts are read: an offset means another place with other words. */
    private static final List<String> FORMS = List.of("format", "quotes", "links", "fence");

    private static final Set<String> READERS =
            Set.of("get_message", "get_draft", "get_event", "get_thread", "get_attachment", "get_inbox");
    private static final Map<String, String> BY_ID = Map.of(
            "messageId", "get_message", "draftId", "get_draft", "eventId", "get_event", "threadId", "get_thread");

    private final ResultPlan plan;
    private final Map<String, Object> result;

    ResultRest(ResultPlan plan, Map<String, Object> result) {
        this.plan = plan;
        this.result = result;
    }

    /**
     * The sentence; null when nothing is left out.
     *
     * @param isShorter whether there are fewer items than the caller asked for
     */
    @Nullable
    String of(ResultView rendering, boolean isShorter) {
        List<String> calls = new ArrayList<>();
        Map<?, ?> body = rendering.cutBody();
        if (body != null) {
            calls.add(call(body, Map.of(OFFSET, rendering.nextOffset())));
        }
        boolean goesOn = isShorter || (isThread() && result.containsKey("nextPageToken"));
        if (goesOn && !(isThread() && plan.window().isMarkdown() && body != null)) { // the one message comes first
            calls.add(page());
        }
        Map<?, ?> list = rendering.cutList();
        if (list != null) {
            Map<String, Object> further = new LinkedHashMap<>();
            further.put(MAX_CHARS, 0);
            further.put(LISTS_FROM, rendering.nextEntry());
            calls.add(call(list, further));
        }
        calls.removeIf(String::isEmpty);
        return calls.isEmpty() ? null : String.join("; ", calls);
    }

    private boolean isThread() {
        ResultPlan.Items items = plan.items();
        return items != null && items.isNewestLast();
    }

    private String page() {
        Object token = result.get("nextPageToken");
        return token == null
                ? plan.tool().replace("search_", "list_") + " {}"
                : plan.tool() + written(arguments(Map.of(PAGE_TOKEN, token)));
    }

    private String call(Map<?, ?> object, Map<String, Object> further) {
        boolean isOwn = READERS.contains(plan.tool()) && !isOther(object);
        if (isOwn) {
            return plan.tool() + written(arguments(further));
        }
        Map<String, Object> arguments = new LinkedHashMap<>();
        Object inbox = object.get(INBOX) == null ? result.get(INBOX) : object.get(INBOX);
        arguments.put(INBOX, inbox == null ? plan.arguments().get(INBOX) : inbox);
        for (String id : List.of("messageId", "draftId", "eventId", "threadId")) {
            if (object.get(id) != null) {
                arguments.put(id, object.get(id));
                FORMS.forEach(form -> arguments.put(form, plan.arguments().get(form)));
                arguments.putAll(further);
                return BY_ID.get(id) + written(arguments);
            }
        }
        arguments.putAll(further);
        return arguments.get(INBOX) == null ? "" : "get_inbox" + written(arguments);
    }

    /** Whether an object is read by a call of its own: a message of a thread. */
    private boolean isOther(Map<?, ?> object) {
        return plan.tool().equals("get_thread")
                && object.containsKey("messageId")
                && (!plan.window().isMarkdown() || !hasText(object));
    }

    private static boolean hasText(Map<?, ?> object) {
        return object.get("markdown") instanceof LongText;
    }

    private Map<String, Object> arguments(Map<String, Object> further) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        plan.arguments().forEach((name, value) -> arguments.put(name.toString(), value));
        List.of(OFFSET, LISTS_FROM).forEach(arguments::remove);
        arguments.putAll(further);
        return arguments;
    }

    private static String written(Map<String, Object> arguments) {
        return arguments.entrySet().stream()
                .filter(each -> each.getValue() != null)
                .map(each -> each.getKey() + ": " + Json.text(each.getValue()))
                .filter(text -> text.length() <= LONGEST)
                .collect(Collectors.joining(", ", " {", "}"));
    }
}
