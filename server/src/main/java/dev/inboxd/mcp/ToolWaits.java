package dev.inboxd.mcp;

import dev.inboxd.base.http.Request;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The waits of this node, for clients of older revisions: they cancel a request by another one, and there are no
 * sessions to tell whose it is. So a wait is found by key, address and id, and left alone when several fit. A cancelled
 * wait ends as if its time were over, so that a wait that was meant by nobody loses nothing but time.
 */
final class ToolWaits {
    private final Set<Entry> entries = ConcurrentHashMap.newKeySet();

    /**
     * A wait and what is known of who asked.
     *
     * @param held the wait
     * @param id of the message, as its client chose it
     */
    private record Entry(ToolWait held, UUID credential, String address, Object id) {}

    /** Keeps a wait until its request is answered. */
    void add(Request request, Object id, ToolWait wait) {
        Entry entry = new Entry(wait, request.caller().credential().id(), request.remoteAddress(), id);
        entries.add(entry);
        request.onAnswered(_ -> entries.remove(entry));
    }

    /** Cancels the one wait with this id of the client that sends this request. */
    void cancel(Request request, @Nullable Object id) {
        UUID credential = request.caller().credential().id();
        Entry match = null;
        for (Entry entry : entries) {
            if (entry.id().equals(id)
                    && entry.credential().equals(credential)
                    && entry.address().equals(request.remoteAddress())) {
                if (match != null) {
                    return;
                }
                match = entry;
            }
        }
        if (match != null) {
            match.held().cancel();
        }
    }
}
