package dev.inboxd.platform.http;

import dev.inboxd.platform.page.PageSeal;
import dev.inboxd.platform.rate.RequestLimits;

/**
 * What the features bring to every request.
 *
 * @param authenticator knows the keys
 * @param scopeResolver knows the pods and inboxes
 * @param seal seals page tokens
 * @param limits knows how often keys and addresses have called
 */
public record RequestGuards(
        Authenticator authenticator, ScopeResolver scopeResolver, PageSeal seal, RequestLimits limits) {}
