package dev.inboxd.mail.recurrence;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Rules made to keep a server busy, each asked everything that can be asked of a series. Each answer takes less than a
 * second of this thread's own CPU time, and little memory. A window far away looks at no more than one near the start.
 */
@Tag("alone")
class HostileRulesTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final long CPU_NANOS = 1_000_000_000L;
    private static final long OCTETS = 256L * 1024 * 1024;
    private static final ZoneId ZONE = ZoneId.of("Europe/Berlin");
    private static final LocalDateTime START = LocalDateTime.parse("1996-01-01T00:00:01");
    /** As many dates as a window may have. */
    private static final int WINDOW_DATES = 10_000;

    static List<String> hostile() {
        String days = IntStream.rangeClosed(1, 366)
                .mapToObj(String::valueOf)
                .collect(Collectors.joining(","))
                .substring(0, 469);
        String clock = ";BYHOUR=" + numbers(24) + ";BYMINUTE=" + numbers(60) + ";BYSECOND=" + numbers(15);
        return List.of(
                "FREQ=SECONDLY",
                "FREQ=SECONDLY;COUNT=10000",
                "FREQ=SECONDLY;UNTIL=99991231T000000Z",
                "FREQ=SECONDLY;INTERVAL=366;BYSECOND=0",
                "FREQ=SECONDLY;INTERVAL=2;BYSECOND=0,2,4",
                "FREQ=SECONDLY;BYMONTH=2;BYMONTHDAY=30",
                "FREQ=SECONDLY;BYYEARDAY=-366;BYHOUR=23;BYMINUTE=59;BYSECOND=59",
                "FREQ=MINUTELY;INTERVAL=2;BYMINUTE=1;COUNT=10000",
                "FREQ=MINUTELY;INTERVAL=366;BYMONTHDAY=31;BYMONTH=4,6,9,11;UNTIL=99991231T000000Z",
                "FREQ=HOURLY;INTERVAL=24;BYHOUR=1",
                "FREQ=HOURLY;BYSETPOS=366;BYMINUTE=" + numbers(60),
                "FREQ=DAILY;COUNT=10000",
                "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO;COUNT=10000",
                "FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30;COUNT=10000",
                "FREQ=WEEKLY;BYDAY=MO;BYSETPOS=2;UNTIL=99991231T000000Z",
                "FREQ=MONTHLY;BYDAY=5MO;BYMONTHDAY=28",
                "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=1,-1" + clock,
                "FREQ=YEARLY;BYSETPOS=1,366,-366,-1;BYDAY=MO,TU,WE,TH,FR,SA,SU" + clock,
                "FREQ=YEARLY;COUNT=10000",
                "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;COUNT=10000",
                "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;UNTIL=99991231T000000Z",
                "FREQ=YEARLY;BYYEARDAY=" + days,
                "FREQ=YEARLY;COUNT=10000;BYSETPOS=366;BYYEARDAY=" + days.substring(0, 401),
                "FREQ=YEARLY;BYWEEKNO=53;BYDAY=SU;COUNT=10000",
                "FREQ=YEARLY;INTERVAL=366;BYWEEKNO=53;UNTIL=99991231T000000Z");
    }

    @BeforeAll
    static void warmUp() throws RuleSyntaxException {
        // The compiler's time is no rule's.
        for (int i = 0; i < 3; i++) {
            for (String rule : List.of("FREQ=SECONDLY;INTERVAL=7", "FREQ=DAILY;COUNT=2000", "FREQ=YEARLY")) {
                series(rule).isTooDense();
                series(rule).last();
                walk(series(rule).from(START));
            }
        }
    }

    @ParameterizedTest
    @MethodSource("hostile")
    void everyAnswerIsSoonThere(String rule) throws RuleSyntaxException {
        Recurrence series = series(rule);
        bounded("no dates", series, each -> each.hasDates() ? 1 : 0);
        bounded("its start", series, each -> each.makesStart() ? 1 : 0);
        bounded("density", series, each -> each.isTooDense() ? 1 : 0);
        bounded("last", series, each -> each.last().isPresent() ? 1 : 0);
        bounded("all", series, each -> walk(each.from(START)));
        for (int year : new int[] {1996, 2026, 9000, 9999}) {
            Instant from = Instant.parse(year + "-03-01T00:00:00Z");
            Instant to = Instant.parse(year + "-03-31T00:00:00Z");
            bounded("window of " + year, series, each -> walk(each.in(from, to, true)));
            Slot slot = new Slot(LocalDateTime.of(year, 12, 31, 23, 59, 59), false);
            bounded("slot of " + year, series, each -> each.makes(slot) ? 1 : 0);
        }
    }

    @Test
    void aWindowThirtyYearsOnLooksAtNoMoreThanOneAtTheStart() throws RuleSyntaxException {
        for (String rule : List.of(
                "FREQ=DAILY",
                "FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE,FR",
                "FREQ=MONTHLY;BYDAY=-1FR",
                "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2",
                "FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO",
                "FREQ=YEARLY;BYMONTH=1,4,7,10",
                "FREQ=HOURLY;INTERVAL=5;BYDAY=MO",
                "FREQ=MINUTELY;INTERVAL=90",
                "FREQ=DAILY;UNTIL=99991231T000000Z")) {
            int near = candidates(rule, START.plusYears(1));
            for (LocalDateTime far : List.of(START.plusYears(30), LocalDateTime.parse("9000-01-01T00:00"))) {
                assertThat(candidates(rule, far)).as("%s from %s", rule, far).isLessThanOrEqualTo(near * 5 / 4 + 5);
            }
        }
    }

    private static int candidates(String rule, LocalDateTime from) throws RuleSyntaxException {
        RuleDates dates = new RuleDates(series(rule).rule(), START, from, from.plusYears(1));
        while (dates.next() != null) {
            assertThat(dates.candidates()).isLessThan(RuleDates.MAX_CANDIDATES);
        }
        return dates.candidates();
    }

    private static int walk(Iterator<Recurrence.Occurrence> dates) {
        int count = 0;
        while (count < WINDOW_DATES && dates.hasNext()) {
            dates.next();
            count++;
        }
        return count;
    }

    private static void bounded(String name, Recurrence series, ToIntFunction<Recurrence> question) {
        long cpu = THREADS.getCurrentThreadCpuTime();
        long octets = THREADS.getCurrentThreadAllocatedBytes();
        int answer = question.applyAsInt(series);
        long octetsNow = THREADS.getCurrentThreadAllocatedBytes();
        long cpuNow = THREADS.getCurrentThreadCpuTime();
        assertThat(answer).as(name).isBetween(0, WINDOW_DATES);
        assertThat(cpuNow - cpu).as(name).isLessThan(CPU_NANOS);
        assertThat(octetsNow - octets).as(name).isLessThan(OCTETS);
    }

    private static Recurrence series(String rule) throws RuleSyntaxException {
        EventTime first = new EventTime(false, START, START.plusHours(1), ZONE, DurationMode.NOMINAL);
        return new Recurrence(first, RecurrenceRule.parse(rule, false, false), Set.of(), List.of(), null);
    }

    private static String numbers(int count) {
        return IntStream.range(0, count).mapToObj(String::valueOf).collect(Collectors.joining(","));
    }
}
