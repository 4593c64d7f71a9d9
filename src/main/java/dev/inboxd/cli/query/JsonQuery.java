package dev.inboxd.cli.query;

import org.jspecify.annotations.Nullable;

/** An expression that selects from JSON: what JMESPath has, in the part that docs/cli.md describes (decision 0070). */
public final class JsonQuery {
    private final QueryNode node;

    private JsonQuery(QueryNode node) {
        this.node = node;
    }

    /**
     * Reads an expression.
     *
     * @throws QueryException when it is none; the message says where
     */
    public static JsonQuery of(String text) {
        return new JsonQuery(new QueryParser(new QueryLexer(text).tokens()).whole());
    }

    /**
     * What it selects.
     *
     * @param json as {@link dev.inboxd.platform.json.Json#parse} reads it
     * @throws QueryException when a function gets what it does not take
     */
    public @Nullable Object select(@Nullable Object json) {
        return node.of(json);
    }
}
