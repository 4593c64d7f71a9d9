package dev.inboxd.mail.css;

/** Whether a condition of a style sheet holds. */
public enum CssTruth {
    NO,
    /** It is not read, or depends on what is not known. */
    MAYBE,
    YES;

    public CssTruth and(CssTruth operand) {
        return compareTo(operand) < 0 ? this : operand;
    }

    CssTruth or(CssTruth operand) {
        return compareTo(operand) > 0 ? this : operand;
    }

    CssTruth not() {
        return this == MAYBE ? MAYBE : this == YES ? NO : YES;
    }

    static CssTruth of(boolean holds) {
        return holds ? YES : NO;
    }
}
