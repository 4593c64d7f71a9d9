package dev.inboxd.cli;

import dev.inboxd.account.person.PersonChanges;
import dev.inboxd.account.signup.HumanAddresses;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.tenant.inbox.AddressDirectory;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.Person;
import dev.inboxd.tenant.organization.PersonSql;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** The operator's commands about the people of an organization. */
final class OperatorPeople {
    private OperatorPeople() {}

    static List<JsonObject> list(OperatorContext access, ParseResult given) {
        UUID organization = organization(access, given).id();
        return access.database.read(tx -> PersonSql.list(tx, organization)).stream()
                .map(OperatorPeople::json)
                .toList();
    }

    private static JsonObject json(Person person) {
        return JsonObject.of("human_email", person.humanEmail())
                .with("role", person.role().wireName())
                .with("invited", person.isInvited())
                .with("since", person.since())
                .with("seen_at", person.seenAt());
    }

    static JsonObject remove(OperatorContext access, ParseResult given) {
        UUID organization = organization(access, given).id();
        String human = HumanAddresses.normal(OperatorCommand.argument(given, 1));
        access.database.<@Nullable Void>write(organization, tx -> {
            PersonChanges.ofOperator(tx, organization).remove(human);
            return null;
        });
        return JsonObject.of("organization_id", organization).with("removed", human);
    }

    /** Names an organization's human; an unverified agent names its own. */
    static JsonObject attachHuman(OperatorContext access, ParseResult given) {
        Organization before = organization(access, given);
        String human = HumanAddresses.normal(OperatorCommand.argument(given, 1));
        if (before.type() == Organization.Type.AGENT_UNVERIFIED || before.type() == Organization.Type.OPERATOR) {
            throw Problem.invalid(
                    "organization",
                    "An organization of type " + before.type().wireName() + " gets its human by sign-up");
        }
        access.database.<@Nullable Void>write(before.id(), tx -> {
            requireOutside(tx, human);
            PersonChanges.ofOperator(tx, before.id()).replaceHuman(human);
            return null;
        });
        return JsonObject.of("organization_id", before.id()).with("human_email", human);
    }

    /** Refuses an address whose mail comes to this server: an agent could read the codes. */
    static void requireOutside(Tx tx, String human) {
        if (AddressDirectory.isOurs(tx, human)) {
            throw Problem.invalid("human", human + " is an address of this server, and no person's");
        }
    }

    private static Organization organization(OperatorContext access, ParseResult given) {
        return OperatorCommands.organization(access, OperatorCommand.argument(given));
    }
}
