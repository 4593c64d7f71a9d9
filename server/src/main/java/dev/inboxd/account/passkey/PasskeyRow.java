package dev.inboxd.account.passkey;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A stored passkey with what a signature is checked by.
 *
 * @param credential its attested credential data (WebAuthn §6.5.1)
 * @param challengedAt when the challenge of the last sign-in was made; null: there was none
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record PasskeyRow(
        UUID id,
        String humanEmail,
        byte[] credential,
        State state,
        @Nullable Instant challengedAt) {
    /**
     * What an authenticator says of a credential with each signature.
     *
     * @param counter signatures that it counted; 0 where it counts none
     * @param isSynced whether the credential may be on several devices
     */
    record State(long counter, boolean isSynced) {}
}
