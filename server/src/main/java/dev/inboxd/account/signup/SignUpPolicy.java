package dev.inboxd.account.signup;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Digests;
import java.security.MessageDigest;
import org.jspecify.annotations.Nullable;

/** The policy of a server about sign-ups (setting {@code INBOXD_SIGNUP}). */
public sealed interface SignUpPolicy {
    /** The header with a token. */
    String HEADER = "X-Signup-Token";

    /** Every caller may sign up. */
    record Open() implements SignUpPolicy {}

    /** Callers with the operator's token may sign up. */
    record ByToken(String token) implements SignUpPolicy {
        @Override
        public String toString() {
            return "ByToken[***]";
        }
    }

    /** No caller may sign up. */
    record Closed() implements SignUpPolicy {}

    /**
     * Refuses callers that may not sign up.
     *
     * @param token the value of the request's header {@value #HEADER}, or null
     * @throws Problem {@code limit_exceeded}
     */
    default void admit(@Nullable String token) {
        switch (this) {
            case Open() -> {}
            case ByToken(String expected) -> {
                // Digests are compared, so that not even the length affects the time.
                if (token == null || !MessageDigest.isEqual(Digests.sha256(expected), Digests.sha256(token))) {
                    throw Problem.of(
                            ErrorCode.LIMIT_EXCEEDED,
                            "Sign-up at this server needs a token",
                            "Send the token that the server's operator gave you in the header " + HEADER + ".");
                }
            }
            case Closed() ->
                throw Problem.of(
                        ErrorCode.LIMIT_EXCEEDED,
                        "Sign-up at this server is closed",
                        "Ask the server's operator for an API key.");
        }
    }
}
