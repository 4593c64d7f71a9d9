package dev.inboxd.base.http;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Role;
import java.util.Set;

/**
 * The role that a call takes of a person, whatever flags the person holds (identity.md §17): what is not known to change
 * nothing takes the highest. Credentials that are no person's have no role.
 */
final class RouteRole {
    /** Calls by another method than GET that change nothing of the organization. */
    private static final Set<String> OPEN = Set.of(
            "POST /mcp", // each call of a tool is looked at as what it is
            "POST /v0/inboxes/{inbox_id}/messages/batch-get",
            "POST /console/session/renew",
            "DELETE /console/session",
            "DELETE /console/sessions",
            "DELETE /console/sessions/{session_id}");

    private RouteRole() {}

    /**
     * Refuses a person whose role is not enough for a route.
     *
     * @throws dev.inboxd.base.error.Problem {@code missing_permission}
     */
    static void require(Caller caller, Route route) {
        caller.require(of(route));
    }

    /** Whether a person's role is enough for a route. */
    static boolean isEnough(Caller caller, Route route) {
        return caller.role().covers(of(route));
    }

    private static Role of(Route route) {
        boolean isOpen = route.method().equals("GET") || OPEN.contains(route.method() + " " + route.template());
        return isOpen ? Role.READ : Role.isDecision(route.access()) ? Role.APPROVE : Role.OWN;
    }
}
