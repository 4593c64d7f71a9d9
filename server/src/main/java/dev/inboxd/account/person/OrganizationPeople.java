package dev.inboxd.account.person;

import dev.inboxd.account.signup.HumanAddresses;
import dev.inboxd.account.signup.SignUpLimits;
import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Role;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.observe.audit.AuditAction;
import dev.inboxd.observe.audit.AuditActor;
import dev.inboxd.observe.audit.AuditChange;
import dev.inboxd.observe.audit.AuditLog;
import dev.inboxd.observe.audit.AuditSource;
import dev.inboxd.queue.SystemMail;
import dev.inboxd.tenant.apikey.Revocations;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.OrganizationHumans;
import dev.inboxd.tenant.organization.Organizations;
import dev.inboxd.tenant.organization.Person;
import dev.inboxd.tenant.organization.PersonSql;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The people of organizations. Each change is decided under the organization's clock, so that two that come together
 * leave an owner and no more people than there may be.
 */
public final class OrganizationPeople {
    private static final int MOST = 20;
    private static final String ROLE = "role";

    private final Database database;
    private final SystemMail mail;
    private final SignUpLimits limits;
    private final Addresses addresses;

    /**
     * Which addresses people may have, and where they sign in.
     *
     * @param humans reads the addresses of those who are invited
     */
    public record Addresses(HumanAddresses humans, URI publicUrl) {}

    /** The people in a database. */
    public OrganizationPeople(Database database, SystemMail mail, SignUpLimits limits, Addresses addresses) {
        this.database = database;
        this.mail = mail;
        this.limits = limits;
        this.addresses = addresses;
    }

    /** The people of the caller's organization, the oldest first. */
    public List<Person> all(Caller caller) {
        return database.read(tx -> PersonSql.list(tx, caller.organization()));
    }

    /**
     * Invites a person, by a mail.
     *
     * @param given the address as it was typed
     * @throws Problem {@code validation_error} for an address that is none, or of somebody here or elsewhere,
     *     {@code limit_exceeded}, {@code rate_limit_exceeded}, {@code missing_permission} while nobody has verified the
     *     organization
     */
    public void invite(Caller caller, String given, Role role, AuditSource source) {
        caller.require(Role.OWN);
        UUID organization = caller.organization();
        String human = addresses.humans.outside(given);
        if (caller.unverified()) {
            throw Problem.of(
                    ErrorCode.MISSING_PERMISSION,
                    "Nobody is invited to an organization that is not verified",
                    "Verify it first: POST /v0/agent/verify with the code sent to the human.");
        }
        database.<@Nullable Void>read(tx -> {
            requireRoom(tx, organization, human);
            return null;
        });
        limits.inviting(organization, human);
        String by = inviter(caller);
        SystemMail.SignedMail letter = mail.seal(PersonInvitation.compose(human, role, by, addresses.publicUrl));
        database.<@Nullable Void>write(organization, tx -> {
            requireRoom(tx, organization, human);
            if (!OrganizationHumans.claim(tx, human, organization, role)) {
                throw belongsToAnother(human);
            }
            noted(tx, caller, source, new AuditChange(AuditAction.PERSON_INVITED, human, words(role)));
            named(tx, organization);
            mail.queue(tx, organization, letter);
            return null;
        });
    }

    private static void requireRoom(Tx tx, UUID organization, String human) {
        List<Person> people = PersonSql.list(tx, organization);
        if (people.stream().anyMatch(person -> person.humanEmail().equals(human))) {
            throw Problem.invalid("address", human + " is one of the people here already");
        }
        if (people.size() >= MOST) {
            throw Problem.limit(
                    "people",
                    MOST,
                    "An organization has at most " + MOST + " people",
                    "Remove somebody who needs it no more, and invite again.");
        }
        if (OrganizationHumans.organizationOf(tx, human).isPresent()) {
            throw belongsToAnother(human);
        }
    }

    private static Problem belongsToAnother(String human) {
        return Problem.invalid("address", human + " is behind another organization here, and can be behind one alone");
    }

    /** Who invites, in words. */
    private String inviter(Caller caller) {
        @Nullable
        String human = caller.credential() instanceof Caller.Credential.Session(UUID session, Role _)
                ? database.<@Nullable String>read(tx -> Organizations.humanOf(tx, caller.organization(), session))
                : null;
        return human == null ? "The operator" : human;
    }

    /**
     * Gives a person another role.
     *
     * @throws Problem {@code not_found}, {@code conflict} for the last owner
     */
    public void change(Caller caller, String human, Role role, AuditSource source) {
        caller.require(Role.OWN);
        UUID organization = caller.organization();
        database.<@Nullable Void>write(organization, tx -> {
            Person before = find(tx, organization, human);
            if (before.role() == role) {
                return null;
            }
            requireOwner(tx, organization, before);
            PersonSql.put(tx, organization, human, role);
            noted(tx, caller, source, new AuditChange(AuditAction.PERSON_UPDATED, human, words(role)));
            named(tx, organization);
            Revocations.publish(tx, organization);
            return null;
        });
    }

    /**
     * Removes a person, whose sessions end at once. Everybody may leave.
     *
     * @throws Problem {@code not_found}, {@code conflict} for the last owner
     */
    public void remove(Caller caller, String human, AuditSource source) {
        UUID organization = caller.organization();
        if (!human.equals(inviter(caller))) {
            caller.require(Role.OWN);
        }
        database.<@Nullable Void>write(organization, tx -> {
            Person before = find(tx, organization, human);
            requireOwner(tx, organization, before);
            noted(tx, caller, source, new AuditChange(AuditAction.PERSON_REMOVED, human, words(before.role())));
            OrganizationHumans.release(tx, human, organization);
            named(tx, organization);
            Revocations.publish(tx, organization);
            return null;
        });
    }

    private static Person find(Tx tx, UUID organization, String human) {
        return PersonSql.list(tx, organization).stream()
                .filter(person -> person.humanEmail().equals(human))
                .findFirst()
                .orElseThrow(() -> Problem.notFound("Person"));
    }

    /** An owner goes, or is lowered, only while another stays; one who has been here, if this one has. */
    private static void requireOwner(Tx tx, UUID organization, Person person) {
        Predicate<Person> stays = other -> other.role() == Role.OWN
                && !other.equals(person)
                && (person.seenAt() == null || other.seenAt() != null);
        if (person.role() == Role.OWN
                && PersonSql.list(tx, organization).stream().noneMatch(stays)) {
            throw Problem.of(
                    ErrorCode.CONFLICT,
                    "Nobody else who has signed in owns this organization",
                    "Give somebody who has signed in the role own first.");
        }
    }

    /** The human of the organization is its oldest owner. */
    private static void named(Tx tx, UUID organization) {
        Organization before = Organizations.find(tx, organization).orElseThrow();
        String owner = PersonSql.list(tx, organization).stream()
                .filter(person -> person.role() == Role.OWN)
                .findFirst()
                .map(Person::humanEmail)
                .orElse(null);
        if (owner != null && !owner.equals(before.humanEmail())) {
            Organizations.attach(tx, organization, owner, false, tx.next().at());
        }
    }

    private static void noted(Tx tx, Caller caller, AuditSource source, AuditChange change) {
        AuditLog.add(tx, caller.organization(), AuditActor.of(caller, source), change);
    }

    private static Map<String, Object> words(Role role) {
        return Map.of(ROLE, role.wireName());
    }
}
