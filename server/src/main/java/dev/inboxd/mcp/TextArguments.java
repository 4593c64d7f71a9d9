package dev.inboxd.mcp;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Faults;
import dev.inboxd.mcp.result.ResultPlan;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How a call wants the texts of its result: the arguments that are of no route, and what is usual without them. */
final class TextArguments {
    private static final String FORMAT = "format";
    private static final String MARKDOWN = "markdown";
    private static final String PLAIN = "plain";
    private static final String MAX_CHARS = "maxChars";
    private static final String OFFSET = "offset";
    private static final String LISTS_FROM = "listsFrom";
    private static final String FENCE = "fence";
    private static final String TRANSCRIPT = "transcript";
    private static final String MESSAGES = "messages";
    private static final String GET_THREAD = "get_thread";

    /** Code points of a text where the caller names no number; of an item of a list, in Markdown. */
    private static final int USUAL = 20_000;

    private static final String OF_ITEM = "400";
    private static final int LARGEST = 1_000_000;
    private static final int FARTHEST = 999_999_999;

    private final Tool tool;
    private final Map<?, ?> arguments;

    /**
     * The reading of a call.
     *
     * @param arguments as the caller sent them
     */
    TextArguments(Tool tool, Map<?, ?> arguments) {
        this.tool = tool;
        this.arguments = arguments;
    }

    /** Whether the route writes Markdown for it. */
    boolean isMarkdown() {
        return tool.arguments().member(FORMAT) != null && !PLAIN.equals(arguments.get(FORMAT));
    }

    /** The parameters of the query by which the route writes what is asked for. */
    Map<String, String> query() {
        Map<String, String> query = new LinkedHashMap<>();
        if (!isMarkdown()) {
            return query;
        }
        query.put(FORMAT, MARKDOWN);
        String most = arguments.get(MAX_CHARS) == null ? isList() ? OF_ITEM : usual() : text(MAX_CHARS);
        query.put("max_chars", isFromStart() ? withOffset(most) : most);
        query.put("links", arguments.get("links") == null ? "short" : text("links"));
        for (String name : List.of(OFFSET, "quotes")) {
            if (arguments.get(name) != null && !(name.equals(OFFSET) && isFromStart())) {
                query.put(name, text(name));
            }
        }
        if (tool.arguments().member("links") == null) {
            query.remove("links");
        }
        return query;
    }

    /** Whether the route shows each text from its beginning alone: that of a list, and that of a wait. */
    private boolean isFromStart() {
        return isList() || tool.name().equals("wait_for_message");
    }

    /** The bound for a route that does not begin at the offset; a wrong one is left to the route. */
    private String withOffset(String most) {
        Integer offset = number(OFFSET);
        Integer shown = nonNegative(most);
        return offset == null || offset == 0 || shown == null || shown > LARGEST
                ? most
                : Integer.toString(Math.min(LARGEST, offset + shown));
    }

    private static String usual() {
        return Integer.toString(USUAL);
    }

    private String text(String name) {
        return String.valueOf(arguments.get(name));
    }

    private boolean isList() {
        return tool.items() != null && !tool.name().equals(GET_THREAD);
    }

    /** Finds what is wrong with these arguments and is seen by no route. */
    void check(Faults faults) {
        Object format = arguments.get(FORMAT);
        if (tool.arguments().member(FORMAT) != null
                && format != null
                && !format.equals(MARKDOWN)
                && !format.equals(PLAIN)) {
            faults.add(Fault.of(FORMAT, "format must be markdown or plain")
                    .as(Fault.Code.INVALID_VALUE, "markdown or plain"));
        }
        if (PLAIN.equals(format)) {
            for (String name : List.of("quotes", "links")) {
                if (arguments.get(name) != null) {
                    faults.add(Fault.of(name, name + " is only taken with format markdown")
                            .as(Fault.Code.INVALID_VALUE, "format markdown beside it"));
                }
            }
        }
        for (String name : List.of(MAX_CHARS, OFFSET, LISTS_FROM)) {
            Integer number = number(name);
            boolean isTooLarge = number != null && number > LARGEST && name.equals(MAX_CHARS) && isMarkdown();
            if (arguments.get(name) != null
                    && tool.arguments().member(name) != null
                    && (number == null || isTooLarge)) {
                String range = name.equals(MAX_CHARS) ? "from 0 to " + LARGEST : "0 or more";
                faults.add(Fault.of(name, name + " must be a whole number, " + range)
                        .as(Fault.Code.INVALID_VALUE, "a whole number, " + range));
            }
        }
        Object fence = arguments.get(FENCE);
        if (fence != null && tool.arguments().member(FENCE) != null && truth(fence) == null) {
            faults.add(Fault.of(FENCE, "fence must be true or false").as(Fault.Code.INVALID_TYPE, "true or false"));
        }
    }

    private @Nullable Integer number(String name) {
        return nonNegative(arguments.get(name));
    }

    private static @Nullable Integer nonNegative(@Nullable Object value) {
        if (value instanceof String text && !text.isEmpty() && text.length() < 10) {
            for (int i = 0; i < text.length(); i++) {
                if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                    return null;
                }
            }
            return Integer.valueOf(text);
        }
        return value instanceof Long number && number >= 0 && number <= FARTHEST
                ? Integer.valueOf(number.intValue())
                : null;
    }

    private static @Nullable Boolean truth(Object value) {
        return value instanceof Boolean truth
                ? truth
                : value.equals("true") ? Boolean.TRUE : value.equals("false") ? Boolean.FALSE : null;
    }

    /** What decides how the result is cut. */
    ResultPlan plan(ToolChoice choice) {
        Integer offset = number(OFFSET);
        Integer most = number(MAX_CHARS);
        Integer from = number(LISTS_FROM);
        Object fence = arguments.get(FENCE);
        boolean isThread = tool.name().equals(GET_THREAD);
        String items = isThread ? isMarkdown() ? TRANSCRIPT : MESSAGES : tool.items();
        return new ResultPlan(
                tool.name(),
                arguments,
                items == null ? null : new ResultPlan.Items(items, isThread, isThread),
                new ResultPlan.Window(
                        isMarkdown(),
                        offset == null || (isThread && !isMarkdown()) ? 0 : offset,
                        most == null || isMarkdown() ? isMarkdown() ? LARGEST : USUAL : most,
                        from == null || tool.arguments().member(LISTS_FROM) == null ? -1 : from,
                        fence == null || !Boolean.FALSE.equals(truth(fence)),
                        !choice.hasResults()),
                choice.mostTokens());
    }
}
