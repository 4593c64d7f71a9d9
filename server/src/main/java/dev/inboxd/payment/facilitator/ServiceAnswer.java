package dev.inboxd.payment.facilitator;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What came of a request to a service of the operator's. */
sealed interface ServiceAnswer {
    /**
     * A whole answer.
     *
     * @param json the object that it is; null when it is none
     */
    record Answered(int status, @Nullable Map<?, ?> json) implements ServiceAnswer {
        boolean isSuccessful() {
            return status >= 200 && status < 300;
        }
    }

    /**
     * The request surely did not reach the service.
     *
     * @param detail for the log
     */
    record Unsent(String detail) implements ServiceAnswer {}

    /**
     * The request may have reached the service, and no whole answer came back.
     *
     * @param detail for the log
     */
    record Lost(String detail) implements ServiceAnswer {}

    /** The answer in words, for the log. */
    default String detail() {
        return switch (this) {
            case Answered answered -> "status " + answered.status + " without an answer to the question";
            case Unsent(String detail) -> detail;
            case Lost(String detail) -> detail;
        };
    }
}
