package dev.inboxd.console;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
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

/**
 * What waits to leave: a recipient each, with the last answer and the next attempt, which a person may make now. No
 * call of the API does that: a program would not wait as other servers ask it to.
 */
final class QueuePages {
    /** A destination that is backed off is so for all that send from here. */
    private static final Rate RETRIES = Rate.of("queue_retries", 30, Duration.ofHours(1));

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
        pages.page("/queue", this::list).form("/queue", this::act);
    }

    private Response list(Visit visit) {
        require(visit, Permission.MESSAGE_READ);
        visit.live();
        String page = Json.text(new WaitingMail(database)
                .list(visit.caller().view(), visit.request().page(LIMIT)));
        return visit.page(
                QUEUE, "domains/Waits to leave", Map.of("page", JsonTree.of(page.getBytes(StandardCharsets.UTF_8))));
    }

    private static void require(Visit visit, Permission permission) {
        if (!visit.caller().holds(permission)) {
            throw Problem.of(
                    ErrorCode.MISSING_PERMISSION, "You have no right to it", "Ask an owner of the organization.");
        }
    }

    private Response act(Visit visit) {
        PageForm form = visit.form();
        require(visit, Permission.MESSAGE_SEND);
        UUID organization = visit.caller().organization();
        if (marks.get().isHeld(organization)) {
            throw Problem.of(
                    ErrorCode.CONFLICT, "Everything that leaves is held", "Whoever runs the server lets it go on.");
        }
        if (!budgets.take(RETRIES, organization.toString()).isAllowed()) {
            throw Problem.of(
                    ErrorCode.RATE_LIMIT_EXCEEDED,
                    "Mail was tried at once thirty times within an hour",
                    "What waits is tried by itself: the queue says when.");
        }
        boolean one = switch (form.text("do")) {
            case "retry" -> true;
            case "retry-all" -> false;
            default -> throw Problem.invalid("do", "This page has no such action");
        };
        int tried = database.write(organization, tx -> {
            int recipients = one ? retry(tx, organization, form) : WaitingMail.retryAll(tx, organization);
            if (recipients > 0) {
                AuditLog.add(
                        tx,
                        organization,
                        AuditActor.of(visit.caller(), AuditSource.of(visit.request())),
                        new AuditChange(
                                AuditAction.QUEUE_RETRIED,
                                one ? form.text("submission_id") : null,
                                one ? Map.of() : Map.of("count", (long) recipients)));
            }
            return recipients;
        });
        return visit.to(tried > 0 ? "retried" : "settled", QUEUE);
    }

    private static int retry(Tx tx, UUID organization, PageForm form) {
        UUID submission = Uuid7.parse(form.text("submission_id"));
        String position = form.text("position");
        if (submission == null || !position.matches("[0-9]{1,9}")) {
            throw Problem.invalid("submission_id", "This page has no such mail");
        }
        return WaitingMail.retry(tx, organization, submission, Integer.parseInt(position));
    }
}
