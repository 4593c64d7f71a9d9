package dev.inboxd.mcp.result;

import dev.inboxd.base.json.Json;
import dev.inboxd.mail.markdown.TokenEstimate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a result within a bound of tokens (mcp.md §3). What does not fit is left out in this order: items of lists,
 * bodies, lists inside, and at last long names.
 */
public final class ResultBudget {
    /** No result has more tokens. */
    public static final int MOST_TOKENS = 25_000;

    private static final String NEXT_PAGE = "nextPageToken";
    /** Tokens of the fence, of its note, and of the call for the next page, at most. */
    private static final int NOTES = 400;
    /** Code points of a body that are shown before a list inside the result is shown whole. */
    private static final int USEFUL = 2_000;

    private static final List<ResultCut> FIRST = List.of(
            new ResultCut(0, ResultCut.ALL, ResultCut.ALL, ResultCut.ALL),
            new ResultCut(0, 20, ResultCut.ALL, ResultCut.ALL),
            new ResultCut(0, 20, 1_000, ResultCut.ALL),
            new ResultCut(0, 20, 200, ResultCut.ALL),
            new ResultCut(0, 5, 100, ResultCut.ALL),
            new ResultCut(0, 0, 50, ResultCut.ALL));
    private static final List<Integer> FURTHER = List.of(ResultCut.ALL, 500, 200, 100, 50, 20, 10, 5, 2, 1);

    private final ResultPlan plan;
    private final Map<String, Object> result;
    private final boolean isShorter;
    private final @Nullable Fence fence;

    private ResultBudget(ResultPlan plan, Map<String, Object> result, boolean isShorter) {
        this.plan = plan;
        this.result = result;
        this.isShorter = isShorter;
        this.fence = plan.window().isFenced() && hasFenced(result) ? Fence.around(result) : null;
    }

    /** What there is to do. */
    public sealed interface Outcome {
        /** The result, as JSON. */
        record Shown(String text) implements Outcome {}

        /** So many items fit: the route has to be asked for them, so that its page token says where they end. */
        record Fewer(int items) implements Outcome {}

        /** Nothing of it fits. */
        record TooLarge() implements Outcome {}
    }

    /**
     * Fits a result into its bound.
     *
     * @param result its members: Map, List, {@link LongText}, String, Number and Boolean
     * @param isShorter whether there are fewer items than the caller asked for
     */
    public static Outcome of(ResultPlan plan, Map<String, Object> result, boolean isShorter) {
        return new ResultBudget(plan, result, isShorter).fitted();
    }

    private static boolean hasFenced(Object value) {
        return switch (value) {
            case LongText body -> body.isFenced();
            case Map<?, ?> map -> map.values().stream().anyMatch(member -> member != null && hasFenced(member));
            case List<?> list -> list.stream().anyMatch(ResultBudget::hasFenced);
            default -> false;
        };
    }

    private Outcome fitted() {
        for (ResultCut level : levels()) {
            Outcome outcome = items().size() > 1 ? ofItems(level) : ofBody(level);
            if (outcome != null) {
                return outcome;
            }
        }
        return items().size() > 1 ? new Outcome.Fewer(1) : new Outcome.TooLarge();
    }

    private List<ResultCut> levels() {
        List<ResultCut> levels = new ArrayList<>();
        int from = plan.window().listFrom();
        if (plan.readsLists()) {
            FURTHER.forEach(most -> levels.add(new ResultCut(from, most, ResultCut.ALL, ResultCut.ALL)));
            levels.add(new ResultCut(from, 1, 1_000, ResultCut.ALL));
            levels.add(new ResultCut(from, 1, 200, ResultCut.ALL));
        } else {
            levels.addAll(FIRST);
        }
        if (plan.mostTokens() < MOST_TOKENS) { // what is never cut has room in the bound of every client
            levels.add(
                    new ResultCut(Math.max(0, from), plan.readsLists() ? 1 : 0, ResultCut.LEAST_TEXT, ResultCut.ALL));
        }
        return levels;
    }

    private List<?> items() {
        ResultPlan.Items items = plan.items();
        return items != null && result.get(items.name()) instanceof List<?> list ? list : List.of();
    }

    /** All items, or as many as fit; null when not even one does. */
    private @Nullable Outcome ofItems(ResultCut level) {
        String all = text(level);
        if (isWithin(all)) {
            return new Outcome.Shown(all);
        }
        ResultPlan.Items items = plan.items();
        List<?> list = items();
        Map<String, Object> others = new LinkedHashMap<>(result);
        if (items != null) {
            others.put(items.name(), List.of());
        }
        long room = plan.mostTokens() - NOTES - tokens(new ResultView(plan, level, fence).of(others));
        int fitting = 0;
        while (fitting < list.size() - 1) {
            int at = items != null && items.isNewestLast() ? list.size() - 1 - fitting : fitting;
            ResultView view = new ResultView(plan, level, fence);
            room -= 1 + tokens(view.item(list.get(at), result));
            room -= TokenEstimate.of(Objects.requireNonNullElse(new ResultRest(plan, result).of(view, false), ""));
            if (room < 0) {
                break;
            }
            fitting++;
        }
        return fitting == 0 ? null : new Outcome.Fewer(fitting);
    }

    private static long tokens(Object value) {
        return TokenEstimate.of(Json.text(value));
    }

    /** The one body as far as it fits; null when that is less than is of use. */
    private @Nullable Outcome ofBody(ResultCut level) {
        String all = text(level);
        if (isWithin(all)) {
            return new Outcome.Shown(all);
        }
        int longest = longest(result);
        int least = Math.min(longest, isLast(level) ? 1 : USEFUL);
        if (longest == 0 || !isWithin(text(level.withBody(least)))) {
            return null;
        }
        int most = longest;
        while (least < most) {
            int middle = (int) (((long) least + most + 1) / 2);
            if (isWithin(text(level.withBody(middle)))) {
                least = middle;
            } else {
                most = middle - 1;
            }
        }
        return new Outcome.Shown(text(level.withBody(least)));
    }

    private boolean isLast(ResultCut level) {
        return level.equals(levels().getLast());
    }

    /** The code points of the longest body. */
    private int longest(Object value) {
        return switch (value) {
            case LongText body ->
                Math.min(
                        body.text().codePointCount(0, body.text().length()),
                        plan.window().most());
            case Map<?, ?> map ->
                map.values().stream()
                        .mapToInt(member -> member == null ? 0 : longest(member))
                        .max()
                        .orElse(0);
            case List<?> list -> list.stream().mapToInt(this::longest).max().orElse(0);
            default -> 0;
        };
    }

    private boolean isWithin(String text) {
        return TokenEstimate.of(text) <= plan.mostTokens();
    }

    private static Map<?, ?> newest(@Nullable Object entries) {
        return entries instanceof List<?> list && !list.isEmpty() && list.getLast() instanceof Map<?, ?> entry
                ? entry
                : Map.of();
    }

    /** The whole result as it is sent. */
    private String text(ResultCut cut) {
        ResultView rendering = new ResultView(plan, cut, fence);
        Map<String, Object> shown = rendering.of(result);
        ResultPlan.Items items = plan.items();
        if (items != null
                && items.isNewestLast()
                && plan.window().isMarkdown()
                && !rendering.bodies().isEmpty()) {
            shown.put(ResultView.TRUNCATED, true);
            shown.put(ResultView.NEXT_OFFSET, rendering.bodies().getFirst().next());
            shown.remove(NEXT_PAGE); // older messages come behind the rest of this one
            Object tokens = newest(shown.get(items.name())).get(ResultView.TOKENS);
            if (tokens != null) {
                shown.put(ResultView.TOKENS, tokens);
            }
        }
        if (fence != null) {
            shown.put("fence", fence.nonce());
            shown.put("note", fence.note());
        }
        String remainder = new ResultRest(plan, result).of(rendering, isShorter);
        if (remainder != null) {
            shown.put("rest", remainder);
        }
        return Json.text(shown);
    }
}
