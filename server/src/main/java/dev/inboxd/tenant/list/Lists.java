package dev.inboxd.tenant.list;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Outcome;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Level;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The operations on lists. Each method runs its own transaction, unless it takes the caller's. */
public final class Lists {
    /** The largest number of entries that clients can create on one list (identity.md §12). */
    static final int MOST = 10_000;

    private final Database database;

    /** The lists of a database. */
    public Lists(Database database) {
        this.database = database;
    }

    /** The reasons for entries of delivery, in the words of the API. */
    public enum Cause {
        /** The other server refused mail for the address permanently. */
        BOUNCED("bounced"),
        /** The recipient complained about the mail. */
        COMPLAINED("complained"),
        /** The recipient unsubscribed. */
        UNSUBSCRIBED("unsubscribed");

        private final String reason;

        Cause(String reason) {
            this.reason = reason;
        }

        String reason() {
            return reason;
        }
    }

    /**
     * One list of one owner.
     *
     * @param level the level of the owner
     * @param view narrowed to the owner
     */
    record OwnerList(Level level, View view, ListName list) {
        UUID owner() {
            return ListOwner.key(level, view);
        }
    }

    /** A page of a list, in the order of its entries. */
    Slice<ListEntry> list(OwnerList target, PageRequest page) {
        return database.read(tx -> page.slice(
                ListSql.list(tx, target.view, target.owner(), target.list, page),
                entry -> Cursor.of(entry.key().text())));
    }

    /**
     * One entry.
     *
     * @throws Problem {@code not_found}
     */
    ListEntry get(OwnerList target, @Nullable ListKey key) {
        return database.read(tx -> find(tx, target, key));
    }

    /**
     * Adds an address or a domain to a list; an existing entry stays as it is.
     *
     * @param reason the client's note, or null
     * @throws Problem {@code limit_exceeded}
     */
    Outcome<ListEntry> create(OwnerList target, ListKey key, @Nullable String reason) {
        return database.write(target.view.organization(), tx -> {
            UUID owner = target.owner();
            Optional<ListEntry> before = ListSql.find(tx, target.view, owner, target.list, key);
            if (before.isPresent()) {
                return Outcome.same(before.get());
            }
            if (ListSql.count(tx, target.view, owner, target.list) >= MOST) {
                throw Problem.limit(
                        "list_entries",
                        MOST,
                        "A list has at most " + MOST + " entries",
                        "Delete entries that are not needed any more, or block whole domains.");
            }
            ListEntry entry = new ListEntry(
                    owner(tx, target),
                    target.list,
                    key,
                    reason,
                    false,
                    tx.next().at());
            ListSql.insert(tx, target.view, entry);
            return Outcome.changed(entry);
        });
    }

    private static ListOwner owner(Tx tx, OwnerList target) {
        if (target.level != Level.INBOX) {
            UUID pod = target.level == Level.POD ? target.view.pod() : null;
            return new ListOwner(target.owner(), pod, null, null);
        }
        Inbox inbox = Inboxes.find(tx, target.view, target.owner()).orElseThrow(() -> Problem.notFound("Inbox"));
        return new ListOwner(inbox.id(), inbox.pod(), inbox.id(), inbox.address());
    }

    /**
     * Removes an entry from a list.
     *
     * @throws Problem {@code not_found}, or {@code cannot_delete} for an entry of delivery
     */
    ListEntry delete(OwnerList target, @Nullable ListKey key) {
        return database.write(target.view.organization(), tx -> {
            ListEntry entry = find(tx, target, key);
            if (entry.readOnly()) {
                throw Problem.of(
                        ErrorCode.CANNOT_DELETE,
                        "The entry is read-only: " + entry.reason(),
                        Cause.BOUNCED.reason.equals(entry.reason())
                                ? "A person removes it on the page of the address in the console, the operator of the"
                                        + " service with inboxd suppression remove."
                                : "It protects the reputation of the sending domain. The operator of the service can"
                                        + " remove it.");
            }
            ListSql.delete(tx, target.view, target.owner(), target.list, entry.key());
            return entry;
        });
    }

    /** Removes the lists of a pod, in the transaction that deletes the pod. */
    public static void removeOfPod(Tx tx, UUID organization, UUID pod) {
        ListSql.deleteOwned(tx, View.of(organization), pod);
    }

    private static ListEntry find(Tx tx, OwnerList target, @Nullable ListKey key) {
        return Optional.ofNullable(key)
                .flatMap(entryKey -> ListSql.find(tx, target.view, target.owner(), target.list, entryKey))
                .orElseThrow(() -> Problem.notFound("ListEntry"));
    }

    /**
     * Blocks recipients for the whole organization, in the transaction that stores the outcome of their mail (mail.md
     * §14.5). Clients see these entries and cannot delete them.
     *
     * @param all the whole organization
     */
    public static void suppress(Tx tx, View all, List<String> addresses, Cause cause) {
        Instant at = tx.next().at();
        // A malformed address has the key of its domain, and must not block the whole domain.
        List<String> entries = addresses.stream()
                .map(ListKey::ofAddress)
                .filter(key -> !key.isDomain())
                .map(ListKey::text)
                .distinct()
                .toList();
        if (!entries.isEmpty()) {
            ListSql.suppress(tx, all, entries, cause.reason, at);
        }
    }
}
