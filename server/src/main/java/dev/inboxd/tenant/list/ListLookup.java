package dev.inboxd.tenant.list;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Row;
import dev.inboxd.base.database.RowStatement;
import dev.inboxd.base.database.View;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the list verdicts about the addresses of one transaction. Call {@link #require} for each address,
 * {@link #prefetch} once, run the round trip, then call {@link #verdict}. The narrowest level with an entry for an
 * address, or else for its domain, decides. When no level has one, an allow list at any level refuses the address
 * (identity.md §12).
 */
public final class ListLookup {
    /**
     * Entries for the addresses, and one row without an entry for each level that has an allow list. PostgreSQL
     * evaluates the condition on the organization first: without any list, it reads nothing else. With lists, each
     * address is one index look-up: {@code offset 0} and {@code limit 1} keep the planner from reading whole lists.
     */
    private static final String FIND = """
            select {tenant}i.inbox_id as asked, i.pod_id as asked_pod, i.address as asked_name, l.owner_id,
                   l.direction, l.type,
                   l.entry, l.reason, l.read_only, l.created_at
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
            select {tenant}i.inbox_id, i.pod_id, i.address, o.owner_id, d.direction, 'allow', null, null, false, null
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
                          where x.organization_id = {organization} and x.direction = any (:directions))""";

    private static final RowStatement<Question> LOOK_UP = RowStatement.of(
            FIND, RowStatement.uuid("inbox_id", Question::inbox), RowStatement.text("entry", Question::entry));

    private final Set<RequiredKey> requiredKeys = new LinkedHashSet<>();
    private final Map<MatchKey, List<ListEntry>> entries = new HashMap<>();
    /** Outdated entries to be removed. */
    private final Set<ListEntry> removed = new LinkedHashSet<>();

    private final Map<MatchKey, List<ListOwner>> allowLists = new HashMap<>();
    private RoundTrip.Result<Line> pending = RoundTrip.Result.none();
    private boolean read;

    private record RequiredKey(UUID inbox, ListKey key) {}

    /**
     * @param entry null for the inbox's allow lists
     */
    private record Question(UUID inbox, @Nullable String entry) {}

    /**
     * @param key the key asked for; null for the allow lists themselves
     */
    private record MatchKey(
            UUID inbox, Direction direction, @Nullable ListKey key) {}

    /**
     * A row of the result.
     *
     * @param entry null for a level with an allow list
     */
    private record Line(
            UUID inbox,
            ListOwner owner,
            ListName list,
            @Nullable ListEntry entry) {
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
                                    row.instant("created_at")));
        }
    }

    /** Registers addresses that an inbox will write to or has mail from; before {@link #prefetch}. */
    public void require(UUID inbox, Collection<String> addresses) {
        for (String address : addresses) {
            ListKey key = ListKey.ofAddress(address);
            requiredKeys.add(new RequiredKey(inbox, key));
            requiredKeys.add(new RequiredKey(inbox, key.ofDomain()));
        }
    }

    /** Adds the look-up to the round trip that takes the organization's clock. */
    public void prefetch(RoundTrip opening, View all, Direction... directions) {
        if (requiredKeys.isEmpty()) {
            return;
        }
        List<Question> questions = new ArrayList<>();
        requiredKeys.forEach(required -> questions.add(new Question(required.inbox, required.key.text())));
        requiredKeys.stream()
                .map(RequiredKey::inbox)
                .distinct()
                .forEach(inbox -> questions.add(new Question(inbox, null)));
        pending = opening.query(
                all,
                LOOK_UP,
                questions,
                Line::read,
                "directions",
                List.of(directions).stream().map(Direction::wireName).toList());
    }

    /** The verdict of the lists of an inbox, its pod and its organization about an address; after the round trip. */
    public ListVerdict verdict(UUID inbox, Direction direction, String address) {
        ListEntry entry = entry(inbox, direction, address);
        if (entry != null) {
            return entry.list().type() == ListType.BLOCK ? new ListVerdict.Blocked(entry) : new ListVerdict.Allowed();
        }
        ListOwner list = narrowest(allowLists.getOrDefault(new MatchKey(inbox, direction, null), List.of()));
        return list == null ? new ListVerdict.Allowed() : new ListVerdict.NotListed(list, direction);
    }

    /**
     * Ignores an entry that is outdated, as that of a bounce whose address has become an inbox of this server since. It
     * is ignored in this transaction, and with {@link #appendTo} removed for all later ones.
     */
    public void remove(ListVerdict.Blocked outdated) {
        ListEntry entry = outdated.entry();
        removed.add(entry);
        entries.values().forEach(candidates -> candidates.remove(entry));
    }

    /** Adds the removal of outdated entries. */
    public void appendTo(RoundTrip writes, View all) {
        ListSql.appendDelete(writes, all, List.copyOf(removed));
    }

    /**
     * Whether the entry that decides about an address has this type, without regard to missing entries on allow lists.
     */
    public boolean isListed(UUID inbox, Direction direction, ListType type, String address) {
        ListEntry entry = entry(inbox, direction, address);
        return entry != null && entry.list().type() == type;
    }

    /** Whether the inbox, its pod or its organization has an allow list. */
    public boolean hasAllowList(UUID inbox, Direction direction) {
        readRows();
        return allowLists.containsKey(new MatchKey(inbox, direction, null));
    }

    private @Nullable ListEntry entry(UUID inbox, Direction direction, String address) {
        readRows();
        if (entries.isEmpty()) {
            return null;
        }
        ListKey key = ListKey.ofAddress(address);
        List<ListEntry> exact = entries.getOrDefault(new MatchKey(inbox, direction, key), List.of());
        List<ListEntry> domain = key.isDomain()
                ? List.of()
                : entries.getOrDefault(new MatchKey(inbox, direction, key.ofDomain()), List.of());
        List<ListEntry> both = new ArrayList<>(exact);
        both.addAll(domain);
        ListOwner level = narrowest(both.stream().map(ListEntry::owner).toList());
        // Within that level, the address decides before the domain, and block before allow.
        ListEntry decisive = null;
        for (ListEntry candidate : both) {
            boolean stronger = decisive == null
                    || (decisive.key().equals(candidate.key())
                            && candidate.list().type() == ListType.BLOCK);
            if (candidate.owner().equals(level) && stronger) {
                decisive = candidate;
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

    private void readRows() {
        if (read) {
            return;
        }
        read = true;
        for (Line line : pending.rows()) {
            ListEntry entry = line.entry;
            MatchKey matchKey = new MatchKey(line.inbox, line.list.direction(), entry == null ? null : entry.key());
            if (entry == null) {
                allowLists.computeIfAbsent(matchKey, _ -> new ArrayList<>()).add(line.owner);
            } else {
                entries.computeIfAbsent(matchKey, _ -> new ArrayList<>()).add(entry);
            }
        }
    }
}
