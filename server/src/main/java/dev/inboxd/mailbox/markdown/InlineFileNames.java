package dev.inboxd.mailbox.markdown;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The names of the files of a mail by their Content-ID, which its HTML shows them by. */
public final class InlineFileNames {
    private final Map<String, String> names = new HashMap<>();

    /** Adds a file, unless it has no name or no Content-ID; of several with one Content-ID the first counts. */
    public void add(@Nullable String contentId, @Nullable String filename) {
        if (contentId != null && filename != null) {
            names.putIfAbsent(contentId, filename);
        }
    }

    Map<String, String> byContentId() {
        return names;
    }
}
