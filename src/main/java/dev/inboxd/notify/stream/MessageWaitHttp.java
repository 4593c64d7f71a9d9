package dev.inboxd.notify.stream;

import dev.inboxd.event.EventType;
import dev.inboxd.mailbox.message.Arrivals;
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

    private final Arrivals arrivals;
    private final EventFeed feed;
    private final Position positions;
    private final Waits waits;

    MessageWaitHttp(Arrivals arrivals, EventFeed feed, Position positions, Waits waits) {
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
        Arrivals.Sought sought = Arrivals.sought(query);
        String cursor = query.text("cursor");
        Duration patience = Waits.patience(query, "timeout", USUAL_WAIT);
        query.check();
        View view = request.view();
        UUID inbox = Objects.requireNonNull(view.inbox());
        return waits.until(
                new Wish(Map.of(inbox, ARRIVALS)),
                patience,
                new Looking(
                        request,
                        sought,
                        positions.open(view.organization(), cursor, () -> feed.head(view.organization()))));
    }

    /** How far one request has looked. */
    private final class Looking extends Waits.Look {
        private final Arrivals.Sought sought;
        private long at;
        private @Nullable JsonObject message;

        Looking(Request request, Arrivals.Sought sought, long from) {
            super(request);
            this.sought = sought;
            this.at = from;
        }

        @Override
        boolean found() {
            Arrivals.Look look = arrivals.next(request(), sought, at);
            at = look.reached();
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
