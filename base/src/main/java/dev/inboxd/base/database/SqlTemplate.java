package dev.inboxd.base.database;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringTokenizer;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The text of a statement with its names resolved: {@code :name} becomes a positional parameter, {@code {m}} the scope
 * of a view on the table alias {@code m}, {@code {m visible}} the scope without the rows that restricted labels hide,
 * {@code {m found}} the organization of a row that was found by its place already, compared so that PostgreSQL takes no
 * index for it, {@code {now}} the clock, and {@code {real_now}} the database's. Expanded once per text and shape of
 * view.
 *
 * @param sql the text for PostgreSQL
 * @param parameters the names in the order of their positions
 */
record SqlTemplate(String sql, List<String> parameters) {
    private static final Set<String> INTRODUCTIONS = Set.of("from", "into", "update", "join", "using");
    private static final Set<String> ENDS = Set.of("(", ")", "set");
    private static final String MOVED_NOW =
            "coalesce(:clock_stands::timestamptz, statement_timestamp() + make_interval(secs => :clock_shift))";
    private static final String FOUND_SUFFIX = " found";
    private static final String PLACED = "placed ";
    /** More words than {@code table as alias}: a comma behind them is not the comma of a table list. */
    private static final int LONGEST_ITEM = 4;

    private static final Map<Key, SqlTemplate> EXPANDED = new ConcurrentHashMap<>();

    SqlTemplate {
        parameters = List.copyOf(parameters);
    }

    private record Key(
            String text,
            boolean across,
            boolean viewed,
            boolean pod,
            boolean inbox,
            boolean hidden,
            boolean since,
            SqlDialect dialect) {
        Key inCluster() {
            return new Key(text, across, viewed, pod, inbox, hidden, since, SqlDialect.CLUSTER);
        }
    }

    /**
     * The template of a text for a view, or without one.
     *
     * @throws IllegalStateException when the text names a tenant table and expands no view: such a statement must not
     *     run
     */
    static SqlTemplate of(String text, @Nullable View view, SqlDialect dialect) {
        Key key = view == null
                ? new Key(text, false, false, false, false, false, false, dialect)
                : new Key(
                        text,
                        false,
                        true,
                        view.pod() != null,
                        view.inbox() != null,
                        view.hidden() != 0,
                        view.since() != null,
                        dialect);
        SqlTemplate cached = EXPANDED.get(key);
        return cached != null ? cached : EXPANDED.computeIfAbsent(key, SqlTemplate::expand);
    }

    /** Every text expanded in this process, in the form for a cluster; a test prepares them all. */
    static Set<String> expanded() {
        return EXPANDED.keySet().stream()
                .map(key -> expand(key.inCluster()).sql())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The template of a query across organizations: on purpose, it expands no view. */
    static SqlTemplate across(String text, SqlDialect dialect) {
        Key key = new Key(text, true, false, false, false, false, false, dialect);
        SqlTemplate cached = EXPANDED.get(key);
        return cached != null ? cached : EXPANDED.computeIfAbsent(key, SqlTemplate::expand);
    }

    private static SqlTemplate expand(Key key) {
        StringBuilder sql = new StringBuilder();
        List<String> parameters = new ArrayList<>();
        boolean scoped = false;
        String text = key.text();
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c == '{') {
                int end = text.indexOf('}', i);
                String name = text.substring(i + 1, end);
                scoped |= !name.endsWith("now");
                names(replacement(name, key), sql, parameters);
                i = end + 1;
            } else {
                int next = text.indexOf('{', i);
                names(text.substring(i, next < 0 ? text.length() : next), sql, parameters);
                i = next < 0 ? text.length() : next;
            }
        }
        if (scoped != key.viewed() || (!scoped && !key.across() && namesTenantTable(text))) {
            throw new IllegalStateException("A statement on a tenant table must expand its view: " + text);
        }
        return new SqlTemplate(sql.toString(), parameters);
    }

    private static String replacement(String marker, Key key) {
        if (marker.equals("now")) {
            return key.dialect().moved() ? MOVED_NOW : "statement_timestamp()";
        } else if (marker.equals("real_now")) {
            return "statement_timestamp()";
        }
        if (marker.startsWith(PLACED)) {
            return placed("{" + marker + "}", key.dialect().citus());
        }
        boolean visible = marker.endsWith(" visible");
        String alias = visible ? marker.substring(0, marker.length() - " visible".length()) : marker;
        if (alias.equals("organization")) {
            return ":view_organization";
        }
        if (alias.endsWith(FOUND_SUFFIX)) {
            return alias.substring(0, alias.length() - FOUND_SUFFIX.length()) + ".organization_id "
                    + (key.dialect().citus() ? "=" : "is not distinct from") + " :view_organization";
        }
        StringBuilder where = new StringBuilder(alias).append(".organization_id = :view_organization");
        if (key.pod()) {
            where.append(" and ").append(alias).append(".pod_id = :view_pod");
        }
        if (key.inbox()) {
            where.append(" and ").append(alias).append(".inbox_id = :view_inbox");
        }
        if (visible && key.hidden()) {
            where.append(" and ").append(alias).append(".restricted & :view_hidden = 0");
        }
        if (visible && key.since()) {
            where.append(" and ").append(alias).append(".created_at >= :view_since");
        }
        return where.toString();
    }

    private static String placed(String marker, boolean citus) {
        return switch (marker) {
            case RowInsert.ORGANIZATION -> citus ? "own.organization_id" : ":view_organization";
            case RowInsert.JOIN ->
                citus ? " join organization_clock own on own.organization_id = :view_organization" : "";
            default -> throw new IllegalStateException("No such marker: " + marker);
        };
    }

    /** Copies a stretch of SQL and replaces its names; {@code ::type} casts and quoted texts stay unchanged. */
    private static void names(String piece, StringBuilder sql, List<String> parameters) {
        int i = 0;
        while (i < piece.length()) {
            char c = piece.charAt(i);
            if (c == '\'') {
                int end = piece.indexOf('\'', i + 1) + 1;
                sql.append(piece, i, end);
                i = end;
            } else if (c == ':' && i + 1 < piece.length() && piece.charAt(i + 1) == ':') {
                sql.append("::");
                i += 2;
            } else if (c == ':' && i + 1 < piece.length() && Character.isLetter(piece.charAt(i + 1))) {
                int end = i + 1;
                while (end < piece.length() && isNamePart(piece.charAt(end))) {
                    end++;
                }
                parameters.add(piece.substring(i + 1, end));
                sql.append('?');
                i = end;
            } else {
                sql.append(c);
                i++;
            }
        }
    }

    private static boolean isNamePart(char c) {
        return Character.isLetterOrDigit(c) || c == '_';
    }

    /** Whether the text uses a tenant table: behind a word that introduces a table, or further on in a table list. */
    private static boolean namesTenantTable(String text) {
        StringTokenizer words = new StringTokenizer(text, " \n(),", true);
        boolean expected = false;
        int behind = LONGEST_ITEM; // words since the last table of a list began
        while (words.hasMoreTokens()) {
            String word = words.nextToken();
            if (word.isBlank()) {
                continue;
            }
            if (expected && TenantTables.TENANT.contains(word)) {
                return true;
            }
            boolean lists = word.equals(",") && behind < LONGEST_ITEM;
            expected = INTRODUCTIONS.contains(word) || lists;
            behind = expected ? 0 : ENDS.contains(word) ? LONGEST_ITEM : behind + 1;
        }
        return false;
    }
}
