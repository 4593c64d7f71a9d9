package dev.inboxd.observe.audit;

import dev.inboxd.base.http.ChangeNote;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the audit log has of a route.
 *
 * @param action what was done
 * @param target the member of the answer, or the parameter of the path, that names what was changed; null for the
 *     organization
 * @param kind when there is an entry, and how
 * @param alternative what else a success may have done; null when there is nothing else
 */
record AuditRoute(
        AuditAction action,
        @Nullable String target,
        Kind kind,
        @Nullable AuditAction alternative) {
    /** When there is an entry. */
    enum Kind {
        /** Every success, but for one of which the handler says that it changed nothing. */
        SUCCESS,
        /** What the handler says to be a change. */
        SAID,
        /** Those of a minute are one entry. */
        COUNTED
    }

    private record Rule(String method, String end, AuditRoute route) {}

    /** By method and end of the template; the first that fits counts. */
    private static final List<Rule> RULES = List.of(
            rule("POST", "/api-keys", AuditAction.API_KEY_CREATED, "api_key_id"),
            rule("PATCH", "/api-keys/{api_key_id}", AuditAction.API_KEY_UPDATED, "api_key_id"),
            or(
                    AuditAction.SIGN_IN_KEY_DELETED,
                    rule("DELETE", "/api-keys/{api_key_id}", AuditAction.API_KEY_DELETED, "api_key_id")),
            rule("POST", "/connect", AuditAction.SIGN_IN_KEY_CREATED, "api_key_id"),
            rule("POST", "/authorize", AuditAction.SIGN_IN_KEY_CREATED, "api_key_id"),
            // The same client_id gets another token for the same webhook.
            or(
                    AuditAction.WEBHOOK_SECRET_ROTATED,
                    rule("POST", "/webhooks/polling", AuditAction.WEBHOOK_CREATED, "webhook_id")),
            rule("DELETE", "/webhooks/polling/{webhook_id}", AuditAction.WEBHOOK_DELETED, "webhook_id"),
            rule("POST", "/webhooks", AuditAction.WEBHOOK_CREATED, "webhook_id"),
            rule("PATCH", "/webhooks/{webhook_id}", AuditAction.WEBHOOK_UPDATED, "webhook_id"),
            rule("PATCH", "/webhooks/{webhook_id}/headers", AuditAction.WEBHOOK_UPDATED, "webhook_id"),
            rule("POST", "/webhooks/{webhook_id}/secret/rotate", AuditAction.WEBHOOK_SECRET_ROTATED, "webhook_id"),
            rule("DELETE", "/webhooks/{webhook_id}", AuditAction.WEBHOOK_DELETED, "webhook_id"),
            rule("POST", "/domains", AuditAction.DOMAIN_CREATED, "domain_id"),
            rule("PATCH", "/domains/{domain_id}", AuditAction.DOMAIN_UPDATED, "domain_id"),
            rule("DELETE", "/domains/{domain_id}", AuditAction.DOMAIN_DELETED, "domain_id"),
            rule("POST", "/inboxes", AuditAction.INBOX_CREATED, "inbox_id"),
            rule("PATCH", "/inboxes/{inbox_id}", AuditAction.INBOX_UPDATED, "inbox_id"),
            rule("DELETE", "/inboxes/{inbox_id}", AuditAction.INBOX_DELETED, "inbox_id"),
            rule("POST", "/lists/{direction}/{type}", AuditAction.LIST_ENTRY_CREATED, "entry"),
            rule("DELETE", "/lists/{direction}/{type}/{entry}", AuditAction.LIST_ENTRY_DELETED, "entry"),
            rule("POST", "/pods", AuditAction.POD_CREATED, "pod_id"),
            rule("PATCH", "/pods/{pod_id}", AuditAction.POD_UPDATED, "pod_id"),
            rule("DELETE", "/pods/{pod_id}", AuditAction.POD_DELETED, "pod_id"),
            rule("PATCH", "/v0/organizations", AuditAction.ORGANIZATION_UPDATED, null),
            rule("POST", "/v0/organizations/stop", AuditAction.ORGANIZATION_STOPPED, null),
            rule("POST", "/v0/organizations/resume", AuditAction.ORGANIZATION_RESUMED, null),
            rule("POST", "/v0/pods/{pod_id}/stop", AuditAction.POD_STOPPED, "pod_id"),
            rule("POST", "/v0/pods/{pod_id}/resume", AuditAction.POD_RESUMED, "pod_id"),
            said(rule("PATCH", "/drafts/{draft_id}", AuditAction.DRAFT_UPDATED, "draft_id")),
            said(rule("DELETE", "/drafts/{draft_id}", AuditAction.DRAFT_WITHDRAWN, "draft_id")),
            said(rule("POST", "/drafts/{draft_id}/approve", AuditAction.DRAFT_APPROVED, "draft_id")),
            rule("POST", "/drafts/{draft_id}/reject", AuditAction.DRAFT_REJECTED, "draft_id"),
            rule("DELETE", "/approval-exemptions/{address}", AuditAction.APPROVAL_EXEMPTION_DELETED, "address"),
            rule("POST", "/messages/{message_id}/release", AuditAction.MESSAGE_RELEASED, "message_id"),
            said(rule("POST", "/claim", AuditAction.CLAIM_BROKEN, "thread_id")),
            rule("DELETE", "/claim", AuditAction.CLAIM_BROKEN, "thread_id"),
            counted(rule("DELETE", "/messages/{message_id}", AuditAction.MESSAGE_DELETED, "inbox_id")),
            counted(rule("DELETE", "/threads/{thread_id}", AuditAction.THREAD_DELETED, "inbox_id")),
            rule("POST", "/calendar/feed", AuditAction.CALENDAR_FEED_CREATED, "inbox_id"),
            said(rule("DELETE", "/calendar/feed", AuditAction.CALENDAR_FEED_DELETED, "inbox_id")));

    private static Rule rule(String method, String end, AuditAction action, @Nullable String target) {
        return new Rule(method, end, new AuditRoute(action, target, Kind.SUCCESS, null));
    }

    private static Rule said(Rule rule) {
        AuditRoute route = rule.route;
        return new Rule(rule.method, rule.end, new AuditRoute(route.action, route.target, Kind.SAID, null));
    }

    private static Rule counted(Rule rule) {
        AuditRoute route = rule.route;
        return new Rule(rule.method, rule.end, new AuditRoute(route.action, route.target, Kind.COUNTED, null));
    }

    private static Rule or(AuditAction alternative, Rule rule) {
        AuditRoute route = rule.route;
        return new Rule(rule.method, rule.end, new AuditRoute(route.action, route.target, route.kind, alternative));
    }

    /** What the log has of a route; null when it has nothing. */
    static @Nullable AuditRoute of(String method, String template) {
        if (method.equals("GET")) {
            return null;
        }
        return RULES.stream()
                .filter(rule -> rule.method.equals(method) && template.endsWith(rule.end))
                .map(Rule::route)
                .findFirst()
                .orElse(null);
    }

    /** What a success is in the log; null for nothing. */
    @Nullable
    AuditAction action(ChangeNote.Effect effect) {
        return switch (effect) {
            case CHANGED -> action;
            case UNSAID -> kind == Kind.SAID ? null : action;
            case ALTERNATIVE -> alternative;
            case UNCHANGED -> null;
        };
    }

    /** Whether the path names the target. */
    boolean isInPath(String template) {
        return target != null && template.contains("{" + target + "}");
    }
}
