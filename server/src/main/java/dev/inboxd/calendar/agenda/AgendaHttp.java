package dev.inboxd.calendar.agenda;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.calendar.content.AgendaWindow;
import dev.inboxd.calendar.content.CalendarConfig;
import dev.inboxd.calendar.content.DatedId;
import dev.inboxd.calendar.event.CalendarEventHttp;
import dev.inboxd.calendar.event.CalendarHttp;
import java.time.InstantSource;

/** What takes place, over HTTP. */
public final class AgendaHttp {
    private final CalendarConfig config;
    private final Agenda agenda;
    private final InstantSource clock;

    public AgendaHttp(CalendarConfig config, Agenda agenda, InstantSource clock) {
        this.config = config;
        this.agenda = agenda;
        this.clock = clock;
    }

    public void mount(Routes inbox) {
        inbox.get(Permission.CALENDAR_EVENT_READ, "/calendar/agenda", this::agenda);
        inbox.get(Permission.CALENDAR_EVENT_READ, "/calendar/events/{event_id}/instances", this::instances);
    }

    private Response agenda(Request request) {
        config.requireEnabled();
        AgendaWindow.WindowParameters parameters = parameters(request);
        PageRequest page = request.page(CalendarEventHttp.LIMIT, false);
        AgendaWindow window = parameters.window(page.after(), clock.instant());
        return Response.ok(page.listing("events", agenda.page(request.view(), window, page), json -> json));
    }

    private static AgendaWindow.WindowParameters parameters(Request request) {
        CalendarHttp.readConsistency(request.query());
        return AgendaWindow.WindowParameters.read(request.query());
    }

    private Response instances(Request request) {
        config.requireEnabled();
        AgendaWindow.WindowParameters parameters = parameters(request);
        PageRequest page = request.page(CalendarEventHttp.LIMIT, false);
        AgendaWindow window = parameters.window(page.after(), clock.instant());
        DatedId id = DatedId.parse(request.path("event_id"));
        if (id.slot() != null) {
            throw Problem.invalid("event_id", "Instances are those of a series, not of one of its dates");
        }
        return Response.ok(
                page.listing("events", agenda.instances(request.view(), id.event(), window, page), json -> json));
    }
}
