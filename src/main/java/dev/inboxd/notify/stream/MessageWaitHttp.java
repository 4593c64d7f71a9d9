package dev.inboxd.notify.stream;

import dev.inboxd.event.EventType;
import dev.inboxd.mailbox.message.ReceivedMessages;
import dev.inboxd.platform.access.Permission;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.http.Query;
import dev.inboxd.platform.http.Request;
import dev.inboxd.platform.http.Response;
import dev.inboxd.platform.http.Routes;
import dev.inboxd.platform.json.JsonObject;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v0/inboxes/{inbox_id}/messages/wait}: the first message behind the cursor that arrived and fits. It is
 * looked for in what is there, and then waited for.
 */
final class MessageWaitHttp {
    private static final int USUAL_WAIT = 30;
    private static final Set<EventType> ARRIVALS =
            Arrays.stream(EventType.values()).filter(EventType::isReceived).collect(Collectors.toUnmodifiableSet());

    private final ReceivedMessages arrivals;
    private final EventFeed feed;
    private final StreamCursor positions;
    private final LongPolls waits;

    MessageWaitHttp(ReceivedMessages arrivals, EventFeed feed, StreamCursor positions, LongPolls waits) {
        this.arrivals = arrivals;
        this.feed = feed;
        this.positions = positions;
        this.waits = waits;
    }

    void mount(Routes inbox) {
        inbox.get(Permission.MESSAGE_READ, "/messages/wait", this::find);
    }

    private Response find(Request request) {
        Query query = request.query();
        ReceivedMessages.Criteria sought = ReceivedMessages.criteria(query);
        String cursor = query.text("cursor");
        Duration patience = LongPolls.timeout(query, "timeout", USUAL_WAIT);
        query.check();
        View view = request.view();
        UUID inbox = Objects.requireNonNull(view.inbox());
        return waits.await(
                new SubscriptionFilter(Map.of(inbox, ARRIVALS)),
                patience,
                new MessageScan(
                        request,
                        sought,
                        positions.open(view.organization(), cursor, () -> feed.head(view.organization()))));
    }

    /** How far one request has looked. */
    private final class MessageScan extends LongPolls.Scan {
        private final ReceivedMessages.Criteria sought;
        private long at;
        private @Nullable JsonObject message;

        MessageScan(Request request, ReceivedMessages.Criteria sought, long from) {
            super(request);
            this.sought = sought;
            this.at = from;
        }

        @Override
        boolean found() {
            ReceivedMessages.ScanResult look = arrivals.next(request(), sought, at);
            at = look.upTo();
            message = look.message();
            return message != null;
        }

        @Override
        Response answer() {
            return Response.ok(JsonObject.of("message", message)
                    .with("next_cursor", positions.seal(request().view().organization(), at)));
        }
    }
}
