package dev.inboxd.screening;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An invitation in held mail reaches the calendar with the release, once (calendar.md §7.2, security.md §4). */
class HeldInvitationHttpTest {
    private SecuredWorld secured;

    @BeforeEach
    void start() {
        secured = SecuredWorld.start("hold");
    }

    @AfterEach
    void stop() {
        secured.close();
    }

    private String invitation(String uid, String title, String fields) {
        return secured.mail(
                "Invitation",
                "Content-Type: text/calendar; charset=utf-8; method=REQUEST\n" + fields,
                "BEGIN:VCALENDAR\nVERSION:2.0\nMETHOD:REQUEST\nBEGIN:VEVENT\nUID:" + uid
                        + "\nDTSTAMP:20260101T000000Z\nDTSTART:20990105T100000Z\nSUMMARY:" + title
                        + "\nORGANIZER:mailto:"
                        + SecuredWorld.FRIEND + "\nEND:VEVENT\nEND:VCALENDAR\n",
                SecuredWorld.FRIEND);
    }

    private List<?> titles() {
        return secured.world().http().get(secured.path() + "/calendar/events").is(200).list("events").stream()
                .map(event -> ((java.util.Map<?, ?>) event).get("title"))
                .toList();
    }

    @Test
    @Proves("A41")
    void anInvitationIsTakenInWithTheRelease() {
        String held = invitation("held", SecuredWorld.ORDER, "");
        String clear = invitation("clear", "Lunch", "");
        Eventually.await(() -> titles().equals(List.of("Lunch")));
        assertThat(secured.world().http().get(secured.path(held)).is(200).at("calendar_event_id"))
                .isNull();
        assertThat(secured.world().http().get(secured.path(clear)).is(200).at("calendar_event_id"))
                .isNotNull();
        secured.release(secured.releaser(), held, "Known").is(200);
        Eventually.await(() -> titles().size() == 2);
        assertThat(secured.world().http().get(secured.path(held)).is(200).at("calendar_event_id"))
                .isNotNull();
        secured.world().restart();
        assertThat(titles()).hasSize(2);
    }
}
