package dev.inboxd.calendar.event;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.http.BodyLimit;
import dev.inboxd.base.http.Query;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.calendar.content.CalendarConfig;
import dev.inboxd.calendar.input.Precondition;
import dev.inboxd.calendar.input.TimeZones;
import java.time.ZoneId;
import java.util.Objects;

/** The calendar itself over HTTP. */
public final class CalendarHttp {
    private static final BodyLimit LIMIT = new BodyLimit(8_192, false);
    private static final String[] CONSISTENCIES = {"eventual", "primary"};

    private final CalendarConfig config;
    private final Calendars calendars;

    public CalendarHttp(CalendarConfig config, Calendars calendars) {
        this.config = config;
        this.calendars = calendars;
    }

    public void mount(Routes inbox) {
        inbox.get(Permission.CALENDAR_READ, "/calendar", this::get);
        inbox.patch(Permission.CALENDAR_UPDATE, "/calendar", LIMIT, this::update);
    }

    /** Reads the parameter {@code consistency}: every read sees what was committed before, whatever it says. */
    public static void readConsistency(Query query) {
        query.choice("consistency", CONSISTENCIES, word -> word);
    }

    private Response get(Request request) {
        config.requireEnabled();
        readConsistency(request.query());
        request.query().check();
        return answer(calendars.get(request.view()));
    }

    private Response update(Request request) {
        config.requireEnabled();
        Precondition precondition = Precondition.of(request, config);
        JsonBody body = request.body();
        ZoneId zone = body.string("timezone").as(TimeZones::parse, TimeZones.EXPECTED);
        if (!body.isGiven("timezone")) {
            body.fault("timezone", "timezone is required");
        }
        body.check();
        return answer(calendars.setZone(request.view(), Objects.requireNonNull(zone), precondition));
    }

    private static Response answer(Calendars.OfInbox inboxCalendar) {
        return Response.ok(inboxCalendar.json())
                .header("ETag", inboxCalendar.calendar().tag().text());
    }
}
