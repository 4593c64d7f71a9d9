package dev.inboxd.sending;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A forward keeps what it passes on: the parameters of the files' types, and when the author wrote. */
class ForwardHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @Test
    void filesKeepTheParametersOfTheirTypes() {
        String raw = forwarded("types", """
                From: jo@example.com
                Subject: Files
                Message-ID: <types@x.test>
                MIME-Version: 1.0
                Content-Type: multipart/mixed; boundary=b

                --b
                Content-Type: text/plain

                see
                --b
                Content-Type: text/csv; charset=iso-8859-1; header=present; name="t.csv"
                Content-Disposition: attachment; filename="t.csv"

                a;b
                --b
                Content-Type: text/calendar; component=VEVENT; charset=utf-8; method=REQUEST

                BEGIN:VCALENDAR
                END:VCALENDAR
                --b
                Content-Type: application/json; profile="https://x.test/a;b \\"c\\""
                Content-Disposition: attachment; filename="x.json"

                {}
                --b--
                """);
        assertThat(raw)
                .contains("Content-Type: text/csv; charset=iso-8859-1; header=present")
                .contains("Content-Type: text/calendar; charset=utf-8; component=VEVENT; method=REQUEST")
                .contains("profile=\"https://x.test/a;b \\\"c\\\"\"");
    }

    @Test
    void theBlockHasTheDateAsItsAuthorWroteIt() {
        String mail = """
                From: jo@example.com
                %s
                Subject: When
                Message-ID: <%s@x.test>

                x
                """;
        assertThat(forwarded("zone", mail.formatted("DATE: Mon, 23 Nov 2026 09:15:00 +0900", "zone")))
                .contains("\r\nDate: Mon, 23 Nov 2026 09:15:00 +0900\r\nSubject: When");
        assertThat(forwarded("nodate", mail.formatted("Date: yesterday, <b>noon</b>", "nodate")))
                .doesNotContain("yesterday")
                .containsPattern("\r\nDate: \\w{3}, \\d+ \\w{3} \\d{4} [0-9:]{8} \\+0000\r\nSubject: When");
    }

    /** The raw forward of a mail whose Message-ID begins with the name. */
    private static String forwarded(String name, String mail) {
        String inbox = world.inbox(name);
        assertThat(world.mail("jo@example.com", inbox, mail)).startsWith("250");
        HttpProbe.Answer sent = world.http()
                .post(path(inbox, "<" + name + "@x.test>") + "/forward", json("to", "ann@elsewhere.test"))
                .is(200);
        String url = world.http()
                .get(path(inbox, sent.text("message_id")) + "/raw")
                .is(200)
                .text("download_url");
        try (InputStream raw = URI.create(url).toURL().openStream()) {
            return new String(raw.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private static String path(String inbox, String id) {
        return "/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(id, StandardCharsets.UTF_8);
    }
}
