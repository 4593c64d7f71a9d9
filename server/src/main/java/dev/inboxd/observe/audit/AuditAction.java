package dev.inboxd.observe.audit;

/** What the audit log has entries of (approvals.md §6). */
public enum AuditAction {
    API_KEY_CREATED("api_key.created"),
    API_KEY_UPDATED("api_key.updated"),
    API_KEY_DELETED("api_key.deleted"),
    SIGN_IN_KEY_CREATED("sign_in_key.created"),
    SIGN_IN_KEY_ACTIVATED("sign_in_key.activated"),
    SIGN_IN_KEY_DELETED("sign_in_key.deleted"),
    SESSION_CREATED("session.created"),
    SESSION_DELETED("session.deleted"),
    PASSKEY_CREATED("passkey.created"),
    PASSKEY_DELETED("passkey.deleted"),
    PERSON_INVITED("person.invited"),
    PERSON_UPDATED("person.updated"),
    PERSON_REMOVED("person.removed"),
    WEBHOOK_CREATED("webhook.created"),
    WEBHOOK_UPDATED("webhook.updated"),
    WEBHOOK_SECRET_ROTATED("webhook.secret_rotated"),
    WEBHOOK_DELETED("webhook.deleted"),
    CALENDAR_FEED_CREATED("calendar_feed.created"),
    CALENDAR_FEED_DELETED("calendar_feed.deleted"),
    DOMAIN_CREATED("domain.created"),
    DOMAIN_UPDATED("domain.updated"),
    DOMAIN_DELETED("domain.deleted"),
    INBOX_CREATED("inbox.created"),
    INBOX_UPDATED("inbox.updated"),
    INBOX_DELETED("inbox.deleted"),
    LIST_ENTRY_CREATED("list_entry.created"),
    LIST_ENTRY_DELETED("list_entry.deleted"),
    /** An address that a failure of delivery had blocked may be written to again. */
    SUPPRESSION_REMOVED("suppression.removed"),
    /** Mail that waits is tried at once: for one recipient, or all that waits. */
    QUEUE_RETRIED("queue.retried"),
    POD_CREATED("pod.created"),
    POD_UPDATED("pod.updated"),
    POD_DELETED("pod.deleted"),
    POD_STOPPED("pod.stopped"),
    POD_RESUMED("pod.resumed"),
    /** The first payment of an account has made it. */
    ORGANIZATION_CREATED("organization.created"),
    ORGANIZATION_UPDATED("organization.updated"),
    ORGANIZATION_HUMAN_CHANGED("organization.human_changed"),
    ORGANIZATION_STOPPED("organization.stopped"),
    ORGANIZATION_RESUMED("organization.resumed"),
    /** A draft that waits for approval was changed. */
    DRAFT_UPDATED("draft.updated"),
    /** A draft that waited for approval was deleted. */
    DRAFT_WITHDRAWN("draft.withdrawn"),
    DRAFT_APPROVED("draft.approved"),
    DRAFT_REJECTED("draft.rejected"),
    APPROVAL_EXEMPTION_DELETED("approval_exemption.deleted"),
    /** Files by URL were fetched for a key whose mail needs approval; its recipients need none. */
    ATTACHMENT_FETCHED("attachment.fetched"),
    MESSAGE_RELEASED("message.released"),
    /** Somebody took a claim from its holder, or ended it. */
    CLAIM_BROKEN("claim.broken"),
    /** The operator said how a payment ended of which nobody knew it. */
    PAYMENT_RESOLVED("payment.resolved"),
    /** A payment was settled for what could not be done. */
    PAYMENT_OWED("payment.owed"),
    MESSAGE_DELETED("message.deleted"),
    THREAD_DELETED("thread.deleted"),
    /** Further entries of a key on a day that has the most entries already; they are counted alone. */
    AUDIT_LOG_LIMITED("audit_log.limited");

    private final String wireName;

    AuditAction(String wireName) {
        this.wireName = wireName;
    }

    /** The name in answers and in the rows. */
    public String wireName() {
        return wireName;
    }
}
