package dev.inboxd.console;

import dev.inboxd.base.access.Role;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.mail.InboxPages;
import dev.inboxd.console.session.ConsolePages;
import dev.inboxd.console.session.PageForm;
import dev.inboxd.console.session.Visit;
import dev.inboxd.console.view.MonthGrid;
import java.time.DateTimeException;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The calendar of an inbox: what takes place, as a list and by month, invitations, and their answers. */
final class CalendarPages {
    private static final String INBOXES = "inboxes";
    private static final String CALENDAR = "calendar";
    private static final String EVENTS = "events";
    private static final String MONTH = "month";

    /** Events whose attendees are shown on a page. */
    private static final int MOST_ATTENDED = 20;

    private static final int MOST_PAGES = 5;

    void mount(ConsolePages pages) {
        pages.page("/inboxes/{inbox_id}/calendar", CalendarPages::calendar)
                .form("/inboxes/{inbox_id}/calendar", Role.OWN, CalendarPages::act);
    }

    private static Response calendar(Visit visit) {
        visit.live();
        String inbox = visit.path("inbox_id");
        JsonTree calendar = visit.readIfAllowed(LocalCall.get(INBOXES, inbox, CALENDAR));
        return visit.query(MONTH).isEmpty() || calendar.isEmpty()
                ? agenda(visit, inbox, calendar)
                : month(visit, inbox, calendar);
    }

    private static Response agenda(Visit visit, String inbox, JsonTree calendar) {
        JsonTree agenda = calendar.isEmpty()
                ? JsonTree.EMPTY
                : visit.read(InboxPages.paged(visit, LocalCall.get(INBOXES, inbox, CALENDAR, "agenda"))
                        .with("limit", "20"));
        List<JsonTree> events = new ArrayList<>();
        for (JsonTree item : agenda.list(EVENTS)) {
            events.add(events.size() < MOST_ATTENDED ? event(visit, inbox, item.text("event_id")) : JsonTree.EMPTY);
        }
        ZoneId zone = MonthGrid.zone(calendar.text("timezone"));
        return visit.page(
                CALENDAR,
                "inboxes/Calendar of " + inbox,
                Map.of(
                        "inbox",
                        inbox,
                        CALENDAR,
                        calendar,
                        "agenda",
                        agenda,
                        EVENTS,
                        events,
                        MONTH,
                        YearMonth.from(visit.now().atZone(zone)).toString()));
    }

    private static JsonTree event(Visit visit, String inbox, String id) {
        return visit.change(LocalCall.get(INBOXES, inbox, CALENDAR, EVENTS, id));
    }

    private static Response month(Visit visit, String inbox, JsonTree calendar) {
        YearMonth month = month(visit.query(MONTH));
        ZoneId zone = MonthGrid.zone(calendar.text("timezone"));
        LocalCall call = LocalCall.get(INBOXES, inbox, CALENDAR, "agenda")
                .with("after", month.atDay(1).atStartOfDay(zone).toInstant().toString())
                .with(
                        "before",
                        month.plusMonths(1)
                                .atDay(1)
                                .atStartOfDay(zone)
                                .toInstant()
                                .toString())
                .with("limit", "100");
        JsonTree page = visit.read(call);
        List<JsonTree> events = new ArrayList<>(page.list(EVENTS));
        for (int i = 1; i < MOST_PAGES && page.has("next_page_token"); i++) {
            page = visit.change(call.with("page_token", page.text("next_page_token")));
            events.addAll(page.list(EVENTS));
        }
        String event = visit.query("event");
        return visit.page(
                MONTH,
                "inboxes/Calendar of " + inbox,
                Map.of(
                        "inbox",
                        inbox,
                        CALENDAR,
                        calendar,
                        "grid",
                        MonthGrid.of(month, zone, visit.now(), events),
                        "chosen",
                        event.isEmpty() ? JsonTree.EMPTY : event(visit, inbox, event),
                        "day",
                        visit.query("day"),
                        "cut",
                        page.has("next_page_token")));
    }

    private static YearMonth month(String text) {
        try {
            YearMonth month = YearMonth.parse(text);
            if (month.getYear() >= 1900 && month.getYear() < 9999) {
                return month;
            }
        } catch (DateTimeException other) {
            // It says below what a month is.
        }
        throw Problem.invalid(MONTH, "A month is written like 2026-11, from 1900 to 9998");
    }

    private static Response act(Visit visit) {
        String inbox = visit.path("inbox_id");
        PageForm form = visit.form();
        String event = form.text("event_id");
        switch (form.text("do")) {
            case "respond" ->
                visit.change(LocalCall.post(
                        JsonObject.of("status", form.text("status")).with("send_reply", true),
                        INBOXES,
                        inbox,
                        CALENDAR,
                        EVENTS,
                        event,
                        "respond"));
            case "cancel" -> {
                LocalCall cancel = LocalCall.delete(INBOXES, inbox, CALENDAR, EVENTS, event);
                visit.change(form.text("tell").isEmpty() ? cancel : cancel.with("send_invites", "true"));
            }
            default -> throw Problem.invalid("do", "This page has no such action");
        }
        String month = form.text(MONTH);
        return month.isEmpty()
                ? visit.to("changed", INBOXES, inbox, CALENDAR)
                : visit.to("changed&month=" + month(month), INBOXES, inbox, CALENDAR);
    }
}
