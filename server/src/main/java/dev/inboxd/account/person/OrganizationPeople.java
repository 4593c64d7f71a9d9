package dev.inboxd.account.person;

import dev.inboxd.account.signup.HumanAddresses;
import dev.inboxd.account.signup.SignUpLimits;
import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Role;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.observe.audit.AuditActor;
import dev.inboxd.observe.audit.AuditSource;
import dev.inboxd.queue.SystemMail;
import dev.inboxd.tenant.apikey.SessionGrant;
import dev.inboxd.tenant.inbox.AddressDirectory;
import dev.inboxd.tenant.organization.OrganizationHumans;
import dev.inboxd.tenant.organization.Person;
import dev.inboxd.tenant.organization.PersonSql;
import java.net.URI;
import java.util.List;
import java.util.UUID;

/**
 * The people of organizations. Each change is decided under the organization's clock, so that two that come together
 * leave an owner and no more people than there may be; and by the role that the caller has then.
 */
public final class OrganizationPeople {
    private static final int MOST = 20;

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

    /** The people of the caller's organization, and who is invited, the oldest first. */
    public List<Person> all(Caller caller) {
        return database.read(tx -> PersonSql.list(tx, caller.organization()));
    }

    /** The keys that the people of the caller's organization made. */
    public List<MadeKey> keys(Caller caller) {
        return database.read(tx -> PersonKeys.ofPeople(tx, caller.organization()));
    }

    /**
     * Invites a person, by a mail. Whether the person is behind another organization, the mail alone says.
     *
     * @param address the address as it was typed
     * @throws Problem {@code validation_error} for an address that is none, of somebody here, or of this server,
     *     {@code limit_exceeded}, {@code rate_limit_exceeded}, {@code missing_permission} while nobody has verified the
     *     organization
     */
    public void invite(Caller caller, String address, Role role, AuditSource source) {
        caller.require(Role.OWN);
        UUID organization = caller.organization();
        String human = addresses.humans.outside(address);
        if (caller.unverified()) {
            throw Problem.of(
                    ErrorCode.MISSING_PERMISSION,
                    "You cannot invite people to an organization that is not verified",
                    "Verify it first: POST /v0/agent/verify with the code sent to the human.");
        }
        database.runReads(tx -> {
            requireRoom(tx, organization, human);
        });
        limits.inviting(organization, human);
        SystemMail.SignedMail letter =
                mail.seal(database.read(tx -> letter(tx, caller, human, role)).compose(addresses.publicUrl));
        database.run(organization, tx -> {
            PersonChanges changes = changes(tx, caller, source, Role.OWN);
            requireRoom(tx, organization, human);
            changes.invite(human, role);
            mail.queue(tx, organization, letter);
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
                    "Remove a person first, then invite again.");
        }
        if (AddressDirectory.isOurs(tx, human)) {
            throw Problem.invalid("address", human + " is no address of a person outside this service");
        }
    }

    private static PersonInvitation letter(Tx tx, Caller caller, String human, Role role) {
        return new PersonInvitation(
                human, role, grant(tx, caller).humanEmail(), OrganizationHumans.isSettled(tx, human));
    }

    /**
     * Gives a person another role.
     *
     * @throws Problem {@code not_found}, {@code conflict} for the last owner
     */
    public void change(Caller caller, String human, Role role, AuditSource source) {
        caller.require(Role.OWN);
        database.run(caller.organization(), tx -> {
            changes(tx, caller, source, Role.OWN).change(human, role);
        });
    }

    /**
     * Removes a person, whose sessions end at once. Everybody may leave.
     *
     * @throws Problem {@code not_found}, {@code conflict} for the last owner
     */
    public void remove(Caller caller, String human, AuditSource source) {
        database.run(caller.organization(), tx -> {
            boolean leaves = human.equals(grant(tx, caller).humanEmail());
            changes(tx, caller, source, leaves ? Role.READ : Role.OWN).remove(human);
        });
    }

    /** What the caller may do now, who may have been lowered since the request began. */
    private static PersonChanges changes(Tx tx, Caller caller, AuditSource source, Role needed) {
        SessionGrant grant = grant(tx, caller);
        grant.role().require(needed);
        return new PersonChanges(tx, caller.organization(), grant.humanEmail(), AuditActor.of(caller, source));
    }

    private static SessionGrant grant(Tx tx, Caller caller) {
        return caller.credential() instanceof Caller.Credential.Session(UUID session, Role _)
                ? SessionGrant.of(tx, caller.organization(), session)
                : new SessionGrant(null, caller.role(), caller.unverified());
    }
}
