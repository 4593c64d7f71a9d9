package dev.inboxd.mailbox.search;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What tests of the search ask of a service. */
public record SearchProbe(World world) {
    /** How long the index may take to follow. */
    public static final Duration FRESH = Duration.ofSeconds(3);

    /** Sends mail from an inbox, which has it then. */
    public void send(String inbox, String subject, String text) {
        world.http()
                .post(
                        "/v0/inboxes/" + inbox + "/messages/send",
                        json("to", "jo@elsewhere.test", "subject", subject, "text", text))
                .is(200);
    }

    /** The answer once it has that many messages; the index follows the mail by a fraction of a second. */
    public HttpProbe.Answer found(String inbox, String query, int count) {
        HttpProbe.Answer answer = Eventually.value(
                FRESH,
                () -> messages(inbox, query).is(200),
                found -> found.list("messages").size() >= count);
        assertThat(answer.list("messages")).as(query).hasSize(count);
        return answer;
    }

    public HttpProbe.Answer messages(String inbox, String query) {
        int more = query.indexOf("&after=") >= 0 ? query.indexOf("&after=") : query.indexOf("&before=");
        String q = more < 0 ? query : query.substring(0, more);
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages/search?q=" + encoded(q)
                        + (more < 0 ? "" : query.substring(more)));
    }

    public HttpProbe.Answer threads(String path, String query) {
        return world.http().get(path + "/search?q=" + encoded(query)).is(200);
    }

    public List<Object> subjects(HttpProbe.Answer answer) {
        return answer.list("messages").stream()
                .<Object>map(each -> ((Map<?, ?>) each).get("subject"))
                .toList();
    }

    public String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** Texts of messages that are not there any more. */
    public int texts() {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*) as n from search_text x where not exists"
                                + " (select 1 from message m where m.organization_id = x.organization_id"
                                + " and m.message_id = x.message_id)"
                                + " or exists (select 1 from message m join inbox i on i.inbox_id = m.inbox_id"
                                + " where m.message_id = x.message_id and i.deleting)")
                        .single(row -> row.integer("n")));
    }
}
