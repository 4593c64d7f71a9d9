package dev.inboxd.sandbox.reset;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.calendar.series.CalendarEventSql;
import dev.inboxd.event.EventHorizon;
import dev.inboxd.mailbox.deletion.OrganizationErasure;
import dev.inboxd.sending.draft.DraftPurge;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;

/** Deletes what happened in an organization, slice by slice, and keeps what it is. */
public final class WorldReset {
    private static final int SLICE = 500;

    private final Database database;
    private final OrganizationErasure messages;
    private final DraftPurge drafts;
    private final Consumer<UUID> faultsGone;

    /**
     * A reset by these means.
     *
     * @param faultsGone called when the faults of an organization are deleted
     */
    public WorldReset(Database database, OrganizationErasure messages, DraftPurge drafts, Consumer<UUID> faultsGone) {
        this.database = database;
        this.messages = messages;
        this.drafts = drafts;
        this.faultsGone = faultsGone;
    }

    /** Deletes all parts but some, and says how much of each is gone. */
    Map<ResetPart, Long> run(UUID organization, Set<ResetPart> retained) {
        Map<ResetPart, Long> deleted = new EnumMap<>(ResetPart.class);
        for (ResetPart part : ResetPart.values()) {
            if (!retained.contains(part)) {
                deleted.put(part, first(organization, part));
                part.tables()
                        .forEach(table ->
                                deleted.merge(part, counted(part, table, rows(organization, table)), Long::sum));
            }
            if (part == ResetPart.FAULTS) {
                faultsGone.accept(organization); // before the rest, which they would hinder
            }
        }
        if (!retained.contains(ResetPart.EVENTS)) {
            begin(organization);
        }
        return deleted;
    }

    /** What of a part is more than rows. */
    private long first(UUID organization, ResetPart part) {
        return switch (part) {
            case MESSAGES -> messages(organization);
            case DRAFTS -> drafts(organization);
            case CALENDAR_EVENTS -> calendarEvents(organization);
            default -> 0;
        };
    }

    /** Of messages only they count, of the others what bears the name. */
    private static long counted(ResetPart part, ResetPart.ResetTable table, long rows) {
        return switch (part) {
            case EVENTS -> table.name().equals("event") ? rows : 0;
            case RULES -> table.name().equals("sandbox_rule") ? rows : 0;
            case FAULTS, METRICS, SPAM_TRAINING -> rows;
            default -> 0;
        };
    }

    private long messages(UUID organization) {
        long all = 0;
        int count;
        do {
            count = messages.slice(organization);
            all += count;
        } while (count > 0);
        return all;
    }

    private long rows(UUID organization, ResetPart.ResetTable table) {
        View all = View.of(organization);
        long deleted = 0;
        int count;
        do {
            count = database.write(
                    organization,
                    tx -> tx.sql(all, table.statement()).bind("slice", SLICE).run());
            deleted += count;
        } while (count > 0);
        return deleted;
    }

    private long drafts(UUID organization) {
        View all = View.of(organization);
        long number = database.read(
                tx -> tx.sql(all, "select count(*) as n from draft d where d.organization_id = {organization}")
                        .single(row -> row.longer("n")));
        List<UUID> inboxes = database.read(
                tx -> tx.sql(all, "select distinct d.inbox_id from draft d where d.organization_id = {organization}")
                        .list(row -> row.uuid("inbox_id")));
        for (UUID inbox : inboxes) {
            boolean done;
            do {
                done = drafts.run(organization, inbox.toString());
            } while (!done);
        }
        return number;
    }

    private long calendarEvents(UUID organization) {
        View all = View.of(organization);
        long deleted = 0;
        int count;
        do {
            count = database.write(organization, tx -> {
                List<UUID> events = tx.sql(
                                all,
                                "select e.event_id from calendar_event e where e.organization_id = {organization}"
                                        + " limit :slice")
                        .bind("slice", SLICE)
                        .list(row -> row.uuid("event_id"));
                CalendarEventSql.delete(tx, all, events);
                return events.size();
            });
            deleted += count;
        } while (count > 0);
        return deleted;
    }

    /** The log begins behind what was: places in it from before are told to be over. Webhooks are called again. */
    private void begin(UUID organization) {
        View all = View.of(organization);
        database.run(organization, tx -> {
            EventHorizon.move(tx, all, tx.next().number());
            tx.sql(
                            all,
                            "update webhook w set enabled = true, disabled_at = null, failing_since = null"
                                    + " where w.organization_id = {organization} and not w.enabled")
                    .run();
        });
    }
}
