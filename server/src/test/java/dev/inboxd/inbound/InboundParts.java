package dev.inboxd.inbound;

import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.fault.LookupFaults;
import dev.inboxd.base.link.Links;
import dev.inboxd.base.log.Metrics;
import dev.inboxd.base.rate.Budgets;
import dev.inboxd.base.rate.Rates;
import dev.inboxd.base.rate.StorageQuota;
import dev.inboxd.event.EventLog;
import dev.inboxd.inbound.authentication.LoopbackTrust;
import dev.inboxd.inbound.authentication.MessageAuthentication;
import dev.inboxd.inbound.filter.ContentFilters;
import dev.inboxd.inbound.filter.SpamClassifier;
import dev.inboxd.mailbox.content.LargeMessages;
import dev.inboxd.mailbox.content.ReadableContentCache;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.mailbox.spam.SpamModels;
import dev.inboxd.net.MailDns;
import dev.inboxd.queue.ReturnPaths;
import dev.inboxd.screening.HeldCopies;
import dev.inboxd.screening.MessageScreen;
import dev.inboxd.sending.feedback.Feedback;
import dev.inboxd.server.World;
import dev.inboxd.tenant.inbox.AddressDirectory;
import dev.inboxd.tenant.inbox.KnownRecipients;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** The services of an {@link InboundStore} beside a world, for tests that give it a screen or blobs of their own. */
public final class InboundParts {
    private InboundParts() {}

    /** Services without quotas and limits, in the database of that world. */
    public static InboundStore.Parts of(World world, Blobs blobs, MessageScreen screen) {
        Database database = world.database();
        InstantSource clock = world.clock();
        EventLog log = new EventLog(_ -> {});
        return new InboundStore.Parts(
                database,
                new KnownRecipients(new AddressDirectory(database, "mail.localhost", "")),
                new LargeMessages(database, blobs),
                new InboundStorage(
                        log,
                        new Links(URI.create("http://x.test"), List.of(new byte[32]), clock),
                        new ReadableContentCache(),
                        StorageQuota.NONE,
                        screen,
                        new HeldCopies(database, new Messages(database), new MessageContents(blobs)),
                        (_, _, _, _) -> {}),
                new InboundLimits(
                        database,
                        new Budgets(database, clock),
                        new InboundLimits.Limits(Rates.NONE.mail(), StorageQuota.NONE),
                        new Metrics()),
                new MessageAuthentication(
                        new MailDns(world.dns().servers(), Duration.ofSeconds(5)),
                        new MessageAuthentication.Policy(
                                "mx.inboxd.test", false, _ -> false, LoopbackTrust.NONE, LookupFaults.NONE),
                        clock),
                new Feedback(database, log, new ReturnPaths(List.of(new byte[32])), (_, _) -> false),
                new ContentFilters(new SpamClassifier(new SpamModels(database), clock), null, null, clock),
                new AutoReplyLabel(true));
    }
}
