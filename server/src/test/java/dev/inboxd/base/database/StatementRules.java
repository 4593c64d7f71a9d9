package dev.inboxd.base.database;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a statement must keep so that one node of a cluster can run it alone (docs/decisions/0068-citus.md). It is read
 * in the tree that PostgreSQL makes of it.
 */
final class StatementRules {
    /** A tenant table, at its level of the statement, is not compared with one organization. */
    static final String UNBOUND = "everywhere";

    /** As {@link #UNBOUND}, and it changes or locks rows. */
    static final String UNBOUND_CHANGE = "changes everywhere";

    /**
     * An UPDATE calls a function that is not immutable with a column, or in CASE or COALESCE; or what is returned has
     * such a function.
     */
    static final String UNSTABLE = "unstable";

    /** An UPDATE sets what it takes from an array by a subscript, which ends a process of Citus. */
    static final String SUBSCRIPT = "subscript";

    /** The organization of a row that INSERT … SELECT makes is no column. */
    static final String GIVEN = "given organization";

    /** A row that was inserted is returned without an alias of its table. */
    static final String NAMELESS = "no alias";

    /** Tenant tables beside a table that lies somewhere else. */
    static final String ELSEWHERE = "other places";

    /** The global tables that every node has a copy of (V0031_7__schema.sql). */
    static final Set<String> EVERYWHERE = Set.of(
            "domain_holder",
            "human",
            "signing_key",
            "session_key",
            "installation",
            "oidc_key",
            "app",
            "app_slug",
            "app_secret");

    private static final long UUID_EQUALS = 2972;
    private static final int UPDATE = 2;
    private static final int INSERT = 3;

    private final StatementTree.Catalog catalog;
    private final Set<String> broken = new TreeSet<>();

    private StatementRules(StatementTree.Catalog catalog) {
        this.catalog = catalog;
    }

    /** The rules that a statement breaks. */
    static Set<String> brokenBy(TreeNode statement, StatementTree.Catalog catalog) {
        StatementRules rules = new StatementRules(catalog);
        List<TreeNode> queries = statement.all("QUERY");
        boolean changes = queries.stream().anyMatch(StatementRules::changes);
        for (TreeNode query : queries) {
            rules.placed(query, changes);
            rules.stable(query);
            rules.inserted(query);
        }
        rules.together(queries);
        return rules.broken;
    }

    private static boolean changes(TreeNode query) {
        return query.number("commandType") != 1 || !query.nodes("rowMarks").isEmpty();
    }

    private @Nullable String table(TreeNode entry) {
        return entry.number("rtekind") == 0 ? catalog.tables().get(entry.number("relid")) : null;
    }

    private boolean isTenant(TreeNode entry) {
        String table = table(entry);
        return table != null && TenantTables.TENANT.contains(table);
    }

    private void placed(TreeNode query, boolean changes) {
        List<TreeNode> entries = query.nodes("rtable");
        Equalities equal = new Equalities(query);
        for (int i = 0; i < entries.size(); i++) {
            boolean inserted = query.number("commandType") == INSERT && query.number("resultRelation") == i + 1;
            boolean excluded =
                    query.node("onConflict") != null && query.node("onConflict").number("exclRelIndex") == i + 1;
            if (isTenant(entries.get(i)) && !inserted && !excluded) {
                long column = catalog.organizationColumns()
                        .getOrDefault(entries.get(i).number("relid"), 0L);
                if (!equal.isGiven(i + 1, column)) {
                    broken.add(changes ? UNBOUND_CHANGE : UNBOUND);
                }
            }
        }
    }

    private void stable(TreeNode query) {
        if (query.number("commandType") == UPDATE
                && query.nodes("targetList").stream()
                        .anyMatch(target -> !target.all("SUBSCRIPTINGREF").isEmpty())) {
            broken.add(SUBSCRIPT);
        }
        boolean selects = query.nodes("rtable").stream().anyMatch(entry -> entry.node("subquery") != null);
        if (query.number("commandType") == UPDATE || (query.number("commandType") == INSERT && !selects)) {
            query.nodes("returningList").forEach(returned -> {
                if (!isImmutableBelow(returned)) {
                    broken.add(UNSTABLE);
                }
            });
        }
        if (query.number("commandType") != UPDATE) {
            return;
        }
        List<TreeNode> written = new ArrayList<>(query.nodes("targetList"));
        query.nodes("rtable").stream()
                .map(entry -> entry.node("subquery"))
                .filter(java.util.Objects::nonNull)
                .forEach(inner -> written.addAll(inner.nodes("targetList")));
        for (TreeNode target : written) {
            target.walk(node -> {
                if (!isImmutable(node) && !node.all("VAR").isEmpty()) {
                    broken.add(UNSTABLE);
                }
                boolean chooses =
                        node.is("CASEEXPR") || node.is("CASE") || node.is("COALESCEEXPR") || node.is("COALESCE");
                if (chooses && query.nodes("targetList").contains(target) && !isImmutableBelow(node)) {
                    broken.add(UNSTABLE);
                }
            });
        }
    }

    private boolean isImmutableBelow(TreeNode node) {
        boolean[] immutable = {true};
        node.walk(each -> immutable[0] &= isImmutable(each));
        return immutable[0];
    }

    private boolean isImmutable(TreeNode node) {
        return switch (node.tag()) {
            case "FUNCEXPR" -> isImmutable(catalog.volatility(), node.number("funcid"));
            case "OPEXPR", "SCALARARRAYOPEXPR", "DISTINCTEXPR", "NULLIFEXPR" ->
                isImmutable(catalog.volatility(), node.number("opfuncid"));
            case "COERCEVIAIO" -> {
                TreeNode argument = node.node("arg");
                yield isImmutable(catalog.readers(), node.number("resulttype"))
                        && (argument == null
                                || !argument.is("VAR")
                                || isImmutable(catalog.writers(), argument.number("vartype")));
            }
            case "SQLVALUEFUNCTION", "NEXTVALUEEXPR" -> false;
            default -> true;
        };
    }

    private static boolean isImmutable(Map<Long, String> volatility, long number) {
        return "i".equals(volatility.getOrDefault(number, "i"));
    }

    private void inserted(TreeNode query) {
        if (query.number("commandType") != INSERT) {
            return;
        }
        List<TreeNode> entries = query.nodes("rtable");
        TreeNode into = entries.get((int) query.number("resultRelation") - 1);
        if (!query.nodes("returningList").isEmpty() && into.node("alias") == null) {
            broken.add(NAMELESS);
        }
        boolean selects = entries.stream().anyMatch(entry -> entry.node("subquery") != null);
        long column = catalog.organizationColumns().getOrDefault(into.number("relid"), 0L);
        for (TreeNode target : query.nodes("targetList")) {
            if (isTenant(into)
                    && selects
                    && target.number("resno") == column
                    && !isColumn(entries, target.node("expr"))) {
                broken.add(GIVEN);
            }
        }
    }

    /** Whether it is a column of what the SELECT of an INSERT reads. */
    private static boolean isColumn(List<TreeNode> entries, @Nullable TreeNode value) {
        if (value == null || !value.is("VAR")) {
            return false;
        }
        TreeNode selected = entries.get((int) value.number("varno") - 1).node("subquery");
        TreeNode given = selected == null
                ? null
                : selected.nodes("targetList")
                        .get((int) value.number("varattno") - 1)
                        .node("expr");
        return given != null && given.is("VAR");
    }

    private void together(List<TreeNode> queries) {
        Set<String> tables = new HashSet<>();
        queries.forEach(query -> query.nodes("rtable").forEach(entry -> {
            String table = table(entry);
            if (table != null) {
                tables.add(table);
            }
        }));
        tables.removeAll(EVERYWHERE);
        boolean tenants = tables.removeAll(TenantTables.TENANT);
        if (tenants && !tables.isEmpty()) {
            broken.add(ELSEWHERE);
        }
    }

    /** Which columns of a level are equal to one another, or to a value that is given. */
    private static final class Equalities {
        private static final String GIVEN = "given";

        private final Map<String, String> parents = new HashMap<>();
        private final List<TreeNode> entries;

        Equalities(TreeNode query) {
            this.entries = query.nodes("rtable");
            TreeNode from = query.node("jointree");
            if (from != null) {
                conditions(from);
            }
            for (int i = 0; i < entries.size(); i++) {
                TreeNode inner = entries.get(i).node("subquery");
                if (inner != null) {
                    outputs(i + 1, inner);
                }
            }
        }

        boolean isGiven(int entry, long column) {
            return root(entry + "." + column).equals(root(GIVEN));
        }

        private String root(String term) {
            String parent = parents.getOrDefault(term, term);
            return parent.equals(term) ? term : root(parent);
        }

        /** Conditions that all hold: of the list of tables, and of joins in it. */
        private void conditions(TreeNode from) {
            holds(from.node("quals"));
            from.nodes("fromlist").forEach(this::conditions);
            for (String side : List.of("larg", "rarg")) {
                TreeNode joined = from.node(side);
                if (joined != null) {
                    conditions(joined);
                }
            }
        }

        private void holds(@Nullable TreeNode condition) {
            if (condition == null) {
                return;
            }
            if (condition.is("BOOLEXPR") && condition.text("boolop").equals("and")) {
                condition.nodes("args").forEach(this::holds);
            } else if (condition.is("OPEXPR") && condition.number("opno") == UUID_EQUALS) {
                List<TreeNode> sides = condition.nodes("args");
                String left = term(sides.getFirst());
                String right = term(sides.getLast());
                if (left != null && right != null) {
                    parents.put(root(left), root(right));
                }
            }
        }

        private static @Nullable String term(TreeNode side) {
            if (side.is("VAR")) {
                return side.number("varlevelsup") == 0 ? side.number("varno") + "." + side.number("varattno") : null;
            }
            return side.all("VAR").isEmpty() && side.all("SUBLINK").isEmpty() ? GIVEN : null;
        }

        /** A column that a subquery has bound is given outside, too. */
        private void outputs(int entry, TreeNode inner) {
            Equalities within = new Equalities(inner);
            for (TreeNode target : inner.nodes("targetList")) {
                TreeNode value = target.node("expr");
                if (value != null
                        && (value.is("PARAM")
                                || (value.is("VAR")
                                        && value.number("varlevelsup") == 0
                                        && within.isGiven((int) value.number("varno"), value.number("varattno"))))) {
                    parents.put(root(entry + "." + target.number("resno")), root(GIVEN));
                }
            }
        }
    }
}
