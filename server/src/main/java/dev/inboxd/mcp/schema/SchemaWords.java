package dev.inboxd.mcp.schema;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is written into schemas.
 *
 * @param meanings what each name means
 * @param isResult whether it is the schema of a result, in which a list may be cut and its number of entries is said
 */
public record SchemaWords(Map<String, String> meanings, boolean isResult) {
    public SchemaWords {
        meanings = Map.copyOf(meanings);
    }

    /** The meaning of a name; null when nothing is written about it. */
    @Nullable
    public String meaning(String name) {
        return meanings.get(name);
    }
}
