package dev.inboxd.mail.screen;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The points of each reason. Several signs of one reason count once: the strongest. */
final class Score {
    /** The sum that is enough for a review. */
    static final double ENOUGH = 10;

    /** Points from which a reason is told. */
    private static final double TOLD = 2;

    private final Map<ScreenReason, Double> points = new EnumMap<>(ScreenReason.class);

    void add(ScreenReason reason, double more) {
        points.merge(reason, more, Math::max);
    }

    /** Takes for each reason the larger number of both, that of the other one weighed. */
    void addAll(Score other, double weight) {
        other.points.forEach((reason, more) -> add(reason, more * weight));
    }

    void replace(Score other) {
        points.clear();
        points.putAll(other.points);
    }

    double of(ScreenReason reason) {
        return points.getOrDefault(reason, 0.0);
    }

    double sum() {
        double sum = 0;
        for (double one : points.values()) {
            sum += one;
        }
        return sum;
    }

    ScreenVerdict verdict() {
        if (sum() < ENOUGH) {
            return ScreenVerdict.CLEAR;
        }
        List<ScreenReason> reasons = points.keySet().stream()
                .filter(reason -> of(reason) >= TOLD)
                .sorted(Comparator.comparingDouble(this::of).reversed())
                .limit(ScreenVerdict.MAX_REASONS)
                .toList();
        return new ScreenVerdict(true, reasons);
    }
}
