package dev.inboxd.base.http;

import dev.inboxd.base.fault.CallFaults;
import dev.inboxd.base.page.PageSeal;
import dev.inboxd.base.rate.RequestLimits;

/**
 * The checks of every request that other packages implement.
 *
 * @param authenticator finds credentials of keys
 * @param scopeResolver finds pods and inboxes
 * @param seal seals page tokens
 * @param limits counts requests of keys and addresses
 * @param observer is told of requests
 * @param faults what befalls calls in development
 */
public record RequestGuards(
        Authenticator authenticator,
        ScopeResolver scopeResolver,
        PageSeal seal,
        RequestLimits limits,
        RequestObserver observer,
        CallFaults faults) {
    /** Guards of requests that nobody is told of. */
    public RequestGuards(
            Authenticator authenticator, ScopeResolver scopeResolver, PageSeal seal, RequestLimits limits) {
        this(authenticator, scopeResolver, seal, limits, RequestObserver.NONE, CallFaults.NONE);
    }
}
