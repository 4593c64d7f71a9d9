package dev.inboxd.mailbox.message;

import dev.inboxd.mailbox.attachment.Attachment;
import dev.inboxd.mailbox.claim.ShownClaim;
import dev.inboxd.mailbox.content.StoredContent;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message with its content and attachments, the draft that became it, what its calendar became, and who answers
 * in its thread.
 */
public record FullMessage(
        Message message,
        StoredContent content,
        List<Attachment> attachments,
        @Nullable UUID draft,
        CalendarMessages.@Nullable MailedCalendar calendar,
        ShownClaim claim) {}
