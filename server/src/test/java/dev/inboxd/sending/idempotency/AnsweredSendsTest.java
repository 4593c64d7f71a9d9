package dev.inboxd.sending.idempotency;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Which equal sends are new ones. */
class AnsweredSendsTest {
    private final AnsweredSends heard = new AnsweredSends();
    private final AnsweredSends.SendRow note = new AnsweredSends.SendRow(UUID.randomUUID(), "key", 7);

    @Test
    void onlyASendThatBeganAfterTheAnswerWasWrittenIsNew() {
        long overtaken = heard.begin("key");
        heard.add(note);
        long later = heard.begin("key");
        assertThat(heard.isBefore(note, overtaken)).isFalse();
        assertThat(heard.isBefore(note, later)).isTrue();
        assertThat(heard.isBefore(new AnsweredSends.SendRow(note.organization(), "key", 8), later))
                .isFalse();
    }

    @Test
    void aNoteIsKeptWhileAnEqualSendIsRunning() {
        heard.begin("key");
        heard.begin("key");
        heard.add(note);
        heard.end("key");
        assertThat(heard.removable()).isEmpty();
        heard.end("key");
        assertThat(heard.removable()).containsExactly(note);
        heard.remove(List.of(note));
        assertThat(heard.removable()).isEmpty();
    }
}
