package dev.inboxd.mail.calendar;

import static dev.inboxd.mail.calendar.CalendarFiles.read;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.recurrence.EventTime;
import java.time.LocalDateTime;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Outlook writes days as times from midnight to midnight, with a mark. */
class OutlookDaysTest {
    private static final String MARK = "X-MICROSOFT-CDO-ALLDAYEVENT:TRUE";
    private static final String START = "DTSTART;TZID=Eastern Standard Time:20270503T000000";

    @ParameterizedTest
    @CsvSource({
        "DTEND;TZID=Eastern Standard Time:20270505T000000, 2027-05-04",
        "DTEND;TZID=Eastern Standard Time:20270504T000000, 2027-05-03",
        "DURATION:P1D, 2027-05-03",
        "SUMMARY:No end, 2027-05-03"
    })
    void fromMidnightToMidnightIsAllDay(String end, String last) {
        EventTime time = Objects.requireNonNull(read(START, end, MARK).time());
        assertThat(time.allDay()).isTrue();
        assertThat(time.start()).isEqualTo(LocalDateTime.parse("2027-05-03T00:00:00"));
        assertThat(time.end()).isEqualTo(LocalDateTime.parse(last + "T00:00:00"));
        assertThat(read(START, end, "X-MICROSOFT-MSNCALENDAR-ALLDAYEVENT:true").time())
                .isEqualTo(time);
    }

    @ParameterizedTest
    @CsvSource({
        "DTEND;TZID=Eastern Standard Time:20270503T100000, X-MICROSOFT-CDO-ALLDAYEVENT:TRUE",
        "DURATION:PT24H, X-MICROSOFT-CDO-ALLDAYEVENT:TRUE",
        "DTEND;TZID=Eastern Standard Time:20270504T000000, X-MICROSOFT-CDO-ALLDAYEVENT:FALSE",
        "DTEND;TZID=Eastern Standard Time:20270504T000000, X-OTHER:TRUE"
    })
    void otherTimesAndOtherEventsHaveTimesOfDay(String end, String mark) {
        assertThat(Objects.requireNonNull(read(START, end, mark).time()).allDay())
                .isFalse();
    }

    @Test
    void theDatesOfASeriesAreDaysToo() {
        ReadEvent series = read(
                START,
                "DTEND;TZID=Eastern Standard Time:20270504T000000",
                "RRULE:FREQ=WEEKLY;COUNT=4",
                "EXDATE;TZID=Eastern Standard Time:20270510T000000,20270517T000000",
                MARK);
        assertThat(series.exdates())
                .containsExactly(
                        LocalDateTime.parse("2027-05-10T00:00:00"), LocalDateTime.parse("2027-05-17T00:00:00"));
        ReadEvent date = read(
                START,
                "DTEND;TZID=Eastern Standard Time:20270504T000000",
                "RECURRENCE-ID;TZID=Eastern Standard Time:20270503T000000",
                MARK);
        assertThat(date.recurrenceId()).extracting(EventTime::allDay).isEqualTo(true);
    }
}
