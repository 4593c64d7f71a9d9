package dev.inboxd.server;

import dev.inboxd.account.session.Sessions;
import dev.inboxd.account.signup.HumanAttachment;
import dev.inboxd.account.signup.SignUpLimits;
import dev.inboxd.account.signup.SignUps;
import dev.inboxd.account.signup.Verification;
import dev.inboxd.config.Settings;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.InboxFeed;
import dev.inboxd.inbound.ContentFilters;
import dev.inboxd.inbound.InboundLimits;
import dev.inboxd.inbound.InboundStore;
import dev.inboxd.inbound.SpamClassifier;
import dev.inboxd.mail.verp.ReturnPaths;
import dev.inboxd.mailbox.attachment.AttachmentFetcher;
import dev.inboxd.mailbox.document.DocumentReader;
import dev.inboxd.mailbox.message.Deletions;
import dev.inboxd.mailbox.message.InboxPurge;
import dev.inboxd.mailbox.message.LargeMessages;
import dev.inboxd.mailbox.message.MessageContents;
import dev.inboxd.mailbox.message.Messages;
import dev.inboxd.mailbox.message.ReadableContentCache;
import dev.inboxd.mailbox.message.ReceivedMessages;
import dev.inboxd.mailbox.message.ReceivedPayloads;
import dev.inboxd.mailbox.message.ThreadReads;
import dev.inboxd.mailbox.search.Indexer;
import dev.inboxd.mailbox.spam.SpamModels;
import dev.inboxd.mailbox.spam.SpamTrainer;
import dev.inboxd.net.Dns;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.notify.WebhookModule;
import dev.inboxd.notify.stream.StreamModule;
import dev.inboxd.notify.webhook.DeliveryDispatcher;
import dev.inboxd.notify.webhook.Payloads;
import dev.inboxd.notify.webhook.WebhookPoster;
import dev.inboxd.notify.webhook.Webhooks;
import dev.inboxd.notify.webhook.polling.PollingWebhooks;
import dev.inboxd.outbound.Courier;
import dev.inboxd.outbound.DeliveryQueue;
import dev.inboxd.outbound.QueueInspection;
import dev.inboxd.platform.access.Caller;
import dev.inboxd.platform.blob.Blobs;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.Notifications;
import dev.inboxd.platform.job.Jobs;
import dev.inboxd.platform.job.Nodes;
import dev.inboxd.platform.link.Links;
import dev.inboxd.platform.log.Metrics;
import dev.inboxd.platform.rate.Budgets;
import dev.inboxd.platform.rate.Rates;
import dev.inboxd.platform.rate.RequestLimits;
import dev.inboxd.platform.rate.StorageQuota;
import dev.inboxd.platform.vault.Vault;
import dev.inboxd.queue.SubmissionQueue;
import dev.inboxd.queue.SystemMail;
import dev.inboxd.sending.IdempotencyStore;
import dev.inboxd.sending.IdempotentSender;
import dev.inboxd.sending.MailSender;
import dev.inboxd.sending.OriginalMessage;
import dev.inboxd.sending.draft.DraftModule;
import dev.inboxd.sending.draft.DraftPurge;
import dev.inboxd.sending.feedback.Feedback;
import dev.inboxd.sending.feedback.Unsubscribes;
import dev.inboxd.sending.tracking.Opens;
import dev.inboxd.sending.tracking.TrackingPixels;
import dev.inboxd.smtp.submission.ApiKeySaslAuthenticator;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.tenant.apikey.CredentialAuthenticator;
import dev.inboxd.tenant.apikey.KeyUsage;
import dev.inboxd.tenant.apikey.Revocations;
import dev.inboxd.tenant.domain.DomainKeys;
import dev.inboxd.tenant.domain.DomainVerifier;
import dev.inboxd.tenant.domain.Domains;
import dev.inboxd.tenant.domain.ReservedNames;
import dev.inboxd.tenant.domain.SenderIdentities;
import dev.inboxd.tenant.domain.ServiceHosts;
import dev.inboxd.tenant.domain.SetupLinks;
import dev.inboxd.tenant.domain.SigningKeys;
import dev.inboxd.tenant.inbox.AddressDirectory;
import dev.inboxd.tenant.inbox.InboxScopeResolver;
import dev.inboxd.tenant.inbox.Inboxes;
import dev.inboxd.tenant.inbox.KnownRecipients;
import dev.inboxd.tenant.list.Lists;
import dev.inboxd.tenant.metric.MetricQueries;
import dev.inboxd.tenant.metric.MetricRollup;
import dev.inboxd.tenant.organization.Organizations;
import dev.inboxd.tenant.pod.Pods;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Every service, made once, in the order in which they stand on one another. Nothing runs yet. */
final class Application {
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
    final MessageContents contents;
    final SafeHttp safeHttp;
    final Nodes nodes;
    final DeliveryDispatcher deliveries;
    final EventLog events;
    final Indexer indexing;
    final WebhookModule webhooking;
    final MetricRollup metering;
    final MetricQueries measures;

    final DomainVerifier checks;
    final Domains domains;
    final SetupLinks setupLinks;
    final Pods pods;

    final Rates rates;
    final Budgets budgets;
    final RequestLimits pacing;
    final SignUpLimits pace;
    final Notifications signals;
    final Revocations revocations;
    final KeyUsage keyUse;
    final ApiKeys apiKeys;
    final Inboxes inboxes;
    final Messages messages;
    final ThreadReads conversations;
    final Deletions deletions;
    final InboxFeed feed;
    final Lists lists;
    final TrackingPixels pixels;
    final Opens opens;
    final Unsubscribes unsubscribes;
    final ContentFilters filters;
    final SpamTrainer learning;
    final InboundStore ingest;

    final IdempotencyStore sendMemory;
    final DocumentReader documents;
    final AttachmentFetcher fetching;
    final MailSender sending;
    final IdempotentSender sendOnce;
    final OriginalMessage.Finder sources;
    final DraftModule drafting;
    final DeliveryQueue outgoing;
    final SignUps signUps;
    final Verification verification;
    final HumanAttachment attaching;
    final Sessions sessions;
    final CredentialAuthenticator authentication;
    final ApiKeySaslAuthenticator logins;
    final StreamModule streams;

    Application(Settings settings, Server.Storage storage, URI publicUrl) {
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
        this.contents = new MessageContents(blobs);
        LargeMessages largeMessages = new LargeMessages(database, blobs);
        this.safeHttp = ApplicationConfig.safeHttp(settings);
        this.nodes = new Nodes(database);
        Payloads payloads = new Payloads(new ReceivedPayloads(database, contents, links));
        WebhookPoster deliver = new WebhookPoster(safeHttp, vault, clock, nodes);
        this.deliveries = new DeliveryDispatcher(
                new DeliveryDispatcher.Parts(
                        database,
                        payloads,
                        deliver,
                        jobs,
                        settings.policy().limits().of("deliveries_per_target", DeliveryDispatcher.Parts.USUAL)),
                metrics);
        this.events = new EventLog(deliveries, nodes.self());
        events.leaveToRows(deliveries::full);
        ReadableContentCache recentlyShown = new ReadableContentCache();
        this.indexing = new Indexer(database, contents, recentlyShown);
        events.onAppended(appended -> indexing.changed(appended.organization()));
        this.rates = Rates.of(settings.policy().limits()::of);
        this.budgets = new Budgets(database, clock);
        this.pacing = new RequestLimits(budgets, rates);
        this.pace = new SignUpLimits(budgets, rates);
        this.webhooking = new WebhookModule(
                new WebhookModule.Parts(database, deliver, jobs, deliveries, payloads, publicUrl, pacing),
                new WebhookModule.Limits(
                        settings.policy().limits().of("webhooks", Webhooks.USUAL_LIMIT),
                        settings.policy().limits().of("polling_webhooks", PollingWebhooks.USUAL_LIMIT)));

        Settings.Limits limits = settings.policy().limits();
        DomainKeys domainKeys = new DomainKeys(vault);
        ServiceHosts hosts = ApplicationConfig.hosts(settings, publicUrl);
        Dns dns = ApplicationConfig.dns(settings);
        this.checks = new DomainVerifier(new DomainVerifier.Parts(
                database, domainKeys, dns, ApplicationConfig.secondDns(settings), hosts, events));
        this.domains = new Domains(new Domains.Parts(
                database,
                domainKeys,
                dns,
                hosts,
                ReservedNames.of(domain, hosts, publicUrl),
                checks,
                limits.of("domains", Integer.MAX_VALUE),
                (tx, organization, name, pod, made) ->
                        MetricRollup.recordRemoved(tx, organization, "domain", name, pod, made)));
        this.setupLinks = new SetupLinks(dns, safeHttp);

        this.signals = new Notifications(database);
        this.revocations = new Revocations(signals);
        this.keyUse = new KeyUsage(database);
        this.apiKeys = new ApiKeys(database, settings.policy().limits().of("api_keys", 1_000));
        this.metering = new MetricRollup(database);
        this.measures = new MetricQueries(database, metering);
        DraftPurge draftPurge = new DraftPurge(database, blobs, jobs);
        AddressDirectory addresses = new AddressDirectory(database, domain, bootstrap.operatorInbox());
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
                        Indexer::podDeleted,
                        metering::podDeleted));
        this.messages = new Messages(database, events);
        this.deletions = new Deletions(database, blobs, events, jobs);
        this.conversations = new ThreadReads(database);
        this.documents = new DocumentReader(database, messages, contents);
        this.feed = new InboxFeed(database);
        this.lists = new Lists(database);
        jobs.handle(Inboxes.PURGE, metering.before(new InboxPurge(database, blobs)));
        jobs.handle(DraftPurge.KIND, draftPurge);
        SpamModels models = new SpamModels(database);
        this.filters = ApplicationConfig.filters(settings, models, clock);
        this.learning = new SpamTrainer(
                database,
                models,
                (organization, message) -> SpamClassifier.features(messages, contents, organization, message));
        ReturnPaths returnPaths = new ReturnPaths(vault.deriveAll("return paths"));
        StorageQuota room = ApplicationConfig.storageQuota(settings);
        this.ingest = new InboundStore(new InboundStore.Parts(
                database,
                knownRecipients,
                largeMessages,
                new InboundStore.Storage(events, links, recentlyShown, room),
                new InboundLimits(database, budgets, new InboundLimits.Limits(rates.mail(), room), metrics),
                ApplicationConfig.authentication(settings, clock),
                new Feedback(database, events, returnPaths),
                filters,
                ApplicationConfig.machines(settings)));

        SenderIdentities senders = new SenderIdentities(database, signingKeys, domainKeys, domain);
        this.pixels = new TrackingPixels(
                ApplicationConfig.trackingBases(settings, publicUrl, senders), vault.derive("pixels"));
        this.opens = new Opens(database, events);
        this.unsubscribes = new Unsubscribes(database, publicUrl, vault.deriveAll("unsubscribe"));
        SubmissionQueue submissions = new SubmissionQueue();
        this.sendMemory = new IdempotencyStore(database);
        this.fetching = new AttachmentFetcher(safeHttp, settings.dataDirectory().resolve("fetched"));
        this.sending = new MailSender(new MailSender.Parts(
                database,
                largeMessages,
                senders,
                submissions,
                events,
                links,
                pixels,
                unsubscribes,
                fetching,
                ApplicationConfig.sendQuota(settings),
                room,
                ApplicationConfig.breaker(settings),
                recentlyShown,
                clock,
                ApplicationConfig.largestComposed(settings)));
        this.sendOnce = new IdempotentSender(sending, sendMemory);
        this.sources = new OriginalMessage.Finder(messages, contents);
        this.drafting = new DraftModule(
                new DraftModule.Parts(database, blobs, fetching, sources, sending, sendOnce, links, clock, room));
        this.outgoing = new DeliveryQueue(
                new DeliveryQueue.Parts(
                        new Courier.Parts(
                                database, messages, contents, addresses, ingest, senders, returnPaths, submissions),
                        events,
                        nodes),
                ApplicationConfig.routing(settings, safeHttp),
                ApplicationConfig.manners(settings));
        submissions.setDeliverer(outgoing);
        QueueInspection.onRetry(signals, outgoing::retry);
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
        this.attaching = new HumanAttachment(database, systemMail, vault, pace);
        this.sessions = new Sessions(database, systemMail, vault, pace, new Sessions.Issuer(publicUrl, clock));
        this.authentication = new CredentialAuthenticator(database, clock, keyUse, sessions::authenticate);
        this.logins = new ApiKeySaslAuthenticator(
                new ApiKeySaslAuthenticator.Parts(authentication, new InboxScopeResolver(database), pacing, sendOnce));
        this.streams = new StreamModule(new StreamModule.Parts(
                database,
                authentication,
                new ReceivedPayloads(database, contents, links),
                new ReceivedMessages(database, contents),
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
