package dev.inboxd.console;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.Role;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.job.Marks;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.base.page.PageLimit;
import dev.inboxd.base.rate.Budgets;
import dev.inboxd.base.rate.Rate;
import dev.inboxd.console.session.ConsolePages;
import dev.inboxd.console.session.PageForm;
import dev.inboxd.console.session.Visit;
import dev.inboxd.observe.audit.AuditAction;
import dev.inboxd.observe.audit.AuditActor;
import dev.inboxd.observe.audit.AuditChange;
import dev.inboxd.observe.audit.AuditLog;
import dev.inboxd.observe.audit.AuditSource;
import dev.inboxd.queue.WaitingMail;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What waits to leave: a recipient each, with the last answer and the next attempt, which a person may make now. No
 * call of the API does that: a program would not wait as other servers ask it to.
 */
final class QueuePages {
    /** Recipients of an organization that are tried at once. */
    private static final Rate RETRIES = Rate.of("queue_retries", WaitingMail.MOST, Duration.ofHours(1));
    /** Other servers count who comes back too soon, and who goes on resting is not asked. */
    private static final Rate AGAIN = Rate.of("queue_retry", 1, Duration.ofMinutes(5));

    private static final PageLimit LIMIT = new PageLimit(20, 50, true);
    private static final String QUEUE = "queue";

    private final Database database;
    private final Budgets budgets;
    private final Supplier<Marks> marks;

    QueuePages(Database database, Budgets budgets, Supplier<Marks> marks) {
        this.database = database;
        this.budgets = budgets;
        this.marks = marks;
    }

    void mount(ConsolePages pages) {
        pages.page("/queue", this::list).form("/queue", Role.OWN, this::act);
    }

    private Response list(Visit visit) {
        require(visit, Permission.MESSAGE_READ);
        visit.live();
        String page = Json.text(new WaitingMail(database)
                .list(visit.caller().view(), visit.request().page(LIMIT)));
        return visit.page(
                QUEUE, "domains/Outgoing queue", Map.of("page", JsonTree.of(page.getBytes(StandardCharsets.UTF_8))));
    }

    private static void require(Visit visit, Permission permission) {
        if (!visit.caller().holds(permission)) {
            throw Problem.of(
                    ErrorCode.MISSING_PERMISSION, "Your role does not allow this", "Ask an owner of the organization.");
        }
    }

    private Response act(Visit visit) {
        PageForm form = visit.form();
        require(visit, Permission.MESSAGE_SEND);
        UUID organization = visit.caller().organization();
        if (marks.get().isHeld(organization)) {
            throw Problem.of(
                    ErrorCode.CONFLICT, "Sending is on hold", "The operator resumes it with: inboxd queue resume");
        }
        WaitingMail.Recipient recipient = named(form);
        WaitingMail.Standing standing = database.read(tx -> WaitingMail.standing(tx, organization, recipient));
        if (standing.waiting() == 0) {
            return settled(visit, standing);
        }
        int most = charged(organization, recipient, (int) Math.min(WaitingMail.MOST, standing.waiting()));
        int tried = database.write(organization, tx -> {
            int recipients = recipient == null
                    ? WaitingMail.retryAll(tx, organization, most)
                    : WaitingMail.retry(tx, organization, recipient);
            if (recipients > 0) {
                AuditLog.add(
                        tx,
                        organization,
                        AuditActor.of(visit.caller(), AuditSource.of(visit.request())),
                        new AuditChange(
                                AuditAction.QUEUE_RETRIED,
                                recipient == null
                                        ? null
                                        : recipient.submission().toString(),
                                recipient == null ? Map.of("count", (long) recipients) : Map.of()));
            }
            return recipients;
        });
        Map<String, String> counts =
                Map.of("tried", String.valueOf(tried), "of", String.valueOf(Math.max(tried, standing.waiting())));
        return tried > 0 ? visit.to("retried", counts, QUEUE) : visit.to("settled", QUEUE);
    }

    /** Says why nothing of it can be tried sooner. */
    private static Response settled(Visit visit, WaitingMail.Standing standing) {
        if (standing.stopped() > 0) {
            throw Problem.of(
                    ErrorCode.CONFLICT,
                    "Sending is stopped",
                    "An owner can resume it at Home, or in the paused inbox.");
        }
        return visit.to(standing.due() > 0 ? "due" : "settled", QUEUE);
    }

    /** Charges what is tried, a unit for each recipient; returns how many of them are allowed. */
    private int charged(UUID organization, WaitingMail.@Nullable Recipient recipient, int requested) {
        String subject =
                recipient == null ? organization.toString() : recipient.submission() + "/" + recipient.position();
        if (!budgets.take(AGAIN, subject).isAllowed()) {
            throw Problem.of(
                    ErrorCode.RATE_LIMIT_EXCEEDED,
                    "This was already retried within the last five minutes",
                    "Mail in the queue is retried by itself. The queue shows when.");
        }
        int allowed = 0;
        while (allowed < requested
                && budgets.take(RETRIES, organization.toString()).isAllowed()) {
            allowed++;
        }
        if (allowed == 0) {
            throw Problem.of(
                    ErrorCode.RATE_LIMIT_EXCEEDED,
                    "At most a thousand recipients can be retried within an hour",
                    "Mail in the queue is retried by itself. The queue shows when.");
        }
        return allowed;
    }

    /** The recipient that a form names; null for all. */
    private static WaitingMail.@Nullable Recipient named(PageForm form) {
        String action = form.text("do");
        if (action.equals("retry-all")) {
            return null;
        }
        if (!action.equals("retry")) {
            throw Problem.invalid("do", "This page has no such action");
        }
        UUID submission = Uuid7.parse(form.text("submission_id"));
        String position = form.text("position");
        if (submission == null || !position.matches("[0-9]{1,9}")) {
            throw Problem.invalid("submission_id", "This page has no such mail");
        }
        return new WaitingMail.Recipient(submission, Integer.parseInt(position));
    }
}
