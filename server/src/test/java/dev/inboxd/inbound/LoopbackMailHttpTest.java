package dev.inboxd.inbound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Mail that a developer hands in on the same machine, to a server with no setting at all. */
class LoopbackMailHttpTest {
    @RegisterExtension
    private static final World world = World.start(Map.of("INBOXD_DNS_SERVERS", ""));

    @Test
    void isInTheListFoundAndAnnouncedAsItsAuthors() {
        String inbox = world.inbox("first");
        HttpProbe http = world.http();
        assertThat(world.mail("jo@example.com", inbox, mail("Jo <jo@example.com>", "lighthouse")))
                .startsWith("250");
        HttpProbe.Answer message = only(inbox);
        assertThat(message.list("labels")).isEqualTo(List.of("received", "unread"));
        assertThat(String.valueOf(message.at("authentication")))
                .contains("dkim=[{result=pass, domain=example.com}]")
                .contains("dmarc={result=pass");
        assertThat(http.get("/v0/events?event_types=message.received").list("events"))
                .hasSize(1);
    }

    @Test
    void aDomainThatIsServedHereVouchesForItselfAlone() {
        String inbox = world.inbox("second");
        for (String author : List.of("boss@mail.localhost", "Boss <boss@MAIL.localhost>")) {
            assertThat(world.mail("boss@example.com", inbox, mail(author, "wire")))
                    .startsWith("250");
        }
        assertThat(list(inbox, "")).isEmpty();
        assertThat(list(inbox, "?include_unauthenticated=true")).hasSize(2);
    }

    @Test
    void mailWithoutOneAuthorIsNobodys() {
        String inbox = world.inbox("third");
        for (String header : List.of(
                "Subject: none\r\n",
                "From: a@example.com, b@example.org\r\n",
                "From: a@example.com\r\nFrom: b@example.org\r\n")) {
            assertThat(world.mail("a@example.com", inbox, header + "\r\nx\r\n")).startsWith("250");
        }
        assertThat(list(inbox, "")).isEmpty();
        assertThat(list(inbox, "?include_unauthenticated=true")).hasSize(3);
    }

    @Test
    void nameServersThatAreSetAreAsked() {
        try (World checking = World.start()) {
            String inbox = checking.inbox("fourth");
            assertThat(checking.mail("jo@example.com", inbox, mail("jo@example.com", "x")))
                    .startsWith("250");
            String path = "/v0/inboxes/" + inbox + "/messages";
            assertThat(checking.http().get(path).list("messages")).isEmpty();
        }
    }

    private static String mail(String author, String word) {
        return "From: " + author + "\r\nTo: you@mail.localhost\r\nSubject: " + word + "\r\n\r\n" + word + "\r\n";
    }

    private static HttpProbe.Answer only(String inbox) {
        String id = String.valueOf(
                ((Map<?, ?>) Objects.requireNonNull(list(inbox, "").getFirst())).get("message_id"));
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages/"
                        + id.replace("<", "%3C").replace(">", "%3E"));
    }

    private static List<?> list(String inbox, String query) {
        return world.http().get("/v0/inboxes/" + inbox + "/messages" + query).list("messages");
    }
}
