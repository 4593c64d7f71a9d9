package dev.inboxd.base.http;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.error.Problem;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What befalls calls because somebody who tests a program asked for it, in development (sandbox.md §6). */
@FunctionalInterface
public interface CallFaults {
    /** Nothing befalls any call, as in production. */
    CallFaults NONE = (_, _) -> CallFault.NOTHING;

    /** What befalls a call, which counts as one of those that were asked for. */
    CallFault of(Caller caller, Route route);

    /**
     * What befalls one call.
     *
     * @param refusal in place of the answer of its route, which is not called; or null
     * @param isLost whether the connection ends in place of the answer
     * @param late how late the answer is
     */
    record CallFault(@Nullable Refusal refusal, boolean isLost, Duration late) {
        /** A call that nothing befalls. */
        public static final CallFault NOTHING = new CallFault(null, false, Duration.ZERO);

        /** Both, of a call within a call. */
        CallFault with(CallFault more) {
            return new CallFault(
                    more.refusal, isLost || more.isLost, late.compareTo(more.late) < 0 ? more.late : late);
        }
    }

    /**
     * An answer in place of that of the route.
     *
     * @param status in place of the status of the problem
     */
    record Refusal(Problem problem, int status) {}
}
