package dev.inboxd.account.passkey;

import java.util.UUID;

/**
 * A passkey that a browser has made.
 *
 * @param credentialId the id that its authenticator chose
 * @param credential its attested credential data (WebAuthn §6.5.1)
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record NewPasskey(UUID id, String humanEmail, byte[] credentialId, byte[] credential, PasskeyRow.State state) {}
