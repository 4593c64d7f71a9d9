package dev.inboxd.calendar.feed;

import dev.inboxd.base.access.Access;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.id.Digests;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.rate.Budgets;
import dev.inboxd.base.rate.Rate;
import dev.inboxd.base.rate.RequestLimits;
import dev.inboxd.calendar.content.CalendarConfig;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/** Feeds of calendars over HTTP: links to them, and what is behind a link. */
public final class CalendarFeedHttp {
    private static final String CACHE = "Cache-Control";
    /** More octets than an event takes that has no edited dates. */
    private static final int EVENT = 32 * 1024;

    private final CalendarConfig config;
    private final CalendarFeeds feeds;
    private final Limits limits;

    /**
     * How often links are read.
     *
     * @param unknown counts requests with links that do not work, by their address
     * @param reads of one link
     */
    public record Limits(RequestLimits unknown, Budgets budgets, Rate reads) {}

    public CalendarFeedHttp(CalendarConfig config, CalendarFeeds feeds, Limits limits) {
        this.config = config;
        this.feeds = feeds;
        this.limits = limits;
    }

    public void mount(Routes inbox) {
        inbox.post(new Access.OfKey(Permission.CALENDAR_UPDATE), "/calendar/feed", this::create);
        inbox.delete(Permission.CALENDAR_UPDATE, "/calendar/feed", this::end);
    }

    /** Mounts what links lead to, which takes no API key. */
    public void mountLinks(Routes root) {
        root.page(CalendarFeeds.PATH + "{token}", this::read);
    }

    private Response create(Request request) {
        config.requireEnabled();
        CalendarFeeds.NewLink link = feeds.create(request.caller(), request.view());
        return Response.of(201, JsonObject.of("url", link.url()).with("created_at", link.createdAt()))
                .header(CACHE, "no-store");
    }

    private Response end(Request request) {
        config.requireEnabled();
        int ended = feeds.end(request.view());
        if (ended > 0) {
            request.change().changed().with("count", ended);
        }
        return Response.ok().status(202);
    }

    private Response read(Request request) {
        String file = request.path("token");
        CalendarFeeds.OpenFeed feed =
                feeds.open(file).filter(_ -> config.enabled()).orElse(null);
        if (feed == null) {
            limits.unknown.refused(request.remoteAddress());
            throw Problem.notFound("Calendar feed");
        }
        limits.budgets.spend(limits.reads, HexFormat.of().formatHex(Digests.sha256(file)));
        boolean isShort = FeedConditions.takesGzip(request.header("Accept-Encoding"));
        Response answer = FeedConditions.isKnown(request, feed)
                ? Response.ok().status(304)
                : Response.bytes(200, "text/calendar; charset=utf-8", octets(request, feed, isShort));
        if (isShort && answer.status() == 200) {
            answer = answer.header("Content-Encoding", "gzip");
        }
        return answer.header("ETag", isShort ? FeedConditions.shortTag(feed.tag()) : feed.tag())
                .header("Last-Modified", FeedConditions.date(feed.modifiedAt()))
                .header("Vary", "Accept-Encoding")
                .header(CACHE, "private, no-cache");
    }

    private byte[] octets(Request request, CalendarFeeds.OpenFeed feed, boolean isShort) {
        List<UUID> events = feeds.events(feed);
        request.reserveText(Math.min(CalendarFeeds.LARGEST, (long) events.size() * EVENT));
        byte[] octets = feeds.write(feed, events);
        return isShort ? FeedConditions.gzip(octets) : octets;
    }
}
