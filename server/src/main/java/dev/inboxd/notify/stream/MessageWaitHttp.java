package dev.inboxd.notify.stream;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.Query;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.event.EventType;
import dev.inboxd.mailbox.http.ArrivalCriteria;
import dev.inboxd.mailbox.http.ReceivedMessages;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v0/inboxes/{inbox_id}/messages/wait}: the first received message that matches, behind a cursor, a time
 * or the message that it answers, else behind the call. Existing messages are scanned first; then the request is a long
 * poll.
 */
final class MessageWaitHttp {
    private static final int USUAL_WAIT = 30;
    /** Mail that is told of, and mail that is held, which is found when it is asked for. */
    private static final Set<EventType> ARRIVALS = Arrays.stream(EventType.values())
            .filter(type -> type.isReceived() || type == EventType.MESSAGE_SECURITY_REVIEW)
            .collect(Collectors.toUnmodifiableSet());

    private final ReceivedMessages arrivals;
    private final EventFeed feed;
    private final StreamCursor cursors;
    private final LongPolls longPolls;

    MessageWaitHttp(ReceivedMessages arrivals, EventFeed feed, StreamCursor cursors, LongPolls longPolls) {
        this.arrivals = arrivals;
        this.feed = feed;
        this.cursors = cursors;
        this.longPolls = longPolls;
    }

    void mount(Routes inbox) {
        inbox.getAlone(Permission.MESSAGE_READ, "/messages/wait", this::find);
    }

    private Response find(Request request) {
        Query query = request.query();
        ArrivalCriteria criteria = ArrivalCriteria.of(query);
        String cursor = query.text("cursor");
        Duration patience = LongPolls.timeout(query, "timeout", USUAL_WAIT);
        query.check();
        View view = request.view();
        UUID inbox = Objects.requireNonNull(view.inbox());
        long from = cursors.open(view.organization(), start(cursor, criteria), () -> feed.extent(view.organization()));
        return longPolls.await(
                new SubscriptionFilter(Map.of(inbox, ARRIVALS)),
                patience,
                new MessageScan(request, arrivals.behindOriginal(view, criteria), from));
    }

    /** The cursor, else the beginning for criteria that say from when on messages count, else the end of the log. */
    private static @Nullable String start(@Nullable String cursor, ArrivalCriteria criteria) {
        boolean hasCursor = cursor != null && !cursor.isEmpty();
        return hasCursor || criteria.reachBack() ? cursor : StreamCursor.NOW;
    }

    /** The position that one long poll has scanned to. */
    private final class MessageScan extends LongPolls.Scan {
        private final ArrivalCriteria criteria;
        private long at;
        private @Nullable JsonObject message;

        MessageScan(Request request, ArrivalCriteria criteria, long from) {
            super(request);
            this.criteria = criteria;
            this.at = from;
        }

        @Override
        boolean poll() {
            ReceivedMessages.ScanResult result = arrivals.next(request(), criteria, at);
            at = result.upTo();
            message = result.message();
            return message != null;
        }

        @Override
        Response answer() {
            return Response.ok(JsonObject.of("message", message)
                    .with("next_cursor", cursors.seal(request().view().organization(), at)));
        }
    }
}
