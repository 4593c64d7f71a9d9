package dev.inboxd.tenant.inbox;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonBody;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A change of an inbox (mail.md §5.5).
 *
 * @param names whether the display name changes, to {@code displayName}, where null clears it
 * @param metadata members to set and to remove, or null for no change
 * @param clearsMetadata whether all members are removed first
 * @param status the new status, or null for no change
 * @param sending whether its sending alone is paused from now on, or null for no change
 * @param repliesOnce whether a message gets one answer from now on, or null for no change
 * @param needsApproval whether its mail needs approval from now on, or null for no change
 */
record InboxChange(
        boolean names,
        @Nullable String displayName,
        @Nullable Metadata metadata,
        boolean clearsMetadata,
        Inbox.@Nullable Status status,
        Inbox.@Nullable Status sending,
        @Nullable Boolean repliesOnce,
        @Nullable Boolean needsApproval) {

    /**
     * Reads a request's body.
     *
     * @throws Problem {@code validation_error} with all faults
     */
    static InboxChange read(JsonBody body) {
        String displayName =
                body.string("display_name").max(NewInbox.LONGEST_DISPLAY_NAME).optional();
        Metadata metadata = Metadata.read(body, true);
        if (metadata != null && metadata.members().isEmpty()) {
            body.fault("metadata", "metadata names at least one member, or is null to clear all");
        }
        Inbox.Status status = body.choice("status", Inbox.Status.values(), Inbox.Status::wireName);
        Inbox.Status sending = body.choice("sending", Inbox.Status.values(), Inbox.Status::wireName);
        String approval = body.string("send_approval").optional();
        if (approval != null && !approval.equals("required")) {
            body.fault("send_approval", "send_approval is \"required\", or null for none");
        }
        Boolean once = body.has("reply_once") ? (Boolean) body.flag("reply_once", false) : null;
        body.check();
        InboxChange change = new InboxChange(
                body.has("display_name"),
                displayName == null || displayName.isEmpty() ? null : displayName,
                metadata,
                body.isNull("metadata"),
                status,
                sending,
                once,
                body.has("send_approval") ? (Boolean) (approval != null) : null);
        boolean says = change.names || metadata != null || change.clearsMetadata;
        if (!says && status == null && sending == null && once == null && change.needsApproval == null) {
            throw Problem.invalid(List.of(
                    new Fault(List.of(), "Give display_name, metadata, status, sending, send_approval or reply_once")));
        }
        return change;
    }

    /** The inbox after the change. */
    Inbox appliedTo(Inbox before) {
        // Cleared or unchanged members need not be parsed.
        Metadata merged = clearsMetadata || metadata == null ? Metadata.NONE : Metadata.stored(before.metadata());
        if (metadata != null) {
            merged = merged.with(metadata);
        }
        if (merged.isTooLarge()) {
            throw Problem.invalid("metadata", "metadata would have too many members");
        }
        boolean sameMembers = !clearsMetadata && metadata == null;
        String name = names ? Inbox.checkedName(displayName, before.address()) : before.displayName();
        return new Inbox(
                before.id(),
                before.pod(),
                before.address(),
                name,
                before.clientId(),
                sameMembers ? before.metadata() : merged.text(),
                status == null ? before.status() : status,
                new Inbox.Sending(
                        needsApproval == null ? before.sending().needsApproval() : needsApproval,
                        sending == null ? before.sending().isPaused() : sending == Inbox.Status.PAUSED,
                        repliesOnce == null ? before.sending().repliesOnce() : repliesOnce,
                        before.sending().stoppedAt()),
                before.createdAt(),
                before.updatedAt());
    }
}
