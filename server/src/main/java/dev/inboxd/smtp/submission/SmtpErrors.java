package dev.inboxd.smtp.submission;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Problem;
import dev.inboxd.mail.smtp.SmtpReply;
import java.util.Set;
import java.util.stream.Collectors;

/** Maps problems of the API to SMTP replies (identity.md §18). */
final class SmtpErrors {
    /** What a refusal has that somebody else answers, or has answered. */
    private static final Set<String> ANSWERED = Set.of("claim", "answered_by", "draft_id");

    private SmtpErrors() {}

    static SmtpReply reply(Problem problem) {
        String fix = problem.fix() == null ? "" : "\n" + problem.fix();
        if (problem.details().keySet().stream().anyMatch(ANSWERED::contains)) {
            // A program repeats a 4xx by itself, and the thread would have two answers.
            return SmtpReply.of(550, "5.7.1", problem.message());
        }
        return switch (problem.code()) {
            case RATE_LIMIT_EXCEEDED -> SmtpReply.of(451, "4.7.1", problem.message());
            case MOVED -> SmtpReply.MOVED_AWAY;
            case CONFLICT, RACE_CONDITION, SERVICE_UNAVAILABLE, INTERNAL_ERROR ->
                SmtpReply.of(451, "4.3.0", "Temporary failure, try again later");
            case VALIDATION_ERROR ->
                SmtpReply.of(
                        554,
                        "5.6.0",
                        problem.faults().isEmpty()
                                ? problem.message()
                                : problem.faults().stream().map(Fault::message).collect(Collectors.joining("\n")));
            case UNPROCESSABLE -> SmtpReply.of(554, "5.6.0", problem.message() + fix);
            default -> SmtpReply.of(550, "5.7.1", problem.message() + fix);
        };
    }
}
