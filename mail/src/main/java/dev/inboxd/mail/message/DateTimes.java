package dev.inboxd.mail.message;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Parses the date-time of a Date field (RFC 5322 §3.3, with the obsolete forms of §4.3). */
public final class DateTimes {
    private static final String MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec";
    private static final int MAX_LENGTH = 128;
    private static final int MAX_YEAR = 9999;

    private DateTimes() {}

    /** The instant, or null when the text is not a date. A missing or unknown zone is UTC. */
    public static @Nullable Instant parse(String text) {
        var words = words(text);
        int day = 0;
        while (day < words.size() && !isNumber(words.get(day))) {
            day++;
        }
        if (day + 3 >= words.size() || !isNumber(words.get(day + 2))) {
            return null;
        }
        int month = MONTHS.indexOf(first3(words.get(day + 1)));
        if (month < 0 || month % 3 != 0) {
            return null;
        }
        try {
            int year = year(words.get(day + 2));
            var time = time(words.get(day + 3));
            var zone = day + 4 < words.size() ? zone(words.get(day + 4)) : ZoneOffset.UTC;
            // RFC 5322 §3.3: a leap second is written 60
            int second = Math.min(time[2], 59);
            var date = LocalDate.of(year, month / 3 + 1, number(words.get(day)));
            return date.atTime(time[0], time[1], second).toInstant(zone);
        } catch (DateTimeException e) {
            return null;
        }
    }

    private static List<String> words(String text) {
        var words = new ArrayList<String>(7);
        int depth = 0;
        int start = 0;
        int end = Math.min(text.length(), MAX_LENGTH);
        for (int i = 0; i <= end; i++) {
            char c = i < end ? text.charAt(i) : ' ';
            boolean separates = c == ' ' || c == ',' || c == '(' || c == ')' || (c == '-' && words.size() < 4);
            if (separates) {
                if (i > start && depth == 0) {
                    words.add(text.substring(start, i));
                }
                start = i + 1;
                depth += c == '(' ? 1 : c == ')' ? -1 : 0;
            }
        }
        return words;
    }

    private static String first3(String word) {
        return word.substring(0, Math.min(3, word.length())).toLowerCase(Locale.ROOT);
    }

    // RFC 5322 §4.3: two digits below 50 are in this century; others, and three digits, count from 1900.
    private static int year(String word) {
        int year = number(word);
        if (year > MAX_YEAR) {
            throw new DateTimeException("year");
        }
        return word.length() >= 4 ? year : year < 50 && word.length() == 2 ? year + 2000 : year + 1900;
    }

    private static int[] time(String word) {
        int first = word.indexOf(':');
        int second = word.indexOf(':', first + 1);
        if (first < 0) {
            throw new DateTimeException("time");
        }
        int minute = number(word.substring(first + 1, second < 0 ? word.length() : second));
        int seconds = second < 0 ? 0 : number(word.substring(second + 1));
        return new int[] {number(word.substring(0, first)), minute, seconds};
    }

    private static ZoneOffset zone(String word) {
        char sign = word.charAt(0);
        if (sign == '+' || sign == '-') {
            var digits = word.substring(1).replace(":", "");
            int zone = digits.length() == 4 && isNumber(digits) ? number(digits) : 0;
            int minutes = zone / 100 * 60 + zone % 100;
            return ZoneOffset.ofTotalSeconds((sign == '-' ? -60 : 60) * minutes);
        }
        return ZoneOffset.ofHours(
                switch (word.toUpperCase(Locale.ROOT)) {
                    case "EDT" -> -4;
                    case "EST", "CDT" -> -5;
                    case "CST", "MDT" -> -6;
                    case "MST", "PDT" -> -7;
                    case "PST" -> -8;
                    default -> 0;
                });
    }

    private static boolean isNumber(String word) {
        return !word.isEmpty() && word.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    private static int number(String word) {
        if (!isNumber(word) || word.length() > 5) {
            throw new DateTimeException("number");
        }
        return Integer.parseInt(word);
    }
}
