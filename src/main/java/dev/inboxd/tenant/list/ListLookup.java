package dev.inboxd.tenant.list;

import dev.inboxd.platform.database.RoundTrip;
import dev.inboxd.platform.database.Row;
import dev.inboxd.platform.database.RowStatement;
import dev.inboxd.platform.database.View;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the lists say about the addresses of one transaction: {@link #require} for each, {@link #prefetch} once, the round trip,
 * then {@link #verdict}. The narrowest level with an entry for an address, or else for its domain, decides; when none
 * has one, an allow list at any level refuses (identity.md §12).
 */
public final class ListLookup {
    /**
     * Entries for the addresses, and of each level that has an allow list one row without an entry. PostgreSQL answers
     * the condition on the organization first: without any list there, it looks at nothing else. With lists, each
     * address is one look into the key: {@code offset 0} and {@code limit 1} keep the planner from reading whole lists.
     */
    private static final RowStatement<Question> LOOK = RowStatement.of(
            """
            select {tenant}i.inbox_id as asked, i.pod_id as asked_pod, i.address as asked_name, l.owner_id, l.direction, l.type,
                   l.entry, l.reason, l.read_only, l.created_at,
                   l.read_only and (select true from address a where a.inbox_id is not null
                       and a.address = regexp_replace(l.entry, '[+][^@]*@', '@') limit 1) is not null as here
            from {rows} as w
            cross join lateral (
                select b.* from inbox b where b.organization_id = {organization} and b.inbox_id = w.inbox_id
                offset 0) as i
            cross join lateral (
                select e.* from list_entry e
                where e.organization_id = {organization} and e.direction = any (:directions)
                  and e.type in ('allow', 'block') and e.entry = w.entry
                  and e.owner_id = any (array[i.inbox_id, i.pod_id, i.organization_id])
                offset 0) as l
            where exists (select from list_entry x
                          where x.organization_id = {organization} and x.direction = any (:directions))
            union all
            select {tenant}i.inbox_id, i.pod_id, i.address, o.owner_id, d.direction, 'allow', null, null, false, null, false
            from {rows} as w join inbox i on i.organization_id = {organization} and i.inbox_id = w.inbox_id
            cross join unnest(array[i.inbox_id, i.pod_id, i.organization_id]) as o (owner_id)
            cross join unnest(:directions::text[]) as d (direction)
            cross join lateral (
                select 1 from list_entry a
                where a.organization_id = {organization} and a.direction = d.direction and a.type = 'allow'
                  and a.owner_id = o.owner_id
                limit 1) as any_entry
            where w.entry is null
              and exists (select from list_entry x
                          where x.organization_id = {organization} and x.direction = any (:directions))""", RowStatement.uuid("inbox_id", Question::inbox), RowStatement.text("entry", Question::entry));

    private final Set<Asked> asked = new LinkedHashSet<>();
    private final Map<Found, List<ListEntry>> entries = new HashMap<>();
    /** What delivery said of addresses that are inboxes here by now. */
    private final Set<ListEntry> outlived = new HashSet<>();

    private final Set<ListEntry> pardoned = new LinkedHashSet<>();
    private final Map<Found, List<ListOwner>> allowLists = new HashMap<>();
    private RoundTrip.Result<Line> pending = RoundTrip.Result.none();
    private boolean read;

    private record Asked(UUID inbox, ListKey key) {}

    /** @param entry null to ask for the inbox's allow lists */
    private record Question(UUID inbox, @Nullable String entry) {}

    /** @param key what was asked for; null for the allow lists themselves */
    private record Found(
            UUID inbox, Direction direction, @Nullable ListKey key) {}

    /**
     * @param entry null for a level that has an allow list
     * @param here whether delivery made it, and the address is an inbox of this server now
     */
    private record Line(
            UUID inbox,
            ListOwner owner,
            ListName list,
            @Nullable ListEntry entry,
            boolean here) {
        static Line read(Row row) {
            UUID inbox = row.uuid("asked");
            UUID id = row.uuid("owner_id");
            UUID pod = row.uuid("asked_pod");
            ListOwner owner = id.equals(inbox)
                    ? new ListOwner(id, pod, inbox, row.text("asked_name"))
                    : new ListOwner(id, id.equals(pod) ? pod : null, null, null);
            ListName list = ListSql.listName(row);
            String entry = row.textOrNull("entry");
            return new Line(
                    inbox,
                    owner,
                    list,
                    entry == null
                            ? null
                            : new ListEntry(
                                    owner,
                                    list,
                                    new ListKey(entry),
                                    row.textOrNull("reason"),
                                    row.flag("read_only"),
                                    row.instant("created_at")),
                    row.flag("here"));
        }
    }

    /** Notes addresses that an inbox is about to write to or has mail from. */
    public void require(UUID inbox, Collection<String> addresses) {
        for (String address : addresses) {
            ListKey key = ListKey.ofAddress(address);
            asked.add(new Asked(inbox, key));
            asked.add(new Asked(inbox, key.ofDomain()));
        }
    }

    /** Adds the look-up to the round trip that takes the organization's clock. */
    public void prefetch(RoundTrip opening, View all, Direction... directions) {
        if (asked.isEmpty()) {
            return;
        }
        List<Question> questions = new ArrayList<>();
        asked.forEach(one -> questions.add(new Question(one.inbox, one.key.text())));
        asked.stream().map(Asked::inbox).distinct().forEach(inbox -> questions.add(new Question(inbox, null)));
        pending = opening.query(
                all,
                LOOK,
                questions,
                Line::read,
                "directions",
                List.of(directions).stream().map(Direction::wireName).toList());
    }

    /** What the lists of an inbox, its pod and its organization say about an address; after the round trip. */
    public ListVerdict verdict(UUID inbox, Direction direction, String address) {
        ListEntry entry = entry(inbox, direction, address);
        if (entry != null) {
            return entry.list().type() == ListType.BLOCK ? new ListVerdict.Blocked(entry) : new ListVerdict.Allowed();
        }
        ListOwner list = narrowest(allowLists.getOrDefault(new Found(inbox, direction, null), List.of()));
        return list == null ? new ListVerdict.Allowed() : new ListVerdict.NotListed(list, direction);
    }

    /**
     * Takes back that mail to an address came back, when that has become an inbox of this server since; for the
     * transaction that asked, and with {@link #appendTo} for all later ones.
     *
     * @return false when the entry still counts
     */
    public boolean removeOutdated(ListVerdict.Blocked blocked) {
        ListEntry entry = blocked.entry();
        if (!blocked.isOfBounce() || !outlived.contains(entry)) {
            return false;
        }
        pardoned.add(entry);
        entries.values().forEach(some -> some.remove(entry));
        return true;
    }

    /** Adds the removal of what was taken back. */
    public void appendTo(RoundTrip writes, View all) {
        ListSql.appendDelete(writes, all, List.copyOf(pardoned));
    }

    /** Whether the entry that counts for an address is of that type, apart from what allow lists leave out. */
    public boolean isListed(UUID inbox, Direction direction, ListType type, String address) {
        ListEntry entry = entry(inbox, direction, address);
        return entry != null && entry.list().type() == type;
    }

    private @Nullable ListEntry entry(UUID inbox, Direction direction, String address) {
        sort();
        if (entries.isEmpty()) {
            return null;
        }
        ListKey key = ListKey.ofAddress(address);
        List<ListEntry> exact = entries.getOrDefault(new Found(inbox, direction, key), List.of());
        List<ListEntry> domain = key.isDomain()
                ? List.of()
                : entries.getOrDefault(new Found(inbox, direction, key.ofDomain()), List.of());
        List<ListEntry> both = new ArrayList<>(exact);
        both.addAll(domain);
        ListOwner level = narrowest(both.stream().map(ListEntry::owner).toList());
        // Of that level: the address before the domain, block before allow.
        ListEntry decisive = null;
        for (ListEntry each : both) {
            boolean stronger = decisive == null
                    || (decisive.key().equals(each.key()) && each.list().type() == ListType.BLOCK);
            if (each.owner().equals(level) && stronger) {
                decisive = each;
            }
        }
        return decisive;
    }

    private static @Nullable ListOwner narrowest(List<ListOwner> owners) {
        ListOwner narrowest = null;
        for (ListOwner owner : owners) {
            boolean inside =
                    narrowest == null || owner.inbox() != null || (owner.pod() != null && narrowest.pod() == null);
            narrowest = inside ? owner : narrowest;
        }
        return narrowest;
    }

    private void sort() {
        if (read) {
            return;
        }
        read = true;
        for (Line line : pending.rows()) {
            ListEntry entry = line.entry;
            Found found = new Found(line.inbox, line.list.direction(), entry == null ? null : entry.key());
            if (entry == null) {
                allowLists.computeIfAbsent(found, _ -> new ArrayList<>()).add(line.owner);
            } else {
                entries.computeIfAbsent(found, _ -> new ArrayList<>()).add(entry);
                if (line.here) {
                    outlived.add(entry);
                }
            }
        }
    }
}
