package dev.inboxd.sending;

import dev.inboxd.mail.compose.Content;
import dev.inboxd.mailbox.attachment.Attachment;
import dev.inboxd.mailbox.message.Contents;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.mailbox.message.Shown;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.error.Problem;
import java.util.List;

/**
 * The message that a letter answers or passes on.
 *
 * @param message its row
 * @param shown its header and body
 * @param attachments its files, which are read when the letter is composed
 */
public record Source(Message message, Shown shown, List<Enclosed> attachments) {
    public Source {
        attachments = List.copyOf(attachments);
    }

    /** A file of the message. */
    record Enclosed(Attachment attachment, Content content) {}

    /** Where such messages are found. */
    public record Finder(Messages messages, Contents contents) {
        /**
         * A message that the view's inbox has and the view shows.
         *
         * @param name its public id
         * @throws Problem {@code not_found}
         */
        public Source find(View view, String name) {
            Messages.Found found = messages.get(view, name);
            return new Source(
                    found.message(),
                    contents.shown(found.content()),
                    found.attachments().stream()
                            .map(each -> new Enclosed(each, contents.part(view.organization(), found.content(), each)))
                            .toList());
        }
    }
}
