package dev.inboxd.sending.feedback;

import static dev.inboxd.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.mailbox.thread.Conversation;
import dev.inboxd.outbound.RelayService;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Nobody waits for the answer to a mail that reached nobody (mail.md §7.1). */
class WaitingBounceHttpTest extends RelayService {
    @Test
    void aMailThatAllRecipientsRefuseIsNoAnswerAndOneThatSomeTookIs() {
        mx.answerRecipient("gone@elsewhere.test", "550 5.1.1 No such user");
        mx.answerRecipient("left@elsewhere.test", "550 Over quota");
        Conversation some = Conversation.in(world, inbox);
        String half = some.sends("gone@elsewhere.test", "kim@elsewhere.test");
        await(() -> some.message(half).list("labels").contains("bounced")
                && some.message(half).list("labels").contains("delivered"));
        assertThat(some.waiting()).isEqualTo(Arrays.asList("sent", some.time(half)));

        Conversation.trust(world);
        Conversation all = Conversation.in(world, inbox);
        String question = all.receives();
        String lost = all.sends("left@elsewhere.test");
        await(() -> all.message(lost).list("labels").contains("bounced"));
        assertThat(all.waiting()).isEqualTo(Arrays.asList("received", all.time(question)));
        assertThat(Conversation.ids(world.http().get("/v0/threads?waiting=me")))
                .containsExactly(all.thread().text("thread_id"));
    }

    @Test
    void aNoticeThatComesLaterCountsAndIsNoMessageOfItsOwn() throws Exception {
        Conversation talk = Conversation.in(world, inbox);
        String sent = talk.sends("gone@victim.test");
        String mail = mx.nextMail().mail();
        String path = mail.substring(mail.indexOf('<') + 1, mail.indexOf('>'));
        await(() -> talk.message(sent).list("labels").contains("delivered"));
        assertThat(talk.waiting()).isEqualTo(Arrays.asList("sent", talk.time(sent)));
        assertThat(world.mail("", path, ReportSamples.notice(path, "gone@victim.test", "550 5.1.1 No such user")))
                .startsWith("250");
        assertThat(talk.message(sent).list("labels").contains("bounced")).isTrue();
        assertThat(talk.thread().at("message_count")).isEqualTo(2L);
        assertThat(talk.waiting()).isEqualTo(Arrays.asList(null, null));
        assertThat(Conversation.ids(world.http().get("/v0/threads?waiting=them")))
                .isEmpty();
    }
}
