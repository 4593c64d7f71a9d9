package dev.inboxd.app.account;

import static dev.inboxd.testing.JsonText.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.app.registry.App;
import dev.inboxd.app.registry.AppFixture;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.HttpProbe;
import dev.inboxd.base.http.HttpProbe.Answer;
import dev.inboxd.server.World;
import dev.inboxd.testing.Refusal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Accounts as clients see them, and what makes and ends them (apps.md §3). */
class AccountHttpTest {
    @RegisterExtension
    private static final World world = World.start();

    private static UUID crm;
    private static UUID shop;

    @BeforeAll
    static void start() {
        crm = AppFixture.register(world, json("name", "CRM", "slug", "crm"));
        shop = AppFixture.register(world, json("name", "Shop"));
    }

    private static long counted(UUID app) {
        return AppFixture.find(world, app).accounts();
    }

    private static List<String> ids(Answer list) {
        List<String> ids = new ArrayList<>();
        list.is(200)
                .list("accounts")
                .forEach(account -> ids.add(String.valueOf(((Map<?, ?>) account).get("account_id"))));
        assertThat(list.at("count")).isEqualTo((long) ids.size());
        return ids;
    }

    @Test
    void theFirstSignInMakesTheAccountAndTheNextCounts() {
        String inbox = world.inbox("first");
        long before = counted(crm);
        Account made = AccountFixture.signIn(world, crm, inbox);
        Answer account = world.http().get("/v0/accounts/" + made.id()).is(200);
        Map<String, Object> expected = Map.ofEntries(
                Map.entry("account_id", made.id().toString()),
                Map.entry("app_id", crm.toString()),
                Map.entry("provider_id", crm.toString()),
                Map.entry("inbox_id", inbox),
                Map.entry("pod_id", made.pod().toString()),
                Map.entry("organization_id", world.organization().toString()),
                Map.entry("first_signed_in_at", account.text("last_signed_in_at")),
                Map.entry("last_signed_in_at", account.text("first_signed_in_at")),
                Map.entry("sign_in_count", 1L),
                Map.entry("app_name", "CRM"),
                Map.entry("provider_name", "CRM"));
        assertThat(account.at("")).isEqualTo(expected);
        assertThat(counted(crm)).isEqualTo(before + 1);
        assertThat(AccountFixture.signIn(world, crm, inbox).id()).isEqualTo(made.id());
        Answer again = world.http().get("/v0/accounts/" + made.id()).is(200);
        assertThat(again.at("sign_in_count")).isEqualTo(2L);
        assertThat(again.text("first_signed_in_at")).isEqualTo(account.text("first_signed_in_at"));
        assertThat(again.text("last_signed_in_at")).isGreaterThan(account.text("last_signed_in_at"));
        assertThat(counted(crm)).isEqualTo(before + 1);
    }

    @Test
    void accountsAreListedAtEveryLevelTheLastSignInFirst() {
        String one = world.inbox("level-one");
        String two = world.inbox("level-two");
        String first = AccountFixture.signIn(world, shop, one).id().toString();
        String second = AccountFixture.signIn(world, shop, two).id().toString();
        String third = AccountFixture.signIn(world, crm, one).id().toString();
        AccountFixture.signIn(world, shop, one);
        HttpProbe http = world.http();
        assertThat(ids(http.get("/v0/accounts")).subList(0, 3)).containsExactly(first, third, second);
        assertThat(ids(http.get("/v0/inboxes/" + one + "/accounts"))).containsExactly(first, third);
        assertThat(ids(http.get("/v0/inboxes/" + one + "/accounts?ascending=true")))
                .containsExactly(third, first);
        assertThat(ids(world.as(world.inboxKey(one)).get("/v0/accounts"))).containsExactly(first, third);
        String pod = http.get("/v0/inboxes/" + one).text("pod_id");
        assertThat(ids(http.get("/v0/pods/" + pod + "/accounts"))).contains(first, second, third);
        assertThat(ids(http.get("/v0/pods/" + world.pod("Empty") + "/accounts")))
                .isEmpty();
        Answer ofApp = http.get("/v0/providers/" + shop + "/accounts?limit=1");
        assertThat(ids(ofApp)).containsExactly(first);
        assertThat(ofApp.at("app")).isEqualTo(ofApp.at("provider")).isNotNull();
        assertThat(ids(http.get(
                        "/v0/providers/" + shop + "/accounts?limit=1&page_token=" + ofApp.text("next_page_token"))))
                .containsExactly(second);
        http.get("/v0/inboxes/" + one + "/accounts/" + first).is(200);
        http.get("/v0/pods/" + pod + "/accounts/" + first).is(200);
        Refusal.of(http.get("/v0/inboxes/" + two + "/accounts/" + first), ErrorCode.NOT_FOUND);
        Refusal.of(http.get("/v0/accounts/nobodys"), ErrorCode.NOT_FOUND);
        HttpProbe other = world.as(world.otherOrganization());
        assertThat(ids(other.get("/v0/accounts"))).isEmpty();
        assertThat(ids(other.get("/v0/apps/" + shop + "/accounts"))).isEmpty();
        assertThat(Refusal.of(other.get("/v0/accounts/" + first), ErrorCode.NOT_FOUND)
                        .text("message"))
                .isEqualTo("Account not found");
    }

    @Test
    void aDisabledAccountSaysSoAndDoesNotSignIn() {
        String inbox = world.inbox("disabled");
        String path = "/v0/accounts/" + AccountFixture.signIn(world, crm, inbox).id();
        Answer disabled = world.http().patch(path, json("status", "disabled")).is(200);
        assertThat(disabled.text("status")).isEqualTo("disabled");
        String at = disabled.text("disabled_at");
        assertThat(world.http()
                        .patch(path + "/update", json("status", "disabled"))
                        .is(200)
                        .text("disabled_at"))
                .isEqualTo(at);
        assertThatThrownBy(() -> AccountFixture.signIn(world, crm, inbox))
                .isInstanceOfSatisfying(Problem.class, problem -> {
                    assertThat(problem.code()).isEqualTo(ErrorCode.FORBIDDEN);
                    assertThat(problem.fix()).contains(path, "account_update");
                });
        Answer enabled = world.http().patch(path, json("status", "enabled")).is(200);
        assertThat(enabled.at("status")).isNull();
        assertThat(enabled.at("disabled_at")).isNull();
        assertThat(AccountFixture.signIn(world, crm, inbox).signInCount()).isEqualTo(2);
        for (String wrong : List.of(
                "{}",
                json("status", null),
                json("status", "off"),
                json("status", 1),
                json("status", "enabled", "x", 1))) {
            Refusal.of(world.http().patch(path, wrong), ErrorCode.VALIDATION_ERROR);
        }
        Refusal.of(world.as(world.otherOrganization()).patch(path, json("status", "disabled")), ErrorCode.NOT_FOUND);
    }

    @Test
    void whoDisablesAndEnablesAtOnceEndsInOneOfTheTwo() throws Exception {
        String path = "/v0/accounts/"
                + AccountFixture.signIn(world, crm, world.inbox("both")).id();
        String first = world.http().patch(path, json("status", "disabled")).text("disabled_at");
        List<Callable<Answer>> calls = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            calls.add(() -> world.http().patch(path, json("status", "disabled")));
        }
        for (Answer answer : atOnce(calls)) {
            assertThat(answer.is(200).text("disabled_at")).isEqualTo(first);
        }
        calls.add(() -> world.http().patch(path, json("status", "enabled")));
        atOnce(calls).forEach(answer -> answer.is(200));
        Answer end = world.http().get(path).is(200);
        assertThat(end.at("status") == null).isEqualTo(end.at("disabled_at") == null);
    }

    @Test
    void aLimitIsExactOnTwoNodes() throws Exception {
        UUID app = AppFixture.register(world, json("name", "Few", "owner_signup_limit", 2));
        List<String> inboxes = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            inboxes.add(world.inbox("few-" + i));
        }
        try (World beside = world.beside()) {
            List<Callable<Object>> calls = new ArrayList<>();
            for (String inbox : inboxes) {
                World node = calls.size() % 2 == 0 ? world : beside;
                calls.add(() -> {
                    try {
                        return AccountFixture.signIn(node, app, inbox);
                    } catch (Problem refused) {
                        return refused;
                    }
                });
            }
            List<Object> results = atOnce(calls);
            assertThat(results).filteredOn(Account.class::isInstance).hasSize(2);
            for (Object result : results) {
                if (result instanceof Problem refused) {
                    assertThat(refused.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED);
                    assertThat(refused.details()).containsEntry(Problem.NAME, "AppSignupLimitError");
                    assertThat(refused.fix()).contains("still sign in");
                }
            }
        }
        assertThat(counted(app)).isEqualTo(2);
        AppFixture.change(world, app, json("owner_signup_limit", 0));
        String signedIn = world.http().get("/v0/apps/" + app + "/accounts").text("accounts.0.inbox_id");
        AccountFixture.signIn(world, app, signedIn);
    }

    @Test
    void anInboxThatIsDeletedTakesItsAccountsAndARemadeOneHasNone() {
        String inbox = world.inbox("remade");
        long before = counted(crm);
        Account account = AccountFixture.signIn(world, crm, inbox);
        AccountFixture.signIn(world, shop, inbox);
        world.database()
                .write(
                        world.organization(),
                        tx -> tx.sql(View.of(world.organization()), """
                insert into oidc_consent (organization_id, inbox_id, app_id, hash, accepted_at)
                values ({organization}, :inbox, :app, 'hash'::bytea, {now})""")
                                .bind("inbox", account.inbox())
                                .bind("app", crm)
                                .run());
        world.http().delete("/v0/inboxes/" + inbox).is(200);
        Refusal.of(world.http().get("/v0/accounts/" + account.id()), ErrorCode.NOT_FOUND);
        assertThat(counted(crm)).isEqualTo(before);
        int consents = world.database()
                .read(tx -> tx.sqlAcrossTenants("select count(*) as n from oidc_consent c where c.inbox_id = :inbox")
                        .bind("inbox", account.inbox())
                        .single(row -> row.integer("n")));
        assertThat(consents).isZero();
        world.inbox("remade");
        assertThat(ids(world.http().get("/v0/inboxes/" + inbox + "/accounts"))).isEmpty();
        assertThat(AccountFixture.signIn(world, crm, inbox).signInCount()).isEqualTo(1);
    }

    @Test
    void anAppWithAccountsIsDeletedByForceAlone() {
        UUID app = AppFixture.register(world, json("name", "Gone", "slug", "gone", "owner_signup_limit", 9));
        App stale = AppFixture.find(world, app);
        String inbox = world.inbox("gone");
        String account = AccountFixture.signIn(world, app, inbox).id().toString();
        assertThatThrownBy(() -> AppFixture.operator(world).delete("gone", false))
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(ErrorCode.CANNOT_DELETE));
        world.http().get("/v0/accounts/" + account).is(200);
        AppFixture.operator(world).delete("gone", true);
        Refusal.of(world.http().get("/v0/accounts/" + account), ErrorCode.NOT_FOUND);
        Refusal.of(world.http().get("/v0/apps/gone"), ErrorCode.NOT_FOUND);
        Accounts.Holder holder = AccountFixture.holder(world, inbox);
        assertThatThrownBy(() -> world.database()
                        .write(
                                holder.organization(),
                                tx -> Accounts.signIn(
                                        tx, stale, holder, tx.next().at())))
                .isInstanceOfSatisfying(
                        Problem.class, problem -> assertThat(problem.code()).isEqualTo(ErrorCode.NOT_FOUND));
        AppFixture.register(world, json("name", "New", "slug", "gone"));
    }

    private static <T> List<T> atOnce(List<Callable<T>> calls) throws InterruptedException, ExecutionException {
        List<T> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<T> future : threads.invokeAll(calls)) {
                results.add(future.get());
            }
        }
        return results;
    }
}
