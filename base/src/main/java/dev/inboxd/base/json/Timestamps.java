package dev.inboxd.base.json;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** Points in time in JSON and queries: RFC 3339 as input, {@code YYYY-MM-DDTHH:MM:SS.sssZ} as output. */
public final class Timestamps {
    private static final int LONGEST = 40;
    private static final int DATE_ONLY = 10;
    private static final long SECONDS_PER_DAY = 86_400;

    private Timestamps() {}

    /** The text of an instant of the years 0 to 9999, truncated to milliseconds, never rounded (ruling 32). */
    public static String format(Instant instant) {
        long second = instant.getEpochSecond();
        LocalDate date = LocalDate.ofEpochDay(Math.floorDiv(second, SECONDS_PER_DAY));
        int ofDay = (int) Math.floorMod(second, SECONDS_PER_DAY);
        byte[] text = new byte[24];
        digits(text, 0, 4, date.getYear());
        text[4] = '-';
        digits(text, 5, 2, date.getMonthValue());
        text[7] = '-';
        digits(text, 8, 2, date.getDayOfMonth());
        text[10] = 'T';
        digits(text, 11, 2, ofDay / 3600);
        text[13] = ':';
        digits(text, 14, 2, ofDay / 60 % 60);
        text[16] = ':';
        digits(text, 17, 2, ofDay % 60);
        text[19] = '.';
        digits(text, 20, 3, instant.getNano() / 1_000_000);
        text[23] = 'Z';
        return new String(text, StandardCharsets.ISO_8859_1);
    }

    private static void digits(byte[] text, int from, int count, int number) {
        int remainder = number;
        for (int i = from + count - 1; i >= from; i--) {
            text[i] = (byte) ('0' + remainder % 10);
            remainder /= 10;
        }
    }

    /** Parses an RFC 3339 §5.6 date-time, or returns null; never throws on hostile text. */
    public static @Nullable Instant parse(String text) {
        if (text.length() > LONGEST) {
            return null;
        }
        try {
            return inRange(OffsetDateTime.parse(text).toInstant());
        } catch (DateTimeException notOne) {
            return null;
        }
    }

    /** Like {@link #parse}; a bare date means its midnight, and a missing offset means UTC (mail.md §1.3). */
    public static @Nullable Instant parseQuery(String text) {
        Instant exact = parse(text);
        if (exact != null || text.length() > LONGEST) {
            return exact;
        }
        try {
            LocalDateTime local =
                    text.length() == DATE_ONLY ? LocalDate.parse(text).atStartOfDay() : LocalDateTime.parse(text);
            return inRange(local.toInstant(ZoneOffset.UTC));
        } catch (DateTimeException notOne) {
            return null;
        }
    }

    /** The instant when its year has four digits, else null; PostgreSQL cannot store all other years. */
    private static @Nullable Instant inRange(Instant instant) {
        int year = instant.atOffset(ZoneOffset.UTC).getYear();
        return year >= 0 && year <= 9999 ? instant : null;
    }
}
