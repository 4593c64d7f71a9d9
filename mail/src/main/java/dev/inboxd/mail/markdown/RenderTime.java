package dev.inboxd.mail.markdown;

/** Whether the time that a mail may take is over; the clock is looked at now and then. */
final class RenderTime {
    private static final long MOST_NANOS = 1_000_000_000L;
    private static final int MOST_STEPS = 256;

    private final long start = System.nanoTime();
    private int steps;
    private boolean over;

    /** The same, by the clock. */
    boolean isOverNow() {
        over |= System.nanoTime() - start > MOST_NANOS;
        return over;
    }

    boolean isOver() {
        if (!over && ++steps % MOST_STEPS == 0) {
            return isOverNow();
        }
        return over;
    }
}
