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
                human, all == 1 ? "1 mail waits for you" : all + " mails wait for you", """
                Your agents wait for your decision:

                %s

                Read and decide it here:

                    %s

                You get at most one such mail an hour, and none for what you have looked at.
                This address ends them:

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
        return count == 1 ? "1 mail" : count + " mails";
    }
}
