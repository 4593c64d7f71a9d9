package dev.inboxd.base;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Notifications;
import dev.inboxd.base.http.FrontPageHttp;
import dev.inboxd.base.http.Level;
import dev.inboxd.base.http.OperatorHttp;
import dev.inboxd.base.http.RouteTable;
import dev.inboxd.base.job.DueWork;
import dev.inboxd.base.job.Jobs;
import dev.inboxd.base.job.Nodes;
import dev.inboxd.base.job.PeriodicTask;
import dev.inboxd.base.job.TakeOver;
import dev.inboxd.base.link.Links;
import dev.inboxd.base.log.Metrics;
import dev.inboxd.base.module.Drain;
import dev.inboxd.base.module.Lifecycle;
import dev.inboxd.base.module.Lifecycle.Phase;
import dev.inboxd.base.module.ServiceModule;
import dev.inboxd.base.rate.Budgets;
import dev.inboxd.base.rate.RequestLimits;
import dev.inboxd.base.vault.Vault;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What every other part is built on.
 *
 * @param work how work is found, and shared with other processes
 * @param links signs links to files
 * @param notifications what other processes say, by the database
 * @param drain whether the service is about to stop
 */
public record PlatformModule(
        PlatformConfig config,
        Storage storage,
        Metrics metrics,
        Work work,
        Links links,
        Notifications notifications,
        Budgets budgets,
        RequestLimits requestLimits,
        Drain drain)
        implements ServiceModule {

    /**
     * Where everything is kept.
     *
     * @param database migrated and open
     * @param blobs large messages
     * @param vault the master keys
     * @param clock the time; tests move it
     */
    public record Storage(Database database, Blobs blobs, Vault vault, InstantSource clock) {}

    /** The platform on that storage, which it closes in the end. */
    public static PlatformModule of(PlatformConfig config, Storage storage) {
        Budgets budgets = new Budgets(storage.database, storage.clock);
        return new PlatformModule(
                config,
                storage,
                new Metrics(),
                Work.in(storage.database),
                new Links(config.publicUrl(), storage.vault.deriveAll("links"), storage.clock),
                new Notifications(storage.database),
                budgets,
                new RequestLimits(budgets, config.rates()),
                new Drain());
    }

    /**
     * How later work is found.
     *
     * @param due finds work of all kinds
     * @param nodes the processes that share the database
     * @param takeOver takes over from those that die
     */
    public record Work(DueWork due, Nodes nodes, TakeOver takeOver, Jobs jobs) {
        static Work in(Database database) {
            DueWork due = new DueWork(database);
            Nodes nodes = new Nodes(database);
            TakeOver takeOver = TakeOver.of(database, nodes);
            Jobs jobs = new Jobs(database, due, nodes::claimant);
            takeOver.add(jobs.claims());
            return new Work(due, nodes, takeOver, jobs);
        }
    }

    /** Finds work that is due. */
    public DueWork due() {
        return work.due;
    }

    /** The processes that share the database. */
    public Nodes nodes() {
        return work.nodes;
    }

    /** Takes over what a process that died had claimed. */
    public TakeOver takeOver() {
        return work.takeOver;
    }

    /** Later work. */
    public Jobs jobs() {
        return work.jobs;
    }

    public Database database() {
        return storage.database;
    }

    public Blobs blobs() {
        return storage.blobs;
    }

    public Vault vault() {
        return storage.vault;
    }

    public InstantSource clock() {
        return storage.clock;
    }

    /** Counts a search of a key, or refuses it. */
    public Consumer<Caller> searchBudget() {
        return caller -> budgets.spend(
                config.rates().searches(), caller.credential().id().toString());
    }

    /** Answers operators' tools, at the ports where they may ask. */
    public OperatorHttp operator() {
        return new OperatorHttp(new OperatorHttp.Health(this::fault, this::outage), metrics);
    }

    /**
     * Why no more requests should be sent here, or null. A blob store that is merely away is no reason: it is away for
     * every node, so there is no better one, and most mail is read and sent without it.
     */
    private @Nullable String fault() {
        if (drain.isBegun()) {
            return "the service is stopping";
        }
        if (nodes().marks().movedTo() != null) {
            return "the service has moved to another installation";
        }
        return database().isReachable() ? blobs().fault() : "the database is away";
    }

    /** Why a part of the service does not work, or null. */
    private @Nullable String outage() {
        String fault = fault();
        if (fault != null) {
            return fault;
        }
        return nodes().marks().isHeld()
                ? "what leaves is held; inboxd queue status tells why, inboxd queue resume ends it"
                : blobs().outage();
    }

    @Override
    public void mount(RouteTable routes) {
        OperatorHttp operator = operator();
        operator.mountHealth(routes.at(Level.ROOT));
        new FrontPageHttp(routes).mount(routes.at(Level.ROOT));
        if (config.publicMetrics()) {
            operator.mountMetrics(routes.at(Level.ROOT));
        }
    }

    @Override
    public void register(Lifecycle lifecycle) {
        lifecycle.onStop(Phase.STORES, blobs()::close);
        lifecycle.onStop(Phase.STORES, database()::close);
        lifecycle.add(Phase.SHARED, notifications::start, notifications::close);
        if (config.soleNode()) {
            lifecycle.onStart(Phase.RECOVERY, work.takeOver::fromAll);
        }
        lifecycle.add(Phase.WORKERS, work.nodes::start, work.nodes::close);
        lifecycle.onStop(Phase.JOBS, work.due::awaitEnd);
        lifecycle.add(Phase.TRAFFIC, work.due::start, work.due::close);
        PlatformMeters meters = new PlatformMeters(metrics);
        meters.watch(database());
        meters.watch(blobs());
        meters.watch(nodes());
        meters.watch(budgets);
        // It logs what it finds, so that a disk that is gone is noticed before somebody needs it.
        PeriodicTask store = new PeriodicTask("store", Duration.ofMinutes(1), () -> blobs().outage());
        lifecycle.add(Phase.JOBS, store::start, store::close);
        PeriodicTask rates = new PeriodicTask("rates", Duration.ofMinutes(1), requestLimits::forget);
        lifecycle.add(Phase.JOBS, rates::start, rates::close);
    }
}
