package dev.inboxd.console.mail;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.console.ConsoleProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.util.Objects;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The search and the forms of the console know nothing of other organizations, and tell nothing of them. */
class ConsoleForeignMailHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    /** The browser of the operator, who chose an organization. */
    private static HttpProbe browser(String organization) {
        String operator = world.operatorCookie();
        HttpProbe browser = form(operator);
        String page = browser.get("/console/organizations").is(200).text();
        Answer chosen = browser.post(
                        "/console/organizations",
                        "token=" + ConsoleProbe.between(page, "name=\"token\" value=\"", "\"") + "&organization="
                                + organization)
                .is(303);
        String cookie = Objects.requireNonNull(chosen.header("Set-Cookie"));
        return form(operator + "; " + cookie.substring(0, cookie.indexOf(';')));
    }

    private static HttpProbe form(String cookie) {
        return world.anonymous()
                .with("Cookie", cookie)
                .with("Content-Type", "application/x-www-form-urlencoded")
                .with("Origin", "http://127.0.0.1:" + world.httpPort());
    }

    @Test
    @Proves("P10")
    void foreignMailIsNeitherFoundNorChangedNorTold() {
        HttpProbe other = world.as(world.otherOrganization());
        String inbox =
                other.post("/v0/inboxes", json("username", "theirs")).is(200).text("inbox_id");
        String thread = other.post(
                        "/v0/inboxes/" + inbox + "/messages/send",
                        json("to", "maria@shop.test", "subject", "Secret", "text", "The plan."))
                .is(200)
                .text("thread_id");
        String theirs = other.get("/v0/organizations").is(200).text("organization_id");
        HttpProbe person = browser(world.organization().toString());
        HttpProbe holder = browser(theirs);
        Eventually.await(() -> holder.get("/console/mail?q=plan").is(200).text().contains("Secret"));
        for (String path : new String[] {"/mail?q=plan", "/palette?q=plan", "/mail?q=to%3Amaria", "/mail"}) {
            assertThat(person.get("/console" + path).is(200).text()).as(path).doesNotContain("Secret", thread);
        }
        assertThat(person.get("/console/mail?q=in%3A" + inbox).is(200).text())
                .contains("There is no inbox " + inbox)
                .doesNotContain("Secret");
        assertThat(person.get("/console/mail?q=in%3Atheirs").is(200).text()).contains("There is no inbox theirs");
        String page = person.get("/console/keys").is(200).text();
        String token = "token=" + ConsoleProbe.between(page, "name=\"token\" value=\"", "\"");
        for (String act : new String[] {"trash-picked", "unread-picked", "label-picked&label=mine"}) {
            String foreign = person.post("/console/mail", token + "&do=" + act + "&pick=" + thread)
                    .is(303)
                    .header("Location");
            String missing = person.post("/console/mail", token + "&do=" + act + "&pick=" + UUID.randomUUID())
                    .is(303)
                    .header("Location");
            assertThat(foreign).isEqualTo(missing).contains("n=0&of=1");
        }
        person.post("/console/mail", token + "&do=undo&undo=" + thread).is(303);
        assertThat(other.get("/v0/threads/" + thread).is(200).list("labels").toString())
                .doesNotContain("trash", "unread", "mine");
    }
}
