package dev.inboxd.sending.compose;

import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.mail.compose.AttachmentContent;
import dev.inboxd.mailbox.attachment.Attachment;
import dev.inboxd.mailbox.content.ReadableContent;
import dev.inboxd.mailbox.message.FullMessage;
import dev.inboxd.mailbox.message.Message;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.Messages;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The message that is replied to or forwarded.
 *
 * @param message its row
 * @param readable its header and body
 * @param attachments its attachments, which are read when the new message is composed
 * @param mediaTypes the types of its parts with their parameters, by the number of the part; read when asked for
 */
public record OriginalMessage(
        Message message,
        ReadableContent readable,
        List<OriginalFile> attachments,
        Supplier<Map<Integer, String>> mediaTypes) {
    public OriginalMessage {
        attachments = List.copyOf(attachments);
    }

    /**
     * The id that its sender gave it, by which its sender's program knows it. The public id is another one when it was
     * taken already, or could not be a public id.
     */
    String ownId() {
        String written = readable.messageId();
        return written == null ? message.name() : written;
    }

    /** An attachment of the message and its content. */
    record OriginalFile(Attachment attachment, AttachmentContent content) {}

    /** Finds original messages. */
    public record Finder(Messages messages, MessageContents contents) {
        /**
         * A message of the view's inbox that the view may see.
         *
         * @param name its public id
         * @throws Problem {@code not_found}
         */
        public OriginalMessage find(View view, String name) {
            FullMessage fullMessage = messages.get(view, name);
            return new OriginalMessage(
                    fullMessage.message(),
                    contents.readable(fullMessage.content()),
                    fullMessage.attachments().stream()
                            .map(attachment -> new OriginalFile(
                                    attachment, contents.part(view.organization(), fullMessage.content(), attachment)))
                            .toList(),
                    () -> contents.mediaTypes(view.organization(), fullMessage.content()));
        }
    }
}
