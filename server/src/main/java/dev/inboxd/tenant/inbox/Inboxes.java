package dev.inboxd.tenant.inbox;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Outcome;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.job.Jobs;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.tenant.domain.Domains;
import dev.inboxd.tenant.organization.Organizations;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The operations on inboxes. Each method runs its own transaction, unless it takes the caller's. */
public final class Inboxes {
    /** The job that removes the mail of a deleted inbox. */
    public static final String PURGE = "inbox.purge";

    private final Database database;
    private final Jobs jobs;
    private final String defaultDomain;
    private final int most;
    private final List<DeletionHook> deletions;

    /** Called by the transaction that deletes an inbox, for other features. */
    @FunctionalInterface
    public interface DeletionHook {
        /** Removes what belongs to the inbox and cannot wait for the job: keys, webhooks. */
        void deleted(Tx tx, UUID organization, UUID inbox);
    }

    /**
     * Settings of all inboxes.
     *
     * @param defaultDomain the domain of inboxes that are created without one
     * @param most the largest number of inboxes of an organization
     */
    public record Rules(String defaultDomain, int most) {}

    /**
     * The inboxes of a database.
     *
     * @param deletions called when an inbox is deleted
     */
    public Inboxes(Database database, Jobs jobs, Rules rules, List<DeletionHook> deletions) {
        this.database = database;
        this.jobs = jobs;
        this.defaultDomain = rules.defaultDomain;
        this.most = rules.most;
        this.deletions = List.copyOf(deletions);
    }

    /** Adds a look-up of inboxes by their internal ids to a round trip. */
    public static RoundTrip.Result<Inbox> prefetch(RoundTrip trip, View view, Collection<UUID> ids) {
        return InboxSql.prefetch(trip, view, ids);
    }

    /** An inbox by its internal id, in the caller's transaction. */
    public static Optional<Inbox> find(Tx tx, View view, UUID id) {
        return InboxSql.find(tx, view, id);
    }

    /** The oldest inbox that an organization still has, in the caller's transaction. */
    public static Optional<Inbox> oldest(Tx tx, UUID organization) {
        return InboxSql.oldest(tx, View.of(organization));
    }

    /** The number of inboxes that the view shows, in the caller's transaction. */
    public static int count(Tx tx, View view) {
        return InboxSql.count(tx, view);
    }

    /**
     * Creates an inbox with an address, in the caller's transaction.
     *
     * @throws Problem {@code resource_taken} when the address is taken
     */
    public static Inbox open(Tx tx, UUID organization, UUID pod, String address, Instant now) {
        return open(
                tx,
                View.of(organization),
                new Inbox(
                        Uuid7.next(),
                        pod,
                        address,
                        null,
                        null,
                        null,
                        Inbox.Status.ACTIVE,
                        Inbox.Sending.FREE,
                        now,
                        now));
    }

    private static Inbox open(Tx tx, View view, Inbox inbox) {
        if (!AddressDirectory.claim(tx, view.organization(), inbox)) {
            throw FreeUsernames.addressTaken(tx, inbox.address(), "The address " + inbox.address() + " is taken");
        }
        InboxSql.insert(tx, view, inbox);
        return inbox;
    }

    /**
     * Creates an inbox for a caller. A repetition with the same client_id returns the first inbox (mail.md §5.4).
     *
     * @param view narrowed to the pod of the new inbox, or else the organization for its Default Pod
     * @throws Problem {@code resource_taken}, {@code limit_exceeded}, {@code not_found} for a domain that is not the
     *     caller's, {@code domain_not_verified}, {@code unprocessable} for a subdomain of a domain without subdomains,
     *     {@code idempotency_conflict}
     */
    Outcome<Inbox> create(Caller caller, View view, NewInbox requested) {
        UUID organization = caller.organization();
        return database.write(organization, tx -> {
            View all = View.of(organization);
            if (requested.clientId() != null) {
                Optional<Inbox> before = InboxSql.findByClientId(tx, all, requested.clientId());
                if (before.isPresent()) {
                    return Outcome.same(repeated(view, before.get(), requested));
                }
            }
            if (caller.unverified() && InboxSql.count(tx, all) > 0) {
                throw Problem.limit(
                        "inboxes",
                        1,
                        "An unverified organization has one inbox",
                        "Verify it first: POST /v0/agent/verify with the code sent to the human.");
            }
            requireRoom(tx, all);
            UUID viewPod = view.pod();
            UUID pod = viewPod != null
                    ? InboxScopeResolver.findPod(tx, all, viewPod.toString()).orElseThrow(() -> Problem.notFound("Pod"))
                    : Organizations.defaultPod(tx, organization);
            Instant now = tx.next().at();
            String address = address(tx, organization, pod, requested);
            return Outcome.changed(open(
                    tx,
                    all,
                    new Inbox(
                            Uuid7.next(),
                            pod,
                            address,
                            Inbox.checkedName(requested.displayName(), address),
                            requested.clientId(),
                            requested.metadata().text(),
                            requested.status(),
                            new Inbox.Sending(false, requested.sendingPaused(), false, null),
                            now,
                            now)));
        });
    }

    private void requireRoom(Tx tx, View all) {
        if (most < Integer.MAX_VALUE && InboxSql.count(tx, all) >= most) {
            throw Problem.limit(
                    "inboxes",
                    most,
                    "The organization has its " + most + " inboxes already",
                    "Delete one that is not needed, or ask the server's operator for more.");
        }
    }

    /**
     * Keeps an address for an organization that is about to open an inbox there, in the caller's transaction. Mail for
     * it is refused until then.
     */
    public static AddressDirectory.Reserved reserve(Tx tx, UUID organization, String address, Instant now) {
        return AddressDirectory.reserve(tx, organization, address, now);
    }

    /**
     * Gives back an address that was kept and at which no inbox was opened, in the caller's transaction.
     *
     * @param last whether the organization ends with it
     */
    public static void giveBack(Tx tx, UUID organization, String address, boolean last) {
        AddressDirectory.giveBack(tx, organization, address, last);
    }

    /** The problem with an address whose username nobody may have at a shared domain. */
    public static Problem reserved(Tx tx, String address) {
        String username = address.substring(0, address.lastIndexOf('@'));
        return FreeUsernames.addressTaken(tx, address, "The username " + username + " is reserved");
    }

    private Inbox repeated(View view, Inbox before, NewInbox requested) {
        if (view.pod() != null && !before.pod().equals(view.pod())) {
            throw Problem.of(ErrorCode.IDEMPOTENCY_CONFLICT, "The client_id " + requested.clientId() + " is in use");
        }
        String domain = before.address().substring(before.address().indexOf('@') + 1);
        boolean sameName = requested.username() == null || before.address().equals(requested.username() + "@" + domain);
        if (sameName && (requested.domain() == null || requested.domain().equals(domain))) {
            return before;
        }
        throw Problem.of(
                ErrorCode.IDEMPOTENCY_CONFLICT,
                "The client_id " + requested.clientId() + " belongs to the inbox " + before.address());
    }

    private String address(Tx tx, UUID organization, UUID pod, NewInbox requested) {
        String domain = requested.domain() == null ? defaultDomain : requested.domain();
        boolean shared = domain.equals(defaultDomain);
        if (!shared) {
            Domains.requireUsable(tx, organization, pod, domain);
        }
        if (requested.username() != null) {
            if (shared && Usernames.isReserved(requested.username())) {
                throw reserved(tx, requested.username() + "@" + domain);
            }
            return requested.username() + "@" + domain;
        }
        String address = Usernames.random() + "@" + domain;
        while (AddressDirectory.isKnown(tx, address)) {
            address = Usernames.random() + "@" + domain;
        }
        return address;
    }

    /** One inbox, by its public id or its client_id. */
    Inbox named(View view, String id) {
        return database.read(tx -> InboxScopeResolver.find(tx, view, id)).orElseThrow(() -> Problem.notFound("Inbox"));
    }

    /** One inbox, by its internal id. */
    Inbox get(View view, UUID id) {
        return database.read(tx -> InboxSql.find(tx, view, id)).orElseThrow(() -> Problem.notFound("Inbox"));
    }

    /** What a pause of the inbox dropped. */
    DroppedMail.DroppedPage dropped(View view, UUID id, PageRequest page) {
        get(view, id);
        return new DroppedMail(database).page(view, id, page);
    }

    /** A page of the inboxes that the view shows. */
    Slice<Inbox> list(View view, PageRequest page) {
        return database.read(
                tx -> page.slice(InboxSql.list(tx, view, page), inbox -> Cursor.of(inbox.createdAt(), inbox.id())));
    }

    /**
     * Changes an inbox; absent members stay as they are.
     *
     * @throws Problem {@code not_found}; {@code missing_permission} and {@code forbidden} for a change of
     *     {@code send_approval} by a caller that may not approve (approvals.md §1)
     */
    Outcome<Inbox> update(Caller caller, View view, UUID id, InboxChange change) {
        return database.write(view.organization(), tx -> {
            Inbox before = InboxSql.find(tx, view, id).orElseThrow(() -> Problem.notFound("Inbox"));
            Inbox after = change.appliedTo(before);
            if (after.equals(before)) {
                return Outcome.same(before);
            }
            if (after.sending().needsApproval() != before.sending().needsApproval()) {
                requireApprover(caller, before.sending().needsApproval());
            }
            Inbox dated = after.updatedAt(tx.next().at());
            InboxSql.update(tx, view, dated);
            return Outcome.changed(dated);
        });
    }

    private static void requireApprover(Caller caller, boolean clears) {
        caller.require(Permission.DRAFT_APPROVE);
        if (clears && caller.needsApproval()) {
            throw Problem.of(
                    ErrorCode.FORBIDDEN,
                    "A key whose mail needs approval frees no inbox from it",
                    "Clear send_approval in the console, or with a key that holds draft_approve and needs none.");
        }
    }

    /**
     * Deletes an inbox. It is invisible and its address released at once; a job removes its mail in slices.
     *
     * @throws Problem {@code not_found}
     */
    Inbox delete(View view, UUID id) {
        return database.write(view.organization(), tx -> {
            Inbox inbox = InboxSql.find(tx, view, id).orElseThrow(() -> Problem.notFound("Inbox"));
            Instant now = tx.next().at();
            AddressDirectory.release(tx, inbox.address(), id, now);
            InboxSql.markDeleting(tx, view, id, now);
            deletions.forEach(deletion -> deletion.deleted(tx, view.organization(), id));
            jobs.add(tx, view.organization(), PURGE, id.toString());
            return inbox;
        });
    }
}
