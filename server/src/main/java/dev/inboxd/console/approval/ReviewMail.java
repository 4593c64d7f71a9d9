package dev.inboxd.console.approval;

import dev.inboxd.queue.SystemMail;
import dev.inboxd.tenant.review.WaitingCount;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The mail that something waits: how much of which inboxes, and never what it says. */
final class ReviewMail {
    private ReviewMail() {}

    /**
     * The mail to a person.
     *
     * @param page where it is decided
     * @param stop where such mails end
     */
    static SystemMail.SystemMessage compose(String human, List<WaitingCount> counts, String page, String stop) {
        int all =
                counts.stream().mapToInt(count -> count.drafts() + count.held()).sum();
        return new SystemMail.SystemMessage(
                human, all == 1 ? "1 message needs your decision" : all + " messages need your decision", """
                These messages need your decision:

                %s

                Review them here:

                    %s

                You get at most one such email an hour, and none for messages you have already seen.
                Turn off these emails here:

                    %s
                """.formatted(
                        counts.stream().flatMap(ReviewMail::lines).collect(Collectors.joining("\n")), page, stop));
    }

    private static Stream<String> lines(WaitingCount count) {
        return Stream.of(
                        count.drafts() == 0
                                ? ""
                                : "    " + mails(count.drafts()) + " from " + count.inbox() + " to approve",
                        count.held() == 0 ? "" : "    " + mails(count.held()) + " to " + count.inbox() + ", held")
                .filter(line -> !line.isEmpty());
    }

    private static String mails(int count) {
        return count == 1 ? "1 message" : count + " messages";
    }
}
