package dev.inboxd;

import dev.inboxd.access.Caller;
import dev.inboxd.agent.Attaching;
import dev.inboxd.agent.Pace;
import dev.inboxd.agent.SignUps;
import dev.inboxd.agent.Verification;
import dev.inboxd.apikey.ApiKeys;
import dev.inboxd.apikey.Authentication;
import dev.inboxd.apikey.KeyUse;
import dev.inboxd.apikey.Revocations;
import dev.inboxd.attachment.Fetching;
import dev.inboxd.blob.Blobs;
import dev.inboxd.database.Database;
import dev.inboxd.database.Signals;
import dev.inboxd.document.Documents;
import dev.inboxd.domain.Checks;
import dev.inboxd.domain.DomainKeys;
import dev.inboxd.domain.Domains;
import dev.inboxd.domain.Hosts;
import dev.inboxd.domain.OwnNames;
import dev.inboxd.domain.Senders;
import dev.inboxd.domain.SetupLinks;
import dev.inboxd.domain.SigningKeys;
import dev.inboxd.draft.DraftPurge;
import dev.inboxd.draft.Drafting;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.Feed;
import dev.inboxd.feedback.Feedback;
import dev.inboxd.feedback.Unsubscribes;
import dev.inboxd.inbox.Addresses;
import dev.inboxd.inbox.InboxPaths;
import dev.inboxd.inbox.Inboxes;
import dev.inboxd.inbox.KnownRecipients;
import dev.inboxd.job.Jobs;
import dev.inboxd.job.Nodes;
import dev.inboxd.link.Links;
import dev.inboxd.lists.Lists;
import dev.inboxd.log.Metrics;
import dev.inboxd.mail.verp.ReturnPaths;
import dev.inboxd.message.Arrivals;
import dev.inboxd.message.Contents;
import dev.inboxd.message.Conversations;
import dev.inboxd.message.Deletions;
import dev.inboxd.message.LargeMessages;
import dev.inboxd.message.Messages;
import dev.inboxd.message.Purge;
import dev.inboxd.message.ReceivedPayloads;
import dev.inboxd.message.RecentlyShown;
import dev.inboxd.metric.Measures;
import dev.inboxd.metric.Metering;
import dev.inboxd.msa.KeyLogins;
import dev.inboxd.net.Dns;
import dev.inboxd.net.SafeHttp;
import dev.inboxd.organization.Organizations;
import dev.inboxd.pod.Pods;
import dev.inboxd.rate.Budgets;
import dev.inboxd.rate.Pacing;
import dev.inboxd.rate.Rates;
import dev.inboxd.rate.StorageQuota;
import dev.inboxd.receive.Classifier;
import dev.inboxd.receive.Filters;
import dev.inboxd.receive.Inflow;
import dev.inboxd.receive.Ingest;
import dev.inboxd.search.Indexing;
import dev.inboxd.send.SendMemory;
import dev.inboxd.send.SendOnce;
import dev.inboxd.send.Sending;
import dev.inboxd.send.Source;
import dev.inboxd.session.Sessions;
import dev.inboxd.spam.Learning;
import dev.inboxd.spam.Models;
import dev.inboxd.stream.Streams;
import dev.inboxd.submission.Submissions;
import dev.inboxd.submission.SystemMail;
import dev.inboxd.submit.Backlog;
import dev.inboxd.submit.Courier;
import dev.inboxd.submit.OutgoingQueue;
import dev.inboxd.tracking.Opens;
import dev.inboxd.tracking.Pixels;
import dev.inboxd.vault.Vault;
import dev.inboxd.webhook.Deliveries;
import dev.inboxd.webhook.Outgoing;
import dev.inboxd.webhook.Payloads;
import dev.inboxd.webhook.PollingWebhooks;
import dev.inboxd.webhook.Webhooking;
import dev.inboxd.webhook.Webhooks;
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
