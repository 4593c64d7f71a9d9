package dev.inboxd.mail.dkim;

import dev.inboxd.mail.auth.AuthResult;
import org.jspecify.annotations.Nullable;

/**
 * Result of one signature.
 *
 * @param outcome in the words of RFC 8601 §2.7.1; pass only when key, body and header fields fit, and nothing can be
 *     added
 * @param domain d= in lower case; null when it is unreadable
 * @param selector s=, null when it is unreadable
 * @param algorithm a= as written, null when it is missing
 * @param start the first eight characters of b=, which tell signatures of one domain apart (RFC 6008); may be empty
 * @param reason why it did not pass, empty when it did; contains no text of the message
 */
public record DkimResult(
        AuthResult outcome,
        @Nullable String domain,
        @Nullable String selector,
        @Nullable String algorithm,
        String start,
        String reason) {}
