package dev.inboxd.mail.recurrence;

import java.util.EnumSet;
import java.util.Set;

/** Which parts of a rule go together (RFC 5545 §3.3.10). */
final class RuleCombinations {
    private static final Set<RulePart> SETS = EnumSet.range(RulePart.BYMONTH, RulePart.BYSECOND);

    private RuleCombinations() {}

    /** Refuses a rule whose parts do not go together. */
    static void check(RuleReader rule) throws RuleSyntaxException {
        Frequency frequency = rule.frequency();
        RuleReader.check(
                !rule.has(RulePart.COUNT) || !rule.has(RulePart.UNTIL),
                "COUNT and UNTIL exclude one another; keep the one that ends the series");
        RuleReader.check(
                !rule.has(RulePart.BYWEEKNO) || frequency == Frequency.YEARLY,
                "BYWEEKNO needs FREQ=YEARLY; use BYDAY or BYMONTHDAY with %s".formatted(frequency));
        RuleReader.check(
                !rule.has(RulePart.BYYEARDAY) || frequency == Frequency.YEARLY || frequency.isWithinDay(),
                "BYYEARDAY does not go with FREQ=%s; use FREQ=YEARLY".formatted(frequency));
        RuleReader.check(
                !rule.has(RulePart.BYMONTHDAY) || frequency != Frequency.WEEKLY,
                "BYMONTHDAY does not go with FREQ=WEEKLY; use FREQ=MONTHLY");
        if (rule.days().stream().anyMatch(day -> day.ordinal() != 0)) {
            RuleReader.check(
                    frequency == Frequency.YEARLY || frequency == Frequency.MONTHLY,
                    "BYDAY takes days with a number, such as 2MO, only with FREQ=MONTHLY or YEARLY; leave it out");
            RuleReader.check(
                    !rule.has(RulePart.BYWEEKNO),
                    "BYDAY takes no days with a number beside BYWEEKNO; leave the number out");
        }
        RuleReader.check(
                !rule.has(RulePart.BYSETPOS) || hasSet(rule),
                "BYSETPOS chooses among the dates of another BY part; add one, such as BYDAY=MO,TU");
    }

    /** Whether there is a part that BYSETPOS can choose from. */
    static boolean hasSet(RuleReader rule) {
        return SETS.stream().anyMatch(rule::has);
    }
}
