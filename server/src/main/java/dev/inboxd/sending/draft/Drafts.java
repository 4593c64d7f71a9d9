package dev.inboxd.sending.draft;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Outcome;
import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.page.Cursor;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.base.page.Slice;
import dev.inboxd.base.rate.StorageQuota;
import dev.inboxd.sending.answer.DraftTerms;
import dev.inboxd.sending.compose.OriginalMessage;
import dev.inboxd.sending.compose.OutgoingMessage;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Operations on drafts, except sending. Each operation is one transaction. */
final class Drafts {
    private final Database database;
    private final DraftFiles bytes;
    private final AttachedFiles attached;
    private final OriginalMessage.Finder sources;
    private final StorageQuota quota;

    Drafts(Database database, DraftFiles bytes, AttachedFiles.Sources sources) {
        this.database = database;
        this.bytes = bytes;
        this.attached = new AttachedFiles(database, bytes, sources);
        this.sources = sources.originals();
        this.quota = sources.quota();
    }

    /**
     * Creates a draft in the view's inbox. A repeated client_id returns the first draft (ruling 18).
     *
     * @throws Problem {@code not_found} for a message that the view does not show, {@code idempotency_conflict},
     *     {@code message_rejected} for an attachment that cannot be fetched, {@code unprocessable} for too many bytes,
     *     {@code limit_exceeded} over the storage quota of the organization
     */
    Outcome<DraftReads.DraftWithFiles> create(Caller caller, View view, NewDraft newDraft) {
        Optional<DraftReads.DraftWithFiles> before = database.read(tx -> findByClientId(tx, view, newDraft));
        if (before.isPresent()) {
            return Outcome.same(before.get());
        }
        OutgoingMessage message = derived(view, newDraft);
        UUID id = Uuid7.next();
        AttachedFiles.Owner owner = new AttachedFiles.Owner(caller, Objects.requireNonNull(view.inbox()), id, null);
        List<DraftFileSql.NewFile> files = attached.stored(owner, message.body().attachments(), 0);
        return database.write(view.organization(), tx -> {
            Optional<DraftReads.DraftWithFiles> meanwhile = findByClientId(tx, view, newDraft);
            return meanwhile.isPresent()
                    ? Outcome.same(meanwhile.get())
                    : Outcome.changed(insert(
                            tx,
                            view,
                            draft(tx, view, id, newDraft, message).changedBy(Draft.Author.of(caller)),
                            files));
        });
    }

    private static Optional<DraftReads.DraftWithFiles> findByClientId(Tx tx, View view, NewDraft newDraft) {
        if (newDraft.clientId() == null) {
            return Optional.empty();
        }
        // A client_id is unique in the organization, but a draft is shown only to callers who may see it.
        return DraftSql.findByClientId(tx, View.of(view.organization()), newDraft.clientId())
                .map(existing -> DraftSql.find(tx, view, existing.id())
                        .filter(draft -> agrees(
                                        newDraft.inReplyTo(), draft.origin().inReplyTo())
                                && agrees(newDraft.forwardOf(), draft.origin().forwardOf()))
                        .map(draft ->
                                DraftReads.withFiles(tx, view, List.of(draft)).getFirst())
                        .orElseThrow(() -> Problem.of(
                                ErrorCode.IDEMPOTENCY_CONFLICT,
                                "The client_id " + newDraft.clientId()
                                        + " belongs to a draft of another inbox or message")));
    }

    private static boolean agrees(@Nullable String requested, @Nullable String before) {
        return requested == null || requested.equals(before);
    }

    /** The message with all it takes over from the original, which is taken over now and stays (mail.md §8.4). */
    private OutgoingMessage derived(View view, NewDraft newDraft) {
        OutgoingMessage message = newDraft.message();
        if (newDraft.inReplyTo() != null) {
            OriginalMessage source = sources.find(view, newDraft.inReplyTo());
            return newDraft.replyAll() ? message.answeringAll(source) : message.answering(source);
        }
        return newDraft.forwardOf() == null ? message : message.forwarding(sources.find(view, newDraft.forwardOf()));
    }

    private static Draft draft(Tx tx, View view, UUID id, NewDraft newDraft, OutgoingMessage message) {
        Inbox inbox = Inboxes.find(tx, view, Objects.requireNonNull(view.inbox()))
                .orElseThrow(() -> Problem.notFound("Inbox"));
        OutgoingMessage.Recipients recipients = message.recipients();
        Draft.Schedule schedule = Draft.Schedule.at(newDraft.sendAt());
        Instant now = tx.next().at();
        return new Draft(
                id,
                new Draft.Place(inbox.id(), inbox.address(), inbox.pod()),
                newDraft.clientId(),
                Draft.labels(List.copyOf(message.options().labels()), schedule),
                new Draft.People(
                        DraftChange.texts(recipients.to()),
                        DraftChange.texts(recipients.cc()),
                        DraftChange.texts(recipients.bcc()),
                        DraftChange.texts(recipients.replyTo())),
                Draft.Text.of(
                        message.subject(), message.body().text(), message.body().html()),
                new Draft.Origin(
                        newDraft.inReplyTo(),
                        newDraft.forwardOf(),
                        message.references().references(),
                        newDraft.terms()),
                schedule,
                Draft.Author.NONE,
                null,
                now,
                now);
    }

    private DraftReads.DraftWithFiles insert(Tx tx, View view, Draft draft, List<DraftFileSql.NewFile> files) {
        View all = View.of(view.organization());
        if (draft.clientId() != null) {
            DraftSql.forgetClientId(tx, all, draft.clientId());
        }
        RoundTrip trip = tx.roundTrip();
        DraftSql.appendInsert(trip, all, draft);
        DraftApprovalSql.appendAuthor(trip, all, draft);
        draft.appendTerms(trip, all, DraftTerms.NONE);
        DraftFileSql.appendInsert(trip, all, draft.place().inbox(), files);
        trip.run();
        checkRoom(tx, all);
        return new DraftReads.DraftWithFiles(
                draft, files.stream().map(DraftFileSql.NewFile::file).toList());
    }

    /** A page of the drafts that the view shows. */
    Slice<DraftReads.DraftWithFiles> list(View view, DraftSql.Filter filter, PageRequest page) {
        return database.read(tx -> {
            Slice<Draft> slice =
                    page.slice(DraftSql.list(tx, view, filter, page), draft -> Cursor.of(draft.updatedAt()));
            return new Slice<>(DraftReads.withFiles(tx, view, slice.items()), slice.next());
        });
    }

    /** Reserves the memory for an answer with the whole draft; nothing when the view does not show it. */
    void reserve(Request request, View view, UUID id) {
        database.read(tx -> DraftSql.octets(tx, view, id)).ifPresent(request::reserveText);
    }

    /**
     * One draft, as the view shows it.
     *
     * @throws Problem {@code not_found}
     */
    DraftReads.DraftWithFiles get(View view, UUID id) {
        return database.read(tx -> DraftSql.find(tx, view, id)
                .map(draft -> DraftReads.withFiles(tx, view, List.of(draft)).getFirst())
                .orElseThrow(() -> DraftReads.missing(tx, view, id)));
    }

    /**
     * Changes a draft.
     *
     * @throws Problem {@code not_found}, {@code conflict} while it is being sent, or for one that waits and changed
     *     since the caller read it, {@code validation_error} for an attachment that it does not have,
     *     {@code message_rejected} for one that cannot be fetched, {@code unprocessable} for too many bytes,
     *     {@code limit_exceeded} over the storage quota of the organization
     */
    Outcome<DraftReads.DraftWithFiles> update(Caller caller, View view, UUID id, DraftChange change) {
        // Looked at before files are fetched and stored for nothing.
        Foreseen foreseen = database.read(tx -> {
            Draft draft = change.checked(DraftReads.changeable(tx, view, id, caller));
            return new Foreseen(draft, less(tx, draft, view, change));
        });
        AttachedFiles.Owner owner =
                new AttachedFiles.Owner(caller, foreseen.draft.place().inbox(), id, foreseen.draft);
        List<DraftFileSql.NewFile> added = attached.stored(owner, change.files().add(), foreseen.less);
        List<DraftFile> freed = new ArrayList<>();
        Outcome<DraftReads.DraftWithFiles> outcome = database.write(view.organization(), tx -> {
            Draft before = change.checked(DraftReads.changeable(tx, view, id, caller));
            List<DraftFile> files =
                    new ArrayList<>(DraftFileSql.ofDrafts(tx, view, List.of(id)).getOrDefault(id, List.of()));
            freed.addAll(removed(change.files().remove(), files));
            files.removeAll(freed);
            files.addAll(added.stream().map(DraftFileSql.NewFile::file).toList());
            if (!added.isEmpty()) { // a draft over the limit may always be changed and made smaller
                DraftFiles.checkSize(files);
            }
            Draft after = change.appliedTo(before);
            if (after.equals(before) && added.isEmpty() && freed.isEmpty()) {
                return Outcome.same(new DraftReads.DraftWithFiles(before, files));
            }
            Draft dated = after.changedBy(Draft.Author.of(caller)).at(tx.next().at());
            View all = View.of(view.organization());
            RoundTrip trip = tx.roundTrip();
            DraftApprovalSql.appendAuthor(trip, all, dated);
            DraftSql.appendUpdate(trip, all, dated, !dated.schedule().equals(before.schedule()));
            dated.appendTerms(trip, all, before.origin().terms());
            DraftFileSql.appendDelete(
                    trip, all, freed.stream().map(DraftFile::id).toList());
            DraftFileSql.appendInsert(trip, all, dated.place().inbox(), added);
            trip.run();
            checkRoom(tx, all);
            return Outcome.changed(new DraftReads.DraftWithFiles(dated, files));
        });
        bytes.free(view.organization(), freed);
        return outcome;
    }

    /**
     * Deletes a draft with its schedule.
     *
     * @throws Problem {@code not_found}, {@code conflict} while it is being sent
     */
    Draft delete(View view, UUID id) {
        View all = View.of(view.organization());
        DraftReads.DraftWithFiles deleted = database.write(view.organization(), tx -> {
            Draft draft = DraftReads.deletable(tx, view, id);
            List<DraftFile> files = DraftFileSql.ofDrafts(tx, all, List.of(id)).getOrDefault(id, List.of());
            RoundTrip trip = tx.roundTrip();
            DraftSql.appendDelete(trip, all, List.of(id));
            trip.run();
            return new DraftReads.DraftWithFiles(draft, files);
        });
        bytes.free(view.organization(), deleted.files());
        return deleted.draft();
    }

    /**
     * An attachment of a draft.
     *
     * @throws Problem {@code not_found}
     */
    DraftFile file(View view, UUID draft, String id) {
        return get(view, draft).files().stream()
                .filter(file -> file.id().equals(Uuid7.parse(id)))
                .findFirst()
                .orElseThrow(() -> Problem.notFound("Attachment"));
    }

    private static List<DraftFile> removed(List<String> ids, List<DraftFile> files) {
        List<DraftFile> removed = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            UUID id = Uuid7.parse(ids.get(i));
            Optional<DraftFile> file = files.stream()
                    .filter(candidate -> candidate.id().equals(id))
                    .findFirst();
            if (file.isEmpty()) {
                throw Problem.invalid(
                        List.of(new Fault(List.of("remove_attachments", i), "The draft has no attachment of this id")));
            }
            removed.add(file.get());
        }
        return removed.stream().distinct().toList();
    }

    /** A draft before a change, and the bytes that the change frees, without those it adds. */
    private record Foreseen(Draft draft, long less) {}

    /** The bytes that a change frees, without those it adds. */
    private static long less(Tx tx, Draft before, View view, DraftChange change) {
        List<DraftFile> files = change.files().remove().isEmpty()
                ? List.of()
                : removed(
                        change.files().remove(),
                        DraftFileSql.ofDrafts(tx, view, List.of(before.id())).getOrDefault(before.id(), List.of()));
        return before.text().bytes()
                - change.appliedTo(before).text().bytes()
                + files.stream().mapToLong(DraftFile::size).sum();
    }

    /** Checks the quota after the changes, which have updated the usage. */
    private void checkRoom(Tx tx, View all) {
        if (!quota.isNone()) {
            quota.require(tx.usage(), StorageQuota.usage(tx, all.organization()));
        }
    }
}
