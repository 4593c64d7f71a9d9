package dev.inboxd.base.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.Organizations;
import dev.inboxd.testing.TestPostgres;
import java.time.InstantSource;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * What one death costs: the organizations of which the node held something are visited, and no others, however many
 * have work. The database counts the rows that are read.
 */
class TakeOverCostDbTest {
    private static final int FEW = 1_000;
    private static final int MANY = 20_000;
    private static final UUID DEAD = UUID.randomUUID();
    private static final UUID LIVING = UUID.randomUUID();

    private Database database;
    private TakeOver takeOver;
    private UUID organization;

    @BeforeEach
    void start() {
        database = new Database(TestPostgres.migrated(), null);
        organization = database.writeGlobal(tx -> new Organizations(database, InstantSource.system())
                        .create(tx, Uuid7.next(), Organization.Type.CONSOLE, null))
                .organization()
                .id();
        takeOver = new TakeOver(database);
        takeOver.add(new Jobs(database, new DueWork(database), () -> LIVING).claims());
    }

    @AfterEach
    void stop() {
        database.close();
    }

    @Test
    void aDeathCostsAsMuchWithTwentyTimesAsManyOtherOrganizationsThatHaveWork() {
        others(FEW);
        long small = cost();
        others(MANY);
        long large = cost();
        System.out.printf("rows read: %d beside %d organizations, %d beside %d%n", small, FEW, large, MANY);
        assertThat(large).isLessThan(small * 2 + 50);
    }

    @Test
    void whatOthersHoldStaysTheirs() {
        others(3);
        claim(DEAD);
        takeOver.from(DEAD);
        assertThat(held(DEAD)).isZero();
        assertThat(held(LIVING)).isEqualTo(3);
    }

    /** At the start of a process that has the database alone, every claim is one of a process that has ended. */
    @Test
    void aProcessThatHasTheDatabaseAloneTakesOverFromAll() {
        others(3);
        claim(DEAD);
        takeOver.fromAll();
        assertThat(held(DEAD) + held(LIVING)).isZero();
        assertThat(due()).isEqualTo(4);
    }

    /** Its work is done in the new place; here it must hold up neither a start nor the others. */
    @Test
    void whatAnOrganizationLeftBehindWhenItMovedAwayHoldsNothingUp() {
        others(1);
        database.writeGlobal(tx -> tx.sqlAcrossTenants(
                        "update organization_clock k set moved_to = 'elsewhere'" + " where k.organization_id <> :here")
                .bind("here", organization)
                .run());
        claim(LIVING);
        takeOver.from(LIVING);
        assertThat(held(LIVING)).isOne();
        claim(LIVING);
        takeOver.fromAll();
        assertThat(held(LIVING)).isOne();
    }

    @Test
    void aKindOfWorkThatFailsHoldsUpNoOther() {
        TakeOver two = new TakeOver(database);
        two.add(new TakeOver.Claims() {
            @Override
            public ClaimedRows rows() {
                return new ClaimedRows("jobs", "job", "claimed_by", "due_at", "c.claimed_by is not null");
            }

            @Override
            public void release(Tx tx, View all, UUID node) {
                throw new IllegalStateException("this kind fails");
            }
        });
        two.add(new Jobs(database, new DueWork(database), () -> LIVING).claims());
        claim(DEAD);
        assertThatThrownBy(() -> two.from(DEAD)).hasMessage("this kind fails");
        assertThat(held(DEAD)).isZero();
        claim(DEAD);
        two.fromAll();
        assertThat(held(DEAD)).isZero();
    }

    /** Rows of tables and of indexes that were read while the node's work is taken over. */
    private long cost() {
        claim(DEAD);
        database.writeTransient(tx -> tx.sql("analyze job").run());
        long before = read();
        takeOver.from(DEAD);
        long after = read();
        assertThat(held(DEAD)).isZero();
        return after - before;
    }

    private long read() {
        return database.read(tx -> {
            tx.sql("select pg_stat_force_next_flush()").list(_ -> 0);
            return tx.sql("""
                    select (sum(coalesce(seq_tup_read, 0)) + sum(coalesce(idx_tup_fetch, 0)))::int8
                        + (select sum(x.idx_tup_read) from pg_stat_user_indexes x
                           where x.relname in ('job', 'due_work'))::int8 as read
                    from pg_stat_user_tables where relname in ('job', 'due_work', 'organization_clock')
                    """).single(row -> row.longer("read"));
        });
    }

    /** Other organizations, each with a job that a living node is at, and that is due again within half an hour. */
    private void others(int number) {
        database.writeGlobal(tx -> tx.sqlAcrossTenants("""
                with o as (
                    insert into organization_clock (organization_id, event_seq, last_at, messages, bytes)
                    select gen_random_uuid(), 0, statement_timestamp(), 0, 0 from generate_series(1, :number)
                    returning organization_id),
                w as (
                    insert into due_work (organization_id, kind, due_at)
                    select o.organization_id, 'jobs', statement_timestamp() + interval '25 minutes' from o)
                insert into job (organization_id, job_id, kind, subject, due_at, created_at, claimed_by, attempts)
                select o.organization_id, gen_random_uuid(), 'k', 's', statement_timestamp() + interval '25 minutes',
                       statement_timestamp(), :living, 1 from o""")
                .bind("number", number)
                .bind("living", LIVING)
                .run());
    }

    private void claim(UUID node) {
        database.writeGlobal(tx -> tx.sql(View.of(organization), """
                insert into job (organization_id, job_id, kind, subject, due_at, created_at, claimed_by, attempts)
                values ({organization}, :id, 'k', :id::text, {now} + interval '25 minutes', {now}, :node, 1)""")
                .bind("id", Uuid7.next())
                .bind("node", node)
                .run());
    }

    private int held(UUID node) {
        return database.read(tx -> tx.sqlAcrossTenants("select count(*) as n from job j where j.claimed_by = :node")
                .bind("node", node)
                .single(row -> row.integer("n")));
    }

    private int due() {
        return database.read(tx -> tx.sqlAcrossTenants("select count(*) as n from job j where j.due_at <= {now}")
                .single(row -> row.integer("n")));
    }
}
