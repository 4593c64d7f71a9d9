package dev.inboxd.base.database;

import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Brings the forms of one statement together. Which form is sent depends on the caller's view, and on how many rows of
 * how many organizations happen to be written at one moment ({@link RowStatement}).
 */
final class StatementForms {
    private static final String VALUE = "(?:\\?(?:::[\\w\\[\\]]+)?|[\\w.]+\\(\\?[^()]*\\)(?:::\\w+)?) as \\w+";
    private static final Pattern ONE_ROW = Pattern.compile("\\(select (" + VALUE + "(?:, " + VALUE + ")*)\\)");
    private static final String BALANCED = "[^()]*(?:\\([^()]*\\)[^()]*)*";
    private static final Pattern ROWS =
            Pattern.compile("\\(select " + BALANCED + " from unnest\\(" + BALANCED + "\\) as u \\(([\\w, ]+)\\)\\)");
    private static final Pattern NAME = Pattern.compile(" as (\\w+)");
    private static final String TENANT = RowStatement.TENANT;
    /** The organization of a table, and what the view of a pod, of an inbox or of a reader of less adds to it. */
    private static final Pattern SCOPE =
            Pattern.compile("(\\w+)\\.organization_id (?:=|is not distinct from) (?:\\?|\\w+\\."
                    + TENANT
                    + ")(?: and \\1\\.pod_id = \\?)?(?: and \\1\\.inbox_id = \\?)?(?: and \\1\\.restricted & \\? = 0)?"
                    + "(?: and \\1\\.created_at >= \\?)?");

    private static final Pattern INSERT = Pattern.compile("^(insert into \\w+(?: as \\w+)? \\([^)]*\\)) "
            + "(?:values \\(|select [^{}]* from \\{rows [^}]*\\} as \\w+)");
    private static final Pattern INSERT_END = Pattern.compile(" (?:on conflict|returning) .*$");

    private StatementForms() {}

    /** What all forms of a statement have in common; it is no SQL. */
    static String common(String statement) {
        String text = ONE_ROW.matcher(statement)
                .replaceAll(one -> rows(NAME.matcher(one.group(1))
                        .results()
                        .map(name -> name.group(1))
                        .collect(Collectors.joining(", "))));
        text = ROWS.matcher(text).replaceAll(many -> rows(many.group(1).replace(TENANT + ", ", "")));
        text = text.replace(" join organization_clock own on own.organization_id = ?", "")
                .replace("own.organization_id", "?");
        text = insert(text);
        return SCOPE.matcher(text)
                .replaceAll(StatementForms::scope)
                .replaceAll("\\w+\\." + TENANT + ", ", "")
                .replaceAll("\\w+\\." + TENANT, "?");
    }

    private static String rows(String columns) {
        return Matcher.quoteReplacement("{rows " + columns + "}");
    }

    private static String scope(MatchResult scope) {
        return Matcher.quoteReplacement("{" + scope.group(1) + "}");
    }

    /** One row is inserted as values, several by a query of them. */
    private static String insert(String text) {
        Matcher beginning = INSERT.matcher(text);
        if (!beginning.find()) {
            return text;
        }
        Matcher end = INSERT_END.matcher(text).region(beginning.end(), text.length());
        String conflict = end.find() ? end.group() : "";
        boolean isPlain =
                text.charAt(beginning.end() - 1) == '(' || text.length() == beginning.end() + conflict.length();
        return isPlain ? beginning.group(1) + " {rows}" + conflict : text;
    }
}
