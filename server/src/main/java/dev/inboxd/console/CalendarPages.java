package dev.inboxd.console;

import dev.inboxd.base.access.Role;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.mail.InboxPages;
import dev.inboxd.console.mail.InvitationCards;
import dev.inboxd.console.session.ConsolePages;
import dev.inboxd.console.session.PageForm;
import dev.inboxd.console.session.Visit;
import dev.inboxd.console.view.AgendaDays;
import dev.inboxd.console.view.MonthGrid;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The calendar of an inbox: what takes place, as a list and by month, invitations, and their answers. */
final class CalendarPages {
    private static final String INBOXES = "inboxes";
    private static final String CALENDAR = "calendar";
    private static final String EVENTS = "events";
    private static final String MONTH = "month";
    private static final String TYPED = "typed";
    private static final String FAULT = "fault";
    private static final List<String> FIELDS = List.of("title", "start", "end", "all_day", "location", "attendees");

    private static final String TITLE = "inboxes/Calendar of ";
    private static final int DATE = "2026-11-30".length();
    private static final int MINUTES = "2026-11-30T09:00".length();
    private static final int MOST_PAGES = 5;

    void mount(ConsolePages pages) {
        pages.page("/inboxes/{inbox_id}/calendar", CalendarPages::calendar)
                .form("/inboxes/{inbox_id}/calendar", Role.OWN, CalendarPages::act);
    }

    /**
     * An event that is typed.
     *
     * @param fields of its form
     * @param fault why it was not made; empty when nobody tried to
     */
    private record Typed(Map<String, String> fields, String fault) {
        private static final Typed NOTHING = new Typed(Map.of(), "");
    }

    private static Response calendar(Visit visit) {
        return calendar(visit, Typed.NOTHING);
    }

    private static Response calendar(Visit visit, Typed typed) {
        visit.live();
        String inbox = visit.path("inbox_id");
        JsonTree calendar = visit.readIfAllowed(LocalCall.get(INBOXES, inbox, CALENDAR));
        return visit.query(MONTH).isEmpty() || calendar.isEmpty()
                ? agenda(visit, inbox, calendar, typed)
                : month(visit, inbox, calendar, typed);
    }

    private static Response agenda(Visit visit, String inbox, JsonTree calendar, Typed typed) {
        ZoneId zone = visit.zone(calendar.text("timezone"));
        JsonTree agenda = calendar.isEmpty()
                ? JsonTree.EMPTY
                : visit.read(InboxPages.paged(visit, LocalCall.get(INBOXES, inbox, CALENDAR, "agenda"))
                        .with("limit", "40"));
        return visit.page(
                CALENDAR,
                TITLE + inbox,
                Map.of(
                        "inbox",
                        inbox,
                        CALENDAR,
                        calendar,
                        "agenda",
                        agenda,
                        "days",
                        AgendaDays.of(agenda.list(EVENTS), zone),
                        "chosen",
                        chosen(visit, inbox),
                        MONTH,
                        YearMonth.from(visit.now().atZone(zone)).toString(),
                        "zone",
                        zone.getId(),
                        TYPED,
                        typed.fields,
                        FAULT,
                        typed.fault));
    }

    /** The event that is opened; empty for none. */
    private static JsonTree chosen(Visit visit, String inbox) {
        String event = visit.query("event");
        return event.isEmpty()
                ? JsonTree.EMPTY
                : visit.silentlyIfAllowed(LocalCall.get(INBOXES, inbox, CALENDAR, EVENTS, event));
    }

    private static Response month(Visit visit, String inbox, JsonTree calendar, Typed typed) {
        YearMonth month = month(visit.query(MONTH));
        ZoneId zone = visit.zone(calendar.text("timezone"));
        LocalCall call = LocalCall.get(INBOXES, inbox, CALENDAR, "agenda")
                .with("after", begin(MonthGrid.first(month), zone))
                .with("before", begin(MonthGrid.last(month).plusDays(1), zone))
                .with("limit", "100");
        JsonTree page = visit.read(call);
        List<JsonTree> events = new ArrayList<>(page.list(EVENTS));
        for (int i = 1; i < MOST_PAGES && page.has("next_page_token"); i++) {
            page = visit.change(call.with("page_token", page.text("next_page_token")));
            events.addAll(page.list(EVENTS));
        }
        return visit.page(
                MONTH,
                TITLE + inbox,
                Map.of(
                        "inbox",
                        inbox,
                        "grid",
                        MonthGrid.of(month, zone, visit.now(), events),
                        "chosen",
                        chosen(visit, inbox),
                        "day",
                        visit.query("day"),
                        "cut",
                        page.has("next_page_token"),
                        "zone",
                        zone.getId(),
                        "today",
                        YearMonth.from(visit.now().atZone(zone)).toString(),
                        TYPED,
                        typed.fields,
                        FAULT,
                        typed.fault));
    }

    private static String begin(LocalDate day, ZoneId zone) {
        return day.atStartOfDay(zone).toInstant().toString();
    }

    private static YearMonth month(String text) {
        try {
            YearMonth month = YearMonth.parse(text);
            if (month.getYear() >= 1900 && month.getYear() < 9999) {
                return month;
            }
        } catch (DateTimeException malformed) {
            // It says below what a month is.
        }
        throw Problem.invalid(MONTH, "A month is written like 2026-11, from 1900 to 9998");
    }

    private static Response act(Visit visit) {
        String inbox = visit.path("inbox_id");
        PageForm form = visit.form();
        String[] event = {INBOXES, inbox, CALENDAR, EVENTS, form.text("event_id")};
        switch (form.text("do")) {
            case "respond" -> InvitationCards.respond(visit, inbox, form);
            case "create" -> {
                try {
                    visit.change(LocalCall.post(plan(form), INBOXES, inbox, CALENDAR, EVENTS));
                } catch (Problem refused) {
                    return calendar(visit, typed(form, refused))
                            .status(refused.code().status());
                }
            }
            case "cancel" -> visit.change(LocalCall.delete(event));
            case "cancel-tell" -> visit.change(LocalCall.delete(event).with("send_invites", "true"));
            default -> throw Problem.invalid("do", "This page has no such action");
        }
        String month = form.text(MONTH).isEmpty() ? visit.query(MONTH) : form.text(MONTH);
        return month.isEmpty()
                ? visit.to("changed", INBOXES, inbox, CALENDAR)
                : visit.to("changed", Map.of(MONTH, month(month).toString()), INBOXES, inbox, CALENDAR);
    }

    /** What was typed, and why it makes no event. */
    private static Typed typed(PageForm form, Problem refused) {
        Map<String, String> fields = new HashMap<>();
        FIELDS.forEach(name -> fields.put(name, form.text(name)));
        String faults =
                refused.faults().stream().map(fault -> fault.message() + ". ").collect(Collectors.joining());
        return new Typed(fields, (refused.message() + ". " + faults).strip());
    }

    /** The event that a form describes; sent twice, it is one. */
    private static JsonObject plan(PageForm form) {
        boolean allDay = !form.text("all_day").isEmpty();
        List<JsonObject> attendees = Arrays.stream(form.text("attendees").split("[,;\\s]+", -1))
                .filter(address -> !address.isEmpty())
                .map(address -> JsonObject.of("email", address))
                .toList();
        return JsonObject.of("title", form.text("title"))
                .with("start", time(form.text("start"), allDay))
                .with("end", time(form.text("end"), allDay))
                .with("all_day", allDay ? true : null)
                .with("timezone", form.text("timezone").isEmpty() ? null : form.text("timezone"))
                .with("location", form.text("location").isEmpty() ? null : form.text("location"))
                .with("client_id", form.text("client_id").isEmpty() ? null : form.text("client_id"))
                .with("attendees", attendees.isEmpty() ? null : attendees)
                .with("send_invites", attendees.isEmpty() ? null : true);
    }

    /** A time as the API has it: browsers leave the seconds out (HTML §2.3.5.5). */
    private static String time(String field, boolean allDay) {
        if (allDay) {
            return field.length() < DATE ? field : field.substring(0, DATE);
        }
        return field.length() == MINUTES ? field + ":00" : field;
    }
}
