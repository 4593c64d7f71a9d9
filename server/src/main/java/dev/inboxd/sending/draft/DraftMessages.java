package dev.inboxd.sending.draft;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.compose.OutgoingAttachment;
import dev.inboxd.mailbox.label.LabelChange;
import dev.inboxd.mailbox.label.Labels;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.sending.compose.OriginalMessage;
import dev.inboxd.sending.compose.OutgoingMessage;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Builds the messages of drafts when they are sent. */
final class DraftMessages {
    private final Database database;
    private final DraftFiles files;
    private final OriginalMessage.Finder sources;

    DraftMessages(Database database, DraftFiles files, OriginalMessage.Finder sources) {
        this.database = database;
        this.files = files;
        this.sources = sources;
    }

    /**
     * The message of a draft.
     *
     * @param view the inbox of the draft. A message that it hides is no parent; what the draft passes on is read in any
     *     case: access to that was checked at its creation
     * @param change a change of its labels
     * @throws Problem {@code not_found} when the message to forward was deleted, {@code validation_error}
     */
    OutgoingMessage of(View view, DraftReads.DraftWithFiles item, LabelChange change) {
        Draft draft = item.draft();
        DraftSpecifics specifics = draft.specifics();
        List<String> labels = change.appliedTo(draft.ownLabels());
        if (labels.size() >= Labels.MOST) {
            throw Problem.invalid(
                    "add_labels", "A message carries at most " + Labels.MOST + " labels, sent among them");
        }
        List<OutgoingAttachment> attachments = new ArrayList<>();
        item.files().forEach(file -> attachments.add(files.attachment(view.organization(), file, attachments.size())));
        OutgoingMessage.Body body = new OutgoingMessage.Body(
                draft.text().text(), draft.text().html(), attachments, specifics == null ? null : specifics.calendar());
        OutgoingMessage outgoing = new OutgoingMessage(
                recipients(draft.people()),
                draft.text().subject(),
                body,
                new OutgoingMessage.Options(
                        new LinkedHashSet<>(labels),
                        specifics == null ? List.of() : specifics.headers(),
                        specifics != null && specifics.trackOpens()),
                specifics == null
                        ? conversation(view, draft.origin())
                        : new OutgoingMessage.ThreadReferences(
                                specifics.inReplyTo(), draft.origin().references(), null));
        String forwardOf = draft.origin().forwardOf();
        View all = View.of(view.organization()).inbox(draft.place().inbox());
        return forwardOf == null ? outgoing : outgoing.enclosing(sources.find(all, forwardOf));
    }

    /** The thread of the original message; without it, when it was deleted, the references decide. */
    private OutgoingMessage.ThreadReferences conversation(View view, Draft.Origin origin) {
        String source = origin.inReplyTo() != null ? origin.inReplyTo() : origin.forwardOf();
        Optional<Message> message =
                source == null ? Optional.empty() : database.read(tx -> Messages.find(tx, view, source));
        @Nullable
        UUID thread = message.map(original -> original.place().thread()).orElse(null);
        // The last reference is the id that the sender of the original gave it.
        List<String> inReplyTo = origin.inReplyTo() == null
                ? List.of()
                : List.of(
                        origin.references().isEmpty()
                                ? origin.inReplyTo()
                                : origin.references().getLast());
        return new OutgoingMessage.ThreadReferences(inReplyTo, origin.references(), thread);
    }

    private static OutgoingMessage.Recipients recipients(Draft.People people) {
        return new OutgoingMessage.Recipients(
                addresses(people.to()), addresses(people.cc()), addresses(people.bcc()), addresses(people.replyTo()));
    }

    private static List<MailAddress> addresses(List<String> texts) {
        return texts.stream().map(MailAddress::parse).toList();
    }
}
