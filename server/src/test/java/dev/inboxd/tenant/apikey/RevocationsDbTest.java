package dev.inboxd.tenant.apikey;

import static dev.inboxd.testing.JsonText.json;
import static dev.inboxd.testing.JsonText.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Gate;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.Role;
import dev.inboxd.base.access.Scope;
import dev.inboxd.base.database.Notifications;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.server.World;
import dev.inboxd.tenant.apikey.writing.KeyWritings;
import dev.inboxd.tenant.organization.OrganizationHumans;
import dev.inboxd.testing.Proves;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What stays open for a key learns on every node that it ended or changed (promise P12). */
class RevocationsDbTest {
    @RegisterExtension
    private final World world = World.start();

    private World beside;
    private Notifications signals;
    private CredentialAuthenticator authentication;
    private final BlockingQueue<Optional<UUID>> heard = new LinkedBlockingQueue<>();

    @BeforeEach
    void start() throws InterruptedException {
        beside = world.beside();
        signals = new Notifications(beside.database());
        new Revocations(signals).onChange(organization -> heard.add(Optional.ofNullable(organization)));
        signals.start();
        authentication = new CredentialAuthenticator(
                beside.database(),
                beside.clock(),
                new KeyUsage(beside.database()),
                new CredentialAuthenticator.Means(
                        token -> {
                            throw new AssertionError(token);
                        },
                        _ -> null));
        assertThat(heard()).as("it may have missed something before").isEmpty();
    }

    @AfterEach
    void stop() {
        signals.close();
        beside.close();
    }

    @Test
    @Proves("P12")
    void anotherNodeHearsThatAKeyWasRevokedAndFindsItDead() throws InterruptedException {
        Answer key = world.http().post("/v0/api-keys", "{}").is(200);
        Caller open = authentication.authenticate(key.text("api_key"), Gate.ANY_KEY);
        world.http().delete("/v0/api-keys/" + key.text("api_key_id")).is(200);
        assertThat(heard()).contains(open.organization());
        assertThatThrownBy(() -> authentication.reauthenticate(open.organization(), open.requireKey()))
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(ErrorCode.UNKNOWN_API_KEY));
    }

    @Test
    void anotherNodeHearsThatAKeyWasNarrowedAndFindsWhatIsLeft() throws InterruptedException {
        Answer key = world.http().post("/v0/api-keys", "{}").is(200);
        Caller open = authentication.authenticate(key.text("api_key"), Gate.ANY_KEY);
        assertThat(open.holds(Permission.LABEL_SPAM_READ)).isTrue();
        world.http()
                .patch("/v0/api-keys/" + key.text("api_key_id"), json("permissions", object("message_read", true)))
                .is(200);
        assertThat(heard()).contains(open.organization());
        Caller now = authentication.reauthenticate(open.organization(), open.requireKey());
        assertThat(now.granted()).containsExactly(Permission.MESSAGE_READ);
        assertThat(now.view().hidden()).isNotZero();
    }

    @Test
    void aRequestOnItsWayPassesOnNoMoreThanItsKeyHasLeft() {
        Answer key = world.http().post("/v0/api-keys", "{}").is(200);
        String path = "/v0/api-keys/" + key.text("api_key_id");
        Caller onItsWay = authentication.authenticate(key.text("api_key"), Gate.ANY_KEY);
        ApiKeys keys = new ApiKeys(beside.database(), 1_000, new KeyWritings(beside.database(), List.of()));
        NewApiKey unrestricted = new NewApiKey(null, new RequestedPermissions.Unrestricted(), null, false);
        keys.create(onItsWay, onItsWay.view(), unrestricted);
        world.http()
                .patch(path, json("permissions", object("message_read", true)))
                .is(200);
        assertThatThrownBy(() -> keys.create(onItsWay, onItsWay.view(), unrestricted))
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem -> assertThat(problem.code()).isEqualTo(ErrorCode.UNRESTRICTED_KEY_REQUIRED));
        assertThatThrownBy(() -> keys.update(
                        onItsWay,
                        onItsWay.view(),
                        key.text("api_key_id"),
                        new ApiKeyChange(
                                null, new RequestedPermissions.Listed(Map.of(Permission.MESSAGE_SEND, true)), null)))
                .isInstanceOfSatisfying(
                        Problem.class,
                        problem -> assertThat(problem.code()).isEqualTo(ErrorCode.PERMISSION_ESCALATION));
        world.http().delete(path).is(200);
        assertThatThrownBy(() -> keys.create(onItsWay, onItsWay.view(), unrestricted))
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(ErrorCode.UNKNOWN_API_KEY));
    }

    @Test
    @Proves("P12")
    void aRequestOnItsWayPassesOnNothingOfASessionThatWasEnded() {
        UUID organization = world.organization();
        ApiKeys keys = new ApiKeys(beside.database(), 1_000, new KeyWritings(beside.database(), List.of()));
        NewApiKey unrestricted = new NewApiKey(null, new RequestedPermissions.Unrestricted(), null, false);
        UUID session = session(organization);
        Caller onItsWay = new Caller(
                new Caller.Credential.Session(session, Role.OWN),
                Scope.ORGANIZATION,
                View.of(organization),
                null,
                EnumSet.allOf(Permission.class),
                true,
                false,
                false,
                false);
        ApiKey made = keys.create(onItsWay, onItsWay.view(), unrestricted).key();
        world.database()
                .write(
                        organization,
                        tx -> tx.sql(
                                        View.of(organization),
                                        "delete from console_session s where {s} and s.session_id = :id")
                                .bind("id", session)
                                .run());
        assertThatThrownBy(() -> keys.create(onItsWay, onItsWay.view(), unrestricted))
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(ErrorCode.UNAUTHORIZED));
        assertThatThrownBy(() -> keys.update(
                        onItsWay,
                        onItsWay.view(),
                        made.id().toString(),
                        new ApiKeyChange("another", unrestricted.permissions(), null)))
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(ErrorCode.UNAUTHORIZED));
    }

    private UUID session(UUID organization) {
        UUID id = Uuid7.next();
        return world.database().write(organization, tx -> {
            OrganizationHumans.claim(tx, "ann@people.test", organization);
            tx.sql(
                            View.of(organization),
                            "insert into console_session (organization_id, session_id, human_email,"
                                    + " created_at, expires_at) values ({organization}, :id, 'ann@people.test', {now},"
                                    + " {now} + interval '1 hour')")
                    .bind("id", id)
                    .run();
            return id;
        });
    }

    @Test
    void theEndOfAnInboxEndsItsKeys() throws InterruptedException {
        String inbox = world.inbox("ending");
        world.http().post("/v0/inboxes/" + inbox + "/api-keys", "{}").is(200);
        world.http().delete("/v0/inboxes/" + inbox).is(200);
        assertThat(heard()).contains(world.organization());
    }

    @Test
    @Proves("P12")
    void aConnectionThatBreaksIsMadeAgainAndAllIsLookedAt() throws InterruptedException {
        world.database()
                .read(tx -> tx.sql("select pg_terminate_backend(a.pid) as ended from pg_stat_activity a"
                                + " where a.application_name = 'inboxd signals' and a.datname = current_database()")
                        .list(row -> row.flag("ended")));
        assertThat(heard()).as("everything").isEmpty();
        Answer key = world.http().post("/v0/api-keys", "{}").is(200);
        world.http().delete("/v0/api-keys/" + key.text("api_key_id")).is(200);
        assertThat(heard()).contains(world.organization());
    }

    /** What was told next; it fails when nothing is within a time that is never needed. */
    private Optional<UUID> heard() throws InterruptedException {
        Optional<UUID> next = heard.poll(20, TimeUnit.SECONDS);
        assertThat(next).as("something was told").isNotNull();
        return next;
    }
}
