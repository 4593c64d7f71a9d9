package dev.inboxd.sending.draft;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.compose.OutgoingAttachment;
import dev.inboxd.mailbox.label.LabelChange;
import dev.inboxd.mailbox.label.LabelMembers;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.sending.answer.DraftTerms;
import dev.inboxd.sending.compose.AddressMembers;
import dev.inboxd.sending.compose.AttachmentMembers;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A change of a draft (mail.md §8.5). An absent member leaves its value, null or the empty string clears it. The
 * message that a draft replies to or forwards is fixed at its creation.
 *
 * @param sendAt a time schedules the draft anew, null removes its schedule
 * @param files the change of its attachments
 * @param terms what changes of the terms under which its message may join its thread
 * @param read the time of change of the draft as the caller read it, or null
 */
record DraftChange(
        PeopleChange people,
        TextChange content,
        LabelChange labels,
        PatchValue<Instant> sendAt,
        FileChange files,
        UnaryOperator<DraftTerms> terms,
        @Nullable Instant read) {
    /**
     * The change of its attachments.
     *
     * @param add attachments to append
     * @param remove public ids of attachments to remove, as the caller gave them
     */
    record FileChange(List<OutgoingAttachment> add, List<String> remove) {
        FileChange {
            add = List.copyOf(add);
            remove = List.copyOf(remove);
        }
    }

    /** The change of its addresses. */
    record PeopleChange(
            PatchValue<List<String>> to,
            PatchValue<List<String>> cc,
            PatchValue<List<String>> bcc,
            PatchValue<List<String>> replyTo) {
        Draft.People appliedTo(Draft.People before) {
            return new Draft.People(
                    list(to, before.to()),
                    list(cc, before.cc()),
                    list(bcc, before.bcc()),
                    list(replyTo, before.replyTo()));
        }

        private static List<String> list(PatchValue<List<String>> change, List<String> before) {
            return Objects.requireNonNullElse(change.or(before), List.of());
        }
    }

    /** The change of its subject, text and HTML. */
    record TextChange(PatchValue<String> subject, PatchValue<String> text, PatchValue<String> html) {
        Draft.Text appliedTo(Draft.Text before) {
            return subject.present() || text.present() || html.present()
                    ? Draft.Text.of(subject.or(before.subject()), text.or(before.text()), html.or(before.html()))
                    : before;
        }
    }

    /**
     * Reads a request's body.
     *
     * @param caller must have the permission to send drafts for a change that schedules the draft
     * @throws Problem {@code missing_permission}, {@code validation_error} with all faults
     */
    static DraftChange read(JsonBody body, Caller caller, Instant now) {
        PatchValue<Instant> sendAt = patch(body, "send_at", _ -> SendTime.read(body, now));
        if (sendAt.value() != null) {
            caller.require(Permission.DRAFT_SEND);
        }
        for (String fixed : List.of("in_reply_to", "forward_of", "reply_all")) {
            if (body.isGiven(fixed)) {
                body.fault(fixed, fixed + " is fixed when a draft is made");
            }
        }
        PeopleChange people = new PeopleChange(
                addresses(body, "to"),
                addresses(body, "cc"),
                addresses(body, "bcc"),
                patch(body, "reply_to", _ -> texts(NewDraft.replyTo(body))));
        TextChange content = new TextChange(
                patch(body, "subject", _ -> NewDraft.subject(body)),
                patch(body, "text", name -> body.string(name).multiline().optional()),
                patch(body, "html", name -> body.string(name).multiline().optional()));
        LabelChange labels = LabelMembers.readChange(body);
        List<OutgoingAttachment> add = AttachmentMembers.read(body, "add_attachments");
        List<String> remove =
                body.strings("remove_attachments").most(AttachmentMembers.MOST).list();
        Instant updatedAt = body.instant("updated_at");
        DraftTerms.NONE.read(body); // faults are told with those of the others
        body.check();
        return new DraftChange(
                people, content, labels, sendAt, new FileChange(add, remove), before -> before.read(body), updatedAt);
    }

    /**
     * The draft before the change. One that waits is changed as it was read (ruling 164).
     *
     * @throws Problem {@code conflict}
     */
    Draft checked(Draft before) {
        if (read != null && before.isWaiting()) {
            DraftReads.requireAsRead(before, read);
        }
        return before;
    }

    /**
     * The draft after the change; {@code updatedAt} is not changed yet.
     *
     * @throws Problem {@code validation_error} with too many labels
     */
    Draft appliedTo(Draft before) {
        if (before.isWaiting() && sendAt.present()) {
            throw Problem.invalid("send_at", "send_at cannot be given to a draft that waits for approval");
        }
        Draft.Schedule schedule = sendAt.present() ? Draft.Schedule.at(sendAt.value()) : before.schedule();
        DraftTerms after = terms.apply(before.origin().terms());
        Draft.People addressees = people.appliedTo(before.people());
        if (after.cancelsOnReply()
                && before.origin().inReplyTo() == null
                && addressees.to().isEmpty()) {
            throw Problem.invalid("cancel_on_reply", DraftTerms.UNCANCELLABLE);
        }
        List<String> ownLabels = labels.appliedTo(before.ownLabels());
        if (ownLabels.size() >= Labels.MOST) {
            throw Problem.invalid(
                    "add_labels", "A draft carries at most " + Labels.MOST + " labels, scheduled or sent among them");
        }
        return new Draft(
                before.id(),
                before.place(),
                before.clientId(),
                Draft.labels(ownLabels, schedule),
                addressees,
                content.appliedTo(before.text()),
                new Draft.Origin(
                        before.origin().inReplyTo(),
                        before.origin().forwardOf(),
                        before.origin().references(),
                        after),
                schedule,
                before.author(),
                before.approval(),
                before.createdAt(),
                before.updatedAt());
    }

    /** The text form of addresses, as a draft stores them. */
    static List<String> texts(List<MailAddress> addresses) {
        return addresses.stream().map(MailAddress::toString).toList();
    }

    private static PatchValue<List<String>> addresses(JsonBody body, String name) {
        return patch(body, name, member -> texts(AddressMembers.read(body, member)));
    }

    private static <T> PatchValue<T> patch(JsonBody body, String name, Function<String, @Nullable T> reader) {
        return body.has(name) ? new PatchValue<>(true, reader.apply(name)) : new PatchValue<>(false, null);
    }
}
