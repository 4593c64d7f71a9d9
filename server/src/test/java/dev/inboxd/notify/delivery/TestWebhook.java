package dev.inboxd.notify.delivery;

import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.net.FakeEndpoint;
import dev.inboxd.server.World;
import dev.inboxd.testing.Eventually;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A webhook made over HTTP, and what its rows say.
 *
 * @param id its public id
 * @param secret its secret
 */
public record TestWebhook(World world, String id, String secret) {
    /** What a delivery row says. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Line(
            long seq,
            int attempts,
            @Nullable Instant due,
            @Nullable Instant failed,
            @Nullable String error,
            byte @Nullable [] payload) {}

    /** A webhook for the mail of one inbox; {@code more} are further members of the body. */
    public static TestWebhook of(World world, FakeEndpoint endpoint, String inbox, String... more) {
        return to(world, endpoint.url("/hook"), inbox, more);
    }

    static TestWebhook to(World world, String url, String inbox, String... more) {
        StringBuilder body = new StringBuilder("{\"url\":\"" + url + "\",\"event_types\":"
                + "[\"message.received\",\"message.received.unauthenticated\",\"message.bounced\",\"message.sent\"]"
                + ",\"inbox_ids\":[\"" + inbox + "\"]");
        for (String member : more) {
            body.append(',').append(member);
        }
        HttpProbe.Answer answer = world.http().post("/v0/webhooks", body + "}").is(200);
        return new TestWebhook(world, answer.text("webhook_id"), answer.text("secret"));
    }

    public static String field(FakeEndpoint.Received post, String name) {
        return Objects.requireNonNull(post.fields().get(name));
    }

    /** Has a node hold a delivery of each received message of the past. */
    void claimAgain(UUID node, Duration lease) {
        UUID organization = organization(world);
        world.database()
                .write(
                        organization,
                        tx -> tx.sql(View.of(organization), """
                        insert into delivery
                            (organization_id, seq, webhook_id, due_at, claimed_by, message_id, created_at)
                        select e.organization_id, e.seq, :webhook, {now} + make_interval(secs => :lease), :node,
                            e.message_id, {now}
                        from event e where {e} and e.type like 'message.received%'""")
                                .bind("webhook", id)
                                .bind("lease", (double) lease.toSeconds())
                                .bind("node", node)
                                .run());
    }

    boolean enabled() {
        return Boolean.TRUE.equals(
                world.http().get("/v0/webhooks/" + id).is(200).at("enabled"));
    }

    public static UUID organization(World world) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select o.organization_id from organization o where o.type = 'console'")
                        .single(row -> row.uuid("organization_id")));
    }

    List<Line> lines() {
        return world.database()
                .read(tx -> tx.sql(
                                View.of(organization(world)),
                                "select d.seq, d.attempts, d.due_at,"
                                        + " d.failed_at, d.last_error, d.payload"
                                        + " from delivery d where {d} and d.webhook_id = :id order by d.seq")
                        .bind("id", id)
                        .list(row -> new Line(
                                row.longer("seq"),
                                row.integer("attempts"),
                                row.instantOrNull("due_at"),
                                row.instantOrNull("failed_at"),
                                row.textOrNull("last_error"),
                                row.bytesOrNull("payload"))));
    }

    /** Waits until every delivery has been made and settled. */
    public void settled() {
        Eventually.await(() -> lines().isEmpty());
    }

    /** Waits until a row is as wanted and returns it. */
    public Line line(Predicate<Line> wanted) {
        Eventually.await(() -> lines().stream().anyMatch(wanted));
        return lines().stream().filter(wanted).findFirst().orElseThrow();
    }
}
