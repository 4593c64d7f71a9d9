package dev.inboxd.outbound;

/** The condition of the queue under which mail leaves while something is stopped. */
final class SendingStopSql {
    private SendingStopSql() {}

    /** The condition on a recipient {@code r} of one organization. */
    static final String R = of("r");

    /** The condition on a recipient {@code d} of one organization, at an inbox of this server, or elsewhere. */
    static String claimed(boolean local) {
        return (local ? "d.local" : "not d.local") + of("d");
    }

    /**
     * What a stop lets wait: mail of inboxes of stopped organizations and pods (approvals.md §5). What the server
     * itself writes leaves: without the code of a sign-in nobody could resume.
     */
    private static String of(String recipient) {
        return """

            and (%1$s.organization_id not in (
                    select o.organization_id from organization o where %2$so.sending_stopped_at is not null)
                or exists (
                    select 1 from submission w where w.organization_id = %4$s
                        and w.submission_id = %1$s.submission_id and w.inbox_id is null))
            and (%1$s.organization_id, %1$s.submission_id) not in (
                select b.organization_id, b.submission_id from pod p
                join inbox n on n.organization_id = p.organization_id and n.pod_id = p.pod_id
                join submission b on b.organization_id = n.organization_id and b.inbox_id = n.inbox_id
                where %3$sp.sending_stopped_at is not null)
            """.formatted(
                        recipient,
                        "o.organization_id = {organization} and ",
                        "p.organization_id = {organization} and ",
                        "{organization}");
    }
}
