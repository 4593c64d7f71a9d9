package dev.inboxd.web.oauth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.rate.Budgets;
import dev.inboxd.base.rate.Rates;
import dev.inboxd.testing.TestPostgres;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

/** How often an address may call the public routes of signing in. */
class SignInLimitsDbTest {
    @Test
    void anIpv6CustomerHasOneBudgetWhateverAddressItTakes() {
        try (Database database = new Database(TestPostgres.migrated(), null)) {
            Rates.SignIn rates = Rates.of((name, usual) -> name.equals("sign_in_requests") ? 3 : usual)
                    .signIn();
            SignInLimits limits =
                    new SignInLimits(new Budgets(database, InstantSource.fixed(Instant.EPOCH.plusSeconds(1))), rates);
            for (int i = 1; i <= 3; i++) {
                limits.calling("2001:db8::" + i);
            }
            assertThatThrownBy(() -> limits.calling("2001:db8::4"))
                    .isInstanceOfSatisfying(
                            Problem.class,
                            problem -> assertThat(problem.code()).isEqualTo(ErrorCode.RATE_LIMIT_EXCEEDED));
            limits.calling("2001:db8:0:1::1");
        }
    }
}
