package dev.inboxd.mail.recurrence;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;

/**
 * The set of one interval of a rule (RFC 5545 §3.3.10), in order: each of some days at each of some times. It is never
 * written out: a day has up to 86,400 times, and a position says which it is.
 */
final class IntervalSet {
    private final long[] days;
    private final ClockTimes times;
    /** Whether all positions are dates, without BYSETPOS; else those that it chooses are. */
    private final boolean isWhole;

    private final int[] chosen;
    private final int size;

    /** Hours, minutes and seconds, each in order; every one of them goes with every other. */
    record ClockTimes(List<Integer> hours, List<Integer> minutes, List<Integer> seconds) {
        int size() {
            return hours.size() * minutes.size() * seconds.size();
        }

        LocalDateTime at(LocalDate day, int position) {
            int minute = position / seconds.size();
            return day.atTime(
                    hours.get(minute / minutes.size()),
                    minutes.get(minute % minutes.size()),
                    seconds.get(position % seconds.size()));
        }
    }

    /**
     * The set of one interval.
     *
     * @param days days since 1970, in order
     * @param positions of BYSETPOS, empty for all
     */
    IntervalSet(long[] days, ClockTimes times, List<Integer> positions) {
        this.days = days;
        this.times = times;
        int all = days.length * times.size();
        this.isWhole = positions.isEmpty();
        this.chosen = positions.stream()
                .mapToInt(position -> position > 0 ? position - 1 : all + position)
                .filter(position -> position >= 0 && position < all)
                .sorted()
                .distinct()
                .toArray();
        this.size = isWhole ? all : chosen.length;
    }

    int size() {
        return size;
    }

    LocalDateTime at(int index) {
        int position = isWhole ? index : chosen[index];
        return times.at(LocalDate.ofEpochDay(days[position / times.size()]), position % times.size());
    }

    /** How many dates of the set are before a time. */
    int before(LocalDateTime time) {
        int low = 0;
        int high = size;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (at(middle).isBefore(time)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }
}
