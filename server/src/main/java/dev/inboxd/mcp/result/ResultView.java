package dev.inboxd.mcp.result;

import dev.inboxd.mail.markdown.TokenEstimate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One way of showing a result: its texts and the lists inside it are cut as far as is said. Used once. */
final class ResultView {
    static final String NEXT_OFFSET = "nextOffset";
    static final String TRUNCATED = "truncated";
    static final String TOKENS = "tokens";

    private static final String MARKDOWN = "markdown";
    /** The most characters of a subject, and of a name with an address. */
    private static final int LONGEST_NAME = 998;
    /** An object with more members holds words of a user, and is cut as a list is. */
    private static final int SMALL = 20;

    private static final Set<String> NAMES = Set.of("subject", "from", "fromAddress");
    private static final Set<String> WHOLE = Set.of(
            "authentication",
            "security",
            "firstContact",
            "extracted",
            "status",
            "sendStatus",
            "inReplyTo",
            "nextPageToken",
            "nextCursor",
            "downloadUrl",
            "magicUrl",
            "expiresAt",
            TRUNCATED);
    /** What a user keeps with something: its names are the user's. */
    private static final String OF_USER = "metadata";

    private static final List<String> IDS = List.of("messageId", "draftId", "eventId", "threadId", "inboxId");

    private final ResultPlan plan;
    private final ResultCut cut;
    private final @Nullable Fence fence;
    private boolean hasShortTexts;
    private @Nullable Map<?, ?> cutList;
    private @Nullable Map<?, ?> cutBody;
    private long nextOffset = -1;

    /**
     * A way of showing.
     *
     * @param fence null when texts stand without
     */
    ResultView(ResultPlan plan, ResultCut cut, @Nullable Fence fence) {
        this.plan = plan;
        this.cut = cut;
        this.fence = fence;
    }

    /** The result as it is shown. */
    Map<String, Object> of(Map<String, Object> result) {
        return object(result, result, true);
    }

    /** An entry of the list that has pages. */
    Object item(Object entry, Map<String, Object> result) {
        return entry instanceof Map<?, ?> map ? object(map, result, hasOffsets()) : entry;
    }

    /** The first object of which a list was cut; null when there is none. */
    @Nullable
    Map<?, ?> cutList() {
        return cutList;
    }

    /** Where the lists that were cut go on. An entry that is too long for any result is not shown again. */
    int nextEntry() {
        boolean isAgain = hasShortTexts && !plan.readsLists();
        return isAgain ? cut.listFrom() : cut.listFrom() + cut.listMost();
    }

    /** The object whose body goes on; null when there is none. */
    @Nullable
    Map<?, ?> cutBody() {
        return cutBody;
    }

    /** Where that body goes on, in code points. */
    long nextOffset() {
        return nextOffset;
    }

    private boolean hasOffsets() {
        ResultPlan.Items items = plan.items();
        return items == null || items.hasOffsets();
    }

    private Map<String, Object> object(Map<?, ?> object, Map<?, ?> owner, boolean isReadOn) {
        Map<?, ?> self = isIdentified(object) ? object : owner;
        Map<String, Object> shown = new LinkedHashMap<>();
        List<String> cutBodies = new ArrayList<>();
        object.forEach((key, value) -> {
            String name = key.toString();
            if (value instanceof LongText body) {
                String text = body(object, name, body.text(), cutBodies);
                shown.put(name, fence != null && body.isFenced() ? fence.of(text) : text);
                if (cutBodies.contains(MARKDOWN)) {
                    shown.put(TOKENS, TokenEstimate.of(text));
                }
            } else if (value != null && !shown.containsKey(name)) {
                shown.put(name, member(name, value, self, isReadOn));
                count(name, value, shown);
            }
        });
        if (!cutBodies.isEmpty()) {
            boolean isMarkdown = cutBodies.contains(MARKDOWN);
            shown.put(TRUNCATED, isMarkdown || !plan.window().namesTruncated() ? true : cutBodies);
            if (isReadOn) {
                shown.put(NEXT_OFFSET, nextOffset);
            }
        } else if (isReadOn && shown.get(NEXT_OFFSET) instanceof Number next) {
            cutBody = object;
            nextOffset = next.longValue();
        }
        return shown;
    }

    private static boolean isIdentified(Map<?, ?> object) {
        return IDS.stream().anyMatch(object::containsKey);
    }

    /**
     * A body as far as it is shown; the object is remembered when there is more.
     *
     * @param cutBodies receives its name when there is more
     */
    private String body(Map<?, ?> object, String name, String whole, List<String> cutBodies) {
        ResultPlan.Window window = plan.window();
        boolean isMarkdown = name.equals(MARKDOWN);
        String text = isMarkdown
                ? ResultText.piece(whole, cut.bodyMost())
                : ResultText.window(whole, window.offset(), Math.min(window.most(), cut.bodyMost()));
        int start = isMarkdown ? 0 : ResultText.end(whole, window.offset());
        if (start + text.length() < whole.length()) {
            cutBody = object;
            nextOffset = window.offset() + (long) text.codePointCount(0, text.length());
            cutBodies.add(name);
        }
        return text;
    }

    private void count(String name, Object value, Map<String, Object> shown) {
        int size = size(value);
        if (size(shown.get(name)) < size && !isItems(name)) {
            shown.put(name + "Count", size);
        }
    }

    private static int size(@Nullable Object value) {
        return switch (value) {
            case List<?> list -> list.size();
            case Map<?, ?> map -> map.size();
            case null, default -> 0;
        };
    }

    private boolean isItems(String name) {
        ResultPlan.Items items = plan.items();
        return items != null && items.name().equals(name);
    }

    private Object member(String name, Object value, Map<?, ?> owner, boolean isReadOn) {
        if (WHOLE.contains(name) || name.endsWith("Id")) {
            return value;
        }
        return switch (value) {
            case String text when NAMES.contains(name) -> ResultText.shortened(text, LONGEST_NAME);
            case String text -> text(text, owner);
            case List<?> list
            when isItems(name) ->
                list.stream()
                        .map(item -> item instanceof Map<?, ?> map ? object(map, owner, hasOffsets()) : item)
                        .toList();
            case List<?> list -> list(list, owner);
            case Map<?, ?> map when isIdentified(map) -> object(map, owner, isReadOn);
            case Map<?, ?> map -> members(map, owner, !name.equals(OF_USER));
            default -> value;
        };
    }

    private String text(String text, Map<?, ?> owner) {
        String shown = ResultText.shortened(text, cut.textMost());
        if (shown.length() < text.length()) {
            hasShortTexts = true;
            cutIn(owner);
        }
        return shown;
    }

    private void cutIn(Map<?, ?> owner) {
        if (cutList == null) {
            cutList = owner;
        }
    }

    private List<Object> list(List<?> list, Map<?, ?> owner) {
        List<Object> shown = new ArrayList<>();
        long end = (long) cut.listFrom() + cut.listMost();
        for (int i = cut.listFrom(); i < Math.min(list.size(), end); i++) {
            shown.add(
                    switch (list.get(i)) {
                        case String text -> text(text, owner);
                        case Map<?, ?> map -> members(map, owner, true);
                        case Object other -> other;
                    });
        }
        if (end < list.size()) {
            cutIn(owner);
        }
        return shown;
    }

    /**
     * The members of an object that is no result of its own: a file, a match, what a user keeps with an inbox.
     *
     * @param isOurs whether its names are the interface's, so that a number of entries may stand among them
     */
    private Map<String, Object> members(Map<?, ?> map, Map<?, ?> owner, boolean isOurs) {
        Map<String, Object> shown = new LinkedHashMap<>();
        boolean isLarge = map.size() > SMALL;
        long end = isLarge ? (long) cut.listFrom() + Math.max(SMALL, cut.listMost()) : map.size();
        int at = 0;
        for (Map.Entry<?, ?> each : map.entrySet()) {
            Object value = each.getValue();
            if (value != null && at < end && (!isLarge || at >= cut.listFrom())) {
                String name = each.getKey().toString();
                shown.put(name, member(name, value, owner, false));
                if (isOurs) {
                    count(name, value, shown);
                }
            }
            at++;
        }
        if (end < map.size()) {
            cutIn(owner);
        }
        return shown;
    }
}
