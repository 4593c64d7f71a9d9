package dev.inboxd.sending.draft;

import static dev.inboxd.testing.Eventually.await;
import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.members;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.database.RoundTrip;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.mailbox.claim.AnswerTerms;
import dev.inboxd.server.World;
import dev.inboxd.testing.Proves;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Drafts with a time (mail.md §8.8). */
class DraftScheduleHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    @Test
    @Proves("P18")
    void aDueDraftBecomesOneMessage() {
        String inbox = world.inbox("due");
        HttpProbe.Answer draft = create(inbox, "," + members("labels", List.of("own")), in(Duration.ofHours(1)));
        assertThat(draft.text("send_status")).isEqualTo("scheduled");
        assertThat(draft.at("labels")).isEqualTo(List.of("own", "scheduled"));
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/drafts?labels=scheduled")
                        .is(200)
                        .list("drafts"))
                .hasSize(1);
        world.walk(Duration.ofHours(1));
        get(inbox, draft).is(404);
        HttpProbe.Answer messages =
                world.http().get("/v0/inboxes/" + inbox + "/messages").is(200);
        assertThat(messages.list("messages")).hasSize(1);
        assertThat(messages.list("messages.0.labels"))
                .map(Object::toString)
                .contains("sent", "own")
                .doesNotContain("scheduled");
    }

    @Test
    void aTimeWithinTheLastMinuteIsNowAndOneBeforeOrAYearAheadIsRefused() {
        String inbox = world.inbox("times");
        for (Instant wrong : List.of(in(Duration.ofSeconds(-90)), in(Duration.ofDays(367)))) {
            assertThat(world.http()
                            .post("/v0/inboxes/" + inbox + "/drafts", json("send_at", wrong.toString()))
                            .is(400)
                            .at("errors.0.path"))
                    .isEqualTo(List.of("send_at"));
        }
        HttpProbe.Answer now = create(inbox, "", in(Duration.ofSeconds(-30)));
        await(() -> get(inbox, now).status() == 404);
    }

    @Test
    void withoutItsTimeADraftIsAsItWasBefore() {
        String inbox = world.inbox("off");
        HttpProbe.Answer draft = create(inbox, "", in(Duration.ofHours(1)));
        HttpProbe.Answer edited = world.http()
                .patch(path(inbox, draft), json("subject", "Edited"))
                .is(200);
        assertThat(edited.text("send_at")).isEqualTo(draft.text("send_at"));
        HttpProbe.Answer off =
                world.http().patch(path(inbox, draft), json("send_at", null)).is(200);
        assertThat(off.at("send_at")).isNull();
        assertThat(off.at("send_status")).isNull();
        assertThat(off.at("labels")).isEqualTo(List.of());
        HttpProbe.Answer other = create(inbox, "", in(Duration.ofSeconds(-1)));
        await(() -> get(inbox, other).status() == 404);
        world.advance(Duration.ofHours(2));
        HttpProbe.Answer third = create(inbox, "", in(Duration.ofSeconds(-1)));
        await(() -> get(inbox, third).status() == 404);
        get(inbox, draft).is(200);
    }

    @Test
    void aPausedInboxFailsADueDraftAtOnceAndOnlyANewTimeTriesAgain() {
        String inbox = world.inbox("paused");
        HttpProbe.Answer draft = create(inbox, "", in(Duration.ofHours(1)));
        world.http().patch("/v0/inboxes/" + inbox, json("status", "paused")).is(200);
        world.advance(Duration.ofHours(1));
        await(() -> "failed".equals(get(inbox, draft).at("send_status")));
        assertThat(get(inbox, draft).at("labels")).isEqualTo(List.of("scheduled"));
        assertThat(get(inbox, draft).text("send_at")).isEqualTo(draft.text("send_at"));
        world.http().patch("/v0/inboxes/" + inbox, json("status", "active")).is(200);
        world.http().patch(path(inbox, draft), json("text", "Better")).is(200);
        HttpProbe.Answer witness = create(inbox, "", in(Duration.ZERO));
        await(() -> get(inbox, witness).status() == 404);
        assertThat(get(inbox, draft).text("send_status")).isEqualTo("failed");
        world.http()
                .patch(path(inbox, draft), json("send_at", in(Duration.ZERO).toString()))
                .is(200);
        await(() -> get(inbox, draft).status() == 404);
    }

    @Test
    @Proves("P4a")
    void whatIsBeingSentCannotBeChangedDeletedOrSentAndADeadClaimRunsOut() {
        String inbox = world.inbox("claimed");
        HttpProbe.Answer draft = create(inbox, "", in(Duration.ofHours(1)));
        UUID dead = UUID.randomUUID();
        claim(draft, dead);
        assertThat(get(inbox, draft).text("send_status")).isEqualTo("sending");
        for (HttpProbe.Answer refused : List.of(
                world.http().patch(path(inbox, draft), json("subject", "x")),
                world.http().delete(path(inbox, draft)),
                world.http().post(path(inbox, draft) + "/send", "{}"))) {
            assertThat(refused.is(409).text("code")).isEqualTo("conflict");
        }
        world.advance(Duration.ofSeconds(61));
        await(() -> get(inbox, draft).status() == 404);
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages")
                        .is(200)
                        .list("messages"))
                .hasSize(1);
    }

    @Test
    @Proves("P4a")
    void aClaimThatWasTakenOverRemovesNothing() {
        String inbox = world.inbox("late");
        HttpProbe.Answer answer = create(inbox, "", in(Duration.ofHours(1)));
        View all = View.of(organization());
        Draft draft =
                world.database().read(tx -> DraftSql.find(tx, all, id(answer))).orElseThrow();
        claim(answer, UUID.randomUUID());
        assertThatThrownBy(() -> decide(new DraftDeletionHook(
                        new DraftReads.DraftWithFiles(draft, List.of()), SendTurn.scheduled(UUID.randomUUID()))))
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(ErrorCode.CONFLICT));
        SendTurn byHand = new SendTurn(null, null, AnswerTerms.NONE, null);
        assertThatThrownBy(() -> decide(new DraftDeletionHook(new DraftReads.DraftWithFiles(draft, List.of()), byHand)))
                .isInstanceOf(Problem.class);
        get(inbox, answer).is(200);
    }

    @Test
    @Proves("P4a")
    void aDraftThatChangedWhileItWasComposedIsNotSentAsItWas() {
        String inbox = world.inbox("changed");
        HttpProbe.Answer answer = create(inbox, "", null);
        View all = View.of(organization());
        Draft draft =
                world.database().read(tx -> DraftSql.find(tx, all, id(answer))).orElseThrow();
        SendTurn byHand = new SendTurn(null, null, AnswerTerms.NONE, null);
        decide(new DraftDeletionHook(new DraftReads.DraftWithFiles(draft, List.of()), byHand));
        world.http().patch(path(inbox, answer), json("subject", "Another")).is(200);
        assertThatThrownBy(() -> decide(new DraftDeletionHook(new DraftReads.DraftWithFiles(draft, List.of()), byHand)))
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(ErrorCode.CONFLICT));
    }

    @Test
    @Proves("P18")
    void aFaultThatDoesNotPassIsTriedThreeTimesMoreWithinTenMinutes() {
        String inbox = world.inbox("broken");
        HttpProbe.Answer draft = create(inbox, "", in(Duration.ofHours(1)));
        breakFile(draft, inbox);
        world.advance(Duration.ofHours(1));
        for (int attempt = 1; attempt <= 4; attempt++) {
            int now = attempt;
            await(() -> attempts(draft) == now
                    && !"sending".equals(get(inbox, draft).at("send_status")));
            assertThat(get(inbox, draft).text("send_status")).isEqualTo(attempt < 4 ? "scheduled" : "failed");
            world.advance(List.of(Duration.ofMinutes(1), Duration.ofMinutes(3), Duration.ofMinutes(6), Duration.ZERO)
                    .get(attempt - 1));
        }
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages")
                        .is(200)
                        .list("messages"))
                .isEmpty();
    }

    @Test
    @Proves("P4a")
    void twoNodesSendEachOfManyDueDraftsOnce() {
        try (World one = World.start();
                World two = one.beside()) {
            String inbox = one.inbox("nodes");
            String time = one.clock().instant().plusSeconds(3600).toString();
            for (int i = 0; i < 30; i++) {
                one.http()
                        .post(
                                "/v0/inboxes/" + inbox + "/drafts",
                                json("to", "jo@elsewhere.test", "subject", "n" + i, "send_at", time))
                        .is(200);
            }
            two.advance(Duration.ofHours(1));
            one.advance(Duration.ofHours(1));
            await(() -> one.http().get("/v0/drafts").is(200).list("drafts").isEmpty());
            assertThat(one.http()
                            .get("/v0/inboxes/" + inbox + "/messages?limit=100")
                            .is(200)
                            .list("messages"))
                    .hasSize(30);
        }
    }

    @Test
    @Proves("P4b")
    void oneOrganizationsScheduleHoldsUpNobodyElses() {
        HttpProbe other = world.as(world.anonymous()
                .post("/v0/agent/sign-up", json("human_email", "sam@human.test", "username", "sam-agent"))
                .is(200)
                .text("api_key"));
        String inbox = world.inbox("crowd");
        for (int i = 0; i < 60; i++) {
            create(inbox, "", in(Duration.ofHours(1)));
        }
        String path = "/v0/inboxes/sam-agent@mail.localhost/drafts";
        String id = other.post(
                        path,
                        json(
                                "to",
                                "sam@human.test",
                                "send_at",
                                in(Duration.ofHours(1)).toString()))
                .is(200)
                .text("draft_id");
        world.database()
                .write(
                        organization(),
                        tx -> { // nobody else writes for this organization meanwhile
                            world.advance(Duration.ofHours(1));
                            await(() -> other.get(path + "/" + id).status() == 404);
                            return id;
                        });
        await(() -> world.http()
                .get("/v0/inboxes/" + inbox + "/drafts")
                .is(200)
                .list("drafts")
                .isEmpty());
    }

    @Test
    void aRestartKeepsTheSchedule() {
        String inbox = world.inbox("restart");
        HttpProbe.Answer draft = create(inbox, "", in(Duration.ofHours(1)));
        world.restart();
        get(inbox, draft).is(200);
        world.advance(Duration.ofHours(1));
        await(() -> get(inbox, draft).status() == 404);
        assertThat(world.http()
                        .get("/v0/inboxes/" + inbox + "/messages")
                        .is(200)
                        .list("messages"))
                .hasSize(1);
    }

    /** What the commit of a message would ask, in a transaction of its own. */
    private static void decide(DraftDeletionHook removal) {
        View all = View.of(organization());
        world.database().write(all.organization(), 8, (tx, opening) -> {
            removal.prefetch(opening, all);
            opening.run();
            return String.valueOf(removal.decide());
        });
    }

    private static void claim(HttpProbe.Answer draft, UUID claim) {
        View all = View.of(organization());
        world.database().write(all.organization(), tx -> {
            tx.sql(all, "update draft d set due_at = {now} where {d} and d.draft_id = :id")
                    .bind("id", id(draft))
                    .run();
            return DraftScheduleSql.claim(
                    tx,
                    new DraftScheduleSql.DueDraft(all.organization(), id(draft)),
                    new DraftScheduleSql.Claim(claim, UUID.randomUUID()),
                    Duration.ofSeconds(60));
        });
    }

    /** A file whose blob is not there. */
    private static void breakFile(HttpProbe.Answer draft, String inbox) {
        View all = View.of(organization());
        Draft known =
                world.database().read(tx -> DraftSql.find(tx, all, id(draft))).orElseThrow();
        world.database().write(all.organization(), tx -> {
            RoundTrip trip = tx.roundTrip();
            DraftFileSql.appendInsert(
                    trip,
                    all,
                    known.place().inbox(),
                    List.of(new DraftFileSql.NewFile(
                            new DraftFile(
                                    UUID.randomUUID(),
                                    id(draft),
                                    "gone.bin",
                                    "application/octet-stream",
                                    false,
                                    null,
                                    5,
                                    "00112233445566778899aabbccddeeff",
                                    null),
                            null)));
            trip.run();
            return inbox;
        });
    }

    private static int attempts(HttpProbe.Answer draft) {
        return world.database()
                .read(tx -> tx.sqlAcrossTenants("select d.attempts from draft d where d.draft_id = :id")
                        .bind("id", id(draft))
                        .single(row -> row.integer("attempts")));
    }

    private static UUID organization() {
        return UUID.fromString(world.http().get("/v0/auth/me").is(200).text("organization_id"));
    }

    private static UUID id(HttpProbe.Answer draft) {
        return UUID.fromString(draft.text("draft_id"));
    }

    private static Instant in(Duration duration) {
        return world.clock().instant().plus(duration);
    }

    private static HttpProbe.Answer create(String inbox, String more, @Nullable Instant time) {
        return world.http()
                .post(
                        "/v0/inboxes/" + inbox + "/drafts",
                        "{" + members("to", "jo@elsewhere.test", "text", "Hi") + more
                                + (time == null ? "" : "," + members("send_at", time.toString())) + "}")
                .is(200);
    }

    private static HttpProbe.Answer get(String inbox, HttpProbe.Answer draft) {
        return world.http().get(path(inbox, draft));
    }

    private static String path(String inbox, HttpProbe.Answer draft) {
        return "/v0/inboxes/" + inbox + "/drafts/" + draft.text("draft_id");
    }
}
