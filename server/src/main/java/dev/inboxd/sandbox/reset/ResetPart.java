package dev.inboxd.sandbox.reset;

import java.util.List;
import java.util.Locale;

/** What a reset deletes, in this order. The tables of a part are named with the key behind the organization. */
enum ResetPart {
    FAULTS("sandbox_fault fault_id"),
    MESSAGES(
            "thread thread_id",
            "message_reference inbox_id, reference",
            "correspondent inbox_id, digest",
            "redelivery digest",
            "send_memory key",
            "send_count day",
            "inbox_send_count inbox_id, day",
            "dropped_message inbox_id, dropped_id",
            "dropped_count inbox_id, day",
            "message_call inbox_id, message_id, request_id",
            "submission_recipient submission_id, position",
            "submission submission_id"),
    DRAFTS(),
    CALENDAR_EVENTS(),
    EVENTS("delivery_attempt webhook_id, seq, at", "delivery webhook_id, seq", "event_thread seq", "event seq"),
    METRICS("metric_total scope_id, minute"),
    SPAM_TRAINING("spam_model organization_id"),
    RULES("sandbox_rule rule_id", "sandbox_turn submission_id, position", "sandbox_reaction reaction_id");

    @SuppressWarnings("ImmutableEnumChecker") // a copy that nobody changes
    private final List<ResetTable> tables;

    ResetPart(String... tables) {
        this.tables = List.of(tables).stream().map(ResetTable::of).toList();
    }

    /** The rows of one table. */
    record ResetTable(String name, String statement) {
        static ResetTable of(String written) {
            int space = written.indexOf(' ');
            String name = written.substring(0, space);
            String key = written.substring(space + 1);
            return new ResetTable(
                    name,
                    "delete from " + name + " d where d.organization_id = {organization} and (" + of("d", key)
                            + ") in (select " + of("x", key) + " from " + name
                            + " x where x.organization_id = {organization} limit :slice)");
        }

        private static String of(String alias, String key) {
            return alias + "." + key.replace(", ", ", " + alias + ".");
        }
    }

    List<ResetTable> tables() {
        return tables;
    }

    String wireName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
