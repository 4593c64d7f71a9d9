package dev.inboxd.base.http;

import dev.inboxd.base.http.proxy.HostRule;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What web pages may do with a port that needs no key for some of what it has. A developer's browser reaches a server
 * on loopback, and so does every page that it shows.
 *
 * @param hosts by which the port may be called
 * @param origins of pages that may use what is closed to others ({@link OwnPages}), beside those of this machine; null
 *     for any
 * @param remedy what an operator does whose own name is refused
 */
public record PageRule(HostRule hosts, @Nullable Set<String> origins, String remedy) {
    /** No rule: what is served to everybody is for every page, too. */
    public static final PageRule NONE = new PageRule(HostRule.ANY, null, "");

    public PageRule {
        origins = origins == null ? null : Set.copyOf(origins);
    }

    /** Whether a page of this origin is somebody else's. A program sends no origin. */
    boolean isForeign(@Nullable String origin) {
        return origins != null && origin != null && !origins.contains(origin) && !HostRule.isLocalOrigin(origin);
    }
}
