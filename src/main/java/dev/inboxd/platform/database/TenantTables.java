package dev.inboxd.platform.database;

import java.util.Set;

/** The tables with rows of tenants. All others are global look-up tables; a test compares this list with the schema. */
final class TenantTables {
    /** Every table whose primary key begins with {@code organization_id}. */
    static final Set<String> TENANT = Set.of(
            "organization",
            "organization_clock",
            "one_time_code",
            "sign_in_code",
            "console_session",
            "pod",
            "domain",
            "api_key",
            "inbox",
            "message",
            "message_content",
            "message_piece",
            "attachment",
            "thread",
            "message_reference",
            "redelivery",
            "event",
            "webhook",
            "delivery",
            "submission",
            "submission_recipient",
            "draft",
            "draft_attachment",
            "sent_draft",
            "send_memory",
            "send_count",
            "inbox_send_count",
            "list_entry",
            "job",
            "search_progress",
            "search_run",
            "search_block",
            "search_text",
            "delivery_attempt",
            "event_thread",
            "polling_consumer",
            "metric_total",
            "metric_progress",
            "departure",
            "spam_mark",
            "spam_model",
            "app_signup_limit",
            "account",
            "sign_in_key",
            "connect_request",
            "oidc_consent",
            "calendar",
            "calendar_event",
            "calendar_override",
            "calendar_era",
            "calendar_boundary",
            "calendar_deletion",
            "calendar_client_id");

    private TenantTables() {}
}
