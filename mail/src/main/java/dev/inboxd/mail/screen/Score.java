package dev.inboxd.mail.screen;

import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** The points of each reason. Several signs of one reason count once: the strongest. */
final class Score {
    /** The sum that is enough for a review. */
    static final double ENOUGH = 10;

    /** Points from which a reason is reported. */
    private static final double REPORTED = 2;

    private final Map<ScreenReason, Double> points = new EnumMap<>(ScreenReason.class);

    void add(ScreenReason reason, double more) {
        points.merge(reason, more, Math::max);
    }

    /** Takes for each reason the larger number of both, that of the other score weighed. */
    void addAll(Score score, double weight) {
        score.points.forEach((reason, more) -> add(reason, more * weight));
    }

    void replace(Score score) {
        points.clear();
        points.putAll(score.points);
    }

    double of(ScreenReason reason) {
        return points.getOrDefault(reason, 0.0);
    }

    double sum() {
        double sum = 0;
        for (double value : points.values()) {
            sum += value;
        }
        return sum;
    }

    ScreenVerdict verdict() {
        if (sum() < ENOUGH) {
            return ScreenVerdict.CLEAR;
        }
        List<ScreenReason> reasons = points.keySet().stream()
                .filter(reason -> of(reason) >= REPORTED)
                .sorted(Comparator.comparingDouble(this::of).reversed())
                .limit(ScreenVerdict.MAX_REASONS)
                .toList();
        return new ScreenVerdict(true, reasons);
    }
}
