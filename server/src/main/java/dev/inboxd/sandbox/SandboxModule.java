package dev.inboxd.sandbox;

import dev.inboxd.base.PlatformModule;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.LocalCalls;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.base.http.Routes;
import dev.inboxd.base.module.Lifecycle;
import dev.inboxd.base.module.Lifecycle.Phase;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.inbound.InboundStore;
import dev.inboxd.mailbox.MailboxModule;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.queue.ScriptedRecipients;
import dev.inboxd.sandbox.fault.FaultHttp;
import dev.inboxd.sandbox.fault.FaultyCalls;
import dev.inboxd.sandbox.fault.FaultyLookups;
import dev.inboxd.sandbox.fault.FaultyRecipients;
import dev.inboxd.sandbox.fault.WorldFaults;
import dev.inboxd.sandbox.mail.CapturedMailHttp;
import dev.inboxd.sandbox.mail.HandedMailHttp;
import dev.inboxd.sandbox.mail.MailIntake;
import dev.inboxd.sandbox.person.People;
import dev.inboxd.sandbox.person.ReactionRunner;
import dev.inboxd.sandbox.person.ReactionWorker;
import dev.inboxd.sandbox.person.RecipientRuleHttp;
import dev.inboxd.sandbox.person.SentMailReader;
import dev.inboxd.sandbox.person.WebVisits;

/** A world to test in. Constructed in development only: in production nothing of it is there. */
public final class SandboxModule implements ServiceModule {
    private final HandedMailHttp mail;
    private final CapturedMailHttp captured;
    private final boolean showsCaptured;
    private final RecipientRuleHttp rules;
    private final WorldFaults faults;
    private final FaultyRecipients recipients;
    private final Database database;

    /**
     * What the world is made of.
     *
     * @param http visits addresses of others
     * @param calls visits addresses of this server
     * @param faults what fails because somebody asked for it
     */
    public record Parts(
            MailboxModule mailbox, InboundStore inbound, SafeHttp http, LocalCalls calls, WorldFaults faults) {}

    /** The sandbox of this platform. */
    public SandboxModule(SandboxConfig config, PlatformModule platform, Parts parts) {
        this.database = platform.database();
        this.faults = parts.faults;
        MailIntake intake = new MailIntake(parts.inbound, config.intake(), platform.clock());
        this.mail = new HandedMailHttp(database, intake, platform.clock());
        this.captured = new CapturedMailHttp(database, parts.mailbox.messages(), parts.mailbox.contents());
        this.showsCaptured = config.showsCaptured();
        this.rules = new RecipientRuleHttp(database);
        this.recipients = new FaultyRecipients(faults, new FaultyLookups(faults), new People(database));
        database.gate().pause(faults::isBusy);
        faults.listen(platform.notifications());
        SentMailReader sent = new SentMailReader(database, parts.mailbox.messages(), parts.mailbox.contents());
        WebVisits visits =
                new WebVisits(parts.http, parts.calls, platform.config().publicUrl());
        new ReactionWorker(new ReactionRunner(sent, intake, visits), database)
                .register(platform.due(), platform.nodes().departures());
    }

    /** Who answers mail that does not leave. */
    public ScriptedRecipients recipients() {
        return recipients;
    }

    /** Whether calls of a route of that template can be made to fail. */
    private static boolean isFallible(RouteTable routes, String template) {
        return !FaultyCalls.isSpared(template)
                && routes.routes().stream().anyMatch(route -> route.template().equals(template));
    }

    @Override
    public void register(Lifecycle lifecycle) {
        lifecycle.onStart(Phase.RECOVERY, faults::follow);
    }

    @Override
    public void mount(RouteTable routes) {
        Routes root = routes.at(Level.ROOT);
        if (showsCaptured) {
            captured.mount(root);
        }
        mail.mount(root);
        rules.mount(root);
        new FaultHttp(database, faults, template -> isFallible(routes, template)).mount(root);
    }
}
