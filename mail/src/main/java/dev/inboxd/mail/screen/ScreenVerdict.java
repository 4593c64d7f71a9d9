package dev.inboxd.mail.screen;

import java.util.List;

/**
 * What the screen makes of a mail. It is advice: a clear verdict is no promise.
 *
 * @param review whether somebody should look at the mail before an agent does
 * @param reasons the most telling first, at most eight, empty when clear; never with words of the mail
 */
public record ScreenVerdict(boolean review, List<ScreenReason> reasons) {
    /** Most reasons that are told. */
    public static final int MAX_REASONS = 8;

    /** The verdict on a mail in which nothing was found. */
    public static final ScreenVerdict CLEAR = new ScreenVerdict(false, List.of());

    /** The verdict on a mail that could not be judged: it is looked at. */
    public static final ScreenVerdict FAILED = new ScreenVerdict(true, List.of(ScreenReason.SCAN_FAILED));

    public ScreenVerdict {
        reasons = List.copyOf(reasons);
    }
}
