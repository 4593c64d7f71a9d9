package dev.inboxd.screening;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.net.FakeEndpoint;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whether an inbox ever wrote to or heard from the author of a message before (mail.md §4.7). */
class FirstContactHttpTest {
    @Test
    void anAuthorIsAStrangerOnce() throws IOException {
        try (SecuredWorld secured = SecuredWorld.start("");
                FakeEndpoint endpoint = FakeEndpoint.start()) {
            HttpProbe http = secured.world().http();
            http.post("/v0/webhooks", json("url", endpoint.url("/hook"), "event_types", List.of("message.received")))
                    .is(200);
            String first = secured.mail("Hello", "Hello.");
            assertThat(http.get(secured.path(first)).is(200).at("first_contact"))
                    .isEqualTo(true);
            assertThat(endpoint.take().text()).contains(members("first_contact", true));
            String second = secured.mail("Hello", "Hello again.");
            assertThat(http.get(secured.path(second)).is(200).at("first_contact"))
                    .isEqualTo(false);
            assertThat(http.get(secured.path() + "/messages").is(200).at("messages.0.first_contact"))
                    .isEqualTo(false);
            http.delete(secured.path(first)).is(200);
            assertThat(http.get(secured.path(secured.mail("Hello", "Once more.")))
                            .is(200)
                            .at("first_contact"))
                    .isEqualTo(false);
            SecuredWorld other =
                    new SecuredWorld(secured.world(), secured.world().inbox("other"));
            assertThat(http.get(other.path(other.mail("Hello", "Hello.")))
                            .is(200)
                            .at("first_contact"))
                    .as("another inbox")
                    .isEqualTo(true);
        }
    }

    @Test
    void whomTheInboxWroteToIsNoStranger() {
        try (SecuredWorld secured = SecuredWorld.start("")) {
            HttpProbe http = secured.world().http();
            String sent =
                    http.post(secured.path() + "/messages/send", """
                    {"to":["x@y.test"],"bcc":["Pal <PAL@friend.test>"],"text":"Hello"}""").is(200).text("message_id");
            assertThat(http.get(secured.path(sent)).is(200).at("first_contact")).isNull();
            assertThat(http.get(secured.path(secured.mail("Hello", "Hello.")))
                            .is(200)
                            .at("first_contact"))
                    .isEqualTo(false);
        }
    }

    /** An inbox of before the list of those that it knows does not know all of them. */
    @Test
    void whatIsNotKnownIsNotSaid() {
        try (SecuredWorld secured = SecuredWorld.start("")) {
            HttpProbe http = secured.world().http();
            secured.world()
                    .database()
                    .<Integer>write(
                            secured.world().organization(),
                            tx -> tx.sql(
                                            View.of(secured.world().organization()),
                                            "update inbox i set correspondents_known = false where {i}")
                                    .run());
            assertThat(http.get(secured.path(secured.mail("Hello", "Hello.")))
                            .is(200)
                            .at("first_contact"))
                    .isNull();
            assertThat(http.get(secured.path(secured.mail("Hello", "Hello.")))
                            .is(200)
                            .at("first_contact"))
                    .isEqualTo(false);
        }
    }
}
