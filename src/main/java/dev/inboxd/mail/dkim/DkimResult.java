package dev.inboxd.mail.dkim;

import dev.inboxd.mail.auth.AuthResult;
import org.jspecify.annotations.Nullable;

/**
 * What came of one signature.
 *
 * @param domain d= in lower case; null when it could not be read
 * @param selector s=, null when it could not be read
 * @param algorithm a= as it stands, null when there is none
 * @param start the first eight characters of b=, which tell signatures of one domain apart (RFC 6008); may be empty
 * @param reason why it did not pass, empty when it did; words of ours alone
 */
public record DkimResult(
        AuthResult outcome,
        @Nullable String domain,
        @Nullable String selector,
        @Nullable String algorithm,
        String start,
        String reason) {}
