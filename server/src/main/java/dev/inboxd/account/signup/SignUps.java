package dev.inboxd.account.signup;

import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.queue.SystemMail;
import dev.inboxd.tenant.apikey.ApiKey;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.tenant.inbox.AddressDirectory;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.Inboxes;
import dev.inboxd.tenant.inbox.Usernames;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.OrganizationHumans;
import dev.inboxd.tenant.organization.Organizations;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Creates organizations for agents, and issues a new key to an agent whose human has not verified it yet. */
public final class SignUps {
    private final Parts parts;
    private final String domain;
    private final InstantSource clock;

    /** Called by the transaction that replaces an unverified organization's key, for other features. */
    @FunctionalInterface
    public interface KeyRotationHook {
        /** Removes what the previous holder of the key has set up. */
        void rotated(Tx tx, UUID organization);
    }

    /** The services that sign-up needs. */
    public record Parts(
            Database database,
            Organizations organizations,
            SystemMail mail,
            Vault vault,
            KeyRotationHook rotation,
            SignUpLimits limits) {}

    /**
     * Signs agents up.
     *
     * @param domain the domain of their inboxes
     */
    public SignUps(Parts parts, String domain, InstantSource clock) {
        this.parts = parts;
        this.domain = domain;
        this.clock = clock;
    }

    /**
     * The result of a sign-up.
     *
     * @param apiKey the whole key, shown once
     */
    record SignUpResult(UUID organization, String inbox, String apiKey) {
        @Override
        public String toString() {
            return "SignUpResult[" + organization + ", ***]";
        }
    }

    /**
     * Signs an agent up. When the human has an unverified agent already, its organization gets a new key, and the old
     * key is revoked (identity.md §6.1, "Repeat").
     *
     * @throws Problem {@code resource_taken} for the username, {@code validation_error} for a human who has verified an
     *     agent, {@code rate_limit_exceeded} for too much mail to the human
     */
    SignUpResult signUp(SignUp signUp) {
        String human = signUp.humanEmail();
        if (human == null) {
            return parts.database.writeGlobal(tx -> create(tx, Uuid7.next(), signUp, null));
        }
        SignUpResult result = null;
        while (result == null) {
            // Null when another sign-up of the human, or the human's removal, has changed the rows meanwhile.
            Optional<UUID> organization = organizationOf(human);
            result = organization.isPresent() ? renew(organization.get(), human, signUp) : claim(human, signUp);
        }
        return result;
    }

    private @Nullable SignUpResult claim(String human, SignUp signUp) {
        UUID organization = Uuid7.next();
        if (!isTaken(signUp)) { // else no mail is sent
            parts.limits.writing(human);
        }
        Confirmation confirmation =
                confirmation(organization, new CodeRequest(human, signUp.remoteAddress()), address(signUp));
        return parts.database.<@Nullable SignUpResult>writeGlobal(
                tx -> OrganizationHumans.claim(tx, human, organization)
                        ? create(tx, organization, signUp, confirmation)
                        : null);
    }

    private boolean isTaken(SignUp signUp) {
        return Usernames.isReserved(signUp.username())
                || parts.database.read(tx -> AddressDirectory.isOpen(tx, address(signUp)));
    }

    private Optional<UUID> organizationOf(String human) {
        return parts.database.read(tx -> OrganizationHumans.organizationOf(tx, human));
    }

    private Confirmation confirmation(UUID organization, CodeRequest request, String inbox) {
        OneTimeCode code = OneTimeCode.make(parts.vault, OneTimeCode.Purpose.VERIFICATION, organization);
        return new Confirmation(code, parts.mail.seal(SignUpMail.code(request, inbox, code)));
    }

    private SignUpResult create(Tx tx, UUID organization, SignUp signUp, @Nullable Confirmation confirmation) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        Organizations.NewOrganization founded =
                parts.organizations.create(tx, organization, Organization.Type.AGENT_UNVERIFIED, signUp.humanEmail());
        Inbox inbox = open(tx, organization, founded.pod(), signUp, now);
        if (confirmation != null) {
            confirmation.send(tx, parts.mail, organization, now);
        }
        return new SignUpResult(organization, inbox.address(), issue(tx, organization, now));
    }

    /** Everything is decided under the organization's clock row, so parallel sign-ups and verifications do not mix. */
    private @Nullable SignUpResult renew(UUID organization, String human, SignUp signUp) {
        String address = parts.database
                .read(tx -> Inboxes.oldest(tx, organization))
                .map(Inbox::address)
                .orElseGet(() -> address(signUp));
        boolean live = parts.database.read(tx -> {
            requireUnverified(tx, organization);
            return OneTimeCodeSql.isLive(tx, organization);
        });
        if (!live) {
            parts.limits.writing(human);
        }
        boolean notified = live && parts.limits.mayWriteTo(human);
        Confirmation confirmation = confirmation(organization, new CodeRequest(human, signUp.remoteAddress()), address);
        SystemMail.SignedMail notice = parts.mail.seal(SignUpMail.rotation(human));
        return parts.database.<@Nullable SignUpResult>write(organization, tx -> {
            if (!OrganizationHumans.organizationOf(tx, human).equals(Optional.of(organization))
                    || OneTimeCodeSql.isLive(tx, organization) != live) {
                return null;
            }
            requireUnverified(tx, organization);
            Instant now = tx.next().at();
            ApiKeys.revokeSignUpKeys(tx, organization);
            Organizations.hideEarlierMail(tx, organization, now);
            parts.rotation.rotated(tx, organization);
            if (notified) {
                parts.mail.queue(tx, organization, notice);
            } else if (!live) {
                confirmation.send(tx, parts.mail, organization, now);
            }
            Inbox inbox = Inboxes.oldest(tx, organization)
                    .orElseGet(() -> open(tx, organization, Organizations.defaultPod(tx, organization), signUp, now));
            return new SignUpResult(organization, inbox.address(), issue(tx, organization, now));
        });
    }

    private static void requireUnverified(Tx tx, UUID organization) {
        if (!Organizations.find(tx, organization)
                .map(Organization::isUnverified)
                .orElse(false)) {
            throw Problem.invalid("human_email", "human_email already has an account; use its API key");
        }
    }

    private Inbox open(Tx tx, UUID organization, UUID pod, SignUp signUp, Instant now) {
        if (Usernames.isReserved(signUp.username())) {
            throw Inboxes.reserved(tx, address(signUp));
        }
        return Inboxes.open(tx, organization, pod, address(signUp), now);
    }

    private static String issue(Tx tx, UUID organization, Instant now) {
        ApiKeys.KeySpec spec =
                new ApiKeys.KeySpec("Sign-up key", ApiKey.Owner.ORGANIZATION, ApiKey.Grant.ROOT, null, true);
        return ApiKeys.issue(tx, organization, spec, now).secret();
    }

    private String address(SignUp signUp) {
        return signUp.username() + "@" + domain;
    }
}
