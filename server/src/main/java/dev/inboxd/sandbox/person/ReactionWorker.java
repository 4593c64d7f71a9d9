package dev.inboxd.sandbox.person;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.base.job.Departures;
import dev.inboxd.base.job.DueWork;
import dev.inboxd.base.job.WorkKind;
import dev.inboxd.base.log.LogLine;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Does what people are going to do, at its time and in its order. */
public final class ReactionWorker {
    private static final Logger LOG = LoggerFactory.getLogger(ReactionWorker.class);
    private static final Duration INTERVAL = Duration.ofSeconds(1);
    private static final int AT_ONCE = 4;
    private static final int PAGE = 20;
    private static final int MOST_ATTEMPTS = 5;

    private final Database database;
    private final ReactionRunner runner;

    /** A worker on a database. */
    public ReactionWorker(ReactionRunner runner, Database database) {
        this.runner = runner;
        this.database = database;
    }

    /** Registers this kind of work; what an organization that moves is going to do stays due. */
    public void register(DueWork due, Departures departures) {
        due.add(new WorkKind(
                "people",
                ReactionSql.NEXT,
                WorkKind.Pace.of(INTERVAL, AT_ONCE),
                departures.worker(organization -> run(organization, due))));
    }

    private void run(UUID organization, DueWork due) {
        View all = View.of(organization);
        List<ReactionSql.PendingReaction> page;
        do {
            page = database.write(organization, tx -> ReactionSql.claim(tx, all, PAGE));
            page.forEach(reaction -> run(organization, reaction));
        } while (page.size() == PAGE && !due.isStopping());
    }

    private void run(UUID organization, ReactionSql.PendingReaction reaction) {
        String outcome;
        try {
            outcome = runner.run(organization, reaction);
        } catch (RuntimeException failure) {
            if (reaction.attempts() < MOST_ATTEMPTS) {
                LOG.warn(
                        "A scripted person tries again organization_id={} reaction_id={}",
                        organization,
                        reaction.id(),
                        failure);
                return;
            }
            outcome = "failed";
        }
        LogLine.of("scripted_person")
                .with("organization_id", organization)
                .with("reaction_id", reaction.id())
                .with("recipient", reaction.recipient())
                .with("outcome", outcome)
                .write();
        database.run(organization, tx -> {
            ReactionSql.delete(tx, View.of(organization), reaction.id());
        });
    }
}
