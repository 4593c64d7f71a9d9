package dev.inboxd.base.database.copy;

import static java.util.Map.entry;

import dev.inboxd.base.database.copy.RowReader.CopyRow;
import dev.inboxd.base.vault.Reseal;
import dev.inboxd.base.vault.Vault;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The columns that are sealed under the master key, all of them, with the purpose of each. A copy for an installation
 * with another master key seals them anew on the way; {@code inboxd secrets reseal} does it in place.
 */
public final class SealedColumns {
    /** The purpose of each column, by {@code table.column}. */
    static final Map<String, String> PURPOSES = Map.ofEntries(
            entry("connect_request.answer", "connect answer"),
            entry("domain.private_key", "domain key"),
            entry("installation.key_check", "check value"),
            entry("oidc_key.private_key", "provider key"),
            entry("payment.request", "payment request"),
            entry("payment_answer.answer", "payment answer"),
            entry("session_key.private_key", "session key"),
            entry("signing_key.private_key", "signing key"),
            entry("signing_key.second_key", "signing key"),
            entry("webhook.former_secret", "webhook secret"),
            entry("webhook.former_secrets", "webhook secrets"),
            entry("webhook.headers", "webhook headers"),
            entry("webhook.secret", "webhook secret"));

    private SealedColumns() {}

    /** Whether a table has such a column. */
    static boolean isIn(TableLayout table) {
        return table.columns().stream().anyMatch(column -> purpose(table, column) != null);
    }

    /**
     * Rows with their secrets sealed by the newest key of the target.
     *
     * @param content rows of the table
     * @param reseal of a vault with the target's keys first and the source's behind them
     * @return the same bytes where nothing is sealed, or the newest key sealed it, or no key opens it
     */
    static byte[] anew(TableLayout table, byte[] content, Reseal reseal) {
        return isIn(table)
                ? changed(
                        table,
                        content,
                        (purpose, secret) -> reseal.of(purpose, secret).orElse(secret))
                : content;
    }

    /**
     * A row with its secrets opened, to be compared with the same row of another installation; never to be stored.
     *
     * @param vault that opens them; what no key opens stays sealed
     */
    static byte[] opened(TableLayout table, CopyRow row, Vault vault) {
        return isIn(table) ? changed(table, row, (purpose, secret) -> opened(vault, purpose, secret)) : row.bytes();
    }

    private static byte[] opened(Vault vault, String purpose, byte[] sealed) {
        try {
            return vault.open(purpose, sealed);
        } catch (Vault.KeyException another) {
            return sealed;
        }
    }

    private static byte[] changed(TableLayout table, byte[] content, BiFunction<String, byte[], byte[]> change) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(content.length);
        forEachRow(table, content, row -> out.writeBytes(changed(table, row, change)));
        return out.toByteArray();
    }

    /** The rows of a chunk's content, one after another. */
    static void forEachRow(TableLayout table, byte[] content, Consumer<CopyRow> sink) {
        RowReader rows =
                new RowReader(new ByteArrayInputStream(content), table.columns().size());
        try {
            for (CopyRow row = rows.next(); row != null; row = rows.next()) {
                sink.accept(row);
            }
        } catch (IOException damaged) {
            throw new UncheckedIOException(damaged);
        }
    }

    private static byte[] changed(TableLayout table, CopyRow row, BiFunction<String, byte[], byte[]> change) {
        List<byte @Nullable []> fields = new ArrayList<>(row.fields());
        for (int i = 0; i < fields.size(); i++) {
            String purpose = purpose(table, table.columns().get(i));
            byte[] sealed = fields.get(i);
            if (purpose != null && sealed != null) {
                fields.set(i, change.apply(purpose, sealed));
            }
        }
        return RowReader.bytes(fields);
    }

    private static @Nullable String purpose(TableLayout table, TableLayout.Column column) {
        return PURPOSES.get(table.table() + "." + column.name());
    }
}
