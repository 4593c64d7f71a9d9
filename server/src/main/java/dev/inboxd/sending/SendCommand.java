package dev.inboxd.sending;

import dev.inboxd.base.database.View;
import dev.inboxd.sending.compose.OutgoingMessage;
import dev.inboxd.sending.idempotency.CommitHook;
import dev.inboxd.sending.limit.SendQuota;
import dev.inboxd.tenant.inbox.Inbox;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A message for {@link MailSender}.
 *
 * @param view narrowed to the sending inbox
 * @param sender the sending inbox as just read, when its organization is verified; null to read it
 * @param message the complete message: a reply has taken over what it needs from the original
 * @param hooks further work in the same transaction
 * @param charged the id that a message has which was counted before ({@link SendQuota#charge}); null for a message
 *     that is counted when it is sent, with an id of its own
 * @param origin where it comes from
 */
public record SendCommand(
        View view,
        @Nullable Inbox sender,
        OutgoingMessage message,
        List<CommitHook> hooks,
        @Nullable UUID charged,
        SendOrigin origin) {}
