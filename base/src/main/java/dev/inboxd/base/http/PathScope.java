package dev.inboxd.base.http;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a caller may see of the pod or inbox that a path names. */
final class PathScope {
    private PathScope() {}

    /**
     * The scope of a request.
     *
     * @param ahead the look-ups of a path with an inbox
     * @throws Problem {@code forbidden}, {@code not_found}
     */
    static ScopeResolver.ResolvedScope of(
            Caller caller, Request request, ScopeResolver resolver, ScopeResolver.@Nullable ScopePrefetch ahead) {
        Level level = request.route().level();
        return switch (level) {
            case ROOT, ORGANIZATION -> new ScopeResolver.ResolvedScope(caller.view(), null);
            case ORGANIZATION_ITSELF -> {
                if (caller.scope() != Scope.ORGANIZATION) {
                    throw Problem.of(
                            ErrorCode.FORBIDDEN,
                            "Forbidden",
                            "This key is bound to one " + caller.scope().wireName()
                                    + "; use " + atOwnLevel(caller.scope(), request.route())
                                    + ", or a key of the organization.");
                }
                yield new ScopeResolver.ResolvedScope(caller.view(), null);
            }
            case ORGANIZATION_OR_POD -> {
                refuseInbox(caller);
                yield new ScopeResolver.ResolvedScope(caller.view(), null);
            }
            case POD -> {
                refuseInbox(caller); // pods are closed to an inbox credential, its own pod included
                yield resolver.narrow(caller, level, request.path("pod_id"));
            }
            case INBOX -> Objects.requireNonNull(ahead).resolve(caller);
        };
    }

    /** identity.md §5.4: pods are not for inbox credentials. */
    private static void refuseInbox(Caller caller) {
        if (caller.scope() == Scope.INBOX) {
            throw Problem.of(
                    ErrorCode.FORBIDDEN,
                    "Forbidden",
                    "This key is bound to one inbox; use the routes "
                            + "under /v0/inboxes/{inbox_id}, or a key of the pod or the organization.");
        }
    }

    /** The template of the same route at the level of the credential. */
    private static String atOwnLevel(Scope scope, Route route) {
        Level own = scope == Scope.POD ? Level.POD : Level.INBOX;
        return route.method() + " " + own.prefix()
                + route.template().substring(route.level().prefix().length());
    }
}
