package dev.inboxd.account.passkey;

import com.webauthn4j.WebAuthnManager;
import com.webauthn4j.converter.AttestedCredentialDataConverter;
import com.webauthn4j.converter.util.ObjectConverter;
import com.webauthn4j.credential.CredentialRecordImpl;
import com.webauthn4j.data.AuthenticationData;
import com.webauthn4j.data.AuthenticationParameters;
import com.webauthn4j.data.PublicKeyCredentialParameters;
import com.webauthn4j.data.PublicKeyCredentialType;
import com.webauthn4j.data.RegistrationData;
import com.webauthn4j.data.RegistrationParameters;
import com.webauthn4j.data.attestation.authenticator.AttestedCredentialData;
import com.webauthn4j.data.attestation.authenticator.AuthenticatorData;
import com.webauthn4j.data.attestation.statement.COSEAlgorithmIdentifier;
import com.webauthn4j.data.attestation.statement.NoneAttestationStatement;
import com.webauthn4j.data.client.CollectedClientData;
import com.webauthn4j.data.client.Origin;
import com.webauthn4j.data.client.challenge.DefaultChallenge;
import com.webauthn4j.server.ServerProperty;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Uuid7;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Checks what browsers answer, by webauthn4j (WebAuthn §7.1, §7.2). Who the authenticator is, nobody asks. */
final class PasskeyVerifier {
    /** The longest answer that is read: a credential id has up to 1,023 octets, an RSA key some 300. */
    private static final int LONGEST = 16 * 1024;

    private static final int LONGEST_CREDENTIAL_ID = 1_023;

    private final PasskeySite site;
    private final PasskeyChallenges challenges;

    PasskeyVerifier(PasskeySite site, PasskeyChallenges challenges) {
        this.site = site;
        this.challenges = challenges;
    }

    /** The library, which nobody waits for at the start of the service. */
    private static final class Library {
        private static final ObjectConverter CONVERTER = new ObjectConverter();
        static final AttestedCredentialDataConverter CREDENTIALS = new AttestedCredentialDataConverter(CONVERTER);
        static final WebAuthnManager MANAGER = WebAuthnManager.createNonStrictWebAuthnManager(CONVERTER);
        static final List<PublicKeyCredentialParameters> ALGORITHMS = PasskeyOptions.ALGORITHMS.stream()
                .map(algorithm -> new PublicKeyCredentialParameters(
                        PublicKeyCredentialType.PUBLIC_KEY, COSEAlgorithmIdentifier.create(algorithm)))
                .toList();

        private Library() {}
    }

    /** An answer whose challenge is ours, and is not over. */
    record Assertion(AuthenticationData data, Instant challengedAt) {
        @SuppressWarnings("NullAway") // the library says that the octets may be null, and means the array
        byte[] credentialId() {
            byte[] id = data.getCredentialId();
            return id == null ? new byte[0] : id;
        }

        @SuppressWarnings("NullAway") // the same
        Optional<PasskeyOptions.Owner> owner() {
            byte[] handle = data.getUserHandle();
            return handle == null ? Optional.empty() : PasskeyOptions.Owner.of(handle);
        }
    }

    /**
     * A passkey that was made for a challenge.
     *
     * @throws Problem {@code validation_error}
     */
    NewPasskey registered(String answer, String purpose, String humanEmail) {
        return checked(() -> {
            RegistrationData data = Library.MANAGER.parseRegistrationResponseJSON(bounded(answer));
            CollectedClientData client = data.getCollectedClientData();
            challengedAt(purpose, client);
            Library.MANAGER.verify(data, new RegistrationParameters(server(client), Library.ALGORITHMS, true, true));
            AuthenticatorData<?> authenticator = Optional.ofNullable(data.getAttestationObject())
                    .orElseThrow(PasskeyVerifier::refused)
                    .getAuthenticatorData();
            AttestedCredentialData credential = Optional.ofNullable(authenticator.getAttestedCredentialData())
                    .orElseThrow(PasskeyVerifier::refused);
            if (credential.getCredentialId().length > LONGEST_CREDENTIAL_ID) {
                throw refused();
            }
            return new NewPasskey(
                    Uuid7.next(),
                    humanEmail,
                    credential.getCredentialId(),
                    Library.CREDENTIALS.convert(credential),
                    state(authenticator));
        });
    }

    /**
     * Reads an answer, which {@link #signed} checks once its credential is known.
     *
     * @throws Problem {@code validation_error}
     */
    Assertion read(String answer, String purpose) {
        return checked(() -> {
            AuthenticationData data = Library.MANAGER.parseAuthenticationResponseJSON(bounded(answer));
            return new Assertion(data, challengedAt(purpose, data.getCollectedClientData()));
        });
    }

    /**
     * What the authenticator says with its signature.
     *
     * @throws Problem {@code validation_error}, also where a copy of the credential has signed meanwhile
     */
    PasskeyRow.State signed(Assertion assertion, PasskeyRow stored) {
        return checked(() -> {
            AuthenticationData data = assertion.data;
            CredentialRecordImpl credential = new CredentialRecordImpl(
                    new NoneAttestationStatement(),
                    true,
                    stored.state().isSynced(),
                    null,
                    stored.state().counter(),
                    Library.CREDENTIALS.convert(stored.credential()),
                    null,
                    null,
                    null,
                    null);
            Library.MANAGER.verify(
                    data,
                    new AuthenticationParameters(server(data.getCollectedClientData()), credential, null, true, true));
            return state(Optional.ofNullable(data.getAuthenticatorData()).orElseThrow(PasskeyVerifier::refused));
        });
    }

    private ServerProperty server(@Nullable CollectedClientData client) {
        byte[] challenge = Optional.ofNullable(client)
                .map(clientData -> clientData.getChallenge().getValue())
                .orElseThrow(PasskeyVerifier::refused);
        return ServerProperty.builder()
                .origin(new Origin(site.origin()))
                .rpId(site.host())
                .challenge(new DefaultChallenge(challenge))
                .build();
    }

    private Instant challengedAt(String purpose, @Nullable CollectedClientData client) {
        return Optional.ofNullable(client)
                .flatMap(clientData ->
                        challenges.madeAt(purpose, clientData.getChallenge().getValue()))
                .orElseThrow(() -> Problem.invalid("answer", "This page was open for too long. Try again"));
    }

    private static PasskeyRow.State state(AuthenticatorData<?> authenticator) {
        return new PasskeyRow.State(authenticator.getSignCount(), authenticator.isFlagBE());
    }

    private static String bounded(String answer) {
        if (answer.isEmpty() || answer.length() > LONGEST) {
            throw refused();
        }
        return answer;
    }

    /** What the library throws at answers that nobody's browser sends are many things. */
    private static <T> T checked(Supplier<T> check) {
        try {
            return check.get();
        } catch (Problem refused) {
            throw refused;
        } catch (RuntimeException wrong) {
            throw refused();
        }
    }

    static Problem refused() {
        return Problem.invalid("answer", "This passkey is unknown. Sign in with a code by email");
    }
}
