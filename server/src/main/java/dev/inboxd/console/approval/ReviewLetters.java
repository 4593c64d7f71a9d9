package dev.inboxd.console.approval;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.job.DueWork;
import dev.inboxd.base.job.Nodes;
import dev.inboxd.base.job.WorkKind;
import dev.inboxd.console.session.LetterLinks;
import dev.inboxd.queue.SystemMail;
import dev.inboxd.tenant.review.ReviewNotice;
import dev.inboxd.tenant.review.ReviewReader;
import dev.inboxd.tenant.review.WaitingCount;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * Tells people by mail that something waits for their decision: a minute after it began, once an hour at most, and not
 * whoever has looked at it. A row makes it certain; who was told is decided under the organization's clock, in the
 * commit that queues the letter, so that nodes and restarts send no second one.
 */
public final class ReviewLetters {
    private static final Duration PAUSE = Duration.ofSeconds(2);
    private static final Duration SOON = Duration.ofMinutes(1);
    private static final int AT_ONCE = 2;

    private final Database database;
    private final SystemMail mail;
    private final LetterLinks links;

    public ReviewLetters(Database database, SystemMail mail, LetterLinks links) {
        this.database = database;
        this.mail = mail;
        this.links = links;
    }

    /** Registers the work; before the start. */
    public void findBy(DueWork due, Nodes nodes) {
        due.add(new WorkKind(
                "reviews",
                ReviewNotice.NEXT,
                WorkKind.Pace.of(PAUSE, AT_ONCE),
                nodes.departures().worker(this::run)));
    }

    /** What is known before the letters are signed, which takes no lock. */
    private record Plan(ReviewNotice notice, List<WaitingCount> counts, List<ReviewReader> readers) {
        static Plan of(Tx tx, UUID organization, ReviewNotice notice) {
            return new Plan(notice, WaitingCount.of(tx, organization), ReviewReader.of(tx, organization));
        }
    }

    private void run(UUID organization) {
        Optional<Plan> plan = database.read(
                tx -> ReviewNotice.find(tx, organization).map(notice -> Plan.of(tx, organization, notice)));
        plan.ifPresent(duePlan -> {
            Map<String, SystemMail.SignedMail> letters = letters(organization, duePlan);
            database.run(organization, tx -> {
                queueLetters(tx, organization, duePlan, letters);
            });
        });
    }

    private Map<String, SystemMail.SignedMail> letters(UUID organization, Plan plan) {
        Map<String, SystemMail.SignedMail> letters = new HashMap<>();
        for (ReviewReader reader : plan.readers()) {
            if (!plan.counts().isEmpty() && reader.isOwed(plan.notice().since())) {
                String human = reader.humanEmail();
                letters.put(
                        human,
                        mail.seal(ReviewMail.compose(
                                human, plan.counts(), links.approvals(), links.stop(organization, human))));
            }
        }
        return letters;
    }

    private void queueLetters(Tx tx, UUID organization, Plan plan, Map<String, SystemMail.SignedMail> letters) {
        ReviewNotice notice = ReviewNotice.find(tx, organization).orElse(null);
        Instant now = tx.next().at();
        if (notice == null || notice.dueAt().isAfter(now)) {
            return; // another node was faster
        }
        if (!notice.since().equals(plan.notice().since())) {
            ReviewNotice.delay(tx, organization, now.plus(SOON)); // these letters do not count what came meanwhile
            return;
        }
        Instant next = null;
        for (ReviewReader reader :
                plan.counts().isEmpty() ? List.<ReviewReader>of() : ReviewReader.of(tx, organization)) {
            SystemMail.SignedMail letter = letters.get(reader.humanEmail());
            if (letter == null || !reader.isOwed(plan.notice().since())) {
                continue;
            }
            Instant from = reader.from(now);
            if (from.isAfter(now)) {
                next = next == null || from.isBefore(next) ? from : next;
            } else {
                mail.queue(tx, organization, letter);
                reader.markNotified(tx, organization);
            }
        }
        if (next == null) {
            ReviewNotice.remove(tx, organization);
        } else {
            ReviewNotice.delay(tx, organization, next);
        }
    }
}
