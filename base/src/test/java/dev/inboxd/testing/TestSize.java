package dev.inboxd.testing;

/** Which of its two sizes a test has: the one that notices a regression, or the whole (./inboxd test --everything). */
public final class TestSize {
    private static final boolean WHOLE = Boolean.getBoolean("inboxd.test.everything");

    private TestSize() {}

    /** Whether everything is tested. */
    public static boolean isWhole() {
        return WHOLE;
    }

    /** The first in the short form, the second in the long one. */
    public static int of(int few, int all) {
        return WHOLE ? all : few;
    }
}
