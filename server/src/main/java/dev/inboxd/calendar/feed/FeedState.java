package dev.inboxd.calendar.feed;

import dev.inboxd.base.id.Digests;
import dev.inboxd.calendar.content.AgendaWindow;
import dev.inboxd.calendar.series.BoundarySchedule;
import dev.inboxd.calendar.series.BoundaryScheduler;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Base64;

/** Which state of a calendar a feed shows: its time, its tag, and when it was changed last. */
final class FeedState {
    /** To be counted up when the same rows are written in another way: other octets have another tag. */
    private static final int FORM = 2;

    private FeedState() {}

    /** What changes twice within a second would have one time; so a second that goes on is not told yet. */
    static Instant modifiedAt(CalendarFeedSql.Link link, Instant now) {
        Instant month = LocalDate.ofInstant(now, ZoneOffset.UTC)
                .withDayOfMonth(1)
                .atStartOfDay(ZoneOffset.UTC)
                .toInstant();
        Instant last = link.changedAt().isBefore(month) ? month : link.changedAt();
        Instant second = last.truncatedTo(ChronoUnit.SECONDS);
        return now.isAfter(second.plusSeconds(1)) ? second : now.minusSeconds(1).truncatedTo(ChronoUnit.SECONDS);
    }

    /** A year before this month and two behind it: the feed of a calendar that rests is the same for a month. */
    static AgendaWindow window(Instant now) {
        LocalDate month = LocalDate.ofInstant(now, ZoneOffset.UTC).withDayOfMonth(1);
        return new AgendaWindow(
                month.minusYears(1).atStartOfDay(ZoneOffset.UTC).toInstant(),
                month.plusMonths(1).plusYears(2).atStartOfDay(ZoneOffset.UTC).toInstant(),
                true);
    }

    /** All that the octets follow from: events, settings, name, window, zones, and how they are written. */
    static String tag(CalendarFeedSql.Link link, AgendaWindow window) {
        String state = String.join(
                "\n",
                Integer.toString(FORM),
                link.place().inbox().toString(),
                Long.toString(link.changes()),
                Long.toString(link.revision()),
                link.place().name(),
                window.after().toString(),
                BoundarySchedule.zoneVersion(BoundaryScheduler.ANY));
        MessageDigest digest = Digests.sha256();
        byte[] hash = digest.digest(state.getBytes(StandardCharsets.UTF_8));
        return '"' + Base64.getUrlEncoder().withoutPadding().encodeToString(hash) + '"';
    }
}
