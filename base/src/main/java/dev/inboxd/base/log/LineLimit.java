package dev.inboxd.base.log;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

/**
 * Bounds the log lines of one kind that strangers can cause, so that no flood of theirs fills the disk: some lines a
 * minute for each source, and some for all sources together. What is left out is counted, and told in one line when the
 * minute is over.
 */
public final class LineLimit {
    /** Lines a minute of one source. */
    public static final int OF_ONE_SOURCE = 30;
    /** Lines a minute of all sources together: at about 400 octets, some 170 MB a day while a flood goes on. */
    public static final int OF_ALL = 300;

    private static final long MINUTE_NANOS = 60_000_000_000L;
    private static final int MOST_SOURCES = 10_000;
    private static final int SHOWN_SOURCES = 10;
    private static final String OTHERS = "others";

    private final String kind;
    private final LongSupplier nanos;
    private final Map<String, Integer> written = new HashMap<>();
    private final Map<String, Integer> leftOut = new HashMap<>();
    private long minute;
    private int lines;

    /**
     * A limit that starts to count now.
     *
     * @param kind what the lines are about, in the line about those that were left out
     * @param nanos monotonic nanoseconds, as {@link System#nanoTime}
     */
    public LineLimit(String kind, LongSupplier nanos) {
        this.kind = kind;
        this.nanos = nanos;
        this.minute = nanos.getAsLong();
    }

    /** Whether a line about that source may be written; if not, it is counted. */
    public synchronized boolean admit(String source) {
        report();
        String counted = written.containsKey(source) || written.size() < MOST_SOURCES ? source : OTHERS;
        if (lines >= OF_ALL || written.getOrDefault(counted, 0) >= OF_ONE_SOURCE) {
            boolean isCounted = leftOut.containsKey(source) || leftOut.size() < MOST_SOURCES;
            leftOut.merge(isCounted ? source : OTHERS, 1, Integer::sum);
            return false;
        }
        written.merge(counted, 1, Integer::sum);
        lines++;
        return true;
    }

    /** Tells what the last minute left out, when it is over; called now and then. */
    public synchronized void report() {
        long now = nanos.getAsLong();
        if (now - minute < MINUTE_NANOS) {
            return;
        }
        if (!leftOut.isEmpty()) {
            String most = leftOut.entrySet().stream()
                    .sorted(Map.Entry.<String, Integer>comparingByValue(Comparator.reverseOrder()))
                    .limit(SHOWN_SOURCES)
                    .map(source -> source.getKey() + " " + source.getValue())
                    .collect(Collectors.joining(", "));
            LogLine.of("lines_left_out")
                    .with("kind", kind)
                    .with(
                            "lines",
                            leftOut.values().stream()
                                    .mapToLong(Integer::longValue)
                                    .sum())
                    .with("clients", leftOut.size())
                    .with("most", most)
                    .write();
        }
        minute = now;
        lines = 0;
        written.clear();
        leftOut.clear();
    }
}
