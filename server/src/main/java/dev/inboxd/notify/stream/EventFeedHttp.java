package dev.inboxd.notify.stream;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.http.Query;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.RawJson;
import dev.inboxd.event.EventType;
import dev.inboxd.event.EventTypes;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v0/events}: the log of all events that the API key may see, from the beginning, from a cursor, or from
 * now on. With {@code wait}, the request is a long poll that is answered at the first event; HEAD does not wait.
 */
final class EventFeedHttp {
    private static final int USUAL_PAGE = 50;
    private static final int MOST_PAGE = 100;

    private final Database database;
    private final EventFeed feed;
    private final StreamCursor cursors;
    private final LongPolls longPolls;

    EventFeedHttp(Database database, EventFeed feed, StreamCursor cursors, LongPolls longPolls) {
        this.database = database;
        this.feed = feed;
        this.cursors = cursors;
        this.longPolls = longPolls;
    }

    void mount(Routes organization) {
        organization.get(Permission.MESSAGE_READ, "/events", this::list);
    }

    /** The parsed query of a request. */
    private record FeedRequest(
            @Nullable String cursor, Set<EventType> types, List<String> inboxes, int most, Duration patience) {
        static FeedRequest read(Query query, Caller caller) {
            List<String> wires = query.words("event_types");
            Set<EventType> types = EventTypes.named(wires, _ -> true, wrong -> query.faultOfItem("event_types", wrong));
            Long most = query.integer("limit", 1, MOST_PAGE);
            FeedRequest input = new FeedRequest(
                    query.text("cursor"),
                    wires.isEmpty() ? SubscriptionFilter.all(caller) : types,
                    query.list("inbox_ids"),
                    most == null ? USUAL_PAGE : most.intValue(),
                    LongPolls.timeout(query, "wait", 0));
            query.check();
            EventTypes.require(caller, input.types);
            return input;
        }
    }

    private Response list(Request request) {
        FeedRequest input = FeedRequest.read(request.query(), request.caller());
        UUID organization = request.caller().organization();
        Map<UUID, Set<EventType>> targets = new HashMap<>();
        for (String inbox : input.inboxes) {
            targets.put(database.read(tx -> SubscribeFrame.inbox(tx, request.caller(), inbox)), input.types);
        }
        SubscriptionFilter filter =
                targets.isEmpty() ? SubscriptionFilter.of(organization, input.types) : new SubscriptionFilter(targets);
        EventFeed.FeedQuery query = new EventFeed.FeedQuery(
                entry -> filter.matches(organization, entry), targets.isEmpty() ? null : targets.keySet(), input.most);
        FeedScan scan =
                new FeedScan(request, query, cursors.open(organization, input.cursor, () -> feed.extent(organization)));
        Duration wait = request.isHead() ? Duration.ZERO : input.patience;
        boolean isAtEnd = StreamCursor.NOW.equals(input.cursor); // which was just read
        return isAtEnd && wait.isZero() ? scan.answer() : longPolls.await(filter, wait, scan);
    }

    /** The position that one long poll has scanned to. */
    private final class FeedScan extends LongPolls.Scan {
        private final EventFeed.FeedQuery query;
        private EventFeed.FeedPage page;

        FeedScan(Request request, EventFeed.FeedQuery query, long from) {
            super(request);
            this.query = query;
            this.page = new EventFeed.FeedPage(List.of(), from, true);
        }

        @Override
        boolean poll() {
            page = feed.read(request().caller(), query, page.upTo());
            return !page.entries().isEmpty() || page.more();
        }

        @Override
        Response answer() {
            request()
                    .reserveText(page.entries().stream()
                            .mapToLong(entry -> entry.bytes().length)
                            .sum());
            List<RawJson> events = page.entries().stream()
                    .map(entry -> new RawJson(new String(entry.bytes(), StandardCharsets.UTF_8)))
                    .toList();
            String next = cursors.seal(request().caller().organization(), page.upTo());
            return Response.ok(JsonObject.of("count", events.size())
                    .with("limit", query.most())
                    .with("next_cursor", next)
                    .with("events", events));
        }
    }
}
