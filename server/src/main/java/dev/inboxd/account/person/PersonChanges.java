package dev.inboxd.account.person;

import dev.inboxd.base.access.Role;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.observe.audit.AuditAction;
import dev.inboxd.observe.audit.AuditActor;
import dev.inboxd.observe.audit.AuditChange;
import dev.inboxd.observe.audit.AuditLog;
import dev.inboxd.tenant.apikey.Revocations;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.OrganizationHumans;
import dev.inboxd.tenant.organization.Organizations;
import dev.inboxd.tenant.organization.Person;
import dev.inboxd.tenant.organization.PersonSql;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Changes of the people of an organization, each in the caller's transaction under the organization's clock.
 *
 * @param caller the address of who asks for it; null for the operator
 * @param actor the same for the audit log
 */
public record PersonChanges(
        Tx tx, UUID organization, @Nullable String caller, AuditActor actor) {
    private static final String ROLE = "role";

    /** Those of the operator, by a command. */
    public static PersonChanges ofOperator(Tx tx, UUID organization) {
        return new PersonChanges(tx, organization, null, AuditActor.OPERATOR);
    }

    /** Gives a person another role. A right that is lowered ends with the sessions that had it. */
    void change(String human, Role role) {
        Person before = find(human);
        if (before.role() == role) {
            return;
        }
        noted(AuditAction.PERSON_UPDATED, human, role);
        if (before.isInvited()) {
            PersonSql.reinvite(tx, organization, human, role);
            return;
        }
        requireOwner(before);
        PersonSql.put(tx, organization, human, role);
        if (!role.covers(before.role())) {
            PersonKeys.revokeOfPrograms(tx, organization, human);
            PersonSql.signOut(tx, organization, human);
        }
        name();
        Revocations.publish(tx, organization);
    }

    /**
     * Removes a person, with the sessions and the keys of programs that the person let in, or takes an invitation back.
     *
     * @throws Problem {@code not_found}, {@code conflict} for the last owner
     */
    public void remove(String human) {
        Person before = find(human);
        requireOwner(before);
        noted(AuditAction.PERSON_REMOVED, human, before.role());
        release(human);
        name();
    }

    /**
     * Names the human of the organization, who owns it, in the place of the one before, who goes.
     *
     * @throws Problem {@code validation_error} for somebody who is behind another organization
     */
    public void replaceHuman(String human) {
        Organization before = Organizations.find(tx, organization).orElseThrow();
        String former = before.humanEmail();
        if (human.equals(former)) {
            return;
        }
        if (OrganizationHumans.organizationOf(tx, human).equals(Optional.of(organization))) {
            PersonSql.put(tx, organization, human, Role.OWN);
        } else if (!OrganizationHumans.claim(tx, human, organization)) {
            throw Problem.invalid("human", human + " is the human of another organization");
        }
        if (former != null) {
            release(former);
        }
        attach(human);
    }

    private void release(String human) {
        PersonKeys.revokeOfPrograms(tx, organization, human);
        OrganizationHumans.release(tx, human, organization);
        Revocations.publish(tx, organization);
    }

    private Person find(String human) {
        return people().stream()
                .filter(person -> person.humanEmail().equals(human))
                .findFirst()
                .orElseThrow(() -> Problem.notFound("Person"));
    }

    private List<Person> people() {
        return PersonSql.list(tx, organization);
    }

    /** An owner goes, or is lowered, only while another stays who has been here. */
    private void requireOwner(Person person) {
        if (person.role() == Role.OWN
                && !person.isInvited()
                && owners().stream().allMatch(owner -> owner.humanEmail().equals(person.humanEmail()))) {
            throw Problem.of(
                    ErrorCode.CONFLICT,
                    "This organization has no other owner who has signed in",
                    "Give another person who has signed in the role own first.");
        }
    }

    /** Those who own it and have been here, the oldest first. */
    private List<Person> owners() {
        return people().stream()
                .filter(person -> person.role() == Role.OWN && !person.isInvited())
                .filter(person -> person.seenAt() != null || person.humanEmail().equals(caller))
                .toList();
    }

    /** The human of the organization stays as long as that person owns it; then it is the oldest owner. */
    private void name() {
        String named = Organizations.find(tx, organization).orElseThrow().humanEmail();
        boolean stays = people().stream()
                .anyMatch(person -> person.role() == Role.OWN
                        && !person.isInvited()
                        && person.humanEmail().equals(named));
        List<Person> owners = owners();
        if (!stays && !owners.isEmpty()) {
            attach(owners.getFirst().humanEmail());
        }
    }

    private void attach(String human) {
        Organizations.attach(tx, organization, human, false, tx.next().at());
        AuditLog.add(tx, organization, actor, AuditChange.of(AuditAction.ORGANIZATION_HUMAN_CHANGED, human));
    }

    private void noted(AuditAction action, String human, Role role) {
        AuditLog.add(tx, organization, actor, new AuditChange(action, human, Map.of(ROLE, role.wireName())));
    }

    /** Invites somebody; the mail is the caller's to send. */
    void invite(String human, Role role) {
        noted(AuditAction.PERSON_INVITED, human, role);
        PersonSql.invite(tx, organization, human, role);
    }
}
