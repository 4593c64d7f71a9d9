package dev.inboxd.observe.metric;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.View;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.job.DueWork;
import dev.inboxd.event.Event;
import dev.inboxd.event.EventLog;
import dev.inboxd.event.EventType;
import dev.inboxd.server.World;
import dev.inboxd.tenant.apikey.ApiKey;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.InboxScopeResolver;
import dev.inboxd.testing.Eventually;
import dev.inboxd.testing.Proves;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Metrics over HTTP, counted to the event, at three levels (events.md §8). */
class MetricHttpTest {
    private static final String ARRIVED = "message.received.unauthenticated";
    private static final long SEED = Long.getLong("seed", 20_261_122);

    @RegisterExtension
    private final World world = World.start();

    private String inbox(String pod, String name) {
        return world.http()
                .post("/v0/pods/" + pod + "/inboxes", json("username", name))
                .is(200)
                .text("inbox_id");
    }

    private void mail(String inbox, String id) {
        assertThat(world.mail(
                        "jo@example.com",
                        inbox,
                        "From: Jo <jo@example.com>\nMessage-ID: <" + id + "@x.test>\nSubject: " + id + "\n\nHello.\n"))
                .startsWith("250");
    }

    @Test
    void countingMovesNoClockThatOthersFollow() {
        String inbox = world.inbox("quiet");
        world.mail("jo@example.com", inbox, "From: jo@example.com\nMessage-ID: <q@x.test>\n\nHi\n");
        Eventually.await(world::isIndexed);
        long before = clock();
        new MetricRollup(world.database(), new DueWork(world.database())).catchUp(world.organization());
        assertThat(clock()).isEqualTo(before);
        assertThat(world.database()
                        .<Boolean>read(tx -> tx.sqlAcrossTenants("select p.seq = k.event_seq as there from"
                                        + " metric_progress p join organization_clock k"
                                        + " on k.organization_id = p.organization_id"
                                        + " where p.organization_id = :id")
                                .bind("id", world.organization())
                                .single(row -> row.flag("there"))))
                .isTrue();
    }

    @Test
    void aDeletedDomainStaysInThePast() {
        Instant made = world.clock().instant();
        world.http().post("/v0/domains", json("domain", "counted.example")).is(200);
        world.advance(Duration.ofDays(2));
        world.http().delete("/v0/domains/counted.example").is(200);
        world.advance(Duration.ofDays(2));
        Instant now = world.clock().instant();
        HttpProbe.Answer usage = world.http()
                .get("/v0/metrics/usage?usage_types=domain_count&period=86400&start=" + made.plus(Duration.ofDays(1))
                        + "&end=" + now)
                .is(200);
        List<?> counts = series(usage, "domain_count").stream()
                .map(point -> point.get("value"))
                .toList();
        assertThat(String.valueOf(counts.getFirst())).as(usage.text()).isEqualTo("1");
        assertThat(String.valueOf(counts.getLast())).as(usage.text()).isEqualTo("0");
    }

    private long clock() {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants(
                                "select k.event_seq from organization_clock k" + " where k.organization_id = :id")
                        .bind("id", world.organization())
                        .single(row -> row.longer("event_seq")));
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> series(HttpProbe.Answer answer, String name) {
        return (List<Map<String, Object>>) Objects.requireNonNull(
                ((Map<?, ?>) Objects.requireNonNull(answer.is(200).at(""))).get(name), answer::text);
    }

    private HttpProbe.Answer events(String level, String... query) {
        return world.http().get(level + "/metrics/events?" + String.join("&", query));
    }

    private static long sum(HttpProbe.Answer answer, String name) {
        return series(answer, name).stream()
                .mapToLong(entry -> (Long) Objects.requireNonNull(entry.get("count")))
                .sum();
    }

    private long usage(String level, String type) {
        List<Map<String, Object>> points = series(world.http().get(level + "/metrics/usage"), type);
        return (Long) Objects.requireNonNull(points.getLast().get("value"));
    }

    @Test
    @Proves("P20a")
    void whatHappensIsCountedAtThreeLevelsThoughNobodyListens() {
        String pod = world.pod("counted");
        String one = inbox(pod, "one");
        String two = inbox(pod, "two");
        String outside = world.inbox("outside");
        mail(one, "a");
        mail(one, "b");
        mail(two, "c");
        mail(outside, "d");
        assertThat(sum(events("/v0"), ARRIVED)).isEqualTo(4);
        assertThat(sum(events("/v0/pods/" + pod), ARRIVED)).isEqualTo(3);
        assertThat(sum(events("/v0/inboxes/" + one, "period=3600"), ARRIVED)).isEqualTo(2);
        assertThat(sum(events("/v0/inboxes/" + outside, "period=86400"), ARRIVED))
                .isEqualTo(1);
        assertThat(world.http().get("/v0/metrics").is(200).at(""))
                .isEqualTo(events("/v0").at(""));
        Map<?, ?> all = (Map<?, ?>) Objects.requireNonNull(events("/v0").at(""));
        assertThat(all.keySet().stream().map(String::valueOf))
                .containsExactlyInAnyOrder(
                        "message.received",
                        "message.received.spam",
                        "message.received.blocked",
                        ARRIVED,
                        "message.sent",
                        "message.delivered",
                        "message.bounced",
                        "message.complained",
                        "message.rejected",
                        "domain.verified");
        assertThat(all.get("message.bounced")).isEqualTo(List.of());
    }

    @Test
    void typesComeAsOneArrayRepeatedOrWithCommas() {
        String array = URLEncoder.encode(json(List.of("message.sent", "message.bounced")), StandardCharsets.UTF_8);
        for (String query : List.of(
                "event_types=" + array,
                "event_types=message.sent&event_types=message.bounced",
                "event_types=message.sent,message.bounced")) {
            assertThat(((Map<?, ?>) Objects.requireNonNull(
                                    events("/v0", query).is(200).at("")))
                            .keySet().stream().map(String::valueOf))
                    .containsExactlyInAnyOrder("message.sent", "message.bounced");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "event_types=message.opened, event_types",
        "period=0, period",
        "period=86401, period",
        "limit=0, limit",
        "start=2020-01-01T00:00:00Z, start",
        "start=x, start",
        "descending=maybe, descending"
    })
    void aFaultyQueryIsRefusedWithItsParameter(String query, String path) {
        assertThat(events("/v0", query).is(400).text("errors.0.path.0")).isEqualTo(path);
    }

    @Test
    void aRangeOfTooManyPeriodsOrBackwardsIsRefused() {
        assertThat(events("/v0", "period=1").is(400).text("code")).isEqualTo("query_range_too_wide");
        Instant now = world.clock().instant();
        assertThat(events("/v0", "start=" + now.minusSeconds(60), "end=" + now.minusSeconds(60))
                        .is(400)
                        .text("errors.0.path.0"))
                .isEqualTo("end");
        events("/v0", "start=" + now.minusSeconds(60), "end=" + now.plusSeconds(1_000_000), "period=1")
                .is(200);
        events("/v0", "start=" + now.minus(Duration.ofDays(89)), "period=86400").is(200);
    }

    @Test
    void withoutAPeriodEachEventIsAnEntryInEitherOrder() {
        String inbox = world.inbox("each");
        mail(inbox, "e1");
        world.advance(Duration.ofMinutes(3));
        mail(inbox, "e2");
        List<Map<String, Object>> up = series(events("/v0/inboxes/" + inbox), ARRIVED);
        List<Map<String, Object>> down = series(events("/v0/inboxes/" + inbox, "descending=true"), ARRIVED);
        assertThat(up).hasSize(2).isEqualTo(down.reversed());
        assertThat(Instant.parse(String.valueOf(up.getFirst().get("timestamp"))))
                .isBefore(Instant.parse(String.valueOf(up.getLast().get("timestamp"))));
        assertThat(series(events("/v0/inboxes/" + inbox, "descending=true", "limit=1"), ARRIVED))
                .isEqualTo(List.of(up.getLast()));
        // Half-open, to the millisecond and beyond.
        String second = String.valueOf(up.getLast().get("timestamp"));
        assertThat(sum(events("/v0/inboxes/" + inbox, "end=" + second), ARRIVED))
                .isEqualTo(1);
        assertThat(sum(events("/v0/inboxes/" + inbox, "start=" + second), ARRIVED))
                .isEqualTo(1);
    }

    /** Random times, types, places, ranges and periods, against a model that counts one by one. */
    @Test
    @Tag("long")
    @Proves("P20a")
    void everyBucketOfAnyPeriodIsExact() {
        Random random = new Random(SEED);
        String pod = world.pod("exact");
        List<String> inboxes = List.of(inbox(pod, "exact-one"), inbox(pod, "exact-two"), world.inbox("exact-three"));
        List<EventType> types = List.of(EventType.MESSAGE_SENT, EventType.MESSAGE_BOUNCED, EventType.MESSAGE_DELIVERED);
        record Told(Instant at, EventType type, int inbox) {}
        List<Told> told = new ArrayList<>();
        Instant first = world.clock().instant();
        for (int i = 0; i < 300; i++) {
            world.advance(Duration.ofMillis(random.nextInt(0, i % 50 == 0 ? 3_600_000 : 20_000)));
            EventType type = types.get(random.nextInt(types.size()));
            int inbox = random.nextInt(inboxes.size());
            told.add(new Told(raise(inboxes.get(inbox), type), type, inbox));
            if (random.nextInt(40) == 0) { // some totals are added up on the way, the others by the question
                events("/v0", "period=3600").is(200);
            }
        }
        Instant last = world.clock().instant();
        for (int i = 0; i < 60; i++) {
            Instant start = between(random, first, last);
            Instant end = between(random, start.plusSeconds(1), last.plusSeconds(1));
            long least = Math.max(1, Duration.between(start, end).toSeconds() / 900);
            long period = random.nextInt(3) == 0 ? Math.max(60, least / 60 * 60 + 60) : least + random.nextInt(200);
            int level = random.nextInt(4);
            String path = level == 3 ? "/v0" : level == 2 ? "/v0/pods/" + pod : "/v0/inboxes/" + inboxes.get(level);
            HttpProbe.Answer answer = events(path, "start=" + start, "end=" + end, "period=" + period);
            for (EventType type : types) {
                Map<Instant, Long> expected = new TreeMap<>();
                told.stream()
                        .filter(one -> one.type == type && !one.at.isBefore(start) && one.at.isBefore(end))
                        .filter(one -> level == 3 || (level == 2 ? one.inbox < 2 : one.inbox == level))
                        .forEach(one -> expected.merge(
                                Instant.ofEpochSecond(Math.floorDiv(one.at.getEpochSecond(), period) * period),
                                1L,
                                Long::sum));
                Map<Instant, Long> counted = new TreeMap<>();
                series(answer, type.wireName())
                        .forEach(entry -> counted.put(
                                Instant.parse(String.valueOf(entry.get("timestamp"))), (Long) entry.get("count")));
                assertThat(counted)
                        .as("seed %s: %s from %s to %s by %s", SEED, path, start, end, period)
                        .isEqualTo(expected);
            }
        }
    }

    private static Instant between(Random random, Instant from, Instant to) {
        long millis = Math.max(1, Duration.between(from, to).toMillis());
        return from.plusMillis(random.nextLong(millis)).truncatedTo(ChronoUnit.MILLIS);
    }

    /** Raises an event as a feature does, and returns its time. */
    private Instant raise(String inbox, EventType type) {
        UUID organization = world.organization();
        return world.database().write(organization, tx -> {
            View all = View.of(organization);
            Inbox found = InboxScopeResolver.find(tx, all, inbox).orElseThrow();
            EventLog.EventBatch appending = new EventLog(_ -> {}).appending(tx, all);
            Instant at = appending
                    .add(new Event(
                            type,
                            new Event.Subject(found.pod(), found.id(), null, null, null, 0),
                            List.of(),
                            switch (type) {
                                case MESSAGE_SENT -> json("send", object("recipients", List.of("a@x.y", "b@x.y")));
                                case MESSAGE_BOUNCED -> """
                                        {"bounce":{"recipients":[{"address":"a@x.y"}]}}""";
                                default -> "{}";
                            }))
                    .at();
            appending.write();
            return at;
        });
    }

    @Test
    @Proves("P20a")
    void usageIsARunningTotalThatDeletionsLower() {
        String pod = world.pod("used");
        String one = inbox(pod, "used-one");
        String two = inbox(pod, "used-two");
        mail(one, "u1");
        mail(one, "u2");
        mail(two, "u3");
        long size = (Long) Objects.requireNonNull(world.http()
                .get("/v0/inboxes/" + two + "/messages/%3Cu3@x.test%3E")
                .is(200)
                .at("size"));
        assertThat(usage("/v0/inboxes/" + two, "storage_bytes")).isEqualTo(size);
        assertThat(usage("/v0/pods/" + pod, "storage_bytes")).isEqualTo(3 * size);
        assertThat(usage("/v0", "message_count")).isEqualTo(3);
        assertThat(usage("/v0", "thread_count")).isEqualTo(3);
        assertThat(usage("/v0/pods/" + pod, "inbox_count")).isEqualTo(2);
        assertThat(usage("/v0", "pod_count")).isEqualTo(2);
        assertThat(usage("/v0", "domain_count")).isZero();
        world.advance(Duration.ofHours(1));
        world.http().delete("/v0/inboxes/" + one + "/messages/%3Cu1@x.test%3E").is(200);
        assertThat(usage("/v0/inboxes/" + one, "message_count")).isEqualTo(1);
        assertThat(usage("/v0/inboxes/" + one, "storage_bytes")).isEqualTo(size);
        assertThat(usage("/v0/inboxes/" + one, "thread_count")).isEqualTo(1);
        world.http()
                .delete("/v0/inboxes/" + one + "/threads/"
                        + world.http()
                                .get("/v0/inboxes/" + one + "/threads?include_unauthenticated=true")
                                .is(200)
                                .text("threads.0.thread_id"))
                .is(200);
        assertThat(usage("/v0/pods/" + pod, "message_count")).isEqualTo(1);
        assertThat(usage("/v0/pods/" + pod, "thread_count")).isEqualTo(1);
        assertThat(usage("/v0/pods/" + pod, "storage_bytes")).isEqualTo(size);
        world.http().delete("/v0/inboxes/" + two).is(200);
        for (String type : List.of("storage_bytes", "message_count", "thread_count")) {
            assertThat(usage("/v0/pods/" + pod, type)).as(type).isZero();
            assertThat(usage("/v0", type)).as(type).isZero();
        }
        assertThat(usage("/v0/pods/" + pod, "inbox_count")).isEqualTo(1);
        // What arrived stays counted, and an hour ago everything was there.
        assertThat(sum(events("/v0/pods/" + pod, "period=3600"), ARRIVED)).isEqualTo(3);
        Instant before = world.clock().instant().minus(Duration.ofMinutes(30));
        List<Map<String, Object>> past =
                series(world.http().get("/v0/pods/" + pod + "/metrics/usage?end=" + before), "message_count");
        assertThat(past).hasSizeBetween(90, 100);
        assertThat(past.getLast().get("value")).isEqualTo(3L);
        assertThat(past.getFirst().get("value")).isEqualTo(0L);
    }

    @Test
    void usageShowsTheTypesOfItsLevelAlone() {
        String inbox = world.inbox("typed");
        assertThat(names("/v0/inboxes/" + inbox)).containsExactly("storage_bytes", "message_count", "thread_count");
        assertThat(names("/v0/pods/" + world.pod("typed")))
                .containsExactly("storage_bytes", "message_count", "thread_count", "inbox_count", "domain_count");
        assertThat(names("/v0")).endsWith("pod_count").hasSize(6);
        assertThat(((Map<?, ?>) Objects.requireNonNull(world.http()
                                .get("/v0/inboxes/" + inbox
                                        + "/metrics/usage?usage_types=pod_count&usage_types=message_count")
                                .is(200)
                                .at("")))
                        .keySet().stream().map(String::valueOf))
                .containsExactly("message_count");
        world.http().get("/v0/metrics/usage?usage_types=letters").is(400);
        world.http().get("/v0/metrics/usage?period=1").is(400);
    }

    private List<String> names(String level) {
        return ((Map<?, ?>) Objects.requireNonNull(
                        world.http().get(level + "/metrics/usage").is(200).at("")))
                .keySet().stream().map(String::valueOf).toList();
    }

    @Test
    void ratesAreOfTheRecipientsWithinTheWindow() {
        String inbox = world.inbox("rates");
        raise(inbox, EventType.MESSAGE_SENT);
        raise(inbox, EventType.MESSAGE_SENT);
        raise(inbox, EventType.MESSAGE_BOUNCED);
        Map<String, Object> last = series(world.http().get("/v0/inboxes/" + inbox + "/metrics/rates"), "bounce")
                .getLast();
        assertThat(last.get("sent")).isEqualTo(4L);
        assertThat(last.get("rate")).isEqualTo(0.25);
        assertThat(series(world.http().get("/v0/metrics/rates"), "complaint")
                        .getLast()
                        .get("rate"))
                .isEqualTo(0.0);
        world.advance(Duration.ofHours(3));
        Map<String, Object> later = series(world.http().get("/v0/metrics/rates?window=7200"), "bounce")
                .getLast();
        assertThat(later.get("sent")).isEqualTo(0L);
        assertThat(later.containsKey("rate")).isFalse();
        world.http().get("/v0/metrics/rates?window=3601").is(400);
        world.http().get("/v0/metrics/rates?period=59").is(400);
    }

    /** Promise P11: a key that may not see a kind of mail does not learn how much of it comes. */
    @Test
    @Proves("P11")
    void howMuchHiddenMailComesIsNotTold() {
        String inbox = world.inbox("hidden");
        mail(inbox, "h1");
        HttpProbe blind = world.as(key(Permission.METRICS_READ));
        assertThat(series(blind.get("/v0/metrics/events"), ARRIVED)).isEmpty();
        HttpProbe seeing = world.as(key(Permission.METRICS_READ, Permission.LABEL_UNAUTHENTICATED_READ));
        assertThat(series(seeing.get("/v0/metrics/events"), ARRIVED)).hasSize(1);
    }

    private String key(Permission... flags) {
        UUID organization = world.organization();
        return world.database()
                .write(
                        organization,
                        tx -> ApiKeys.issue(
                                tx,
                                organization,
                                new ApiKeys.KeySpec(
                                        "test", ApiKey.Owner.ORGANIZATION, ApiKey.Grant.of(Set.of(flags)), null, false),
                                world.clock().instant()))
                .secret();
    }

    /** However long the history is, a question costs a probe of a key for each boundary; counted, not timed. */
    @Test
    @Tag("long")
    @Proves("P20a")
    void aYearOfEventsDoesNotSlowTheAnswer() {
        String inbox = world.inbox("year");
        raise(inbox, EventType.MESSAGE_SENT);
        UUID organization = world.organization();
        // A total for every minute of a year, as a busy year leaves them.
        world.database().run(organization, tx -> {
            tx.sql(View.of(organization), """
                    insert into metric_total (organization_id, scope_id, minute, totals)
                    select {organization}, {organization}, date_trunc('minute', {now}) - make_interval(mins => n),
                           array_fill(1000000 - n::bigint, array[16])
                    from generate_series(1, 525600) as n""").run();
        });
        String plan = world.database()
                .read(tx -> String.join("\n", tx.sql(View.of(organization), """
                explain (analyze, buffers, timing off, costs off)
                select t.totals from generate_series({now} - interval '80 days', {now}, interval '1 day') as m
                left join lateral (select t.totals from metric_total t
                                   where {t} and t.scope_id = {organization} and t.minute < m
                                   order by t.minute desc limit 1) as t
                                   on true""").list(row -> row.text("QUERY PLAN"))));
        assertThat(plan).contains("Index Scan Backward using metric_total_pkey").doesNotContain("Seq Scan on metric");
        assertThat(sum(
                        events(
                                "/v0",
                                "period=86400",
                                "start=" + world.clock().instant().minus(Duration.ofDays(80))),
                        "message.sent"))
                .isPositive();
    }
}
