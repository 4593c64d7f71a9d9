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
    private static final Set<String> NAMES = Set.of("subject", "from", "fromAddress");
    private static final Set<String> UNCUT = Set.of(
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
    /** What a user keeps with something, at any depth and with names of the user's own. */
    private static final String OF_USER = "metadata";

    private static final List<String> IDS = List.of("messageId", "draftId", "eventId", "threadId", "inboxId");

    private final ResultPlan plan;
    private final ResultCut cut;
    private final @Nullable Fence fence;
    private final List<Remainder> bodies = new ArrayList<>();
    private final List<Remainder> lists = new ArrayList<>();
    private boolean hasShortTexts;

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

    /**
     * What is left out of an object.
     *
     * @param object the one that is read on by its id
     * @param next where it goes on: the code point of a body, the entry of a list
     */
    record Remainder(Map<?, ?> object, long next) {}

    /** The bodies that go on. */
    List<Remainder> bodies() {
        return bodies;
    }

    /** The lists that go on, one of each object. */
    List<Remainder> lists() {
        // an entry that is too long for any result is not shown again
        boolean isAgain = hasShortTexts && !plan.readsLists();
        long next = isAgain ? cut.listFrom() : (long) cut.listFrom() + cut.listMost();
        return lists.stream()
                .map(remainder -> new Remainder(remainder.object, next))
                .toList();
    }

    /** Whether nothing else is left to cut. */
    boolean isLeast() {
        return cut.isLeast();
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
                if (cutBodies.contains(MARKDOWN) || (name.equals(MARKDOWN) && plan.isFromStart())) {
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
                shown.put(NEXT_OFFSET, bodies.getLast().next);
            }
        } else if (isReadOn && shown.get(NEXT_OFFSET) instanceof Number next && bodies.isEmpty()) {
            bodies.add(new Remainder(object, next.longValue())); // the route has cut it; what is above repeats it
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
    private String body(Map<?, ?> object, String name, String fullText, List<String> cutBodies) {
        ResultPlan.Window window = plan.window();
        boolean isMarkdown = name.equals(MARKDOWN);
        int start = isMarkdown && !plan.isFromStart() ? 0 : ResultText.end(fullText, window.offset());
        String text = isMarkdown
                ? ResultText.piece(fullText.substring(start), cut.bodyMost())
                : ResultText.window(fullText, window.offset(), Math.min(window.most(), cut.bodyMost()));
        if (start + text.length() < fullText.length()) {
            if (cutBodies.isEmpty()) {
                bodies.add(new Remainder(object, window.offset() + (long) text.codePointCount(0, text.length())));
            }
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
        if (UNCUT.contains(name) || name.endsWith("Id")) {
            return value;
        }
        return switch (value) {
            case String text when NAMES.contains(name) -> ResultText.shortened(text, cut.nameMost());
            case String text -> text(text, owner);
            case List<?> list
            when isItems(name) ->
                list.stream()
                        .map(item -> item instanceof Map<?, ?> map ? object(map, owner, hasOffsets()) : item)
                        .toList();
            case List<?> list -> list(list, owner);
            case Map<?, ?> map when name.equals(OF_USER) -> ofUser(map, owner);
            case Map<?, ?> map when isIdentified(map) -> object(map, owner, isReadOn);
            case Map<?, ?> map -> members(map, owner);
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
        if (lists.stream().noneMatch(remainder -> remainder.object.equals(owner))) {
            lists.add(new Remainder(owner, 0));
        }
    }

    private List<Object> list(List<?> list, Map<?, ?> owner) {
        List<Object> shown = new ArrayList<>();
        long end = (long) cut.listFrom() + cut.listMost();
        for (int i = cut.listFrom(); i < Math.min(list.size(), end); i++) {
            shown.add(
                    switch (list.get(i)) {
                        case String text -> text(text, owner);
                        case Map<?, ?> map -> members(map, owner);
                        case Object scalar -> scalar;
                    });
        }
        if (end < list.size()) {
            cutIn(owner);
        }
        return shown;
    }

    /** The members of an object that is no result of its own: a file, a match. */
    private Map<String, Object> members(Map<?, ?> map, Map<?, ?> owner) {
        Map<String, Object> shown = new LinkedHashMap<>();
        map.forEach((key, value) -> {
            if (value != null) {
                String name = key.toString();
                shown.put(name, member(name, value, owner, false));
                count(name, value, shown);
            }
        });
        return shown;
    }

    /** What a user keeps, of which each single value is an entry. */
    private Map<String, Object> ofUser(Map<?, ?> map, Map<?, ?> owner) {
        Values values = new Values(owner);
        Map<String, Object> shown = values.of(map);
        if (values.count > cut.listFrom() + (long) cut.listMost()) {
            cutIn(owner);
        }
        return shown;
    }

    /** Counts the single values of an object of a user's, and shows those whose turn it is with what is around them. */
    private final class Values {
        private final Map<?, ?> owner;
        private long count;

        Values(Map<?, ?> owner) {
            this.owner = owner;
        }

        Map<String, Object> of(Map<?, ?> map) {
            Map<String, Object> shown = new LinkedHashMap<>();
            map.forEach((name, value) -> {
                Object part = part(value);
                if (part != null) {
                    shown.put(name.toString(), part);
                }
            });
            return shown;
        }

        private List<Object> of(List<?> list) {
            List<Object> shown = new ArrayList<>();
            for (Object value : list) {
                Object part = part(value);
                if (part != null) {
                    shown.add(part);
                }
            }
            return shown;
        }

        /** A value as far as it is shown; null when it is not. */
        private @Nullable Object part(@Nullable Object value) {
            Object part = switch (value) {
                case Map<?, ?> map when !map.isEmpty() -> of(map);
                case List<?> list when !list.isEmpty() -> of(list);
                case null -> null;
                default -> isNext() ? value instanceof String text ? text(text, owner) : value : null;
            };
            boolean isEmpty = (part instanceof Map || part instanceof List) && size(part) == 0;
            return isEmpty && size(value) > 0 ? null : part;
        }

        private boolean isNext() {
            long at = count++;
            return at >= cut.listFrom() && at < cut.listFrom() + (long) cut.listMost();
        }
    }
}
