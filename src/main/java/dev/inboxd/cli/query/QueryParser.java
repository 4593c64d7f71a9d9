package dev.inboxd.cli.query;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes nodes of the words of an expression, by the strength with which each sign binds. */
final class QueryParser {
    private static final int MOST_NESTED = 100;
    private static final int PROJECTION_STOP = 10;
    private static final int NOT = 45;
    private static final Map<String, Integer> STRENGTH = Map.ofEntries(
            Map.entry("|", 1),
            Map.entry("||", 2),
            Map.entry("&&", 3),
            Map.entry("==", 5),
            Map.entry("!=", 5),
            Map.entry("<", 5),
            Map.entry("<=", 5),
            Map.entry(">", 5),
            Map.entry(">=", 5),
            Map.entry("[]", 9),
            Map.entry("[?", 21),
            Map.entry(".", 40),
            Map.entry("[", 55));

    private final List<QueryToken> tokens;
    private int at;
    private int depth;

    QueryParser(List<QueryToken> tokens) {
        this.tokens = tokens;
    }

    /** The whole expression. */
    QueryNode whole() {
        QueryNode node = expression(0);
        take("end");
        return node;
    }

    private QueryNode expression(int strength) {
        if (++depth > MOST_NESTED) {
            throw new QueryException("it is nested too deeply");
        }
        QueryNode left = first(tokens.get(at++));
        while (STRENGTH.getOrDefault(kind(), 0) > strength) {
            left = behind(left, tokens.get(at++));
        }
        depth--;
        return left;
    }

    private QueryNode first(QueryToken token) {
        return switch (token.kind()) {
            case "name" -> kind().equals("(") ? function(token) : QueryNode.member(String.valueOf(token.value()));
            case "quoted" -> QueryNode.member(String.valueOf(token.value()));
            case "literal" -> constant(token.value());
            case "@" -> value -> value;
            case "*" -> QueryNode.projection(QueryNode.values(), rest(20));
            case "!" -> not(expression(NOT));
            case "(" -> {
                QueryNode inside = expression(0);
                take(")");
                yield inside;
            }
            case "{" -> object();
            case "[]" -> QueryNode.projection(QueryNode.flat(), rest(9));
            case "[?" -> filter(value -> value);
            case "[" -> isIndex() ? bracket(value -> value) : list();
            default -> throw wrong(token);
        };
    }

    private QueryNode behind(QueryNode left, QueryToken sign) {
        return switch (sign.kind()) {
            case "." -> QueryNode.chain(left, afterDot());
            case "|" -> QueryNode.chain(left, expression(1));
            case "||" -> QueryNode.either(true, left, expression(2));
            case "&&" -> QueryNode.either(false, left, expression(3));
            case "[]" -> QueryNode.projection(QueryNode.chain(left, QueryNode.flat()), rest(9));
            case "[?" -> filter(left);
            case "[" -> bracket(left);
            default -> QueryNode.comparison(sign.kind(), left, expression(5));
        };
    }

    /** A name, {@code *}, a list or an object may follow a dot; the dots behind it are the loop's. */
    private QueryNode afterDot() {
        return switch (kind()) {
            case "[" -> {
                at++;
                yield list();
            }
            case "name", "quoted", "*", "{" -> first(tokens.get(at++));
            default -> throw wrong(tokens.get(at));
        };
    }

    /** What a projection applies to each item: all that binds more strongly than what ends a projection. */
    private QueryNode rest(int strength) {
        if (STRENGTH.getOrDefault(kind(), 0) < PROJECTION_STOP) {
            return value -> value;
        }
        QueryNode left = value -> value;
        while (STRENGTH.getOrDefault(kind(), 0) > strength) {
            left = behind(left, tokens.get(at++));
        }
        return left;
    }

    private boolean isIndex() {
        return kind().equals("number")
                || kind().equals(":")
                || (kind().equals("*") && tokens.get(at + 1).kind().equals("]"));
    }

    /** An index, a slice, or all items; the bracket that opens is read. */
    private QueryNode bracket(QueryNode left) {
        if (kind().equals("*")) {
            at++;
            take("]");
            return QueryNode.projection(left, rest(20));
        }
        @Nullable Long[] bounds = new @Nullable Long[3];
        int colons = 0;
        while (!kind().equals("]")) {
            QueryToken token = tokens.get(at++);
            if (token.kind().equals(":") && colons < 2) {
                colons++;
            } else if (token.value() instanceof Long number && token.kind().equals("number")) {
                bounds[colons] = number;
            } else {
                throw wrong(token);
            }
        }
        take("]");
        Long only = bounds[0];
        if (colons == 0) {
            if (only == null) {
                throw wrong(tokens.get(at - 1));
            }
            return QueryNode.chain(left, QueryNode.index(only));
        }
        Long step = bounds[2];
        if (step != null && step == 0) {
            throw new QueryException("the step of a slice is 0");
        }
        QueryNode slice = QueryNode.slice(Arrays.asList(bounds));
        return QueryNode.projection(QueryNode.chain(left, slice), rest(20));
    }

    private QueryNode filter(QueryNode left) {
        QueryNode condition = expression(0);
        take("]");
        return QueryNode.projection(QueryNode.chain(left, QueryNode.filter(condition)), rest(21));
    }

    private QueryNode list() {
        List<QueryNode> parts = new ArrayList<>();
        do {
            parts.add(expression(0));
        } while (isTaken(","));
        take("]");
        return QueryNode.list(parts);
    }

    private QueryNode object() {
        Map<String, QueryNode> parts = new LinkedHashMap<>();
        do {
            QueryToken name = tokens.get(at++);
            if (!name.kind().equals("name") && !name.kind().equals("quoted")) {
                throw wrong(name);
            }
            take(":");
            parts.put(String.valueOf(name.value()), expression(0));
        } while (isTaken(","));
        take("}");
        return QueryNode.object(parts);
    }

    private QueryNode function(QueryToken name) {
        take("(");
        List<QueryNode> arguments = new ArrayList<>();
        while (!kind().equals(")")) {
            if (isTaken("&")) { // an expression is handed on as it is, for sort_by and its like
                QueryNode each = expression(0);
                arguments.add(_ -> each);
            } else {
                arguments.add(expression(0));
            }
            if (!isTaken(",")) {
                break;
            }
        }
        take(")");
        return QueryNode.call(QueryFunctions.named(String.valueOf(name.value()), arguments.size()), arguments);
    }

    private static QueryNode constant(@Nullable Object value) {
        return _ -> value;
    }

    private static QueryNode not(QueryNode of) {
        return value -> !QueryNode.isTrue(of.of(value));
    }

    private String kind() {
        return tokens.get(Math.min(at, tokens.size() - 1)).kind();
    }

    private boolean isTaken(String kind) {
        boolean isThere = kind().equals(kind);
        at += isThere ? 1 : 0;
        return isThere;
    }

    private void take(String kind) {
        if (!isTaken(kind)) {
            throw wrong(tokens.get(Math.min(at, tokens.size() - 1)));
        }
    }

    private static QueryException wrong(QueryToken token) {
        return new QueryException(
                token.kind().equals("end")
                        ? "it ends too early"
                        : "a " + token.kind() + " cannot stand there (character " + (token.at() + 1) + ")");
    }
}
