package dev.inboxd.sending.feedback;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.View;
import dev.inboxd.event.EventLog;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.report.DsnAction;
import dev.inboxd.mail.report.RecipientStatus;
import dev.inboxd.mail.report.Report;
import dev.inboxd.mail.report.ReportReader;
import dev.inboxd.mail.report.ReportedMessage;
import dev.inboxd.mail.smtp.RecipientDsn;
import dev.inboxd.queue.ReturnPath;
import dev.inboxd.queue.ReturnPaths;
import dev.inboxd.tenant.domain.FeedbackOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads reports about sent mail, and decides which are believed (attack A42). Anybody can write a report; but only the
 * servers that handled a recipient's copy know its return path.
 */
public final class Feedback {
    private final Database database;
    private final EventLog log;
    private final ReturnPaths returnPaths;
    private final ReportOrigin.SameOwner owners;

    /** Feedback about the mail of a database. */
    public Feedback(Database database, EventLog log, ReturnPaths returnPaths, ReportOrigin.SameOwner owners) {
        this.database = database;
        this.log = log;
        this.returnPaths = returnPaths;
        this.owners = owners;
    }

    /**
     * The sender of the mail that a return path belongs to.
     *
     * @param inbox the inbox that sent the mail; null for mail of the service itself, whose reports are not stored
     */
    public record ReturnPathTarget(
            UUID organization, @Nullable UUID inbox) {}

    /**
     * Where mail to a return path goes; empty when the return path is not from this service, or its submission was
     * deleted.
     */
    public Optional<ReturnPathTarget> returned(String localPart) {
        return returnPaths.read(localPart).flatMap(path -> {
            View all = View.of(path.organization());
            return database.read(tx -> FeedbackSql.ofSubmission(tx, all, path.submission())).stream()
                    .findFirst()
                    .filter(line -> line.inbox() != null || line.message() == null)
                    .map(line -> new ReturnPathTarget(path.organization(), line.inbox()));
        });
    }

    /** The believed reports in a received message about sent mail. Changes nothing. */
    public RecipientReports examine(InboundReport inbound) {
        if (!inbound.mayBeReport()) {
            return RecipientReports.NONE;
        }
        // The reported message is looked up first: a forged report costs no more than this query.
        List<RecipientQuery> queries = candidates(inbound, ReportReader.original(inbound.message(), inbound.parts()));
        return queries.isEmpty()
                ? RecipientReports.NONE
                : ReportReader.read(inbound.message(), inbound.parts())
                        .map(report -> reports(queries, report))
                        .orElse(RecipientReports.NONE);
    }

    /** Applies reports, all or none, in a transaction of its own. A report that was applied before changes nothing. */
    public void record(UUID organization, List<RecipientReport> reports) {
        database.run(organization, tx -> {
            ReportEffects effects = new ReportEffects(tx, View.of(organization), log);
            reports.forEach(effects::of);
        });
    }

    /** The recipients that a report may be about. */
    private List<RecipientQuery> candidates(InboundReport inbound, ReportedMessage original) {
        List<RecipientQuery> queries = new ArrayList<>();
        for (ReturnPath path : paths(inbound, original)) {
            List<FeedbackSql.Line> lines =
                    database
                            .read(tx -> FeedbackSql.ofSubmission(tx, View.of(path.organization()), path.submission()))
                            .stream()
                            .filter(line -> line.recipient().position() == path.position())
                            .toList();
            add(queries, new RecipientQuery(path.organization(), lines, inbound.origin(), true));
        }
        String name = original.messageId();
        if (queries.isEmpty() && name != null && inbound.origin().isKnown()) {
            inbound.inboxes()
                    .forEach((organization, inboxes) -> add(
                            queries,
                            new RecipientQuery(
                                    organization,
                                    database.read(
                                            tx -> FeedbackSql.ofMessage(tx, View.of(organization), name, inboxes)),
                                    inbound.origin(),
                                    false)));
        }
        return queries;
    }

    private static void add(List<RecipientQuery> all, RecipientQuery query) {
        if (query.lines.stream().anyMatch(query::believes)) {
            all.add(query);
        }
    }

    private RecipientReports reports(List<RecipientQuery> all, Report report) {
        List<RecipientReport> reports = new ArrayList<>();
        for (RecipientQuery query : all) {
            if (!query.byReturnPath && !query.origin.mayWrite(report, query.recipients())) {
                continue;
            }
            for (FeedbackSql.Line line : query.lines) {
                ReportedOutcome outcome =
                        query.believes(line) ? outcome(report, line.recipient().address(), query.byReturnPath) : null;
                boolean isForeign = outcome instanceof ReportedOutcome.Complaint && !query.mayComplainFor(line, owners);
                if (outcome != null && !isForeign) {
                    reports.add(new RecipientReport(
                            query.organization,
                            line.recipient(),
                            mail(query.organization, line, outcome),
                            outcome,
                            query.byReturnPath));
                }
            }
        }
        return new RecipientReports(reports);
    }

    /**
     * The return paths of this service that the report was sent to; for a complaint, the return path in the reported
     * message.
     */
    private List<ReturnPath> paths(InboundReport inbound, ReportedMessage original) {
        List<ReturnPath> paths = new ArrayList<>();
        inbound.localParts().forEach(localPart -> returnPaths.read(localPart).ifPresent(paths::add));
        String quoted = original.returnPath();
        if (paths.isEmpty() && quoted != null) {
            returnPaths.read(quoted.substring(0, quoted.lastIndexOf('@'))).ifPresent(paths::add);
        }
        return paths.stream().distinct().toList();
    }

    /**
     * The recipients of one message that a report may be about.
     *
     * @param origin the report's; without a known return path, its author must be of the recipient's domain
     * @param byReturnPath whether the return path shows that the report is about these recipients, whatever address it
     *     names
     */
    private record RecipientQuery(
            UUID organization, List<FeedbackSql.Line> lines, ReportOrigin origin, boolean byReturnPath) {
        /**
         * Whether a report about this recipient is believed. Its return path is proof. A Message-ID is known to every
         * other recipient too, so such a report must also come from a server of the recipient's domain.
         */
        boolean believes(FeedbackSql.Line line) {
            return byReturnPath || origin.isOf(domain(line.recipient().address()));
        }

        /** Whether a complaint for this recipient is believed; asks the DNS. */
        boolean mayComplainFor(FeedbackSql.Line line, ReportOrigin.SameOwner owners) {
            return byReturnPath || origin.mayComplainFor(domain(line.recipient().address()), owners);
        }

        List<String> recipients() {
            return lines.stream().map(line -> line.recipient().address()).toList();
        }

        private static String domain(String address) {
            return address.substring(address.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
        }
    }

    private RecipientReport.SentMessage mail(UUID organization, FeedbackSql.Line line, ReportedOutcome outcome) {
        String name = line.inboxName();
        boolean wantsReports = name != null
                && !isUnwanted(line.dsn(), outcome)
                && database.read(tx ->
                        FeedbackOption.isOn(tx, View.of(organization), name.substring(name.lastIndexOf('@') + 1)));
        return new RecipientReport.SentMessage(line.message(), line.name(), line.inbox(), wantsReports);
    }

    /**
     * Whether the sender requested not to get such a report (RFC 3461 §4.1): not every server on the route supports
     * that.
     */
    private static boolean isUnwanted(RecipientDsn dsn, ReportedOutcome outcome) {
        return switch (outcome) {
            case ReportedOutcome.Failure _ -> dsn.forbids(RecipientDsn.Notify.FAILURE);
            case ReportedOutcome.Delay _ -> dsn.forbids(RecipientDsn.Notify.DELAY);
            case ReportedOutcome.Complaint _ -> false;
        };
    }

    /**
     * The outcome that the report gives for an address. A report known to be about one recipient counts for it even
     * when it names another address.
     */
    private static @Nullable ReportedOutcome outcome(Report report, String address, boolean byReturnPath) {
        return switch (report) {
            case Report.Delivery delivery ->
                delivery.recipients().stream()
                        .filter(status -> isSame(status.address(), address))
                        .findFirst()
                        .or(() -> byReturnPath ? worst(delivery.recipients()) : Optional.empty())
                        .map(Feedback::outcome)
                        .orElse(null);
            case Report.Feedback feedback ->
                feedback.isComplaint()
                                && (byReturnPath
                                        || feedback.recipients().stream()
                                                .anyMatch(recipient -> isSame(recipient, address)))
                        ? new ReportedOutcome.Complaint(feedback.type())
                        : null;
        };
    }

    private static Optional<RecipientStatus> worst(List<RecipientStatus> all) {
        return all.stream().min((left, right) -> left.action().compareTo(right.action()));
    }

    private static @Nullable ReportedOutcome outcome(RecipientStatus status) {
        return status.action() == DsnAction.FAILED
                ? new ReportedOutcome.Failure(status.status(), status.diagnostic(), status.refusesAddress())
                : status.action() == DsnAction.DELAYED ? new ReportedOutcome.Delay() : null;
    }

    /** Compares addresses without regard to case, the domain in A-labels; the local part is otherwise opaque. */
    private static boolean isSame(@Nullable String reported, String address) {
        try {
            return reported != null
                    && reported.equalsIgnoreCase(AddrSpec.parse(address).toString());
        } catch (AddressSyntaxException unusable) {
            return false;
        }
    }
}
