package dev.inboxd.base.job;

import dev.inboxd.base.database.WriteGate;
import dev.inboxd.base.error.Problem;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What holds an installation back: nothing leaves, nothing is written, or it has moved. All processes on its database
 * go by it, within some seconds.
 *
 * @param number counts the changes
 * @param hold why nothing leaves, or null
 * @param readOnlyAt since when nothing is written, or null
 * @param movedTo where the service is now; null while it is here
 * @param organizations those that are held back by themselves
 */
public record Marks(
        long number,
        @Nullable Hold hold,
        @Nullable Instant readOnlyAt,
        @Nullable String movedTo,
        Map<UUID, OrganizationMark> organizations)
        implements WriteGate.Rule {

    /**
     * A hold of everything that leaves.
     *
     * @param since when it began
     * @param reason what wanted it: hold, restore or move
     */
    public record Hold(Instant since, String reason) {}

    /** Whether mail, webhooks, drafts and what calendars tell stay here. */
    public boolean isHeld(UUID organization) {
        return hold != null || readOnlyAt != null || movedTo != null || organizations.containsKey(organization);
    }

    /** Whether nothing of the whole installation leaves. */
    public boolean isHeld() {
        return hold != null || readOnlyAt != null || movedTo != null;
    }

    @Override
    public @Nullable Problem refusal(@Nullable UUID organization) {
        if (movedTo != null) {
            return WriteGate.moved("The service", movedTo);
        }
        if (readOnlyAt != null) {
            return WriteGate.readOnly();
        }
        OrganizationMark mark = organization == null ? null : organizations.get(organization);
        if (mark == null || mark.state() == OrganizationMark.State.HELD) {
            return null;
        }
        return mark.state() == OrganizationMark.State.MOVED ? moved(mark) : WriteGate.readOnly();
    }

    /** What is told to whoever calls an organization that is in another installation now; null while it is here. */
    public @Nullable Problem moved(UUID organization) {
        OrganizationMark mark = organizations.get(organization);
        return mark == null || mark.state() != OrganizationMark.State.MOVED ? null : moved(mark);
    }

    private static Problem moved(OrganizationMark mark) {
        return WriteGate.moved("The organization", Objects.requireNonNullElse(mark.movedTo(), "elsewhere"));
    }
}
