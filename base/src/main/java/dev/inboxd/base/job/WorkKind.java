package dev.inboxd.base.job;

import java.time.Duration;
import java.util.UUID;

/**
 * A kind of work that is found organization by organization.
 *
 * @param name as in the column {@code due_work.kind}
 * @param next SQL, without parentheses, for when the next work of {@code {organization}} is due: one row, or none. It
 *     leaves out what must wait for somebody, such as mail of an organization that is stopped
 * @param pace how often, and how much at a time
 * @param worker takes up what is due of an organization; never called for one organization twice at once
 */
public record WorkKind(String name, String next, Pace pace, Worker worker) {
    /**
     * How often work is taken up.
     *
     * @param interval how long work that could not be taken up is left alone
     * @param atOnce organizations that a node works on at a time
     * @param isPatient whether it waits for a look at the change, since what is urgent of it has a hint of its own
     */
    public record Pace(Duration interval, int atOnce, boolean isPatient) {
        /** Of work that is taken up as soon as it is due. */
        public static Pace of(Duration interval, int atOnce) {
            return new Pace(interval, atOnce, false);
        }

        /** Of work that waits for a look at the change. */
        public static Pace patient(Duration interval, int atOnce) {
            return new Pace(interval, atOnce, true);
        }
    }

    /** Does work. */
    @FunctionalInterface
    public interface Worker {
        /** Claims and does what is due of an organization; a failure is logged, and the work is found again. */
        void run(UUID organization);

        /** Whether none of it is done now, of any organization, so that nobody need look for it. */
        default boolean isHeld() {
            return false;
        }
    }
}
