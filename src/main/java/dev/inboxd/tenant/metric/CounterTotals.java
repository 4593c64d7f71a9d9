package dev.inboxd.tenant.metric;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A number for each kind. Mutable: what sums are made in. */
final class CounterTotals {
    private final long[] numbers;

    private CounterTotals(long[] numbers) {
        this.numbers = numbers;
    }

    /** All zero. */
    static CounterTotals none() {
        return new CounterTotals(new long[CounterType.values().length]);
    }

    /** As a row has them; kinds that came later are zero. */
    static CounterTotals of(List<String> stored) {
        CounterTotals totals = none();
        for (int i = 0; i < stored.size(); i++) {
            totals.numbers[i] = Long.parseLong(stored.get(i));
        }
        return totals;
    }

    CounterTotals copy() {
        return new CounterTotals(numbers.clone());
    }

    long get(CounterType kind) {
        return numbers[kind.position()];
    }

    void add(@Nullable CounterType kind, long number) {
        if (kind != null) {
            numbers[kind.position()] += number;
        }
    }

    void add(CounterTotals others) {
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] += others.numbers[i];
        }
    }

    /** Counts an event: itself, and the recipients it names. */
    void count(MetricSql.Line event) {
        CounterType kind = CounterType.ofEvent(event.type());
        add(kind, 1);
        add(CounterType.recipientsOf(kind), event.recipients());
    }

    /** Counts what an event adds to what is there, or takes from it. */
    void use(MetricSql.Line event) {
        add(CounterType.MESSAGE_COUNT, event.messages());
        add(CounterType.STORAGE_BYTES, event.bytes());
        add(CounterType.THREAD_COUNT, event.threads());
    }

    List<String> stored() {
        return Arrays.stream(numbers).mapToObj(Long::toString).toList();
    }
}
