package dev.inboxd.inbound;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.fault.LookupFaults;
import dev.inboxd.base.module.Lifecycle;
import dev.inboxd.base.module.Lifecycle.Phase;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.calendar.invitation.InvitationModule;
import dev.inboxd.inbound.authentication.BoundedDns;
import dev.inboxd.inbound.authentication.LoopbackTrust;
import dev.inboxd.inbound.authentication.MessageAuthentication;
import dev.inboxd.inbound.filter.ContentFilters;
import dev.inboxd.inbound.filter.Rspamd;
import dev.inboxd.inbound.filter.SpamClassifier;
import dev.inboxd.mail.dmarc.AuthenticatedDomain;
import dev.inboxd.mail.dmarc.DmarcCheck;
import dev.inboxd.mailbox.MailboxModule;
import dev.inboxd.mailbox.spam.SpamModels;
import dev.inboxd.mailbox.spam.SpamTrainer;
import dev.inboxd.queue.ReturnPaths;
import dev.inboxd.screening.HeldCopies;
import dev.inboxd.screening.MessageScreen;
import dev.inboxd.sending.feedback.Feedback;
import dev.inboxd.tenant.TenantModule;
import dev.inboxd.tenant.inbox.AddressDirectory;
import java.time.InstantSource;
import java.util.List;

/** What is done with a message that came, up to its commit. */
public final class InboundModule implements ServiceModule {
    private final ContentFilters filters;
    private final MessageScreen screen;
    private final SpamTrainer trainer;
    private final ReturnPaths returnPaths;
    private final InboundStore store;

    /**
     * What takes part in received mail.
     *
     * @param faults look-ups that fail in development
     */
    public record Parts(
            TenantModule tenant, MailboxModule mailbox, InvitationModule invitations, LookupFaults faults) {}

    /** Mail that comes to these inboxes. */
    public InboundModule(InboundConfig config, PlatformModule platform, Parts parts) {
        TenantModule tenant = parts.tenant;
        MailboxModule mailbox = parts.mailbox;
        Database database = platform.database();
        SpamModels models = new SpamModels(database);
        this.filters = filters(config, models, platform.clock());
        this.screen = MessageScreen.of(config.screen(), config.net(), platform.metrics());
        this.trainer = new SpamTrainer(
                database,
                models,
                (organization, message) ->
                        SpamClassifier.features(mailbox.messages(), mailbox.contents(), organization, message));
        trainer.findBy(platform.due());
        this.returnPaths = new ReturnPaths(platform.vault().deriveAll("return paths"));
        InboundLimits.Limits limits =
                new InboundLimits.Limits(platform.config().rates().mail(), config.storage());
        this.store = new InboundStore(new InboundStore.Parts(
                database,
                tenant.knownRecipients(),
                mailbox.largeMessages(),
                new InboundStorage(
                        mailbox.events(),
                        platform.links(),
                        mailbox.readable(),
                        config.storage(),
                        screen,
                        new HeldCopies(database, mailbox.messages(), mailbox.contents()),
                        parts.invitations.imports()::received),
                new InboundLimits(database, platform.budgets(), limits, platform.metrics()),
                authentication(config, parts, platform.clock()),
                new Feedback(
                        database,
                        mailbox.events(),
                        returnPaths,
                        (domain, above) -> areOfOneOwner(config, domain, above)),
                filters,
                config.machines()));
    }

    private static boolean areOfOneOwner(InboundConfig config, String domain, String above) {
        return new DmarcCheck(new BoundedDns(config.net().mailDns()))
                .isAligned(domain, List.of(new AuthenticatedDomain(above, true)));
    }

    private static MessageAuthentication authentication(InboundConfig config, Parts parts, InstantSource clock) {
        AddressDirectory addresses = parts.tenant.addresses();
        InboundConfig.Authentication terms = config.authentication();
        MessageAuthentication.Policy policy = new MessageAuthentication.Policy(
                terms.host(),
                terms.deferring(),
                addresses::serves,
                new LoopbackTrust(terms.trustingLoopback(), addresses::serves),
                parts.faults);
        return new MessageAuthentication(config.net().mailDns(), policy, clock);
    }

    private static ContentFilters filters(InboundConfig config, SpamModels models, InstantSource clock) {
        Rspamd rspamd = config.rspamd()
                .map(url -> new Rspamd(config.net().operatorHttp(), url))
                .orElse(null);
        return new ContentFilters(
                new SpamClassifier(models, clock), config.scanner().orElse(null), rspamd, clock);
    }

    /** Takes received mail. */
    public InboundStore store() {
        return store;
    }

    /** The addresses to which reports on sent mail come. */
    public ReturnPaths returnPaths() {
        return returnPaths;
    }

    /** Learns from what was marked as spam. */
    public SpamTrainer trainer() {
        return trainer;
    }

    @Override
    public void register(Lifecycle lifecycle) {
        lifecycle.onStop(Phase.SHARED, filters::close);
        lifecycle.onStop(Phase.SHARED, screen::close);
    }
}
