package dev.inboxd.base.http;

import dev.inboxd.base.access.Caller;
import org.jspecify.annotations.Nullable;

/** Is told of the requests of callers. */
public interface RequestObserver {
    /** Is told nothing. */
    RequestObserver NONE = new RequestObserver() {};

    /**
     * Called on the request's thread when its handler returned, before the answer is written. It must not throw.
     *
     * @param answer what the handler returned
     */
    default void handled(Request request, Response answer) {}

    /** Called when the answer was written, or could not be. It must be quick, and must not throw. */
    default void answered(AnsweredRequest request) {}

    /**
     * A request that was answered; it has nothing that the request said.
     *
     * @param route the template of its route
     * @param code the code of an error, or null
     * @param address where it came from
     */
    record AnsweredRequest(
            Caller caller,
            String id,
            Route route,
            int status,
            @Nullable String code,
            long millis,
            String address) {}
}
