package dev.inboxd.tenant.apikey;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.database.StatementRecorder;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What it takes to let everything need approval that a key wrote (ruling 164). */
class KeyWritingsHttpTest {
    private static final String BOUND = json("send_approval", "required");
    private static final String FREE = json("send_approval", null);
    private static final String LOOK = "select o.draft_id::text as id";
    private static final String MARK = "update draft d set key_approval";

    private static StatementRecorder recorder;
    private static World world;
    private static HttpProbe human;

    @BeforeAll
    static void start() {
        recorder = StatementRecorder.start();
        world = World.start(Map.of(), recorder::before);
        human = world.as(world.session());
    }

    @AfterAll
    static void stop() {
        world.close();
        recorder.close();
    }

    @Test
    void onlyAChangeOfApprovalLooksForWhatAKeyWrote() {
        String key = path(human.post("/v0/api-keys", "{}").is(200));
        assertThat(looks(key, json("name", "One"))).isZero();
        assertThat(looks(key, FREE)).isZero();
        assertThat(looks(key, BOUND)).isPositive();
        assertThat(looks(key, BOUND)).isZero();
        assertThat(looks(key, json("name", "Two"))).isZero();
        assertThat(looks(key, json("name", "Two"))).isZero();
        assertThat(looks(key, FREE)).isPositive();
    }

    @Test
    void whoMayNotFreeAKeyHasNothingLookedFor() {
        String key = path(human.post("/v0/api-keys", BOUND).is(200));
        String other = human.post("/v0/api-keys", json("permissions", object("api_key_update", true)))
                .is(200)
                .text("api_key");
        recorder.forget();
        world.as(other).patch(key, FREE).is(403);
        assertThat(sent(LOOK)).isZero();
        human.delete(key).is(200);
        assertThat(sent(LOOK)).isPositive();
    }

    @Test
    void eachDraftIsLookedAtOnce() throws SQLException {
        Answer key = human.post("/v0/api-keys", "{}").is(200);
        Answer draft = world.as(key.text("api_key"))
                .post("/v0/inboxes/" + world.inbox("many") + "/drafts", json("text", "Hello"))
                .is(200);
        int drafts = 2_500;
        try (Connection connection = connect();
                Statement statement = connection.createStatement()) {
            statement.execute("insert into draft (organization_id, draft_id, inbox_id, pod_id, labels, recipients_to,"
                    + " recipients_cc, recipients_bcc, reply_to, reference_ids, author_key, author_keys, created_at,"
                    + " updated_at) select organization_id, gen_random_uuid(), inbox_id, pod_id, labels,"
                    + " recipients_to, recipients_cc, recipients_bcc, reply_to, reference_ids, author_key, author_keys,"
                    + " created_at, updated_at from draft, generate_series(2, " + drafts + ") where draft_id = '"
                    + draft.text("draft_id") + "'");
            assertThat(looks(path(key), BOUND)).isEqualTo(3);
            assertThat(sent(MARK)).isEqualTo(3);
            try (ResultSet rows = statement.executeQuery("select count(*) from draft where key_approval")) {
                assertThat(rows.next()).isTrue();
                assertThat(rows.getInt(1)).isEqualTo(drafts);
            }
        }
        recorder.forget();
        human.delete(path(key)).is(200);
        assertThat(sent(LOOK)).isEqualTo(3);
        assertThat(sent(MARK)).isZero();
    }

    private static String path(Answer key) {
        return "/v0/api-keys/" + key.text("api_key_id");
    }

    /** How often a change of a key has drafts looked at. */
    private static long looks(String key, String change) {
        recorder.forget();
        human.patch(key, change).is(200);
        return sent(LOOK);
    }

    private static long sent(String text) {
        List<String> texts = recorder.texts();
        return texts.stream().filter(one -> one.contains(text)).count();
    }

    private static Connection connect() throws SQLException {
        return DriverManager.getConnection(
                world.location().url(),
                world.location().user(),
                world.location().password());
    }
}
