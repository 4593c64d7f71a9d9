package dev.inboxd.calendar.event;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.Outcome;
import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.BodyLimit;
import dev.inboxd.base.http.Query;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.id.Digests;
import dev.inboxd.base.json.ClientIds;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.calendar.content.AttendeeStatus;
import dev.inboxd.calendar.content.CalendarConfig;
import dev.inboxd.calendar.content.DatedId;
import dev.inboxd.calendar.input.AttendeeInput;
import dev.inboxd.calendar.input.DateRequest;
import dev.inboxd.calendar.input.EventMembers;
import dev.inboxd.calendar.input.Precondition;
import dev.inboxd.calendar.series.CalendarTx;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Calendar events over HTTP. Only routes: what an event may become is decided behind them. */
public final class CalendarEventHttp {
    public static final PageLimit LIMIT = PageLimit.list(100);

    private static final BodyLimit BODY = new BodyLimit(131_072, false);
    private static final AttendeeStatus[] ANSWERS = {
        AttendeeStatus.ACCEPTED, AttendeeStatus.DECLINED, AttendeeStatus.TENTATIVE
    };
    private static final String[] MODES = {"single", "future"};

    private final CalendarConfig config;
    private final CalendarEvents events;
    private final EventList list;
    private final EventUpdates updates;
    private final DateUpdates dates;
    private final EventDeletions deletions;
    private final Responses responses;

    /** What these routes lead to. */
    public record Verbs(
            CalendarEvents events,
            EventList list,
            EventUpdates updates,
            DateUpdates dates,
            EventDeletions deletions,
            Responses responses) {}

    public CalendarEventHttp(CalendarConfig config, Verbs verbs) {
        this.config = config;
        this.events = verbs.events;
        this.list = verbs.list;
        this.updates = verbs.updates;
        this.dates = verbs.dates;
        this.deletions = verbs.deletions;
        this.responses = verbs.responses;
    }

    public void mount(Routes inbox) {
        inbox.get(Permission.CALENDAR_EVENT_READ, "/calendar/events", this::list);
        inbox.post(Permission.CALENDAR_EVENT_CREATE, "/calendar/events", BODY, this::create);
        inbox.get(Permission.CALENDAR_EVENT_READ, "/calendar/events/{event_id}", this::get);
        inbox.patch(Permission.CALENDAR_EVENT_UPDATE, "/calendar/events/{event_id}", BODY, this::update);
        inbox.delete(Permission.CALENDAR_EVENT_DELETE, "/calendar/events/{event_id}", this::delete);
        inbox.post(Permission.CALENDAR_EVENT_UPDATE, "/calendar/events/{event_id}/respond", BODY, this::respond);
    }

    private static CalendarTx.Editor editor(Request request) {
        return new CalendarTx.Editor(request.view(), CalendarTx.Author.of(request.caller()));
    }

    /** What the path names. An id that a date had before its series came is that of the date. */
    private DatedId id(Request request) {
        return events.named(request.view(), DatedId.parse(request.path("event_id")));
    }

    private Response list(Request request) {
        config.requireEnabled();
        PageRequest page = request.page(LIMIT, false);
        return Response.ok(page.listing("events", list.page(request.view(), page), json -> json));
    }

    private Response get(Request request) {
        config.requireEnabled();
        CalendarHttp.readConsistency(request.query());
        request.query().check();
        return events.get(request.view(), id(request)).read();
    }

    private Response create(Request request) {
        config.requireEnabled();
        JsonBody body = request.body();
        String clientId = ClientIds.read(body);
        EventMembers members = EventMembers.read(body);
        for (String name : List.of("title", "start", "end")) {
            if (!body.isGiven(name)) {
                body.fault(name, name + " is required", Fault.Code.REQUIRED, "a value");
            }
        }
        body.check();
        EventResult result = events.create(
                editor(request), new CalendarEvents.NewEvent(members, clientId, Digests.sha256(body.canonical())));
        return result.isRepeat() ? request.change().of(Outcome.same(result)).mutation(200) : result.mutation(201);
    }

    private Response update(Request request) {
        config.requireEnabled();
        Precondition precondition = Precondition.of(request, config);
        EventMembers members = EventMembers.read(request.body());
        String mode = mode(request);
        request.body().check();
        if (members.present().isEmpty() && !members.sends()) {
            throw Problem.invalid(List.of(new Fault(List.of(), "Give at least one member to change")));
        }
        DatedId id = id(request);
        if (id.slot() == null) {
            requireNoMode(mode);
            return updates.update(editor(request), id.event(), members, precondition)
                    .mutation(200);
        }
        DateChange.requireOwn(members);
        DateRequest dateRequest = new DateRequest(id.event(), id.slot(), precondition);
        return dates.update(editor(request), dateRequest, members, isFuture(mode))
                .mutation(200);
    }

    private static @Nullable String mode(Request request) {
        return request.query().choice("mode", MODES, word -> word);
    }

    private static boolean isFuture(@Nullable String mode) {
        return "future".equals(mode);
    }

    private static void requireNoMode(@Nullable String mode) {
        if (mode != null) {
            throw Problem.invalid("mode", "mode is for dates of a series, whose ids end in _ and a slot");
        }
    }

    private Response delete(Request request) {
        config.requireEnabled();
        Precondition precondition = Precondition.of(request, config);
        DeletionKey key = DeletionKey.of(request);
        Query query = request.query();
        String mode = mode(request);
        boolean sends = query.flag("send_invites", false);
        query.check();
        DatedId id = id(request);
        if (id.slot() == null) {
            requireNoMode(mode);
        }
        return deletions.delete(
                editor(request), new EventDeletions.Deletion(id, isFuture(mode), sends, key, precondition));
    }

    private Response respond(Request request) {
        config.requireEnabled();
        Precondition precondition = Precondition.of(request, config);
        JsonBody body = request.body();
        AttendeeStatus status = body.choice("status", ANSWERS, AttendeeStatus::wireName);
        if (!body.isGiven("status")) {
            body.fault("status", "status is required: accepted, declined or tentative");
        }
        String comment = body.string("comment").multiline().optional();
        if (comment != null && AttendeeInput.isTooLong(comment)) {
            String most = "at most " + AttendeeInput.LONGEST_COMMENT + " bytes";
            body.fault("comment", "comment must have " + most, Fault.Code.TOO_BIG, most);
        }
        boolean sends = body.flag("send_reply", true);
        body.check();
        Responses.Reply reply =
                new Responses.Reply(id(request), Objects.requireNonNull(status), comment, sends, precondition);
        return responses.respond(editor(request), reply).mutation(200);
    }
}
