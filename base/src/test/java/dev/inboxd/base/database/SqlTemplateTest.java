package dev.inboxd.base.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.inboxd.testing.Proves;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The lock between organizations: what a statement must say to be sent (promise P10). */
class SqlTemplateTest {
    private static final View ALL = View.of(new UUID(0, 1));

    private static SqlTemplate of(String text, @Nullable View view) {
        return SqlTemplate.of(text, view, SqlDialect.CLUSTER);
    }

    private static void refuses(String text, @Nullable View view) {
        assertThatThrownBy(() -> of(text, view))
                .as(text)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("must expand its view");
    }

    @Test
    @Proves("P10")
    void noTenantTableIsReadOrChangedWithoutAView() {
        for (String table : TenantTables.TENANT) {
            refuses("select 1 as one from " + table, null);
            refuses("select 1 as one from " + table + " t where t.x = :x", null);
            refuses("select 1 as one from node n join " + table + " t on t.x = n.x", null);
            refuses("select 1 as one from node, " + table + " t where t.x = node.x", null);
            refuses("select 1 as one from node as n, " + table + " t", null);
            refuses("select 1 as one where exists (select 1 from " + table + ")", null);
            refuses("with gone as (delete from " + table + " returning 1) select 1 as one from gone", null);
            refuses("insert into " + table + " (a, b) values (:a, :b)", null);
            refuses("update " + table + " t set a = :a", null);
            refuses("delete from node n using " + table + " t where t.x = n.x", null);
        }
    }

    @Test
    @Proves("P10")
    void aViewThatIsNotExpandedIsNone() {
        for (String table : TenantTables.TENANT) {
            refuses("select 1 as one from " + table + " t where t.organization_id = :view_organization", ALL);
            refuses("select 1 as one from " + table + " t where t.x < {now}", ALL);
        }
        refuses("select 1 as one from node n where {n}", null);
    }

    @Test
    void aLookAcrossOrganizationsExpandsNoneAndSaysSo() {
        assertThat(SqlTemplate.across("select 1 as one from job j where j.due_at <= {now}", SqlDialect.CLUSTER)
                        .sql())
                .isEqualTo("select 1 as one from job j where j.due_at <= statement_timestamp()");
        assertThatThrownBy(() -> SqlTemplate.across("select 1 as one from job j where {j}", SqlDialect.CLUSTER))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void globalTablesNeedNoView() {
        String text = "insert into signing_key (domain, event, message) values (:a, 'it''s :b', :c::text)"
                + " on conflict (domain) do update set domain = excluded.domain, message = :a";
        SqlTemplate template = of(text, null);
        assertThat(template.parameters()).containsExactly("a", "c", "a");
        assertThat(template.sql())
                .isEqualTo("insert into signing_key (domain, event, message) values (?, 'it''s :b',"
                        + " ?::text) on conflict (domain) do update set domain = excluded.domain, message = ?");
    }

    @Test
    void aViewIsAllThatItIsNarrowedTo() {
        UUID pod = new UUID(0, 2);
        UUID inbox = new UUID(0, 3);
        String text = "select 1 as one from message m where {m visible} and m.name = :name";
        assertThat(of(text, ALL).sql())
                .isEqualTo("select 1 as one from message m where m.organization_id = ? and m.name = ?");
        SqlTemplate narrow = of(text, new View(new UUID(0, 1), pod, inbox, 5, Instant.EPOCH));
        assertThat(narrow.sql())
                .isEqualTo("select 1 as one from message m where m.organization_id = ? and m.pod_id = ?"
                        + " and m.inbox_id = ? and m.restricted & ? = 0 and m.created_at >= ? and m.name = ?");
        assertThat(narrow.parameters())
                .isEqualTo(List.of("view_organization", "view_pod", "view_inbox", "view_hidden", "view_since", "name"));
        assertThat(of(text.replace(" visible", ""), narrowed()).sql())
                .doesNotContain("restricted")
                .contains("pod_id");
    }

    private static View narrowed() {
        return new View(new UUID(0, 1), new UUID(0, 2), null, 5, null);
    }

    /** By "is not distinct from" PostgreSQL takes no index; a cluster finds the node by equality alone. */
    @Test
    void aRowFoundByItsPlaceIsComparedAsTheDatabaseWantsIt() {
        View view = View.of(new UUID(0, 1));
        String text = "delete from job j where j.ctid = :place and {j found}";
        assertThat(SqlTemplate.of(text, view, new SqlDialect(false, false)).sql())
                .endsWith("j.organization_id is not distinct from ?");
        assertThat(SqlTemplate.of(text, view, SqlDialect.CLUSTER).sql()).endsWith("j.organization_id = ?");
    }

    @Test
    void rowsOfAClusterCarryTheOrganizationOfItsClock() {
        View view = View.of(new UUID(0, 1));
        String text = RowInsert.many(
                        "insert into job (organization_id, kind) select {organization}, r.* from {rows} as r")
                .replace("{rows}", "(select 'x')");
        assertThat(SqlTemplate.of(text, view, new SqlDialect(false, false)).sql())
                .isEqualTo("insert into job (organization_id, kind) select ?, r.* from (select 'x') as r");
        assertThat(SqlTemplate.of(text, view, SqlDialect.CLUSTER).sql())
                .isEqualTo(
                        "insert into job (organization_id, kind) select own.organization_id, r.* from (select 'x') as r"
                                + " join organization_clock own on own.organization_id = ?");
    }
}
