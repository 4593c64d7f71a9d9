package dev.inboxd.tenant.audit;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the audit log has of a route.
 *
 * @param name the action
 * @param target the member of the answer, or the parameter of the path, that names what was changed; null for the
 *     organization
 */
record AuditAction(String name, @Nullable String target) {
    private record Rule(String method, String end, AuditAction action) {}

    /** By method and end of the template; the first that fits counts. */
    private static final List<Rule> RULES = List.of(
            rule("POST", "/api-keys", "api_key.created", "api_key_id"),
            rule("PATCH", "/api-keys/{api_key_id}", "api_key.updated", "api_key_id"),
            rule("DELETE", "/api-keys/{api_key_id}", "api_key.deleted", "api_key_id"),
            rule("POST", "/webhooks/polling", "webhook.created", "webhook_id"),
            rule("DELETE", "/webhooks/polling/{webhook_id}", "webhook.deleted", "webhook_id"),
            rule("POST", "/webhooks", "webhook.created", "webhook_id"),
            rule("PATCH", "/webhooks/{webhook_id}", "webhook.updated", "webhook_id"),
            rule("PATCH", "/webhooks/{webhook_id}/headers", "webhook.updated", "webhook_id"),
            rule("POST", "/webhooks/{webhook_id}/secret/rotate", "webhook.secret_rotated", "webhook_id"),
            rule("DELETE", "/webhooks/{webhook_id}", "webhook.deleted", "webhook_id"),
            rule("POST", "/domains", "domain.created", "domain_id"),
            rule("PATCH", "/domains/{domain_id}", "domain.updated", "domain_id"),
            rule("DELETE", "/domains/{domain_id}", "domain.deleted", "domain_id"),
            rule("POST", "/inboxes", "inbox.created", "inbox_id"),
            rule("PATCH", "/inboxes/{inbox_id}", "inbox.updated", "inbox_id"),
            rule("DELETE", "/inboxes/{inbox_id}", "inbox.deleted", "inbox_id"),
            rule("POST", "/lists/{direction}/{type}", "list_entry.created", "entry"),
            rule("DELETE", "/lists/{direction}/{type}/{entry}", "list_entry.deleted", "entry"),
            rule("POST", "/pods", "pod.created", "pod_id"),
            rule("PATCH", "/pods/{pod_id}", "pod.updated", "pod_id"),
            rule("DELETE", "/pods/{pod_id}", "pod.deleted", "pod_id"),
            rule("PATCH", "/v0/organizations", "organization.updated", null),
            rule("POST", "/v0/organizations/stop", "organization.stopped", null),
            rule("POST", "/v0/organizations/resume", "organization.resumed", null),
            rule("POST", "/v0/pods/{pod_id}/stop", "pod.stopped", "pod_id"),
            rule("POST", "/v0/pods/{pod_id}/resume", "pod.resumed", "pod_id"),
            rule("POST", "/drafts/{draft_id}/approve", "draft.approved", "draft_id"),
            rule("POST", "/drafts/{draft_id}/reject", "draft.rejected", "draft_id"),
            rule("DELETE", "/approval-exemptions/{address}", "approval_exemption.deleted", "address"),
            rule("POST", "/messages/{message_id}/release", "message.released", "message_id"));

    private static Rule rule(String method, String end, String name, @Nullable String target) {
        return new Rule(method, end, new AuditAction(name, target));
    }

    /** What the log has of a route; null when it has nothing. */
    static @Nullable AuditAction of(String method, String template) {
        if (method.equals("GET")) {
            return null;
        }
        return RULES.stream()
                .filter(rule -> rule.method.equals(method) && template.endsWith(rule.end))
                .map(Rule::action)
                .findFirst()
                .orElse(null);
    }

    /** Whether the path names the target. */
    boolean isInPath(String template) {
        return target != null && template.contains("{" + target + "}");
    }
}
