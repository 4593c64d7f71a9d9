package dev.inboxd.outbound;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.module.Lifecycle;
import dev.inboxd.base.module.Lifecycle.Phase;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.inbound.InboundModule;
import dev.inboxd.mailbox.MailboxModule;
import dev.inboxd.queue.ScriptedRecipients;
import dev.inboxd.sending.SendingModule;
import dev.inboxd.tenant.TenantModule;

/** How queued mail leaves. */
public final class OutboundModule implements ServiceModule {
    private final DeliveryQueue queue;

    /**
     * The parts that the queue delivers for.
     *
     * @param inbound takes mail from one inbox here to another, without SMTP in between
     * @param scripted answers in place of other servers, in development
     */
    public record Parts(
            TenantModule tenant,
            MailboxModule mailbox,
            SendingModule sending,
            InboundModule inbound,
            ScriptedRecipients scripted) {}

    /** Delivery of the mail that these parts queue. */
    public OutboundModule(OutboundConfig config, PlatformModule platform, Parts parts) {
        MailboxModule mailbox = parts.mailbox;
        DeliveryMeters meters = new DeliveryMeters(platform.metrics());
        meters.watch(platform.database(), platform.clock());
        Courier.Parts courier = new Courier.Parts(
                platform.database(),
                mailbox.messages(),
                mailbox.contents(),
                parts.tenant.addresses(),
                parts.inbound.store(),
                parts.tenant.senders(),
                parts.inbound.returnPaths(),
                parts.sending.submissions(),
                meters,
                parts.scripted);
        this.queue = new DeliveryQueue(
                new DeliveryQueue.Parts(courier, mailbox.events(), platform.nodes(), platform.due()),
                config.routing(),
                config.delivery());
        platform.takeOver().add(queue.claims());
        QueueInspection.onRetry(platform.notifications(), queue::retry);
    }

    /** Delivers what is queued. */
    public DeliveryQueue queue() {
        return queue;
    }

    @Override
    public void register(Lifecycle lifecycle) {
        lifecycle.add(Phase.TRAFFIC, queue::start, queue::close);
    }
}
