package dev.inboxd.move;

/**
 * How far a move is. A process that is killed behind any of these steps leaves at most one copy that sends, and the
 * same command goes on.
 */
public enum MoveStep {
    /** The target has its tables, and a mark that keeps services away. */
    BEGUN("copying while the service runs"),
    /** Most rows and blobs are copied. */
    COPIED("holding what leaves"),
    /** Nothing leaves the source any more. */
    HELD("copying what changed"),
    /** Nothing is written in the source any more. */
    READ_ONLY("copying the last changes"),
    /** Both have the same rows, by counts and digests. */
    VERIFIED("both are the same"),
    /** The target is held, and has its store. */
    SETTLED("marking the source as moved"),
    /** The source has moved: no process runs it from now on. */
    MARKED("opening the target"),
    /** A service starts on the target, and holds what leaves. */
    OPENED("letting everything leave from the target"),
    /** What is due leaves from the target. */
    RESUMED("done");

    private final String next;

    MoveStep(String next) {
        this.next = next;
    }

    /** What is done after it, for people. */
    public String next() {
        return next;
    }
}
