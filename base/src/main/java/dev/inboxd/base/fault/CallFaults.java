package dev.inboxd.base.fault;

import dev.inboxd.base.error.Problem;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What befalls calls because somebody who tests a program asked for it, in development (sandbox.md §6). */
@FunctionalInterface
public interface CallFaults {
    /** Nothing befalls any call, as in production. */
    CallFaults NONE = (_, _, _) -> CallFault.NOTHING;

    /**
     * What befalls a call, which counts as one of those that were asked for.
     *
     * @param template of its route
     */
    CallFault of(UUID organization, String method, String template);

    /**
     * What befalls one call.
     *
     * @param refusal in place of the answer of its route, which is not called; or null
     * @param isLost whether the connection ends in place of the answer
     * @param late how late the answer is
     */
    record CallFault(@Nullable Problem refusal, boolean isLost, Duration late) {
        /** A call that nothing befalls. */
        public static final CallFault NOTHING = new CallFault(null, false, Duration.ZERO);

        /** Both, of a call within a call. */
        public CallFault with(CallFault more) {
            return new CallFault(more.refusal, isLost || more.isLost, late.compareTo(more.late) < 0 ? more.late : late);
        }
    }
}
