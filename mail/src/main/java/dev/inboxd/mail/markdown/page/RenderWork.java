package dev.inboxd.mail.markdown.page;

/**
 * The work that writing a mail may cost. It is counted where it is done, and not measured: the same mail costs the same
 * each time, whatever else the machine does. Used by one thread.
 */
public final class RenderWork {
    /** About a second of one processor: a step is a character that is written, or a node that is looked at. */
    private static final long MOST = 20_000_000;

    private long left;

    private RenderWork(long left) {
        this.left = left;
    }

    /** That of one mail. */
    public static RenderWork ofMail() {
        return new RenderWork(MOST);
    }

    /** Without a bound, for what is in proportion to the mail whatever stands in it. */
    public static RenderWork unbounded() {
        return new RenderWork(Long.MAX_VALUE);
    }

    /** Counts some steps. */
    public void spend(long steps) {
        left -= steps;
    }

    /** Whether more was done than a mail may cost. */
    public boolean isOver() {
        return left < 0;
    }
}
