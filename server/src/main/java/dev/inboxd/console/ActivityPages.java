package dev.inboxd.console;

import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.session.ConsolePages;
import dev.inboxd.console.session.Visit;
import dev.inboxd.console.view.TargetNames;
import dev.inboxd.observe.audit.AuditAction;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Who changed what: the audit log with names, filters and pages both ways. */
final class ActivityPages {
    private static final List<String> FILTERS = List.of("actor", "action", "after", "before");
    /** Pages that one can go back by a link; further back begins at the newest. */
    private static final int MOST_BACK = 8;

    void mount(ConsolePages pages) {
        pages.page("/activity", ActivityPages::list);
    }

    /** What there is before the dot of actions. */
    private static final List<String> KINDS = Arrays.stream(AuditAction.values())
            .map(AuditAction::wireName)
            .map(name -> name.substring(0, name.indexOf('.')))
            .distinct()
            .sorted()
            .toList();

    private static Response list(Visit visit) {
        Map<String, String> filters = new LinkedHashMap<>();
        LocalCall call = LocalCall.get("audit-log").with("limit", "30");
        for (String name : FILTERS) {
            String value = visit.query(name);
            if (!value.isEmpty()) {
                filters.put(name, value);
                call = call.with(name, time(value, name.equals("before"), visit.zone("UTC")));
            }
        }
        String token = visit.query("page_token");
        JsonTree log = visit.read(token.isEmpty() ? call : call.with("page_token", token));
        TargetNames names = new TargetNames();
        for (String kind : TargetNames.KINDS) {
            names.add(kind, visit.silentlyIfAllowed(LocalCall.get(kind).with("limit", "100")));
        }
        return visit.page(
                "activity",
                "activity/Activity",
                Map.of(
                        "log",
                        log,
                        "names",
                        names,
                        "filters",
                        filters,
                        "kinds",
                        KINDS,
                        "older",
                        older(filters, token, visit.query("back"), log.text("next_page_token")),
                        "newer",
                        token.isEmpty() ? "" : newer(filters, visit.query("back"))));
    }

    /** The time that a day of a form means: its start where the person is, or that of the next day. */
    private static String time(String value, boolean isEnd, ZoneId zone) {
        try {
            LocalDate day = LocalDate.parse(value);
            return (isEnd ? day.plusDays(1) : day)
                    .atStartOfDay(zone)
                    .toInstant()
                    .toString();
        } catch (DateTimeException time) {
            return value; // a whole time, or what the API says is none
        }
    }

    private static String older(Map<String, String> filters, String token, String back, String next) {
        if (next.isEmpty()) {
            return "";
        }
        List<String> trail = trail(back);
        trail.add(token);
        return query(filters, next, trail.subList(Math.max(0, trail.size() - MOST_BACK), trail.size()));
    }

    private static String newer(Map<String, String> filters, String back) {
        List<String> trail = trail(back);
        String token = trail.isEmpty() ? "" : trail.removeLast();
        return query(filters, token, trail);
    }

    /** The tokens of the pages before this one; the newest page has an empty one. */
    private static List<String> trail(String back) {
        return back.isEmpty()
                ? new ArrayList<>()
                : new ArrayList<>(List.of(back.substring(1).split("~", -1)));
    }

    private static String query(Map<String, String> filters, String token, List<String> trail) {
        StringBuilder query = new StringBuilder("?");
        filters.forEach((name, value) ->
                query.append(name).append('=').append(LocalCall.encoded(value)).append('&'));
        if (!token.isEmpty()) {
            query.append("page_token=").append(LocalCall.encoded(token)).append('&');
        }
        if (!trail.isEmpty()) {
            query.append("back=").append(LocalCall.encoded("~" + String.join("~", trail)));
        }
        return query.toString();
    }
}
