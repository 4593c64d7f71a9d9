package dev.inboxd.tenant.list;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.json.JsonObject;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The addresses that delivery blocked, as operators see and remove them (ruling 141). They are read in pages: the list
 * of an organization has no limit.
 */
public final class Suppressions {
    private static final int PAGE = 500;
    private static final ListName LIST = new ListName(Direction.SEND, ListType.BLOCK);

    private final Database database;

    /** The suppressions in a database. */
    public Suppressions(Database database) {
        this.database = database;
    }

    /**
     * An address that delivery blocked.
     *
     * @param address in lower case
     * @param reason {@code bounced}, {@code complained} or {@code unsubscribed}
     */
    public record Suppression(UUID organization, String address, String reason, Instant createdAt) {
        /** Whether a bounce made it. */
        public boolean isOfBounce() {
            return reason.equals(Lists.Cause.BOUNCED.reason());
        }

        /** The JSON form. */
        public JsonObject json() {
            return JsonObject.of("organization_id", organization)
                    .with("address", address)
                    .with("reason", reason)
                    .with("created_at", createdAt);
        }
    }

    /** Takes entries as they are read. */
    public interface Reader {
        /** Another organization is read. */
        void organization(UUID organization);

        /** The next entries of an organization; never empty. */
        void entries(List<Suppression> page);
    }

    /**
     * Reads the entries.
     *
     * @param organization null for those of all organizations
     */
    public void read(@Nullable UUID organization, Reader reader) {
        forEach(organization, tenant -> {
            reader.organization(tenant);
            View all = View.of(tenant);
            List<Suppression> page = page(all, "");
            while (!page.isEmpty()) {
                reader.entries(page);
                page = page.size() < PAGE ? List.of() : page(all, page.getLast().address);
            }
        });
    }

    private List<Suppression> page(View all, String after) {
        return database.read(tx -> ListSql.suppressed(tx, all, after, PAGE));
    }

    /** Visits an organization, or all of them but those that have moved away, some at a time. */
    public void forEach(@Nullable UUID organization, OrganizationVisitor visitor) {
        if (organization != null) {
            visitor.visit(organization);
            return;
        }
        List<UUID> batch = organizations(new UUID(0, 0));
        while (!batch.isEmpty()) {
            batch.forEach(visitor::visit);
            batch = organizations(batch.getLast());
        }
    }

    /** Does something for one organization. */
    @FunctionalInterface
    public interface OrganizationVisitor {
        void visit(UUID organization);
    }

    private List<UUID> organizations(UUID after) {
        return database.read(tx -> tx.sqlAcrossTenants("select k.organization_id from organization_clock k"
                        + " where k.organization_id > :after and k.moved_to is null order by k.organization_id limit "
                        + PAGE)
                .bind("after", after)
                .list(row -> row.uuid("organization_id")));
    }

    /**
     * The form in which an address is on the list.
     *
     * @return null for what is no address
     */
    public static @Nullable String key(String address) {
        ListKey key = address.indexOf('@') < 0 ? null : ListKey.ofEntry(address);
        return key == null || key.isDomain() ? null : key.text();
    }

    /**
     * What delivery has of an address in an organization.
     *
     * @param address as {@link #key} gives it
     */
    public static Optional<Suppression> find(Tx tx, UUID organization, String address) {
        return ListSql.find(tx, View.of(organization), organization, LIST, new ListKey(address))
                .filter(ListEntry::readOnly)
                .map(entry -> new Suppression(
                        organization, address, Objects.requireNonNullElse(entry.reason(), ""), entry.createdAt()));
    }

    /** Removes an entry, so that the address is written to again. */
    public static void delete(Tx tx, Suppression entry) {
        ListSql.delete(tx, View.of(entry.organization), entry.organization, LIST, new ListKey(entry.address));
    }
}
