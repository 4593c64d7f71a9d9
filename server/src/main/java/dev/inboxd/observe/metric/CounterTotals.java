package dev.inboxd.observe.metric;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The total of each counter. Mutable. */
final class CounterTotals {
    private final long[] numbers;

    private CounterTotals(long[] numbers) {
        this.numbers = numbers;
    }

    /** All totals zero. */
    static CounterTotals none() {
        return new CounterTotals(new long[CounterType.values().length]);
    }

    /** The totals in a row; counters that were added later are zero. */
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

    long get(CounterType counter) {
        return numbers[counter.position()];
    }

    void add(@Nullable CounterType counter, long number) {
        if (counter != null) {
            numbers[counter.position()] += number;
        }
    }

    void add(CounterTotals others) {
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] += others.numbers[i];
        }
    }

    /** Counts an event, and the recipients that it names. */
    void count(MetricSql.Line event) {
        CounterType counter = CounterType.ofEvent(event.type());
        add(counter, 1);
        add(CounterType.recipientsOf(counter), event.recipients());
    }

    /** Adds an event's changes of messages, bytes and threads. */
    void use(MetricSql.Line event) {
        add(CounterType.MESSAGE_COUNT, event.messages());
        add(CounterType.STORAGE_BYTES, event.bytes());
        add(CounterType.THREAD_COUNT, event.threads());
    }

    List<String> stored() {
        return Arrays.stream(numbers).mapToObj(Long::toString).toList();
    }
}
