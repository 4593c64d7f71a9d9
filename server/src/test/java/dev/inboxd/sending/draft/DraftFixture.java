package dev.inboxd.sending.draft;

import static dev.inboxd.testing.JsonText.json;

import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.server.World;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A service, and the calls of drafts by which the classes beside this make what they need. */
class DraftFixture {
    static World world;

    @BeforeAll
    static void start() {
        world = World.start();
    }

    @AfterAll
    static void stop() {
        world.close();
    }

    static int count(String table, String inbox) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*) as n from " + table + " d join inbox i"
                                + " using (organization_id, inbox_id) where i.address = :inbox")
                        .bind("inbox", inbox)
                        .single(row -> row.integer("n")));
    }

    static String file(String name, byte[] bytes) {
        return json("filename", name, "content", Base64.getEncoder().encodeToString(bytes));
    }

    static HttpProbe.Answer message(String inbox, String name) {
        return world.http()
                .get("/v0/inboxes/" + inbox + "/messages/" + URLEncoder.encode(name, StandardCharsets.UTF_8));
    }

    static HttpProbe.Answer create(String inbox, String body) {
        return world.http().post("/v0/inboxes/" + inbox + "/drafts", body);
    }

    static HttpProbe.Answer patch(String inbox, HttpProbe.Answer draft, String body) {
        return world.http().patch(path(inbox, draft), body);
    }

    static HttpProbe.Answer send(String inbox, HttpProbe.Answer draft, String body) {
        return world.http().post(path(inbox, draft) + "/send", body);
    }

    static String path(String inbox, HttpProbe.Answer draft) {
        return "/v0/inboxes/" + inbox + "/drafts/" + draft.text("draft_id");
    }
}
