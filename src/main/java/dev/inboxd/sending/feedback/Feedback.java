package dev.inboxd.sending.feedback;

import dev.inboxd.event.EventLog;
import dev.inboxd.mail.address.AddrSpec;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.report.DsnAction;
import dev.inboxd.mail.report.RecipientStatus;
import dev.inboxd.mail.report.Report;
import dev.inboxd.mail.report.ReportReader;
import dev.inboxd.mail.report.ReportedMessage;
import dev.inboxd.mail.smtp.RecipientDsn;
import dev.inboxd.mail.verp.ReturnPath;
import dev.inboxd.mail.verp.ReturnPaths;
import dev.inboxd.platform.database.Database;
import dev.inboxd.platform.database.View;
import dev.inboxd.tenant.domain.FeedbackOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads what comes back about mail that was sent, and decides what of it is believed (attack A42). Anybody can write a
 * report; what nobody else knows is the return path that a recipient's copy had.
 */
public final class Feedback {
    private final Database database;
    private final EventLog log;
    private final ReturnPaths returnPaths;

    /** Feedback about the mail of a database. */
    public Feedback(Database database, EventLog log, ReturnPaths returnPaths) {
        this.database = database;
        this.log = log;
        this.returnPaths = returnPaths;
    }

    /**
     * What a return path leads to.
     *
     * @param inbox the inbox that sent the mail; null for mail of the service itself, whose reports nobody keeps
     */
    public record ReturnPathTarget(
            UUID organization, @Nullable UUID inbox) {}

    /** Where mail for a return path goes; nothing when it is not ours, or when the mail is long forgotten. */
    public Optional<ReturnPathTarget> returned(String localPart) {
        return returnPaths.read(localPart).flatMap(path -> {
            View all = View.of(path.organization());
            return database.read(tx -> FeedbackSql.ofSubmission(tx, all, path.submission())).stream()
                    .findFirst()
                    .filter(line -> line.inbox() != null || line.message() == null)
                    .map(line -> new ReturnPathTarget(path.organization(), line.inbox()));
        });
    }

    /** What a mail that arrived says about mail of ours, as far as it is believed. Nothing is changed. */
    public RecipientReports examine(InboundReport arrived) {
        if (!arrived.mayBeReport()) {
            return RecipientReports.NONE;
        }
        // Whose mail it is about comes first: a stranger's notice costs no more than that look.
        List<RecipientQuery> asked = asked(arrived, ReportReader.original(arrived.message(), arrived.parts()));
        return asked.isEmpty()
                ? RecipientReports.NONE
                : ReportReader.read(arrived.message(), arrived.parts())
                        .map(report -> findings(asked, report, arrived.reversePath()))
                        .orElse(RecipientReports.NONE);
    }

    /** Does what follows, all of it or nothing, in a transaction of its own; what was done before is not done again. */
    public void record(UUID organization, List<RecipientReport> findings) {
        database.<@Nullable Void>write(organization, tx -> {
            ReportEffects consequences = new ReportEffects(tx, View.of(organization), log);
            findings.forEach(consequences::of);
            return null;
        });
    }

    /** The recipients that a report may be about. */
    private List<RecipientQuery> asked(InboundReport arrived, ReportedMessage original) {
        List<RecipientQuery> asked = new ArrayList<>();
        for (ReturnPath path : paths(arrived, original)) {
            List<FeedbackSql.Line> lines =
                    database
                            .read(tx -> FeedbackSql.ofSubmission(tx, View.of(path.organization()), path.submission()))
                            .stream()
                            .filter(line -> line.recipient().position() == path.position())
                            .toList();
            add(asked, new RecipientQuery(path.organization(), lines, arrived.authenticatedDomains(), true));
        }
        String name = original.messageId();
        if (asked.isEmpty() && name != null && !arrived.authenticatedDomains().isEmpty()) {
            arrived.inboxes()
                    .forEach((organization, inboxes) -> add(
                            asked,
                            new RecipientQuery(
                                    organization,
                                    database.read(
                                            tx -> FeedbackSql.ofMessage(tx, View.of(organization), name, inboxes)),
                                    arrived.authenticatedDomains(),
                                    false)));
        }
        return asked;
    }

    private static void add(List<RecipientQuery> all, RecipientQuery asked) {
        if (asked.lines.stream().anyMatch(asked::believes)) {
            all.add(asked);
        }
    }

    private RecipientReports findings(List<RecipientQuery> all, Report report, String reversePath) {
        List<RecipientReport> findings = new ArrayList<>();
        for (RecipientQuery asked : all) {
            if (!asked.known && report instanceof Report.Delivery && !reversePath.isEmpty()) {
                continue; // a notice has none (RFC 3464 §2), and a person's mail has one
            }
            for (FeedbackSql.Line line : asked.lines) {
                ReportedOutcome news =
                        asked.believes(line) ? news(report, line.recipient().address(), asked.known) : null;
                if (news != null) {
                    findings.add(new RecipientReport(
                            asked.organization,
                            line.recipient(),
                            mail(asked.organization, line, news),
                            news,
                            asked.known));
                }
            }
        }
        return new RecipientReports(findings);
    }

    /** The return paths of ours that the mail came to, or that the message had when it was complained about. */
    private List<ReturnPath> paths(InboundReport arrived, ReportedMessage original) {
        List<ReturnPath> paths = new ArrayList<>();
        arrived.localParts().forEach(localPart -> returnPaths.read(localPart).ifPresent(paths::add));
        String quoted = original.returnPath();
        if (paths.isEmpty() && quoted != null) {
            returnPaths.read(quoted.substring(0, quoted.lastIndexOf('@'))).ifPresent(paths::add);
        }
        return paths.stream().distinct().toList();
    }

    /**
     * Recipients of a message that a report may be about.
     *
     * @param authenticatedDomains who the report is from, where it must be from the recipient's own domain
     * @param known whether it is known to be about them, whomever it names
     */
    private record RecipientQuery(
            UUID organization, List<FeedbackSql.Line> lines, List<String> authenticatedDomains, boolean known) {
        /**
         * Whether a report about this recipient is believed. Its return path is proof. A Message-ID is known to every other
         * recipient too: then the report must also come from a server of the recipient's domain.
         */
        boolean believes(FeedbackSql.Line line) {
            return known
                    || authenticatedDomains.stream()
                            .anyMatch(domain ->
                                    isOf(domain, domain(line.recipient().address())));
        }

        private static boolean isOf(String vouched, String domain) {
            String host = vouched.toLowerCase(Locale.ROOT);
            return host.equals(domain) || host.endsWith("." + domain) || domain.endsWith("." + host);
        }

        private static String domain(String address) {
            return address.substring(address.lastIndexOf('@') + 1).toLowerCase(Locale.ROOT);
        }
    }

    private RecipientReport.SentMessage mail(UUID organization, FeedbackSql.Line line, ReportedOutcome news) {
        String name = line.inboxName();
        boolean told = name != null
                && !isUnwanted(line.dsn(), news)
                && database.read(tx ->
                        FeedbackOption.isOn(tx, View.of(organization), name.substring(name.lastIndexOf('@') + 1)));
        return new RecipientReport.SentMessage(line.message(), line.name(), line.inbox(), told);
    }

    /** Whether the sender wanted no such report (RFC 3461 §4.1): not every server on the way knows of that. */
    private static boolean isUnwanted(RecipientDsn dsn, ReportedOutcome news) {
        return switch (news) {
            case ReportedOutcome.Failure _ -> dsn.forbids(RecipientDsn.Notify.FAILURE);
            case ReportedOutcome.Delay _ -> dsn.forbids(RecipientDsn.Notify.DELAY);
            case ReportedOutcome.Complaint _ -> false;
        };
    }

    /** What the report says about that address, or about whomever it means when it can mean only that one. */
    private static @Nullable ReportedOutcome news(Report report, String address, boolean known) {
        return switch (report) {
            case Report.Delivery delivery ->
                delivery.recipients().stream()
                        .filter(status -> isSame(status.address(), address))
                        .findFirst()
                        .or(() -> known ? worst(delivery.recipients()) : Optional.empty())
                        .map(Feedback::news)
                        .orElse(null);
            case Report.Feedback feedback ->
                feedback.isComplaint()
                                && (known || feedback.recipients().stream().anyMatch(each -> isSame(each, address)))
                        ? new ReportedOutcome.Complaint(feedback.type())
                        : null;
        };
    }

    private static Optional<RecipientStatus> worst(List<RecipientStatus> all) {
        return all.stream().min((one, other) -> one.action().compareTo(other.action()));
    }

    private static @Nullable ReportedOutcome news(RecipientStatus status) {
        return status.action() == DsnAction.FAILED
                ? new ReportedOutcome.Failure(status.status(), status.diagnostic())
                : status.action() == DsnAction.DELAYED ? new ReportedOutcome.Delay() : null;
    }

    /** The local part as it is, which is its owner's business, but for the case of letters; the domain in A-labels. */
    private static boolean isSame(@Nullable String reported, String address) {
        try {
            return reported != null
                    && reported.equalsIgnoreCase(AddrSpec.parse(address).toString());
        } catch (AddressSyntaxException unusable) {
            return false;
        }
    }
}
