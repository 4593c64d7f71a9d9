package dev.inboxd.platform.http;

import dev.inboxd.platform.page.PageSeal;
import dev.inboxd.platform.rate.RequestLimits;

/**
 * The checks of every request that other packages implement.
 *
 * @param authenticator finds credentials of keys
 * @param scopeResolver finds pods and inboxes
 * @param seal seals page tokens
 * @param limits counts requests of keys and addresses
 */
public record RequestGuards(
        Authenticator authenticator, ScopeResolver scopeResolver, PageSeal seal, RequestLimits limits) {}
