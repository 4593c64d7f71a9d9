package dev.inboxd.mail.screen;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The points of each reason. Several signs of one reason count once: the strongest. */
final class Score {
    /** The sum that is enough for a review. */
    static final double ENOUGH = 10;

    /** Points from which a reason is told. */
    private static final double TOLD = 2;

    private static final ScreenReason[] REASONS = ScreenReason.values();

    private final double[] points = new double[REASONS.length];

    void add(ScreenReason reason, double more) {
        points[reason.ordinal()] = Math.max(points[reason.ordinal()], more);
    }

    /** Takes for each reason the larger number of both, that of the other one weighed. */
    void addAll(Score other, double weight) {
        for (int i = 0; i < points.length; i++) {
            points[i] = Math.max(points[i], other.points[i] * weight);
        }
    }

    void replace(Score other) {
        System.arraycopy(other.points, 0, points, 0, points.length);
    }

    double of(ScreenReason reason) {
        return points[reason.ordinal()];
    }

    double sum() {
        return Arrays.stream(points).sum();
    }

    ScreenVerdict verdict() {
        if (sum() < ENOUGH) {
            return ScreenVerdict.CLEAR;
        }
        List<ScreenReason> reasons = Stream.of(REASONS)
                .filter(reason -> of(reason) >= TOLD)
                .sorted(Comparator.comparingDouble(this::of).reversed())
                .limit(ScreenVerdict.MAX_REASONS)
                .toList();
        return new ScreenVerdict(true, reasons);
    }

    @Override
    public String toString() {
        return verdict() + " " + sum() + " " + Arrays.toString(points);
    }
}
