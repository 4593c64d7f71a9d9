package dev.inboxd.base.http;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import org.jspecify.annotations.Nullable;

/** The header {@code Authorization: Bearer <key>}; the scheme word is case-sensitive (identity.md §2). */
final class BearerHeader {
    private static final String SCHEME = "Bearer";

    private BearerHeader() {}

    /**
     * Reads the key from the header.
     *
     * @throws Problem {@code missing_authorization}, which says which of the four faults the header has
     */
    static String key(@Nullable String header) {
        if (header == null) {
            throw missing("The header Authorization is missing");
        }
        int space = header.indexOf(' ');
        if (!SCHEME.equals(space < 0 ? header : header.substring(0, space))) {
            throw missing("The header Authorization must use the scheme Bearer, in exactly this spelling");
        }
        String key = space < 0 ? "" : header.substring(space + 1);
        if (key.isEmpty()) {
            throw missing("The header Authorization has no key after Bearer");
        }
        for (int i = 0; i < key.length(); i++) {
            if (key.charAt(i) <= ' ' || key.charAt(i) == 0xA0) {
                throw missing("The key in the header Authorization must not contain whitespace");
            }
        }
        return key;
    }

    private static Problem missing(String message) {
        return Problem.of(ErrorCode.MISSING_AUTHORIZATION, message);
    }
}
