package dev.inboxd.console;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.observe.audit.AuditAction;
import dev.inboxd.server.World;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Who changed what at the console: with names, narrowed, and page by page in both directions. */
class ConsoleActivityHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static ConsoleProbe console;

    @BeforeAll
    static void start() {
        console = ConsoleProbe.of(world, "active");
    }

    private static String webhook(String host) {
        return world.http()
                .post(
                        "/v0/webhooks",
                        json("url", "https://" + host + "/hook", "event_types", List.of("message.received")))
                .is(200)
                .text("webhook_id");
    }

    @Test
    void entriesHaveNamesAndWhatIsGoneItsId() {
        String stays = webhook("stays.example");
        String goes = webhook("goes.example");
        world.http().delete("/v0/webhooks/" + goes).is(200);
        Answer key = world.http().post("/v0/api-keys", json("name", "Ada")).is(200);
        world.as(key.text("api_key"))
                .patch("/v0/inboxes/" + console.inbox(), json("display_name", "<Active>"))
                .is(200);
        String page = console.page("/activity");
        assertThat(page)
                .contains(
                        "API key created <a href=\"/console/keys/" + key.text("api_key_id") + "\">Ada</a>",
                        "<a href=\"/console/webhooks/" + stays + "\">stays.example</a>",
                        goes + " (deleted)</span>",
                        "<b>Ada</b>: Inbox updated <a href=\"/console/inboxes/" + console.inbox(),
                        "<dt>members</dt>")
                .doesNotContain("<Active>", "display_name_");
        assertThat(console.page("/activity?actor=Ada"))
                .contains("Inbox updated")
                .doesNotContain("goes.example", goes);
        assertThat(console.page("/activity?action=webhook&actor=Ada")).contains("No changes found");
        assertThat(console.page("/activity?action=webhook"))
                .contains("Webhook created")
                .doesNotContain("Inbox updated");
        assertThat(console.page("/activity?after=2999-01-01")).contains("No changes found");
        assertThat(console.page("/keys")).contains("<a href=\"/console/activity\"");
    }

    @Test
    void daysAreThoseOfThePersonAndEveryActionCanBeChosen() {
        String hook = webhook("today.example");
        ZonedDateTime now = Instant.now().atZone(ZoneOffset.UTC);
        String zone = now.getHour() >= 10 ? "Pacific/Kiritimati" : "Etc/GMT+12"; // where it is another day
        String day = now.withZoneSameInstant(ZoneId.of(zone)).toLocalDate().toString();
        String other = now.toLocalDate().toString();
        assertThat(activity(zone, "?action=webhook&after=" + day + "&before=" + day))
                .contains(hook);
        assertThat(activity(zone, "?action=webhook&after=" + other + "&before=" + other))
                .doesNotContain(hook);
        String page = activity(zone, "");
        for (AuditAction action : AuditAction.values()) {
            assertThat(page).contains("<option value=\"" + action.wireName().split("\\.", 2)[0] + "\"");
        }
    }

    private static String activity(String zone, String query) {
        return world.anonymous()
                .with("Cookie", world.operatorCookie() + "; zone=" + zone)
                .get("/console/activity" + query)
                .is(200)
                .text();
    }

    @Test
    void pagesGoBothWaysAndKeepTheFilters() {
        HttpProbe http = world.as(world.http()
                .post("/v0/api-keys", json("name", "Busy & co"))
                .is(200)
                .text("api_key"));
        for (int i = 0; i < 65; i++) {
            http.patch("/v0/inboxes/" + console.inbox(), json("display_name", "N" + i))
                    .is(200);
        }
        String first = console.page("/activity?actor=Busy%20%26%20co&action=inbox");
        assertThat(first).doesNotContain(">Newer<");
        String second = console.page("/activity" + link(first, "Older"));
        assertThat(second).contains(">Newer<").contains("value=\"Busy &amp; co\"");
        String third = console.page("/activity" + link(second, "Older"));
        assertThat(third).doesNotContain(">Older<");
        assertThat(rows(first) + rows(second) + rows(third)).isEqualTo(65);
        String back = console.page("/activity" + link(third, "Newer"));
        assertThat(ids(back)).isEqualTo(ids(second));
        assertThat(ids(console.page("/activity" + link(back, "Newer")))).isEqualTo(ids(first));
    }

    private static String link(String page, String name) {
        int end = page.indexOf("\">" + name + "</a>");
        assertThat(end).as(name).isPositive();
        return page.substring(page.lastIndexOf("href=\"", end) + 6, end).replace("&amp;", "&");
    }

    private static int rows(String page) {
        return page.split("Inbox updated", -1).length - 1;
    }

    private static List<String> ids(String page) {
        return List.of(page.split("<dt>Request id</dt><dd>", -1)).stream()
                .skip(1)
                .map(part -> part.substring(0, part.indexOf('<')))
                .toList();
    }
}
