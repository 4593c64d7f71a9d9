package dev.inboxd.outbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mail.smtp.RecipientDsn;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a message is read again for the sake of a report: not for each that somebody could have wanted. */
class DsnReportsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "FAILURE         | RELAYED   | false", // which most mail of programs is
                "FAILURE         | DELIVERED | false",
                "FAILURE         | ENTRUSTED | false",
                "FAILURE         | BOUNCED   | true",
                "FAILURE         | REJECTED  | true",
                "FAILURE         | DELAYED   | true", // after five days it has failed
                "DELAY           | DELAYED   | true",
                "DELAY           | RELAYED   | false",
                "SUCCESS         | RELAYED   | true",
                "SUCCESS         | BOUNCED   | false",
                "SUCCESS,FAILURE | ENTRUSTED | false",
                "NEVER           | BOUNCED   | false",
                "''              | BOUNCED   | false"
            })
    void isReadForOnlyWhenOneMayBeDue(String conditions, RecipientOutcome.State state, boolean read) {
        QueueItem.Recipient recipient =
                new QueueItem.Recipient(1, "jo@far.test", 1, 0, new RecipientDsn(conditions, ""), false);
        assertThat(DsnReports.mayBeDue(Map.of(recipient, new RecipientOutcome(state, "250 2.0.0 Ok"))))
                .isEqualTo(read);
    }

    @ParameterizedTest
    @CsvSource({"DELAY, false", "'DELAY,FAILURE', true"})
    void aDelayIsToldOnce(String conditions, boolean read) {
        QueueItem.Recipient told =
                new QueueItem.Recipient(1, "jo@far.test", 9, 0, new RecipientDsn(conditions, ""), true);
        assertThat(DsnReports.mayBeDue(
                        Map.of(told, new RecipientOutcome(RecipientOutcome.State.DELAYED, "451 4.3.0 Later"))))
                .isEqualTo(read);
    }
}
