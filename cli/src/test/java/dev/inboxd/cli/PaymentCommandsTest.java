package dev.inboxd.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.inboxd.Main;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.server.World;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The operator lists payments from a shell, beside a running service, and resolves one. */
class PaymentCommandsTest {
    @RegisterExtension
    private static final World world = World.start(Map.of("INBOXD_X402_HOST", "x402.localhost"));

    @Test
    void paymentsAreListedShownAndResolved() {
        UUID settled = paid("settled", "0xabc");
        UUID owed = paid("owed", "=cmd");
        assertThat(say(0, "list").lines())
                .hasSize(2)
                .anyMatch(line -> line.contains(settled.toString())
                        && line.contains("settled")
                        && line.contains("2.00 USD")
                        && line.contains("test"));
        assertThat(say(0, "list", "--status", "owed", "--json"))
                .contains(owed.toString())
                .doesNotContain(settled.toString());
        assertThat(say(0, "list", "--since", "2999-01-01")).isEmpty();
        List<String> lines = say(0, "list", "--csv").lines().toList();
        assertThat(lines).hasSize(3);
        assertThat(lines.getFirst()).startsWith("created_at,");
        assertThat(lines).anyMatch(line -> line.contains(",'=cmd,"));
        assertThat(say(0, "list", "--organization", UUID.randomUUID().toString()))
                .isEmpty();
        assertThat(say(0, "show", owed.toString())).contains("POST /v0/inboxes");
        assertThat(say(1, "resolve", owed.toString())).contains("--paid and --refused");
        assertThat(say(1, "resolve", owed.toString(), "--paid")).contains("Nobody is there to be asked");
        assertThat(say(1, "resolve", owed.toString(), "--refused", "--yes")).contains("is owed already");
        assertThat(say(1, "list", "--status", "open")).contains("pending, settled, refused or owed");
    }

    private static UUID paid(String state, String transaction) {
        UUID id = Uuid7.next();
        world.database()
                .write(
                        world.organization(),
                        tx -> tx.sql(View.of(world.organization()), """
                insert into payment (organization_id, payment_id, variant, method, network, asset, amount, price, payer,
                    route, test, request_id, request_hash, taken, grounds, state, valid_before, transaction, created_at)
                values ({organization}, :id, 'x402', 'exact', 'eip155:84532', '0x03', '2000000', 2000000,
                    'eip155:84532:0x11', 'POST /v0/inboxes', true, 'req_1', ''::bytea, array[]::text[], array[]::text[],
                    :state, {now}, :transaction, {now})""")
                                .bind("id", id)
                                .bind("state", state)
                                .bind("transaction", transaction)
                                .run());
        return id;
    }

    private static String say(int status, String... arguments) {
        List<String> all = new ArrayList<>(List.of("payment"));
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
