package dev.inboxd.sending;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.StoredUsage;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.mail.compose.OutgoingAttachment;
import dev.inboxd.mailbox.attachment.AttachmentFetcher;
import dev.inboxd.mailbox.attachment.AttachmentFiles;
import dev.inboxd.mailbox.attachment.RemoteFile;
import dev.inboxd.mailbox.claim.AnswerCheck;
import dev.inboxd.mailbox.claim.AnswerTerms;
import dev.inboxd.mailbox.storage.MessageWriter;
import dev.inboxd.mailbox.storage.NewMessage;
import dev.inboxd.mailbox.thread.MailThread;
import dev.inboxd.mailbox.thread.Threads;
import dev.inboxd.observe.audit.AuditAction;
import dev.inboxd.observe.audit.AuditActor;
import dev.inboxd.observe.audit.AuditChange;
import dev.inboxd.observe.audit.AuditLog;
import dev.inboxd.observe.audit.AuditSource;
import dev.inboxd.sending.compose.RecipientPolicy;
import dev.inboxd.sending.idempotency.CommitHook;
import dev.inboxd.sending.idempotency.SendResult;
import dev.inboxd.sending.limit.LoopBreaker;
import dev.inboxd.sending.limit.SendQuota;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import dev.inboxd.tenant.list.Direction;
import dev.inboxd.tenant.list.ListLookup;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The files by URL of messages that leave. What a URL says leaves with the request for it (ruling 163). So a file is
 * fetched last, when nothing else refuses its message, and a fetch for a key whose mail needs approval is an entry of
 * the audit log, also when it fails.
 */
final class FetchedFiles {
    private final MailSender.Parts parts;

    FetchedFiles(MailSender.Parts parts) {
        this.parts = parts;
    }

    /**
     * A message whose files are to be fetched.
     *
     * @param context who sends it
     * @param ruling what was decided about its approval; it does not wait
     * @param length its octets without the files
     */
    record Departure(SendContext context, SendCommand command, ApprovalGate.Ruling ruling, long length) {
        List<OutgoingAttachment> attachments() {
            return command.message().body().attachments();
        }

        List<String> recipients() {
            return command.message().envelope();
        }

        Inbox inbox() {
            return context.inbox();
        }

        NewMessage.Parents parents() {
            NewMessage.Parents own = command.message().parents(command.view().hidden());
            ReservedMessage reserved = context.sender().origin().approved();
            return reserved == null ? own : own.reserving(reserved.thread());
        }
    }

    /** Whether one of these files is given by URL. */
    static boolean areAmong(List<OutgoingAttachment> attachments) {
        return attachments.stream().anyMatch(attachment -> attachment.content() instanceof RemoteFile);
    }

    /**
     * Makes the checks of the transaction that stores the message. That transaction makes them again.
     *
     * @return the answer of an equal request before it, after which nothing is fetched; null otherwise
     * @throws dev.inboxd.base.error.Problem why it cannot leave
     */
    @Nullable
    SendResult earlier(Departure departure) {
        SendCommand command = departure.command;
        parts.room()
                .require(
                        parts.database(),
                        departure.context.organization(),
                        StoredUsage.message(departure.length).minus(CommitHook.frees(command.hooks())));
        return parts.database().read(tx -> new CheckTx(tx, departure).run());
    }

    /**
     * Fetches the files.
     *
     * @throws dev.inboxd.base.error.Problem as {@link AttachmentFetcher#fetch}
     */
    AttachmentFiles fetch(Departure departure) {
        SendOrigin origin = departure.context.sender().origin();
        UUID key = origin.key() != null || origin.authors().list().isEmpty()
                ? origin.key()
                : origin.authors().list().getFirst();
        boolean isFreed = departure.ruling == ApprovalGate.Ruling.CLEARED && origin.approved() == null;
        if (isFreed && key != null) {
            record(departure, key);
        }
        return parts.fetching().fetch(departure.context.organization(), departure.attachments());
    }

    /** Mail of a key that needs approval leaves at once, because its recipients are exempt. */
    private void record(Departure departure, UUID key) {
        List<String> hosts = departure.attachments().stream()
                .filter(attachment -> attachment.content() instanceof RemoteFile)
                .map(attachment -> parts.fetching().host((RemoteFile) attachment.content()))
                .filter(host -> !host.isEmpty())
                .distinct()
                .toList();
        UUID organization = departure.context.organization();
        AuditActor actor = new AuditActor(AuditActor.Type.API_KEY, key, AuditSource.NONE);
        AuditChange change = new AuditChange(
                AuditAction.ATTACHMENT_FETCHED, departure.inbox().address(), Map.of("hosts", hosts));
        parts.database().run(organization, tx -> {
            AuditLog.add(tx, organization, actor, change);
        });
    }

    /** The transaction in which nothing is written. */
    private final class CheckTx {
        private final Tx tx;
        private final Departure departure;
        private final View all;
        private final MessageWriter threads;
        private final ListLookup lists = new ListLookup();
        private final SendQuota.QuotaCheck quota = parts.quota().newCheck();
        private final AnswerCheck answers = new AnswerCheck();
        private final LoopBreaker.ThreadActivity activity = parts.breaker().watch();

        CheckTx(Tx tx, Departure departure) {
            this.tx = tx;
            this.departure = departure;
            this.all = View.of(departure.context.organization());
            this.threads = new MessageWriter(tx, all, parts.log(), parts.links());
        }

        @Nullable
        SendResult run() {
            UUID sender = departure.inbox().id();
            NewMessage.Parents parents = departure.parents();
            Set<UUID> joined = new HashSet<>();
            if (parents.thread() != null) {
                joined.add(parents.thread());
            }
            RoundTrip roundTrip = tx.roundTrip();
            List<CommitHook> hooks = departure.command.hooks();
            hooks.forEach(hook -> hook.prefetch(roundTrip, all));
            threads.require(sender, parents);
            threads.prefetch(roundTrip);
            lists.require(sender, departure.recipients());
            lists.prefetch(roundTrip, all, Direction.SEND);
            quota.prefetch(roundTrip, all, Set.of(sender));
            activity.prefetch(roundTrip, all, joined);
            RoundTrip.Result<MailThread> named = Threads.prefetch(roundTrip, all, joined);
            RoundTrip.Result<Inbox> now = Inboxes.prefetch(roundTrip, all, Set.of(sender));
            roundTrip.run();
            for (CommitHook hook : hooks) {
                SendResult earlier = hook.decide();
                if (earlier != null) {
                    return earlier;
                }
            }
            if (departure.command.charged() == null) {
                quota.check(sender);
            }
            SendBatch.requireSender(
                    now.rows().stream().findFirst().orElse(null), departure.ruling == ApprovalGate.Ruling.CLEARED);
            RecipientPolicy.check(tx, lists, sender, departure.recipients());
            named.rows().forEach(threads::include);
            threads.threadToJoin(sender, parents).ifPresent(this::check);
            return null;
        }

        private void check(UUID thread) {
            AnswerTerms terms = departure.context.terms(departure.parents());
            RoundTrip more = tx.roundTrip();
            activity.prefetch(more, all, Set.of(thread));
            answers.prefetch(
                    more, all, List.of(new AnswerCheck.Joining(departure.inbox().id(), thread, terms)));
            more.run();
            activity.check(thread);
            answers.check(thread, terms);
        }
    }
}
