package dev.inboxd.calendar;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.module.Lifecycle;
import dev.inboxd.base.module.Lifecycle.Phase;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.calendar.agenda.Agenda;
import dev.inboxd.calendar.agenda.AgendaHttp;
import dev.inboxd.calendar.content.CalendarConfig;
import dev.inboxd.calendar.event.CalendarEventHttp;
import dev.inboxd.calendar.event.CalendarEvents;
import dev.inboxd.calendar.event.CalendarHttp;
import dev.inboxd.calendar.event.Calendars;
import dev.inboxd.calendar.event.DateUpdates;
import dev.inboxd.calendar.event.EventDeletions;
import dev.inboxd.calendar.event.EventList;
import dev.inboxd.calendar.event.EventUpdates;
import dev.inboxd.calendar.event.InvitationSender;
import dev.inboxd.calendar.event.Responses;
import dev.inboxd.calendar.feed.CalendarFeedHttp;
import dev.inboxd.calendar.feed.CalendarFeeds;
import dev.inboxd.calendar.series.BoundaryScheduler;
import dev.inboxd.calendar.series.CalendarEventSql;
import dev.inboxd.calendar.series.CalendarLog;
import dev.inboxd.event.EventLog;
import dev.inboxd.tenant.apikey.writing.KeyWritings;
import dev.inboxd.tenant.inbox.Inboxes;
import java.time.InstantSource;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Calendars of inboxes. */
public final class CalendarModule implements ServiceModule {
    private final CalendarHttp calendars;
    private final CalendarEventHttp events;
    private final AgendaHttp agenda;
    private final CalendarFeedHttp feeds;
    private final BoundaryScheduler schedule;
    private final boolean enabled;

    /**
     * The calendars of this platform, which tell of changes in that log.
     *
     * @param invitations sends what changes ask to be mailed
     */
    public CalendarModule(
            CalendarConfig config, PlatformModule platform, EventLog events, InvitationSender invitations) {
        Database database = platform.database();
        CalendarLog log = new CalendarLog(events);
        this.calendars = new CalendarHttp(config, new Calendars(database));
        this.events = new CalendarEventHttp(
                config,
                new CalendarEventHttp.Verbs(
                        new CalendarEvents(database, log, invitations),
                        new EventList(database),
                        new EventUpdates(database, log, invitations),
                        new DateUpdates(database, log, invitations),
                        new EventDeletions(database, log, invitations),
                        new Responses(database, log, invitations)));
        this.enabled = config.enabled();
        this.schedule = new BoundaryScheduler(
                database, log, platform.due(), enabled ? platform.nodes().departures() : null);
        this.agenda = new AgendaHttp(config, new Agenda(database), platform.clock());
        this.feeds = new CalendarFeedHttp(
                config,
                new CalendarFeeds(database, platform.clock(), platform.config().publicUrl()),
                new CalendarFeedHttp.Limits(
                        platform.requestLimits(),
                        platform.budgets(),
                        platform.config().rates().calendarFeeds()));
    }

    /** Deletes links to feeds whose keys were deleted or have expired; run now and then. */
    public static void forgetFeeds(Database database, InstantSource clock) {
        CalendarFeeds.forgetEnded(database, clock);
    }

    /** Lets events in which a key wrote need approval ({@link KeyWritings.Hook}). */
    public static @Nullable String bind(Tx tx, UUID organization, KeyWritings.Part part) {
        return CalendarEventSql.bind(tx, View.of(organization), part);
    }

    /** Deletes the calendar of an inbox together with it, by a job of this platform. */
    public static Inboxes.DeletionHook purge(PlatformModule platform) {
        CalendarPurge purge = new CalendarPurge(platform.database(), platform.jobs());
        platform.jobs().handle(CalendarPurge.KIND, purge);
        return purge;
    }

    @Override
    public void mount(RouteTable routes) {
        Routes inbox = routes.at(Level.INBOX);
        calendars.mount(inbox);
        events.mount(inbox);
        agenda.mount(inbox);
        feeds.mount(inbox);
        feeds.mountLinks(routes.at(Level.ROOT));
    }

    @Override
    public void register(Lifecycle lifecycle) {
        if (enabled) {
            lifecycle.add(Phase.TRAFFIC, schedule::start, schedule::close);
        }
    }
}
