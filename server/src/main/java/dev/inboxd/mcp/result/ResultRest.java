package dev.inboxd.mcp.result;

import dev.inboxd.base.json.Json;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
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
    private static final String FORMAT = "format";
    private static final String QUOTES = "quotes";
    private static final String INBOX = "inboxId";
    private static final String MESSAGE = "messageId";
    private static final String LAST_MESSAGE = "lastMessageId";
    private static final String GET_MESSAGE = "get_message";
    private static final String GET_THREAD = "get_thread";
    private static final String GET_INBOX = "get_inbox";

    /** A longer argument that is no id is the caller's own, and is not said again. */
    private static final int LONGEST = 1_100;

    private static final Map<String, String> BY_ID = new LinkedHashMap<>();

    static {
        BY_ID.put(MESSAGE, GET_MESSAGE);
        BY_ID.put("draftId", "get_draft");
        BY_ID.put("eventId", "get_event");
        BY_ID.put("threadId", GET_THREAD);
        BY_ID.put("appId", "get_app");
        BY_ID.put(INBOX, GET_INBOX);
    }

    /** Readers of texts of mail: how they show it is an argument. An offset means another place in other words. */
    private static final Set<String> OF_MAIL = Set.of(GET_MESSAGE, "get_draft", GET_THREAD, "get_attachment");

    private static final Set<String> WITHOUT_TEXTS = Set.of(GET_INBOX, "get_app");

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
    String of(ResultView view, boolean isShorter) {
        Set<String> calls = new LinkedHashSet<>();
        boolean isOneMessage =
                isThread() && plan.window().isMarkdown() && !view.bodies().isEmpty();
        if (!plan.isOfSizes()) {
            view.bodies().forEach(remainder -> calls.add(body(remainder.object(), remainder.next())));
        } else if (!plan.readsLists()) { // there the caller knows the sizes already
            view.bodies().forEach(remainder -> calls.add(body(remainder.object(), remainder.next())));
            if (isThread() && Boolean.TRUE.equals(result.get(ResultView.TRUNCATED))) {
                calls.add(body(result, 0));
            }
        }
        boolean goesOn = isShorter || (isThread() && result.containsKey("nextPageToken"));
        if (goesOn && !isOneMessage) { // the one message comes first
            calls.add(page());
        }
        if (calls.isEmpty() || !view.isLeast()) { // else the last of these calls tells of the lists
            view.lists().forEach(remainder -> calls.add(list(remainder.object(), remainder.next())));
        }
        calls.remove("");
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
                : plan.tool() + written(own(Map.of(PAGE_TOKEN, token)));
    }

    /** The call that reads a body from a code point on. */
    private String body(Map<?, ?> object, long from) {
        Map<String, Object> further = from == 0 ? Map.of() : Map.of(OFFSET, from);
        if (isOwn(object)) {
            Map<String, Object> arguments = own(further);
            if (plan.isOfSizes()) {
                arguments.remove(MAX_CHARS);
            }
            return plan.tool() + written(arguments);
        }
        Object newest = object.get(LAST_MESSAGE);
        return newest == null || object.containsKey(MESSAGE)
                ? readCall(object, further)
                : readCall(Map.of(INBOX, inbox(object), MESSAGE, newest), further);
    }

    /** The call that reads the lists of an object from an entry on. */
    private String list(Map<?, ?> object, long from) {
        Map<String, Object> further = new LinkedHashMap<>();
        further.put(MAX_CHARS, 0);
        further.put(LISTS_FROM, from);
        if (!isOwn(object)) {
            return readCall(object, further);
        }
        if (WITHOUT_TEXTS.contains(plan.tool())) {
            further.remove(MAX_CHARS);
        }
        return plan.tool() + written(own(further));
    }

    /** Whether the same tool reads on: not in a message of a thread that has its bodies as they are. */
    private boolean isOwn(Map<?, ?> object) {
        boolean isOfThread = plan.tool().equals(GET_THREAD) && object.containsKey(MESSAGE);
        return (OF_MAIL.contains(plan.tool()) || BY_ID.containsValue(plan.tool()))
                && !(isOfThread && !plan.window().isMarkdown());
    }

    private Map<String, Object> own(Map<String, Object> further) {
        Map<String, Object> arguments = new LinkedHashMap<>();
        plan.arguments().forEach((name, value) -> arguments.put(name.toString(), value));
        List.of(OFFSET, LISTS_FROM).forEach(arguments::remove);
        arguments.putAll(further);
        return arguments;
    }

    private Object inbox(Map<?, ?> object) {
        Object inbox = object.get(INBOX) == null ? result.get(INBOX) : object.get(INBOX);
        inbox = inbox == null ? plan.arguments().get(INBOX) : inbox;
        return inbox == null ? "" : inbox;
    }

    /** The call of the tool that reads an object by its id; empty when there is none. */
    private String readCall(Map<?, ?> object, Map<String, Object> further) {
        for (Map.Entry<String, String> reader : BY_ID.entrySet()) {
            Object id = reader.getKey().equals(INBOX) ? inbox(object) : object.get(reader.getKey());
            if (id != null && !id.equals("")) {
                String tool = reader.getValue();
                Map<String, Object> arguments = new LinkedHashMap<>();
                if (!tool.equals("get_app") && !inbox(object).equals("")) {
                    arguments.put(INBOX, inbox(object));
                }
                arguments.put(reader.getKey(), id);
                if (OF_MAIL.contains(tool)) {
                    arguments.putAll(forms(tool));
                }
                arguments.putAll(further);
                if (WITHOUT_TEXTS.contains(tool)) {
                    arguments.remove(MAX_CHARS);
                }
                return tool + written(arguments);
            }
        }
        return "";
    }

    /** The arguments by which another tool shows the same words. */
    private Map<String, Object> forms(String tool) {
        Map<String, Object> forms = new LinkedHashMap<>();
        for (String name : List.of(FORMAT, QUOTES, "links", "fence")) {
            Object argument = plan.arguments().get(name);
            if (argument != null) {
                forms.put(name, argument);
            }
        }
        if (!plan.window().isMarkdown()) {
            forms.put(FORMAT, "plain");
        } else if (plan.items() != null && !tool.equals(GET_THREAD)) { // of a list: what is new
            forms.putIfAbsent(QUOTES, "none");
        }
        return forms;
    }

    private static String written(Map<String, Object> arguments) {
        return arguments.entrySet().stream()
                .filter(argument -> argument.getValue() != null)
                .map(argument -> argument.getKey() + ": " + written(argument.getKey(), argument.getValue()))
                .collect(Collectors.joining(", ", " {", "}"));
    }

    private static String written(String name, Object value) {
        String text = Json.text(value);
        boolean isWhole = text.length() <= LONGEST || name.endsWith("Id") || name.equals(PAGE_TOKEN);
        return isWhole ? text : "(as before)";
    }
}
