package dev.inboxd.payment.gate;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.PaidRequest;
import java.util.Locale;

/** Refuses keys where calls are paid for: nobody is to wonder who paid for whom (payments.md §3). */
final class OtherCredentials {
    private OtherCredentials() {}

    /**
     * Refuses a request that has a key, or another credential than a payment.
     *
     * @throws Problem {@code invalid_token_type}, {@code missing_authorization}
     */
    static void refuse(PaidRequest request) {
        String query = request.rawQuery();
        boolean inQuery = query != null && ("&" + query).contains("&api_key=");
        if (inQuery || !request.fields("X-Api-Key").isEmpty()) {
            throw key();
        }
        for (String authorization : request.fields("Authorization")) {
            String scheme = authorization.strip().split(" ", 2)[0].toLowerCase(Locale.ROOT);
            if (scheme.equals("bearer")) {
                throw key();
            }
            if (!scheme.equals("payment")) {
                throw Problem.of(
                        ErrorCode.MISSING_AUTHORIZATION,
                        "Calls are paid for here, and this scheme of Authorization pays nothing",
                        "Repeat the call without it: the answer says what the call costs and how it is paid.");
            }
        }
    }

    private static Problem key() {
        return Problem.of(
                ErrorCode.INVALID_TOKEN_TYPE,
                "Calls are paid for here, and made with no key",
                "Keys are used at the server's public URL.");
    }
}
