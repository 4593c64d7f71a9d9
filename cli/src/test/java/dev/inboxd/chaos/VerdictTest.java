package dev.inboxd.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The harness tells what it is there to tell. */
class VerdictTest {
    private static final Ledger.Mail MAIL = new Ledger.Mail(1, List.of("a@x.test", "b@x.test"));
    private static final List<Ledger.Deed> DEEDS = List.of(MAIL);

    private static StoredState truth(Map<String, Integer> mails, String... halfVisible) {
        return new StoredState(mails, Map.of(), Map.of(), Map.of(), Map.of(), List.of(halfVisible));
    }

    @Test
    void whatIsThereOnceForEachRecipientIsClean() {
        StoredState truth = truth(Map.of("a@x.test chaos 1", 1, "b@x.test chaos 1", 1));
        assertThat(Verdict.of(DEEDS, DEEDS, truth).isClean()).isTrue();
    }

    @Test
    void aMailThatOneRecipientLacksIsLost() {
        Verdict verdict = Verdict.of(DEEDS, DEEDS, truth(Map.of("a@x.test chaos 1", 1)));
        assertThat(verdict.lost()).containsExactly(MAIL + " in b@x.test");
    }

    @Test
    void whatWasAskedButNotAcknowledgedMayBeMissingAndMayNotBeThereTwice() {
        assertThat(Verdict.of(List.of(), DEEDS, truth(Map.of())).isClean()).isTrue();
        assertThat(Verdict.of(List.of(), DEEDS, truth(Map.of("a@x.test chaos 1", 2)))
                        .doubled())
                .hasSize(1);
    }

    @Test
    void anOlderNameThanTheOneAcknowledgedIsALoss() {
        List<Ledger.Deed> renames = List.of(new Ledger.Rename("a@x.test", 3));
        StoredState older = new StoredState(Map.of(), Map.of(), Map.of("a@x.test", "2"), Map.of(), Map.of(), List.of());
        assertThat(Verdict.of(renames, renames, older).lost()).hasSize(1);
    }

    @Test
    void halfOfSomethingIsNeverClean() {
        StoredState half = truth(Map.of(), "a message without its content: 1");
        assertThat(Verdict.of(List.of(), List.of(), half).isClean()).isFalse();
    }
}
