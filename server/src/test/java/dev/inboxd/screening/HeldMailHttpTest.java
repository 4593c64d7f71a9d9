package dev.inboxd.screening;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.mail.screen.MailScreen;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Mail that is held: what tells of it and what does not, until it is released (security.md §2, §4). */
class HeldMailHttpTest {
    private SecuredWorld secured;

    @BeforeEach
    void start() {
        secured = SecuredWorld.start("hold");
    }

    @AfterEach
    void stop() {
        secured.close();
    }

    @Test
    void mailToReviewIsHeldAndOtherMailIsNot() {
        String clear = secured.mail("Lunch", "At noon?");
        String held = secured.order();
        HttpProbe.Answer shown = secured.world().http().get(secured.path(held)).is(200);
        assertThat(shown.list("labels")).asString().contains("held");
        assertThat(shown.at("security.verdict")).isEqualTo("review");
        assertThat(shown.at("security.status")).isEqualTo("complete");
        assertThat(shown.at("security.model")).isEqualTo(MailScreen.MODEL);
        assertThat(shown.list("security.reasons").getFirst()).isEqualTo("instruction_override");
        assertThat(shown.text("text")).contains("xylophone");
        HttpProbe.Answer free = secured.world().http().get(secured.path(clear)).is(200);
        assertThat(free.at("security.verdict")).isEqualTo("clear");
        assertThat(free.at("security.reasons")).isNull();
        assertThat(secured.log(clear)).containsExactly("message.received received,unread");
        assertThat(secured.log(held)).containsExactly("label.added received,unread,held", "message.security.review");
    }

    @Test
    void releaseTellsOfTheMailOnceAndSaysWhoReleasedIt() {
        String held = secured.order();
        HttpProbe.Answer released =
                secured.release(secured.releaser(), held, "Known sender").is(200);
        assertThat(released.at("manual_override.actor.type")).isEqualTo("api_key");
        assertThat(released.text("manual_override.override_id")).startsWith("evt_");
        HttpProbe.Answer shown = secured.world().http().get(secured.path(held)).is(200);
        assertThat(shown.at("labels")).isEqualTo(List.of("received", "unread"));
        assertThat(shown.at("security.manual_override")).isEqualTo(released.at("manual_override"));
        assertThat(secured.log(held))
                .containsExactly(
                        "label.added received,unread,held",
                        "message.security.review",
                        "label.removed held",
                        "message.received",
                        "message.security.override");
        assertThat(secured.world()
                        .http()
                        .get(secured.path() + "/messages")
                        .is(200)
                        .text())
                .contains("xylophone");
    }
}
