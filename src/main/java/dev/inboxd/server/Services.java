package dev.inboxd.server;

import dev.inboxd.account.session.Sessions;
import dev.inboxd.account.signup.Attaching;
import dev.inboxd.account.signup.Pace;
import dev.inboxd.account.signup.SignUps;
import dev.inboxd.account.signup.Verification;
import dev.inboxd.config.Settings;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.Feed;
import dev.inboxd.inbound.Classifier;
import dev.inboxd.inbound.Filters;
import dev.inboxd.inbound.Inflow;
import dev.inboxd.inbound.Ingest;
import dev.inboxd.mail.verp.ReturnPaths;
import dev.inboxd.mailbox.attachment.Fetching;
import dev.inboxd.mailbox.document.Documents;
import dev.inboxd.mailbox.message.Arrivals;
import dev.inboxd.mailbox.message.Contents;
import dev.inboxd.mailbox.message.Conversations;
import dev.inboxd.mailbox.message.Deletions;
import dev.inboxd.mailbox.message.LargeMessages;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.mailbox.message.Purge;
import dev.inboxd.mailbox.message.ReceivedPayloads;
import dev.inboxd.mailbox.message.RecentlyShown;
import dev.inboxd.mailbox.search.Indexing;
import dev.inboxd.mailbox.spam.Learning;
import dev.inboxd.mailbox.spam.Models;
import dev.inboxd.net.Dns;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.notify.Webhooking;
import dev.inboxd.notify.stream.Streams;
import dev.inboxd.notify.webhook.Deliveries;
import dev.inboxd.notify.webhook.Outgoing;
import dev.inboxd.notify.webhook.Payloads;
import dev.inboxd.notify.webhook.Webhooks;
import dev.inboxd.notify.webhook.polling.PollingWebhooks;
import dev.inboxd.outbound.Backlog;
import dev.inboxd.outbound.Courier;
import dev.inboxd.outbound.OutgoingQueue;
import dev.inboxd.platform.access.Caller;
import dev.inboxd.platform.blob.Blobs;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.Signals;
import dev.inboxd.platform.job.Jobs;
import dev.inboxd.platform.job.Nodes;
import dev.inboxd.platform.link.Links;
import dev.inboxd.platform.log.Metrics;
import dev.inboxd.platform.rate.Budgets;
import dev.inboxd.platform.rate.Pacing;
import dev.inboxd.platform.rate.Rates;
import dev.inboxd.platform.rate.StorageQuota;
import dev.inboxd.platform.vault.Vault;
import dev.inboxd.queue.Submissions;
import dev.inboxd.queue.SystemMail;
import dev.inboxd.sending.SendMemory;
import dev.inboxd.sending.SendOnce;
import dev.inboxd.sending.Sending;
import dev.inboxd.sending.Source;
import dev.inboxd.sending.draft.DraftPurge;
import dev.inboxd.sending.draft.Drafting;
import dev.inboxd.sending.feedback.Feedback;
import dev.inboxd.sending.feedback.Unsubscribes;
import dev.inboxd.sending.tracking.Opens;
import dev.inboxd.sending.tracking.Pixels;
import dev.inboxd.smtp.submission.KeyLogins;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.tenant.apikey.Authentication;
import dev.inboxd.tenant.apikey.KeyUse;
import dev.inboxd.tenant.apikey.Revocations;
import dev.inboxd.tenant.domain.Checks;
import dev.inboxd.tenant.domain.DomainKeys;
import dev.inboxd.tenant.domain.Domains;
import dev.inboxd.tenant.domain.Hosts;
import dev.inboxd.tenant.domain.OwnNames;
import dev.inboxd.tenant.domain.Senders;
import dev.inboxd.tenant.domain.SetupLinks;
import dev.inboxd.tenant.domain.SigningKeys;
import dev.inboxd.tenant.inbox.Addresses;
import dev.inboxd.tenant.inbox.InboxPaths;
import dev.inboxd.tenant.inbox.Inboxes;
import dev.inboxd.tenant.inbox.KnownRecipients;
import dev.inboxd.tenant.list.Lists;
import dev.inboxd.tenant.metric.Measures;
import dev.inboxd.tenant.metric.Metering;
import dev.inboxd.tenant.organization.Organizations;
import dev.inboxd.tenant.pod.Pods;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Every service, made once, in the order in which they stand on one another. Nothing runs yet. */
final class Services {
    final Settings settings;
    final Database database;
    final Blobs blobs;
    final Vault vault;
    final InstantSource clock;
    final URI publicUrl;
    final @Nullable String firstKey;

    final Metrics metrics = new Metrics();
    final Jobs jobs;
    final Links links;
    final Contents contents;
    final SafeHttp safeHttp;
    final Nodes nodes;
    final Deliveries deliveries;
    final EventLog events;
    final Indexing indexing;
    final Webhooking webhooking;
    final Metering metering;
    final Measures measures;

    final Checks checks;
    final Domains domains;
    final SetupLinks setupLinks;
    final Pods pods;

    final Rates rates;
    final Budgets budgets;
    final Pacing pacing;
    final Pace pace;
    final Signals signals;
    final Revocations revocations;
    final KeyUse keyUse;
    final ApiKeys apiKeys;
    final Inboxes inboxes;
    final Messages messages;
    final Conversations conversations;
    final Deletions deletions;
    final Feed feed;
    final Lists lists;
    final Pixels pixels;
    final Opens opens;
    final Unsubscribes unsubscribes;
    final Filters filters;
    final Learning learning;
    final Ingest ingest;

    final SendMemory sendMemory;
    final Documents documents;
    final Fetching fetching;
    final Sending sending;
    final SendOnce sendOnce;
    final Source.Finder sources;
    final Drafting drafting;
    final OutgoingQueue outgoing;
    final SignUps signUps;
    final Verification verification;
    final Attaching attaching;
    final Sessions sessions;
    final Authentication authentication;
    final KeyLogins logins;
    final Streams streams;

    Services(Settings settings, Server.Storage storage, URI publicUrl) {
        this.settings = settings;
        this.database = storage.database();
        this.blobs = storage.blobs();
        this.vault = storage.vault();
        this.clock = storage.clock();
        this.publicUrl = publicUrl;
        String domain = settings.names().domain();
        SigningKeys signingKeys = new SigningKeys(database, vault);
        Bootstrap bootstrap = new Bootstrap(settings, database, signingKeys, clock);
        this.firstKey = bootstrap.run();

        this.jobs = new Jobs(database);
        this.links = new Links(publicUrl, vault.derive("links"), clock);
        this.contents = new Contents(blobs);
        LargeMessages largeMessages = new LargeMessages(database, blobs);
        this.safeHttp = Chosen.safeHttp(settings);
        this.nodes = new Nodes(database);
        Payloads payloads = new Payloads(new ReceivedPayloads(database, contents, links));
        Outgoing deliver = new Outgoing(safeHttp, vault, clock, nodes);
        this.deliveries = new Deliveries(
                new Deliveries.Parts(
                        database,
                        payloads,
                        deliver,
                        jobs,
                        settings.policy().limits().of("deliveries_per_target", Deliveries.Parts.USUAL)),
                metrics);
        this.events = new EventLog(deliveries, nodes.self());
        events.leaveToRows(deliveries::full);
        RecentlyShown recentlyShown = new RecentlyShown();
        this.indexing = new Indexing(database, contents, recentlyShown);
        events.onAppended(appended -> indexing.changed(appended.organization()));
        this.rates = Rates.of(settings.policy().limits()::of);
        this.budgets = new Budgets(database, clock);
        this.pacing = new Pacing(budgets, rates);
        this.pace = new Pace(budgets, rates);
        this.webhooking = new Webhooking(
                new Webhooking.Parts(database, deliver, jobs, deliveries, payloads, publicUrl, pacing),
                new Webhooking.Most(
                        settings.policy().limits().of("webhooks", Webhooks.USUAL_LIMIT),
                        settings.policy().limits().of("polling_webhooks", PollingWebhooks.USUAL_LIMIT)));

        Settings.Limits limits = settings.policy().limits();
        DomainKeys domainKeys = new DomainKeys(vault);
        Hosts hosts = Chosen.hosts(settings, publicUrl);
        Dns dns = Chosen.dns(settings);
        this.checks =
                new Checks(new Checks.Parts(database, domainKeys, dns, Chosen.secondDns(settings), hosts, events));
        this.domains = new Domains(new Domains.Parts(
                database,
                domainKeys,
                dns,
                hosts,
                OwnNames.of(domain, hosts, publicUrl),
                checks,
                limits.of("domains", Integer.MAX_VALUE),
                (tx, organization, name, pod, made) -> Metering.departed(tx, organization, "domain", name, pod, made)));
        this.setupLinks = new SetupLinks(dns, safeHttp);

        this.signals = new Signals(database);
        this.revocations = new Revocations(signals);
        this.keyUse = new KeyUse(database);
        this.apiKeys = new ApiKeys(database, settings.policy().limits().of("api_keys", 1_000));
        this.metering = new Metering(database);
        this.measures = new Measures(database, metering);
        DraftPurge draftPurge = new DraftPurge(database, blobs, jobs);
        Addresses addresses = new Addresses(database, domain, bootstrap.operatorInbox());
        KnownRecipients knownRecipients = new KnownRecipients(addresses);
        this.inboxes = new Inboxes(
                database,
                jobs,
                new Inboxes.Rules(domain, limits.of("inboxes", Integer.MAX_VALUE)),
                List.of(ApiKeys::revokeOf, webhooking.webhooks(), draftPurge, metering, knownRecipients::inboxDeleted));
        this.pods = new Pods(
                database,
                limits.of("pods", Integer.MAX_VALUE),
                List.of(
                        ApiKeys::revokeOfPod,
                        webhooking.webhooks()::podDeleted,
                        Lists::removeOfPod,
                        Indexing::podDeleted,
                        metering::podDeleted));
        this.messages = new Messages(database, events);
        this.deletions = new Deletions(database, blobs, events, jobs);
        this.conversations = new Conversations(database);
        this.documents = new Documents(database, messages, contents);
        this.feed = new Feed(database);
        this.lists = new Lists(database);
        jobs.handle(Inboxes.PURGE, metering.before(new Purge(database, blobs)));
        jobs.handle(DraftPurge.KIND, draftPurge);
        Models models = new Models(database);
        this.filters = Chosen.filters(settings, models, clock);
        this.learning = new Learning(
                database,
                models,
                (organization, message) -> Classifier.features(messages, contents, organization, message));
        ReturnPaths returnPaths = new ReturnPaths(vault.deriveAll("return paths"));
        StorageQuota room = Chosen.storageQuota(settings);
        this.ingest = new Ingest(new Ingest.Parts(
                database,
                knownRecipients,
                largeMessages,
                new Ingest.Means(events, links, recentlyShown, room),
                new Inflow(database, budgets, new Inflow.Bounds(rates.mail(), room), metrics),
                Chosen.authentication(settings, clock),
                new Feedback(database, events, returnPaths),
                filters,
                Chosen.machines(settings)));

        Senders senders = new Senders(database, signingKeys, domainKeys, domain);
        this.pixels = new Pixels(Chosen.trackingBases(settings, publicUrl, senders), vault.derive("pixels"));
        this.opens = new Opens(database, events);
        this.unsubscribes = new Unsubscribes(database, publicUrl, vault.deriveAll("unsubscribe"));
        Submissions submissions = new Submissions();
        this.sendMemory = new SendMemory(database);
        this.fetching = new Fetching(safeHttp, settings.dataDirectory().resolve("fetched"));
        this.sending = new Sending(new Sending.Parts(
                database,
                largeMessages,
                senders,
                submissions,
                events,
                links,
                pixels,
                unsubscribes,
                fetching,
                Chosen.sendQuota(settings),
                room,
                Chosen.breaker(settings),
                recentlyShown,
                clock,
                Chosen.largestComposed(settings)));
        this.sendOnce = new SendOnce(sending, sendMemory);
        this.sources = new Source.Finder(messages, contents);
        this.drafting = new Drafting(
                new Drafting.Parts(database, blobs, fetching, sources, sending, sendOnce, links, clock, room));
        this.outgoing = new OutgoingQueue(
                new OutgoingQueue.Parts(
                        new Courier.Parts(
                                database, messages, contents, addresses, ingest, senders, returnPaths, submissions),
                        events,
                        nodes),
                Chosen.routing(settings, safeHttp),
                Chosen.manners(settings));
        submissions.deliveredBy(outgoing);
        Backlog.onRetry(signals, outgoing::again);
        SystemMail systemMail = new SystemMail(submissions, signingKeys, domain, clock);
        this.signUps = new SignUps(
                new SignUps.Parts(
                        database,
                        new Organizations(database, clock),
                        systemMail,
                        vault,
                        webhooking.webhooks()::rotated,
                        pace),
                domain,
                clock);
        this.verification = new Verification(database, vault);
        this.attaching = new Attaching(database, systemMail, vault, pace);
        this.sessions = new Sessions(database, systemMail, vault, pace, new Sessions.Issuer(publicUrl, clock));
        this.authentication = new Authentication(database, clock, keyUse, sessions::authenticate);
        this.logins = new KeyLogins(new KeyLogins.Parts(authentication, new InboxPaths(database), pacing, sendOnce));
        this.streams = new Streams(new Streams.Parts(
                database,
                authentication,
                new ReceivedPayloads(database, contents, links),
                new Arrivals(database, contents),
                vault,
                metrics));
        events.onAppended(streams::appended);
        revocations.onChange(_ -> streams.credentialsChanged());
    }

    /** Counts a search of a key, or refuses it. */
    Consumer<Caller> searching() {
        return caller ->
                budgets.spend(rates.searches(), caller.credential().id().toString());
    }
}
