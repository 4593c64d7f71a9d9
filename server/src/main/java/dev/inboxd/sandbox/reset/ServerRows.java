package dev.inboxd.sandbox.reset;

import dev.inboxd.base.database.Tx;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.tenant.organization.Organizations;
import java.util.List;
import java.util.UUID;

/** The rows of all organizations of a server. */
final class ServerRows {
    /** The tables that stay: what makes up the installation. */
    static final List<String> RETAINED =
            List.of("flyway_schema_history", "installation", "node", "sandbox_clock", "signing_key");

    /** All others, which a test compares with the schema. */
    static final List<String> EMPTIED = List.of("""
            account address api_key api_key_secret app app_secret app_signup_limit app_slug
            approval_exemption attachment audit_day audit_entry calendar calendar_alias
            calendar_boundary calendar_cancel calendar_client_id calendar_deletion calendar_era
            calendar_event calendar_feed calendar_feed_token calendar_mail calendar_message
            calendar_override connect_link connect_request console_session correspondent delivery
            delivery_attempt departure domain domain_family domain_holder draft draft_attachment
            dropped_count dropped_message due_work event event_horizon event_thread human inbox
            inbox_send_count job key_request list_entry look_alike message message_call message_content
            message_piece message_reference message_security metric_progress metric_total oauth_grant
            oidc_code oidc_consent oidc_key oidc_token oidc_transaction one_time_code organization
            organization_clock organization_mark passkey payer payment payment_answer payment_key person
            pod polling_consumer public_key rate_budget redelivery review_notice review_reader
            sandbox_fault sandbox_reaction sandbox_rule sandbox_turn search_block search_progress
            search_run search_text security_feedback send_count send_memory sent_draft session_key
            sign_in_code sign_in_key spam_mark spam_model sts_policy submission submission_recipient
            thread thread_claim upkeep webhook""".split("\\s+", 0));

    private ServerRows() {}

    static boolean hasOrganizationBeside(Tx tx, UUID caller) {
        return tx.sqlAcrossTenants("select 1 as one from organization o"
                        + " where o.organization_id <> :operator and o.organization_id <> :caller limit 1")
                .bind("operator", Organizations.OPERATOR)
                .bind("caller", caller)
                .exists();
    }

    /** How many organizations there are, and inboxes, messages and so on of them; without those of the server. */
    static JsonObject count(Tx tx) {
        return tx.sqlAcrossTenants("""
                select (select count(*) from organization o where o.organization_id <> :operator) as organizations,
                    (select count(*) from inbox i where i.organization_id <> :operator) as inboxes,
                    (select count(*) from message m where m.organization_id <> :operator) as messages,
                    (select count(*) from draft d where d.organization_id <> :operator) as drafts,
                    (select count(*) from calendar_event c where c.organization_id <> :operator) as calendar_events,
                    (select count(*) from event e where e.organization_id <> :operator) as events""")
                .bind("operator", Organizations.OPERATOR)
                .single(row -> JsonObject.of("organizations", row.longer("organizations"))
                        .with("inboxes", row.longer("inboxes"))
                        .with("messages", row.longer("messages"))
                        .with("drafts", row.longer("drafts"))
                        .with("calendar_events", row.longer("calendar_events"))
                        .with("events", row.longer("events")));
    }

    /** Empties the tables in one statement, which waits for every transaction that has begun. */
    static void delete(Tx tx) {
        tx.sqlAcrossTenants("truncate " + String.join(", ", EMPTIED)).run();
    }
}
