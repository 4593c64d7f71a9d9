package dev.inboxd.tenant.metric;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A number for each kind. Mutable: what sums are made in. */
final class Totals {
    private final long[] numbers;

    private Totals(long[] numbers) {
        this.numbers = numbers;
    }

    /** All zero. */
    static Totals none() {
        return new Totals(new long[Kind.values().length]);
    }

    /** As a row has them; kinds that came later are zero. */
    static Totals of(List<String> stored) {
        Totals totals = none();
        for (int i = 0; i < stored.size(); i++) {
            totals.numbers[i] = Long.parseLong(stored.get(i));
        }
        return totals;
    }

    Totals copy() {
        return new Totals(numbers.clone());
    }

    long get(Kind kind) {
        return numbers[kind.position()];
    }

    void add(@Nullable Kind kind, long number) {
        if (kind != null) {
            numbers[kind.position()] += number;
        }
    }

    void add(Totals others) {
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] += others.numbers[i];
        }
    }

    /** Counts an event: itself, and the recipients it names. */
    void count(MetricSql.Line event) {
        Kind kind = Kind.ofEvent(event.type());
        add(kind, 1);
        add(Kind.recipientsOf(kind), event.recipients());
    }

    /** Counts what an event adds to what is there, or takes from it. */
    void use(MetricSql.Line event) {
        add(Kind.MESSAGE_COUNT, event.messages());
        add(Kind.STORAGE_BYTES, event.bytes());
        add(Kind.THREAD_COUNT, event.threads());
    }

    List<String> stored() {
        return Arrays.stream(numbers).mapToObj(Long::toString).toList();
    }
}
