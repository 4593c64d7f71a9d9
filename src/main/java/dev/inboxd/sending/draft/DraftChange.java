package dev.inboxd.sending.draft;

import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.compose.OutgoingAttachment;
import dev.inboxd.mailbox.label.LabelChange;
import dev.inboxd.mailbox.label.LabelMembers;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.platform.access.Caller;
import dev.inboxd.platform.access.Permission;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.json.JsonBody;
import dev.inboxd.sending.AddressMembers;
import dev.inboxd.sending.AttachmentMembers;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A change of a draft (mail.md §8.5). What is left out stays, null empties. What a draft answers or passes on
 * is fixed at its creation.
 *
 * @param sendAt a time schedules it anew, null takes it off the schedule
 * @param add files to put behind those it has
 * @param remove public ids of files to take off, as the caller wrote them
 */
record DraftChange(
        PeopleChange people,
        TextChange words,
        LabelChange labels,
        PatchValue<Instant> sendAt,
        List<OutgoingAttachment> add,
        List<String> remove) {
    DraftChange {
        add = List.copyOf(add);
        remove = List.copyOf(remove);
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

    /** The change of what it says. */
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
     * @param caller must hold what a draft asks for that is sent without further ado
     * @throws Problem {@code missing_permission}, {@code validation_error} with everything that is wrong
     */
    static DraftChange read(JsonBody body, Caller caller, Instant now) {
        PatchValue<Instant> sendAt = given(body, "send_at", _ -> SendTime.read(body, now));
        if (sendAt.value() != null) {
            caller.require(Permission.DRAFT_SEND);
        }
        for (String fixed : List.of("in_reply_to", "forward_of", "reply_all")) {
            if (body.has(fixed)) {
                body.fault(fixed, fixed + " is fixed when a draft is made");
            }
        }
        PeopleChange people = new PeopleChange(
                addresses(body, "to"),
                addresses(body, "cc"),
                addresses(body, "bcc"),
                given(body, "reply_to", _ -> texts(NewDraft.replyTo(body))));
        TextChange words = new TextChange(
                given(
                        body,
                        "subject",
                        name -> body.string(name).max(NewDraft.LONGEST_SUBJECT).optional()),
                given(body, "text", name -> body.string(name).multiline().optional()),
                given(body, "html", name -> body.string(name).multiline().optional()));
        LabelChange labels = LabelMembers.readChange(body);
        List<OutgoingAttachment> add = AttachmentMembers.read(body, "add_attachments");
        List<String> remove =
                body.strings("remove_attachments").most(AttachmentMembers.MOST).list();
        body.check();
        return new DraftChange(people, words, labels, sendAt, add, remove);
    }

    /**
     * The draft after the change, dated as before.
     *
     * @throws Problem {@code validation_error} when it would carry too many labels
     */
    Draft appliedTo(Draft before) {
        Draft.Schedule schedule = sendAt.present() ? Draft.Schedule.at(sendAt.value()) : before.schedule();
        List<String> own = labels.appliedTo(before.ownLabels());
        if (own.size() >= Labels.MOST) {
            throw Problem.invalid(
                    "add_labels", "A draft carries at most " + Labels.MOST + " labels, scheduled or sent among them");
        }
        return new Draft(
                before.id(),
                before.place(),
                before.clientId(),
                Draft.labels(own, schedule),
                people.appliedTo(before.people()),
                words.appliedTo(before.text()),
                before.origin(),
                schedule,
                before.createdAt(),
                before.updatedAt());
    }

    /** The texts of addresses, as a draft keeps them. */
    static List<String> texts(List<MailAddress> addresses) {
        return addresses.stream().map(MailAddress::toString).toList();
    }

    private static PatchValue<List<String>> addresses(JsonBody body, String name) {
        return given(body, name, member -> texts(AddressMembers.read(body, member)));
    }

    private static <T> PatchValue<T> given(JsonBody body, String name, Function<String, @Nullable T> reader) {
        return body.has(name) ? new PatchValue<>(true, reader.apply(name)) : new PatchValue<>(false, null);
    }
}
