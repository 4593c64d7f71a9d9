package dev.inboxd.mailbox.markdown;

import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.RawJson;
import dev.inboxd.base.page.Cursor;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A page of the transcript of a thread (markdown.md §7).
 *
 * @param entries oldest first
 * @param tokens the estimate for all entries
 * @param isTruncated whether more is to be read
 * @param nextOffset where the newest entry goes on, which is cut and stands alone; null when none is cut
 * @param older where older messages begin; null at the end, and behind an entry that is cut
 */
public record Transcript(
        List<RawJson> entries,
        long tokens,
        boolean isTruncated,
        @Nullable Long nextOffset,
        @Nullable Cursor older) {
    /** Copies the list. */
    public Transcript {
        entries = List.copyOf(entries);
    }

    /** The members behind those of the thread. */
    public JsonObject members() {
        return JsonObject.of("transcript", entries)
                .with("tokens", tokens)
                .with("truncated", isTruncated)
                .with("next_offset", nextOffset);
    }
}
