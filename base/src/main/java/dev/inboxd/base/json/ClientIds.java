package dev.inboxd.base.json;

import org.jspecify.annotations.Nullable;

/** Ids that clients choose, so that a repeated create does not create a second resource (ruling 18). */
public final class ClientIds {
    private static final int LONGEST = 256;

    private ClientIds() {}

    /** Reads the member {@code client_id}, or null when it is absent; an invalid one is a fault of the body. */
    public static @Nullable String read(JsonBody body) {
        String clientId = body.string("client_id").optional();
        if (clientId != null && !isValid(clientId)) {
            body.fault("client_id", "client_id has 1 to " + LONGEST + " letters, digits and - . _ ~");
        }
        return clientId;
    }

    /** Whether a text is 1 to 256 of the unreserved characters of RFC 3986 §2.3. */
    public static boolean isValid(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean unreserved = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || c == '-'
                    || c == '.'
                    || c == '_'
                    || c == '~';
            if (!unreserved) {
                return false;
            }
        }
        return !text.isEmpty() && text.length() <= LONGEST;
    }
}
