package dev.inboxd.observe.audit;

import dev.inboxd.base.http.Request;
import org.jspecify.annotations.Nullable;

/**
 * Where a change came from.
 *
 * @param address of the caller, without a port; null for a command of the operator
 * @param request the id of the request; null when there was none
 */
public record AuditSource(
        @Nullable String address, @Nullable String request) {
    /** No request: the operator's commands, and what the service does by itself. */
    public static final AuditSource NONE = new AuditSource(null, null);

    /** The source of a request. */
    public static AuditSource of(Request request) {
        String address = request.remoteAddress();
        return new AuditSource(address.isEmpty() ? null : address, request.id());
    }
}
