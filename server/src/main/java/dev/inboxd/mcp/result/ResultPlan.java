package dev.inboxd.mcp.result;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a call asked for, as far as it decides how its result is cut.
 *
 * @param tool the tool
 * @param arguments as the caller gave them
 * @param items the list whose entries are left out first; null when there is none
 * @param window what is read of the texts
 * @param mostTokens the bound
 */
public record ResultPlan(
        String tool, Map<?, ?> arguments, @Nullable Items items, Window window, int mostTokens) {
    /**
     * The list of a result that has pages.
     *
     * @param name its member
     * @param isNewestLast whether its first entries are left out first, because they are the oldest
     * @param hasOffsets whether an entry can be read on by an offset of its own
     */
    public record Items(String name, boolean isNewestLast, boolean hasOffsets) {}

    /**
     * What is read of the texts.
     *
     * @param isMarkdown whether the route has cut them already
     * @param offset where they begin, in code points
     * @param most the most code points of each
     * @param listFrom where lists inside the result begin; -1 when the caller names none
     * @param isFenced whether they stand between fences
     * @param namesTruncated whether {@code truncated} names the texts that were cut, which are not Markdown
     */
    public record Window(
            boolean isMarkdown, int offset, int most, int listFrom, boolean isFenced, boolean namesTruncated) {}

    /** Whether the route has shown each Markdown from its beginning, whatever the offset is. */
    boolean isFromStart() {
        return window.isMarkdown && ((items != null && !items.isNewestLast) || tool.equals("wait_for_message"));
    }

    /** Whether the caller asks for the sizes of texts alone. */
    boolean isOfSizes() {
        Object most = arguments.get("maxChars");
        return most != null && most.toString().equals("0");
    }

    /** Whether the caller reads on in lists inside the result. */
    boolean readsLists() {
        return window.listFrom >= 0;
    }
}
