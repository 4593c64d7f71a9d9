package dev.inboxd.cli;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.Main;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.json.Json;
import dev.inboxd.server.World;
import dev.inboxd.tenant.list.Lists;
import dev.inboxd.testing.Proves;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The operator sees whom delivery blocked, and frees who was blocked wrongly, beside a running service. */
class SuppressionCommandsTest {
    @RegisterExtension
    private final World world = World.start();

    private String inbox;

    @BeforeEach
    void start() {
        inbox = world.inbox("agent");
    }

    @Test
    @Proves("P11b")
    void anAddressThatIsRemovedIsWrittenToAgainAndTheAuditLogSaysSo() {
        suppress(Lists.Cause.BOUNCED, "kim@far.test", "jo@far.test");
        suppress(Lists.Cause.COMPLAINED, "angry@far.test");
        send("kim@far.test", 403);
        List<?> listed = (List<?>) Objects.requireNonNull(Json.stored(say(0, "list", "--json")));
        assertThat(listed)
                .hasSize(3)
                .allSatisfy(each -> assertThat(String.valueOf(((Map<?, ?>) each).get("address")))
                        .endsWith("@far.test"));
        assertThat(say(0, "list", "--organization", world.organization().toString()))
                .contains("complained    angry@far.test", "bounced       kim@far.test");

        Map<?, ?> removed = (Map<?, ?>) Objects.requireNonNull(Json.stored(say(0, "remove", "Kim@FAR.test", "--json")));
        assertThat(removed.get("address")).isEqualTo("kim@far.test");
        assertThat(removed.get("organization_ids"))
                .isEqualTo(List.of(world.organization().toString()));
        send("kim@far.test", 200);
        send("jo@far.test", 403);
        HttpProbe.Answer log = world.as(world.session()).get("/v0/audit-log").is(200);
        assertThat(log.list("entries").stream().map(String::valueOf))
                .anyMatch(entry -> entry.contains("action=suppression.removed")
                        && entry.contains("target=kim@far.test")
                        && entry.contains("type=operator"));

        say(
                0,
                "remove",
                "angry@far.test",
                "--organization",
                world.organization().toString());
        send("angry@far.test", 200);
        assertThat(say(1, "remove", "kim@far.test")).contains("Delivery has not blocked kim@far.test");
        assertThat(say(1, "remove", "far.test")).contains("is no address");
        world.http().delete("/v0/lists/send/block/jo@far.test").is(409);
    }

    @Test
    void whatClientsBlockedIsTheirs() {
        world.http()
                .post("/v0/lists/send/block", json("entry", "rival@far.test"))
                .is(200);
        assertThat(say(0, "list")).isEmpty();
        assertThat(say(1, "remove", "rival@far.test")).contains("theirs");
        send("rival@far.test", 403);
    }

    /** Nobody frees who complained by way of a bounce that came first. */
    @Test
    void aComplaintGoesBeforeABounce() {
        suppress(Lists.Cause.BOUNCED, "both@far.test");
        suppress(Lists.Cause.COMPLAINED, "both@far.test");
        suppress(Lists.Cause.BOUNCED, "both@far.test");
        assertThat(world.http()
                        .get("/v0/lists/send/block/both@far.test")
                        .is(200)
                        .text("reason"))
                .isEqualTo("complained");
    }

    @Test
    void aListOfAnyLengthIsExportedInPages() {
        suppress(
                Lists.Cause.BOUNCED,
                IntStream.range(0, 1_201).mapToObj(i -> "p" + i + "@far.test").toArray(String[]::new));
        suppress(Lists.Cause.UNSUBSCRIBED, "=cmd@far.test");
        List<String> lines = say(0, "export").lines().toList();
        assertThat(lines).hasSize(1_203).doesNotHaveDuplicates();
        assertThat(lines.getFirst()).isEqualTo("organization_id,address,reason,created_at");
        assertThat(lines).anyMatch(line -> line.contains(",'=cmd@far.test,unsubscribed,"));
        List<String> objects = say(0, "export", "--json").lines().toList();
        assertThat(objects).hasSize(1_202);
        assertThat(objects).allSatisfy(each -> assertThat(Json.stored(each)).isInstanceOf(Map.class));
    }

    private void suppress(Lists.Cause cause, String... addresses) {
        View all = View.of(world.organization());
        world.database().write(all.organization(), tx -> {
            Lists.suppress(tx, all, List.of(addresses), cause);
            return 0;
        });
    }

    private void send(String recipient, int status) {
        world.http()
                .post("/v0/inboxes/" + inbox + "/messages/send", json("to", recipient, "text", "Hello"))
                .is(status);
    }

    private String say(int status, String... arguments) {
        List<String> all = new ArrayList<>(List.of("suppression"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--data-dir", world.folder().toString(), "--database-url", world.databaseUrl()));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int ended = Main.commandLine()
                .setOut(new PrintWriter(out))
                .setErr(new PrintWriter(err))
                .execute(all.toArray(String[]::new));
        assertThat(ended).as(err.toString()).isEqualTo(status);
        return status == 0 ? out.toString() : err.toString();
    }
}
