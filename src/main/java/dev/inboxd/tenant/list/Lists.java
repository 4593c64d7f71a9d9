package dev.inboxd.tenant.list;

import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.http.Level;
import dev.inboxd.platform.page.Cursor;
import dev.inboxd.platform.page.PageRequest;
import dev.inboxd.platform.page.Slice;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What can be done with lists. One verb, one transaction, unless it takes the caller's. */
public final class Lists {
    /** How many entries clients can make on one list (identity.md §12). */
    static final int MOST = 10_000;

    private final Database database;

    /** The lists of a database. */
    public Lists(Database database) {
        this.database = database;
    }

    /** Why delivery makes an entry, in the words of the interface. */
    public enum Cause {
        /** The other server said that it will never take mail for the address. */
        BOUNCED("bounced"),
        /** The recipient called the mail unwanted. */
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
     * @param level where the path found it
     * @param view narrowed to the owner
     */
    record OwnerList(Level level, View view, ListName list) {
        UUID owner() {
            return ListOwner.key(level, view);
        }
    }

    /** A page of a list, in the order of its entries. */
    Slice<ListEntry> list(OwnerList place, PageRequest page) {
        return database.read(tx -> page.slice(
                ListSql.list(tx, place.view, place.owner(), place.list, page),
                entry -> Cursor.of(entry.key().text())));
    }

    /**
     * One entry.
     *
     * @throws Problem {@code not_found}
     */
    ListEntry get(OwnerList place, @Nullable ListKey key) {
        return database.read(tx -> find(tx, place, key));
    }

    /**
     * Puts an address or a domain on a list; what is on it already stays as it is.
     *
     * @param reason the caller's own note, or null
     * @throws Problem {@code limit_exceeded}
     */
    ListEntry create(OwnerList place, ListKey key, @Nullable String reason) {
        return database.write(place.view.organization(), tx -> {
            UUID owner = place.owner();
            Optional<ListEntry> before = ListSql.find(tx, place.view, owner, place.list, key);
            if (before.isPresent()) {
                return before.get();
            }
            if (ListSql.count(tx, place.view, owner, place.list) >= MOST) {
                throw Problem.of(
                        ErrorCode.LIMIT_EXCEEDED,
                        "A list has at most " + MOST + " entries",
                        "Delete entries that are not needed any more, or block whole domains.");
            }
            ListEntry entry = new ListEntry(
                    owner(tx, place), place.list, key, reason, false, tx.next().at());
            ListSql.insert(tx, place.view, entry);
            return entry;
        });
    }

    private static ListOwner owner(Tx tx, OwnerList place) {
        if (place.level != Level.INBOX) {
            UUID pod = place.level == Level.POD ? place.view.pod() : null;
            return new ListOwner(place.owner(), pod, null, null);
        }
        Inbox inbox = Inboxes.find(tx, place.view, place.owner()).orElseThrow(() -> Problem.notFound("Inbox"));
        return new ListOwner(inbox.id(), inbox.pod(), inbox.id(), inbox.address());
    }

    /**
     * Takes an entry off a list.
     *
     * @throws Problem {@code not_found}, or {@code cannot_delete} when delivery made it
     */
    void delete(OwnerList place, @Nullable ListKey key) {
        database.<@Nullable Void>write(place.view.organization(), tx -> {
            ListEntry entry = find(tx, place, key);
            if (entry.readOnly()) {
                throw Problem.of(
                        ErrorCode.CANNOT_DELETE,
                        "The entry is read-only: " + entry.reason(),
                        "It protects the reputation of the sending domain. The operator of the service can remove it.");
            }
            ListSql.delete(tx, place.view, place.owner(), place.list, entry.key());
            return null;
        });
    }

    /** Removes the lists of a pod, in the transaction that deletes it. */
    public static void removeOfPod(Tx tx, UUID organization, UUID pod) {
        ListSql.deleteOwned(tx, View.of(organization), pod);
    }

    private static ListEntry find(Tx tx, OwnerList place, @Nullable ListKey key) {
        return Optional.ofNullable(key)
                .flatMap(wanted -> ListSql.find(tx, place.view, place.owner(), place.list, wanted))
                .orElseThrow(() -> Problem.notFound("ListEntry"));
    }

    /**
     * Blocks recipients for the whole organization, in the transaction that writes down what became of their mail
     * (mail.md §14.5). Clients see these entries and cannot delete them.
     *
     * @param all the whole organization
     */
    public static void suppress(Tx tx, View all, List<String> addresses, Cause cause, Instant at) {
        // What is malformed has the key of its domain, and a whole domain is not at fault.
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
