package dev.inboxd.calendar.feed;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Base62;
import dev.inboxd.base.id.Digests;
import dev.inboxd.calendar.content.AgendaWindow;
import dev.inboxd.calendar.event.CalendarEvents;
import dev.inboxd.calendar.series.CalendarEventSql;
import dev.inboxd.calendar.series.CalendarTx;
import dev.inboxd.calendar.series.DateOverride;
import dev.inboxd.calendar.series.Era;
import dev.inboxd.calendar.series.EraSql;
import dev.inboxd.calendar.series.OverrideSql;
import dev.inboxd.calendar.series.SeriesDates;
import dev.inboxd.calendar.series.WholeEvent;
import dev.inboxd.mail.calendar.EventComponent;
import dev.inboxd.mail.calendar.PublishedCalendar;
import dev.inboxd.tenant.apikey.PublicKeys;
import dev.inboxd.tenant.organization.EverythingStop;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/** Links to feeds, to which programs of people subscribe without a key (calendar.md §10). */
public final class CalendarFeeds {
    /** Where links lead, below the service's public URL. */
    static final String PATH = "/calendar-feeds/";
    /** How often a program is to come again. */
    static final Duration REFRESH = Duration.ofHours(1);
    /** The most octets of a feed. */
    static final int LARGEST = 8 * 1024 * 1024;

    /** Rules can be made that take long to evaluate. */
    private static final Duration LONGEST = Duration.ofSeconds(20);

    private static final int MOST_LINKS = 10;
    private static final int MOST_COMPONENTS = 10_000;
    /** 22 letters and digits are 130 bits. */
    private static final int TOKEN = 22;
    /** How many events are read together, and how many with dates that may have been edited. */
    private static final int TOGETHER = 100;

    private static final int SERIES_TOGETHER = 10;
    /** The organization and the key of links that are not known: nobody's. */
    private static final UUID NOBODY = new UUID(0, 0);

    private static final Set<Permission> NEEDED = Set.of(Permission.CALENDAR_UPDATE, Permission.CALENDAR_EVENT_READ);

    private final Database database;
    private final InstantSource clock;
    private final URI publicUrl;

    /**
     * The feeds of a database.
     *
     * @param publicUrl below which links lead
     */
    public CalendarFeeds(Database database, InstantSource clock, URI publicUrl) {
        this.database = database;
        this.clock = clock;
        this.publicUrl = publicUrl;
    }

    /**
     * A link that was just made.
     *
     * @param url shown once; only a hash of it is stored
     */
    record NewLink(String url, Instant createdAt) {
        @Override
        public String toString() {
            return "NewLink[***]";
        }
    }

    /**
     * Makes a link to the calendar of the view's inbox, which works as long as the caller's key could make it.
     *
     * @throws Problem {@code missing_permission}, {@code limit_exceeded}
     */
    NewLink create(Caller caller, View view) {
        NEEDED.forEach(caller::require);
        UUID key = caller.requireKey();
        if (caller.needsApproval()) { // what the key writes into events would leave unseen
            throw Problem.of(
                    ErrorCode.FORBIDDEN,
                    "A key whose mail needs approval makes no link that others can read",
                    "Make the link with another key, or in the console.");
        }
        String file = Base62.random(TOKEN) + ".ics";
        return database.write(view.organization(), tx -> {
            CalendarTx change = CalendarTx.begin(tx, view, false);
            CalendarFeedSql.deleteEnded(tx, view, clock.instant());
            if (CalendarFeedSql.count(tx, view) >= MOST_LINKS) {
                throw Problem.limit(
                        "calendar_feeds",
                        MOST_LINKS,
                        "A calendar has at most " + MOST_LINKS + " links to its feed",
                        "End them with DELETE /v0/inboxes/{inbox_id}/calendar/feed, and make those that are needed"
                                + " again.");
            }
            CalendarFeedSql.insert(change, Digests.sha256(file), key);
            return new NewLink(publicUrl + PATH + file, change.now());
        });
    }

    /** Ends all links to the calendar of the view's inbox, and tells how many there were. */
    int end(View view) {
        return database.<Integer>write(view.organization(), tx -> {
            CalendarTx.begin(tx, view, false);
            return CalendarFeedSql.delete(tx, view);
        });
    }

    /** Deletes links whose keys are gone; until then they are only refused. */
    public static void forgetEnded(Database database, InstantSource clock) {
        Instant now = clock.instant();
        for (UUID organization : database.read(tx -> CalendarFeedSql.organizationsWithEnded(tx, now))) {
            if (database.gate().isOpen(organization)) {
                database.<Boolean>write(organization, tx -> {
                    CalendarFeedSql.deleteEnded(tx, View.of(organization), now);
                    return true;
                });
            }
        }
    }

    /**
     * A feed that can be read.
     *
     * @param tag of its octets, with its quotes
     * @param modifiedAt the second of its last change; while that second lasts, the one before
     */
    record OpenFeed(View inbox, CalendarFeedSql.Link link, AgendaWindow window, String tag, Instant modifiedAt) {}

    /**
     * The feed of a link. Every link that does not work is looked up in the same three steps.
     *
     * @param file the last part of its path, any text
     * @throws Problem {@code service_unavailable} while everything is stopped
     */
    Optional<OpenFeed> open(String file) {
        byte[] hash = Digests.sha256(file);
        Instant now = clock.instant();
        return database.read(tx -> {
            UUID organization = CalendarFeedSql.organization(tx, hash).orElse(NOBODY);
            Optional<CalendarFeedSql.Link> link = CalendarFeedSql.find(tx, View.of(organization), hash);
            UUID key = link.map(CalendarFeedSql.Link::key).orElse(NOBODY);
            Optional<PublicKeys.LiveKey> live = PublicKeys.live(tx, organization, key, now)
                    .filter(liveKey -> liveKey.held().containsAll(NEEDED));
            Optional<OpenFeed> feed = link.filter(feedLink -> live.isPresent()
                            && live.get()
                                    .covers(
                                            feedLink.place().pod(),
                                            feedLink.place().inbox()))
                    .map(feedLink -> open(organization, feedLink, now));
            if (feed.isPresent()) {
                EverythingStop.check(tx, organization);
            }
            return feed;
        });
    }

    private static OpenFeed open(UUID organization, CalendarFeedSql.Link link, Instant now) {
        View inbox = View.of(organization).inbox(link.place().inbox());
        AgendaWindow window = FeedState.window(now);
        return new OpenFeed(inbox, link, window, FeedState.tag(link, window), FeedState.modifiedAt(link, now));
    }

    /** The events that may be in a feed, in the order in which they find room. */
    List<UUID> events(OpenFeed feed) {
        return database.read(tx -> CalendarFeedSql.candidates(tx, feed.inbox(), feed.window(), CalendarEvents.MOST));
    }

    /**
     * Writes a feed. A change in between is in it already while its tag is that of the state before: the next request
     * gets it once more.
     *
     * @throws Problem {@code service_unavailable} when it takes too long
     */
    byte[] write(OpenFeed feed, List<UUID> events) {
        PublishedCalendar calendar = new PublishedCalendar(
                new PublishedCalendar.Head(
                        feed.link().place().name(), feed.link().zone(), REFRESH),
                new PublishedCalendar.Bounds(MOST_COMPONENTS, LARGEST));
        long begun = System.nanoTime();
        boolean isRoom = true;
        for (int from = 0; isRoom && from < events.size(); from += TOGETHER) {
            List<UUID> ids = events.subList(from, Math.min(events.size(), from + TOGETHER));
            isRoom = add(
                    new Draft(calendar, feed, begun),
                    database.read(tx -> CalendarFeedSql.events(tx, feed.inbox(), ids)));
        }
        return calendar.octets();
    }

    /** A feed while it is written. */
    private record Draft(PublishedCalendar calendar, OpenFeed feed, long begun) {
        /** Adds an event; false when there is no room. */
        boolean add(Published event) {
            if (System.nanoTime() - begun > LONGEST.toNanos()) {
                throw Problem.of(
                                ErrorCode.SERVICE_UNAVAILABLE,
                                "The feed of the calendar takes too long to write",
                                "Delete series that are over, or make their rules simpler.")
                        .retryAfter(REFRESH);
            }
            List<EventComponent> components = FeedComponents.of(event.wholeEvent, event.window);
            return components.isEmpty() || calendar.add(components);
        }
    }

    /** Adds events until there is no room. */
    private boolean add(Draft draft, List<CalendarEventSql.EventRow> rows) {
        for (int from = 0; from < rows.size(); ) {
            int until = from;
            int series = 0;
            while (until < rows.size() && series < SERIES_TOGETHER) {
                series += rows.get(until++).hasDates() ? 1 : 0;
            }
            List<CalendarEventSql.EventRow> batch = rows.subList(from, until);
            for (Published event : database.read(tx -> published(tx, draft.feed, batch))) {
                if (!draft.add(event)) {
                    return false;
                }
            }
            from = until;
        }
        return true;
    }

    /** @param window the part of the feed's window for which it is known what the event was */
    private record Published(WholeEvent wholeEvent, AgendaWindow window) {}

    private static List<Published> published(Tx tx, OpenFeed feed, List<CalendarEventSql.EventRow> rows) {
        List<UUID> dated = rows.stream()
                .filter(CalendarEventSql.EventRow::hasDates)
                .map(row -> row.event().id())
                .toList();
        Map<UUID, List<DateOverride>> edits =
                dated.isEmpty() ? Map.of() : OverrideSql.published(tx, feed.inbox(), dated);
        List<Published> all = new ArrayList<>();
        for (CalendarEventSql.EventRow row : rows) {
            UUID id = row.event().id();
            AgendaWindow window = feed.window();
            List<Era> eras = row.eras() == 0 ? List.of() : EraSql.published(tx, feed.inbox(), id, window.after());
            if (eras.size() > EraSql.MOST_PUBLISHED) {
                window = new AgendaWindow(eras.getFirst().until(), window.before(), window.running());
                eras = eras.subList(1, eras.size());
            }
            SeriesDates dates = new SeriesDates(row.event(), eras, edits.getOrDefault(id, List.of()));
            all.add(new Published(new WholeEvent(row.event(), eras, dates, Set.of()), window));
        }
        return all;
    }
}
