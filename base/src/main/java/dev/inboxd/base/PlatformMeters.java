package dev.inboxd.base;

import dev.inboxd.base.blob.Blobs;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.job.Nodes;
import dev.inboxd.base.log.CounterFamily;
import dev.inboxd.base.log.Metrics;
import dev.inboxd.base.log.TimerFamily;
import dev.inboxd.base.rate.Budgets;
import dev.inboxd.base.rate.Rates;

/** What is measured of the database, the blob store and the rates. */
final class PlatformMeters {
    private final Metrics metrics;

    PlatformMeters(Metrics metrics) {
        this.metrics = metrics;
    }

    /** The connections of this node, and the transactions that wait for one. */
    void watch(Database database) {
        String name = "inboxd.database.connections";
        String help = "Connections of this node to the database";
        metrics.level(name, help, () -> database.connections().usage().active(), "state", "active");
        metrics.level(name, help, () -> database.connections().usage().idle(), "state", "idle");
        metrics.gauge(
                "inboxd.database.connections.max",
                "Most connections of this node to the database",
                () -> database.connections().usage().most());
        metrics.gauge(
                "inboxd.database.waiting",
                "Transactions that wait for a connection",
                () -> database.connections().usage().waiting());
        TimerFamily waits = metrics.timers(
                        "inboxd.database.wait", "How long transactions waited for a connection", Metrics.QUICK)
                .with();
        database.connections().onWait(nanos -> waits.record(nanos));
    }

    void watch(Blobs blobs) {
        metrics.gauge(
                "inboxd.store.usable",
                "1 while the blob store answers and is the one of this installation",
                () -> blobs.outage() == null ? 1 : 0);
    }

    void watch(Nodes nodes) {
        metrics.gauge(
                "inboxd.held",
                "1 while mail, webhooks and scheduled drafts are held",
                () -> nodes.marks().isHeld() ? 1 : 0);
    }

    /** The rates, whose names are in docs/operating.md. */
    void watch(Budgets budgets) {
        CounterFamily refusals =
                metrics.counters("inboxd.rate.refusals", "What a rate of docs/operating.md refused", "rate");
        Rates.NAMES.forEach(refusals::with);
        budgets.onRefusal(refusals::increment);
    }
}
