package dev.inboxd.mail.recurrence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules as they are read, written and refused. */
class RecurrenceRuleTest {
    private static final ZoneId NEW_YORK = ZoneId.of("America/New_York");

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "RRULE:FREQ=DAILY | FREQ=DAILY",
                "rrule:freq=weekly;byday=mo,we | FREQ=WEEKLY;BYDAY=MO,WE",
                "COUNT=3;FREQ=DAILY;INTERVAL=1 | FREQ=DAILY;COUNT=3;INTERVAL=1",
                "FREQ=WEEKLY;BYDAY=SU,MO,SU;WKST=su; | FREQ=WEEKLY;BYDAY=MO,SU;WKST=SU",
                "FREQ=MONTHLY;BYDAY=-1SU,+1SU,MO,2TU | FREQ=MONTHLY;BYDAY=MO,1SU,2TU,-1SU",
                "FREQ=MONTHLY;BYMONTHDAY=-1,31,-3,+01,1 | FREQ=MONTHLY;BYMONTHDAY=1,31,-3,-1",
                "FREQ=YEARLY;BYMONTH=07,6 | FREQ=YEARLY;BYMONTH=6,7",
                "FREQ=MINUTELY;BYSECOND=60,0,59 | FREQ=MINUTELY;BYSECOND=0,59",
                "FREQ=DAILY;UNTIL=20271231t170000z | FREQ=DAILY;UNTIL=20271231T170000Z",
                "FREQ=SECONDLY;INTERVAL=366;COUNT=10000 | FREQ=SECONDLY;INTERVAL=366;COUNT=10000",
                "FREQ=HOURLY;BYYEARDAY=-366,1;BYMONTHDAY=3;BYSETPOS=-366 | "
                        + "FREQ=HOURLY;BYYEARDAY=1,-366;BYMONTHDAY=3;BYSETPOS=-366",
            })
    void aRuleIsNormalised(String text, String normal) throws RuleSyntaxException {
        RecurrenceRule rule = RecurrenceRule.parse(text, false, false);
        assertThat(rule.text()).isEqualTo(normal);
        assertThat(RecurrenceRule.parse(normal, false, false)).isEqualTo(rule).hasToString(normal);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'' | FREQ is missing",
                "RRULE: | FREQ is missing",
                "COUNT=3 | FREQ is missing; begin the rule with one, such as FREQ=WEEKLY",
                "FREQ | \"FREQ\" is no part of a rule; write NAME=VALUE",
                "FREQ= | FREQ has no value",
                "FREQ=FORTNIGHTLY | FREQ is one of YEARLY",
                "FREQ=DAILY;FREQ=DAILY | FREQ is there twice; keep one",
                "FREQ=DAILY;COUNT=3;count=4 | COUNT is there twice; keep one",
                "FREQ=DAILY;BYEASTER=0 | a part \"BYEASTER\" that is not known; leave it out",
                "FREQ=DAILY;X-A=1 | a part \"X-A\" that is not known",
                "FREQ=DAILY;RSCALE=CHINESE | a part \"RSCALE\" that is not known",
                "FREQ=DAILY;=1 | is no part of a rule",
                "FREQ=DAILY; COUNT=3 | A rule has no blanks",
                "FREQ=DAıLY | only ASCII",
                "FREQ=DAILY;INTERVAL=0 | INTERVAL takes whole numbers, 1 to 366, not \"0\"",
                "FREQ=DAILY;INTERVAL=367 | 1 to 366",
                "FREQ=DAILY;INTERVAL=1,2 | INTERVAL takes one number",
                "FREQ=DAILY;COUNT=0 | 1 to 10000",
                "FREQ=DAILY;COUNT=10001 | 1 to 10000",
                "FREQ=DAILY;COUNT=-1 | 1 to 10000",
                "FREQ=DAILY;COUNT=99999999999999999999 | 1 to 10000",
                "FREQ=DAILY;COUNT=٣ | only ASCII",
                "FREQ=DAILY;COUNT=3;UNTIL=20271231T170000Z | COUNT and UNTIL exclude one another",
                "FREQ=DAILY;UNTIL=20271231T170000 | a time in UTC, such as 20271231T170000Z",
                "FREQ=DAILY;UNTIL=20270229T170000Z | a time in UTC",
                "FREQ=DAILY;UNTIL=20271231T170000ZZ | a time in UTC",
                "FREQ=DAILY;WKST=1MO | WKST takes the days",
                "FREQ=DAILY;BYMONTH=13 | BYMONTH takes whole numbers, 1 to 12",
                "FREQ=DAILY;BYMONTH=-1 | 1 to 12",
                "FREQ=DAILY;BYMONTH=1,,2 | not \"\"",
                "FREQ=DAILY;BYMONTH=1, | not \"\"",
                "FREQ=YEARLY;BYWEEKNO=54 | 1 to 53 or -1 to -53",
                "FREQ=YEARLY;BYYEARDAY=0 | 1 to 366 or -1 to -366",
                "FREQ=MONTHLY;BYMONTHDAY=-32 | 1 to 31 or -1 to -31",
                "FREQ=MONTHLY;BYMONTHDAY=1-2 | BYMONTHDAY takes whole numbers",
                "FREQ=MONTHLY;BYMONTHDAY=--2 | BYMONTHDAY takes whole numbers",
                "FREQ=DAILY;BYHOUR=24 | 0 to 23",
                "FREQ=DAILY;BYMINUTE=60 | 0 to 59",
                "FREQ=DAILY;BYSECOND=61 | 0 to 60",
                "FREQ=MONTHLY;BYDAY=MO;BYSETPOS=367 | 1 to 366 or -1 to -366",
                "FREQ=MONTHLY;BYDAY=0MO | BYDAY takes whole numbers",
                "FREQ=MONTHLY;BYDAY=54MO | BYDAY takes whole numbers",
                "FREQ=WEEKLY;BYDAY=M | BYDAY takes the days MO, TU",
                "FREQ=WEEKLY;BYDAY= | BYDAY has no value",
                "FREQ=MONTHLY;BYWEEKNO=3 | BYWEEKNO needs FREQ=YEARLY",
                "FREQ=DAILY;BYYEARDAY=3 | BYYEARDAY does not go with FREQ=DAILY",
                "FREQ=WEEKLY;BYYEARDAY=3 | BYYEARDAY does not go with FREQ=WEEKLY",
                "FREQ=MONTHLY;BYYEARDAY=3 | BYYEARDAY does not go with FREQ=MONTHLY",
                "FREQ=WEEKLY;BYMONTHDAY=3 | BYMONTHDAY does not go with FREQ=WEEKLY; use FREQ=MONTHLY",
                "FREQ=WEEKLY;BYDAY=1MO | only with FREQ=MONTHLY or YEARLY; leave it out",
                "FREQ=HOURLY;BYDAY=-1MO | only with FREQ=MONTHLY or YEARLY",
                "FREQ=YEARLY;BYWEEKNO=3;BYDAY=1MO | beside BYWEEKNO; leave the number out",
                "FREQ=DAILY;BYSETPOS=1 | BYSETPOS chooses among the dates of another BY part; add one",
            })
    void aRuleThatIsNotTakenIsRefusedWithCauseAndRemedy(String text, String reason) {
        assertThatThrownBy(() -> RecurrenceRule.parse(text, false, false))
                .isInstanceOf(RuleSyntaxException.class)
                .hasMessageContaining(reason);
        assertThatThrownBy(() -> RecurrenceRule.parse(text, true, false)).isInstanceOf(RuleSyntaxException.class);
    }

    /** RFC 7529 §4: these say what holds without them. */
    @ParameterizedTest
    @ValueSource(strings = {"RSCALE=GREGORIAN;FREQ=DAILY;COUNT=3", "FREQ=DAILY;SKIP=OMIT;COUNT=3;rscale=gregorian"})
    void theGregorianCalendarMayBeNamed(String text) throws RuleSyntaxException {
        assertThat(RecurrenceRule.parse(text, false, false).text()).isEqualTo("FREQ=DAILY;COUNT=3");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "FREQ=DAILY;UNTIL=20271231 | FREQ=DAILY;UNTIL=20271231 | ''",
                "FREQ=DAILY;UNTIL=20271231T235959Z | FREQ=DAILY;UNTIL=20271231 | UNTIL of an all-day event is a date",
                "FREQ=DAILY;BYHOUR=9;BYMINUTE=0;BYSECOND=1 | FREQ=DAILY | needs a time; leave it out",
                "FREQ=DAILY;BYHOUR=9;BYSETPOS=1 | FREQ=DAILY | BYHOUR needs a time",
                "FREQ=WEEKLY;BYDAY=MO,TU;BYHOUR=9;BYSETPOS=1 | FREQ=WEEKLY;BYDAY=MO,TU;BYSETPOS=1 | BYHOUR needs",
            })
    void whatAnAllDayEventCannotUseIsRefusedOrIgnoredInMail(String text, String inMail, String reason)
            throws RuleSyntaxException {
        assertThat(RecurrenceRule.parse(text, true, true).text()).isEqualTo(inMail);
        assertThat(RecurrenceRule.parse(inMail, true, false).text()).isEqualTo(inMail);
        if (!reason.isEmpty()) {
            assertThatThrownBy(() -> RecurrenceRule.parse(text, true, false)).hasMessageContaining(reason);
        }
    }

    @Test
    void anAllDayEventRepeatsAtMostDaily() {
        for (boolean lenient : new boolean[] {false, true}) {
            assertThatThrownBy(() -> RecurrenceRule.parse("FREQ=HOURLY", true, lenient))
                    .hasMessage("An all-day event repeats DAILY, WEEKLY, MONTHLY or YEARLY; give it a time for HOURLY");
        }
    }

    @Test
    void mailMayEndARuleAtALocalTimeOrDay() throws RuleSyntaxException {
        assertThat(RecurrenceRule.parse("FREQ=DAILY;UNTIL=20271231T090000", false, true))
                .hasToString("FREQ=DAILY;UNTIL=20271231T090000");
        assertThatThrownBy(() -> RecurrenceRule.parse("FREQ=DAILY;UNTIL=20271231", false, false))
                .hasMessageContaining("a time in UTC");
        RecurrenceRule day = RecurrenceRule.parse("FREQ=DAILY;UNTIL=20271231", false, true);
        assertThat(day).hasToString("FREQ=DAILY;UNTIL=20271231T235959");
        assertThat(RecurrenceRule.parse(day.text(), false, true)).isEqualTo(day);
    }

    @Test
    void theNormalFormHas512Characters() throws RuleSyntaxException {
        String days = IntStream.rangeClosed(1, 366).mapToObj(String::valueOf).collect(Collectors.joining(","));
        assertThatThrownBy(() -> RecurrenceRule.parse("FREQ=YEARLY;BYYEARDAY=" + days, false, false))
                .hasMessage("A rule has at most 512 characters; use fewer values");
        assertThatThrownBy(() -> RecurrenceRule.parse("FREQ=DAILY;BYMONTH=" + "1,".repeat(100_000), false, false))
                .hasMessageContaining("at most 512 characters");
        String most = "FREQ=YEARLY;BYYEARDAY=" + days.substring(0, 512 - 22 - 4) + ",366";
        assertThat(RecurrenceRule.parse(most, false, false).text().length()).isBetween(500, 512);
        assertThat(RecurrenceRule.parse("FREQ=DAILY;BYMONTH=1" + ",01".repeat(500), false, false))
                .hasToString("FREQ=DAILY;BYMONTH=1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "FREQ=DAILY | FREQ=DAILY;UNTIL=20261007T125959Z",
                "FREQ=DAILY;COUNT=100;INTERVAL=2 | FREQ=DAILY;INTERVAL=2;UNTIL=20261007T125959Z",
                "FREQ=DAILY;UNTIL=20270101T000000Z;INTERVAL=2 | FREQ=DAILY;UNTIL=20261007T125959Z;INTERVAL=2",
                "FREQ=DAILY;UNTIL=20261007T130000Z | FREQ=DAILY;UNTIL=20261007T125959Z",
                "FREQ=DAILY;UNTIL=20261007T125900Z | FREQ=DAILY;UNTIL=20261007T125900Z",
            })
    void aRuleEndsBeforeADate(String text, String shortened) throws RuleSyntaxException {
        RecurrenceRule rule = RecurrenceRule.parse(text, false, false)
                .endingBefore(LocalDateTime.parse("2026-10-07T09:00"), NEW_YORK);
        assertThat(rule).hasToString(shortened);
        assertThat(rule.isFinite()).isTrue();
        assertThat(RecurrenceRule.parse(shortened, false, false)).isEqualTo(rule);
    }

    @Test
    void anAllDayRuleEndsOnTheDayBefore() throws RuleSyntaxException {
        RecurrenceRule rule = RecurrenceRule.parse("FREQ=DAILY", true, false);
        assertThat(rule.isFinite()).isFalse();
        assertThat(rule.endingBefore(LocalDateTime.parse("2026-03-01T00:00"), NEW_YORK))
                .hasToString("FREQ=DAILY;UNTIL=20260228");
    }
}
