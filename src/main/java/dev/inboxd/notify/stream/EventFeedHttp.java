package dev.inboxd.notify.stream;

import dev.inboxd.event.EventType;
import dev.inboxd.event.EventTypes;
import dev.inboxd.platform.access.Caller;
import dev.inboxd.platform.access.Permission;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.http.Query;
import dev.inboxd.platform.http.Request;
import dev.inboxd.platform.http.Response;
import dev.inboxd.platform.http.Routes;
import dev.inboxd.platform.json.JsonObject;
import dev.inboxd.platform.json.RawJson;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v0/events}: the log of everything the key may see, from the beginning, from a cursor, or from now on; with
 * {@code wait} the answer waits for the first event.
 */
final class EventFeedHttp {
    private static final int USUAL_PAGE = 50;
    private static final int MOST_PAGE = 100;

    private final Database database;
    private final EventFeed feed;
    private final StreamCursor positions;
    private final LongPolls waits;

    EventFeedHttp(Database database, EventFeed feed, StreamCursor positions, LongPolls waits) {
        this.database = database;
        this.feed = feed;
        this.positions = positions;
        this.waits = waits;
    }

    void mount(Routes organization) {
        organization.get(Permission.MESSAGE_READ, "/events", this::list);
    }

    /** What a request asks for, before the log is looked at. */
    private record FeedRequest(
            @Nullable String cursor, Set<EventType> types, List<String> inboxes, int most, Duration patience) {
        static FeedRequest read(Query query, Caller caller) {
            List<String> wires = query.list("event_types");
            Set<EventType> types = EventTypes.named(wires, _ -> true, wrong -> query.fault("event_types", wrong));
            Long most = query.integer("limit", 1, MOST_PAGE);
            FeedRequest asked = new FeedRequest(
                    query.text("cursor"),
                    wires.isEmpty() ? SubscriptionFilter.all(caller) : types,
                    query.list("inbox_ids"),
                    most == null ? USUAL_PAGE : most.intValue(),
                    LongPolls.timeout(query, "wait", 0));
            query.check();
            EventTypes.require(caller, asked.types);
            return asked;
        }
    }

    private Response list(Request request) {
        FeedRequest asked = FeedRequest.read(request.query(), request.caller());
        UUID organization = request.caller().organization();
        Map<UUID, Set<EventType>> targets = new HashMap<>();
        for (String inbox : asked.inboxes) {
            targets.put(database.read(tx -> SubscribeFrame.inbox(tx, request.caller(), inbox)), asked.types);
        }
        SubscriptionFilter wish =
                targets.isEmpty() ? SubscriptionFilter.of(organization, asked.types) : new SubscriptionFilter(targets);
        EventFeed.FeedQuery ask = new EventFeed.FeedQuery(
                entry -> wish.matches(organization, entry), targets.isEmpty() ? null : targets.keySet(), asked.most);
        return waits.await(
                wish,
                asked.patience,
                new FeedScan(request, ask, positions.open(organization, asked.cursor, () -> feed.head(organization))));
    }

    /** How far one request has looked. */
    private final class FeedScan extends LongPolls.Scan {
        private final EventFeed.FeedQuery ask;
        private EventFeed.FeedPage page;

        FeedScan(Request request, EventFeed.FeedQuery ask, long from) {
            super(request);
            this.ask = ask;
            this.page = new EventFeed.FeedPage(List.of(), from, true);
        }

        @Override
        boolean found() {
            page = feed.read(request().caller(), ask, page.upTo());
            return !page.entries().isEmpty() || page.more();
        }

        @Override
        Response answer() {
            request()
                    .reserveText(page.entries().stream()
                            .mapToLong(told -> told.bytes().length)
                            .sum());
            List<RawJson> events = page.entries().stream()
                    .map(told -> new RawJson(new String(told.bytes(), StandardCharsets.UTF_8)))
                    .toList();
            String next = positions.seal(request().caller().organization(), page.upTo());
            return Response.ok(JsonObject.of("count", events.size())
                    .with("limit", ask.most())
                    .with("next_cursor", next)
                    .with("events", events));
        }
    }
}
