package dev.inboxd.base.database;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A cluster sees in an insert whose rows it makes. */
class RowInsertTest {
    private static final List<RowStatement.Column<UUID>> COLUMNS =
            List.of(RowStatement.uuid("id", id -> id), RowStatement.text("word", UUID::toString));

    @Test
    void aSingleRowComesAsValues() {
        assertThat(RowInsert.singleRow(
                        "insert into kept (organization_id, id, word) select {organization}, r.* from {rows} as r",
                        COLUMNS))
                .isEqualTo("insert into kept (organization_id, id, word)"
                        + " values ({organization}, :id::uuid, :word::text)");
        assertThat(RowInsert.singleRow("""
                        insert into kept as k (organization_id, word, id, at)
                        select {organization}, r.word, r.id, case when r.word > '' then {now} end from {rows} as r
                        on conflict do nothing returning k.id""", COLUMNS)).isEqualTo("""
                        insert into kept as k (organization_id, word, id, at)
                        values ({organization}, :word::text, :id::uuid, case when :word::text > '' then {now} end)
                        on conflict do nothing returning k.id""");
    }

    @Test
    void severalRowsTakeTheOrganizationFromItsClockOnACluster() {
        assertThat(RowInsert.many(
                        "insert into kept (organization_id, id, word) select {organization}, r.* from {rows} as r"
                                + " on conflict do nothing"))
                .isEqualTo("insert into kept (organization_id, id, word) select {placed organization}, r.*"
                        + " from {rows} as r{placed join} on conflict do nothing");
    }

    @Test
    void whatReadsMoreThanTheRowsIsASelectForASingleRowToo() {
        String more = "insert into kept (organization_id, id) select {organization}, r.id from {rows} as r"
                + " where exists (select 1 from pod p where {p})";
        assertThat(RowInsert.singleRow(more, COLUMNS))
                .isEqualTo(RowInsert.many(more))
                .contains("select {placed organization}, r.id from {rows} as r{placed join} where");
    }

    @Test
    void otherStatementsStayAsTheyAre() {
        for (String sql : List.of(
                "update kept k set word = r.word from {rows} as r where {k}",
                "select k.word from {rows} as r join kept k on {k}",
                "insert into kept (organization_id) select k.organization_id from {rows} as r join kept k on {k}")) {
            assertThat(RowInsert.singleRow(sql, COLUMNS)).isEqualTo(sql);
            assertThat(RowInsert.many(sql)).isEqualTo(sql);
        }
    }
}
