package dev.inboxd.mailbox.http;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Quotation;
import dev.inboxd.base.http.Query;
import dev.inboxd.mail.challenge.Challenge;
import dev.inboxd.mailbox.markdown.MarkdownQuery;
import dev.inboxd.mailbox.thread.MailFilter;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The criteria for the message that a client waits for (mail.md §6.14).
 *
 * @param filter sender and subject, as in a list
 * @param originals the ids, with their angle brackets, of the message that it answers; none for any message
 * @param challenges it has one of these, and the newest such message is meant; none for any message
 * @param markdown how its Markdown is shown in place of its bodies; null to show its bodies
 */
public record ArrivalCriteria(
        MailFilter filter,
        Set<String> originals,
        Set<Challenge> challenges,
        @Nullable MarkdownQuery markdown) {
    private static final String EXTRACT = "extract";

    public ArrivalCriteria {
        originals = Set.copyOf(originals);
        challenges = Set.copyOf(challenges);
    }

    /**
     * Reads them from a query: {@code from}, {@code subject}, {@code since}, {@code in_reply_to}, {@code extract},
     * the flags of lists, and the parameters of Markdown.
     */
    public static ArrivalCriteria of(Query query) {
        MailFilter filter = MessageHttp.filter(query)
                .with(new MailFilter.Texts(query.list("from"), List.of(), query.list("subject")));
        Instant since = query.instant("since");
        String inReplyTo = query.text("in_reply_to");
        return new ArrivalCriteria(
                since == null ? filter : filter.notBefore(following(since)),
                inReplyTo == null || inReplyTo.isEmpty() ? Set.of() : Set.of(MessageHttp.named(inReplyTo)),
                challenges(query),
                MarkdownQuery.ofArrival(query));
    }

    /** The same criteria for mail from a time on, with these ids of the message that it answers. */
    ArrivalCriteria behind(Instant since, Set<String> ids) {
        return new ArrivalCriteria(filter.notBefore(since), ids, challenges, markdown);
    }

    /** Whether they say from when on messages count, so that those that are there already are looked at. */
    public boolean reachBack() {
        return filter.after() != null || !originals.isEmpty();
    }

    /**
     * The first time behind one that a client gives. Times are shown in milliseconds: behind the time of a message that
     * a client was shown, that message is not.
     */
    private static Instant following(Instant since) {
        return since.equals(since.truncatedTo(ChronoUnit.MILLIS)) ? since.plusMillis(1) : since.plusNanos(1_000);
    }

    private static Set<Challenge> challenges(Query query) {
        Set<Challenge> challenges = EnumSet.noneOf(Challenge.class);
        for (String word : query.list(EXTRACT)) {
            Arrays.stream(Challenge.values())
                    .filter(challenge -> challenge.word().equals(word))
                    .findFirst()
                    .ifPresentOrElse(challenges::add, () -> query.faultOfItem(EXTRACT, unknown(word)));
        }
        return challenges;
    }

    private static Fault unknown(String word) {
        String choices = "one of "
                + Arrays.stream(Challenge.values()).map(Challenge::word).collect(Collectors.joining(", "));
        return Fault.of(EXTRACT, EXTRACT + " must be " + choices + ", not " + Quotation.of(word))
                .as(Fault.Code.INVALID_VALUE, choices);
    }
}
