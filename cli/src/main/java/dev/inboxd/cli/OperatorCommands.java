package dev.inboxd.cli;

import dev.inboxd.account.person.PersonChanges;
import dev.inboxd.account.signup.HumanAddresses;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.OperatorException;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.observe.audit.AuditAction;
import dev.inboxd.observe.audit.AuditLog;
import dev.inboxd.tenant.apikey.ApiKey;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.tenant.domain.Domains;
import dev.inboxd.tenant.inbox.AddressDirectory;
import dev.inboxd.tenant.inbox.Inboxes;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.OrganizationHumans;
import dev.inboxd.tenant.organization.Organizations;
import dev.inboxd.tenant.organization.Person;
import dev.inboxd.tenant.organization.PersonSql;
import dev.inboxd.tenant.organization.SecurityMode;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.BiFunction;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** The operator's commands beside the API: {@code inboxd org}, {@code key} and {@code domain}. */
public final class OperatorCommands {
    private OperatorCommands() {}

    public static Subcommand org() {
        return command(
                "org",
                "Lists and creates organizations.",
                List.of(
                        OperatorCommand.of(
                                "list",
                                "Lists the organizations, the newest first.",
                                (access, _) -> access.organizations.all().stream()
                                        .map(organization -> json(access, organization))
                                        .toList()),
                        OperatorCommand.of(
                                        "show",
                                        "Shows an organization.",
                                        (access, arguments) ->
                                                json(access, organization(access, OperatorCommand.argument(arguments))))
                                .argument("organization", "Its id."),
                        OperatorCommand.of("set", "Changes an organization.", OperatorCommands::setOrganization)
                                .required(
                                        "--message-security",
                                        "What it does about mail that may steer an agent: off, monitor or hold.")
                                .argument("organization", "Its id."),
                        OperatorCommand.of(
                                        "create",
                                        "Creates an organization with its first API key, which is shown only once.",
                                        OperatorCommands::createOrganization)
                                .option("--human", "The address of the human who may sign in to it."),
                        people(
                                "human",
                                "Sets the human who may sign in to an organization.",
                                OperatorCommands::attachHuman),
                        OperatorCommand.of(
                                        "people",
                                        "Lists the people of an organization and what each may do.",
                                        OperatorCommands::list)
                                .argument("organization", "Its id."),
                        people("remove", "Removes somebody from an organization.", OperatorCommands::remove)));
    }

    private static OperatorCommand people(
            String name, String description, BiFunction<OperatorContext, ParseResult, Object> action) {
        return OperatorCommand.of(name, description, action)
                .argument("organization", "Its id.")
                .argument("email", "The human's address.");
    }

    /** A command with verbs below it, which work on the database. */
    public static Subcommand command(String name, String description, List<OperatorCommand> verbs) {
        return Subcommand.of(name, description, arguments -> run(verbs, arguments))
                .withCommands(verbs);
    }

    private static int run(List<OperatorCommand> verbs, ParseResult arguments) {
        CommandLine commandLine = arguments.commandSpec().commandLine();
        if (!arguments.hasSubcommand()) {
            commandLine.usage(commandLine.getErr());
            return CommandLine.ExitCode.USAGE;
        }
        ParseResult verbArguments = arguments.subcommand();
        OperatorCommand verb = verbs.stream()
                .filter(candidate ->
                        candidate.name().equals(verbArguments.commandSpec().name()))
                .findFirst()
                .orElseThrow();
        PrintWriter err = commandLine.getErr();
        try (OperatorContext access = OperatorContext.open(System.getenv(), SettingOptions.values(verbArguments))) {
            CommandOutput.print(
                    commandLine.getOut(),
                    verb.action().apply(access, verbArguments),
                    verbArguments.hasMatchedOption("--json"));
            return CommandLine.ExitCode.OK;
        } catch (Problem problem) {
            err.println("inboxd " + arguments.commandSpec().name() + " " + verb.name() + ": " + problem.message());
            if (problem.fix() != null && problem.faults().isEmpty()) { // else it names members of a body
                err.println(problem.fix());
            }
        } catch (OperatorException unusable) {
            err.println("inboxd " + arguments.commandSpec().name() + " " + verb.name() + ": " + unusable.getMessage());
        }
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static JsonObject createOrganization(OperatorContext access, ParseResult arguments) {
        Instant now = access.clock.instant();
        String text = OperatorCommand.value(arguments, "--human");
        String human = text == null ? null : HumanAddresses.normal(text);
        return access.database.writeGlobal(tx -> {
            UUID organization = Uuid7.next();
            if (human != null) {
                requireOutside(tx, human);
                claim(tx, human, organization);
            }
            Organizations.NewOrganization founded =
                    access.organizations.create(tx, organization, Organization.Type.CONSOLE, human);
            String secret = ApiKeys.issue(
                            tx,
                            organization,
                            new ApiKeys.KeySpec("First key", ApiKey.Owner.ORGANIZATION, ApiKey.Grant.ROOT, null, false),
                            now)
                    .secret();
            return JsonObject.of("organization_id", organization)
                    .with("pod_id", founded.pod())
                    .with("api_key", secret);
        });
    }

    private static JsonObject setOrganization(OperatorContext access, ParseResult arguments) {
        UUID organization =
                organization(access, OperatorCommand.argument(arguments)).id();
        String modeName = required(arguments, "--message-security");
        SecurityMode mode = Arrays.stream(SecurityMode.values())
                .filter(candidate -> candidate.wireName().equals(modeName))
                .findFirst()
                .orElseThrow(() -> Problem.invalid(
                        "message_security", "--message-security must be off, monitor or hold, and not " + modeName));
        access.database.run(organization, tx -> {
            Organizations.setMessageSecurity(tx, organization, mode, tx.next().at());
            AuditLog.addOperator(tx, organization, AuditAction.ORGANIZATION_UPDATED, null);
        });
        return json(access, organization(access, organization.toString()));
    }

    private static List<JsonObject> list(OperatorContext access, ParseResult arguments) {
        UUID organization =
                organization(access, OperatorCommand.argument(arguments)).id();
        return access.database.read(tx -> PersonSql.list(tx, organization)).stream()
                .map(OperatorCommands::json)
                .toList();
    }

    private static JsonObject json(Person person) {
        return JsonObject.of("human_email", person.humanEmail())
                .with("role", person.role().wireName())
                .with("invited", person.isInvited())
                .with("since", person.since())
                .with("seen_at", person.seenAt());
    }

    private static JsonObject remove(OperatorContext access, ParseResult arguments) {
        UUID organization =
                organization(access, OperatorCommand.argument(arguments)).id();
        String human = HumanAddresses.normal(OperatorCommand.argument(arguments, 1));
        access.database.run(organization, tx -> {
            PersonChanges.ofOperator(tx, organization).remove(human);
        });
        return JsonObject.of("organization_id", organization).with("removed", human);
    }

    /** Names an organization's human; an unverified agent names its own. */
    private static JsonObject attachHuman(OperatorContext access, ParseResult arguments) {
        Organization before = organization(access, OperatorCommand.argument(arguments));
        String human = HumanAddresses.normal(OperatorCommand.argument(arguments, 1));
        if (before.type() == Organization.Type.AGENT_UNVERIFIED || before.type() == Organization.Type.OPERATOR) {
            throw Problem.invalid(
                    "organization",
                    "An organization of type " + before.type().wireName() + " gets its human by sign-up");
        }
        access.database.run(before.id(), tx -> {
            requireOutside(tx, human);
            PersonChanges.ofOperator(tx, before.id()).replaceHuman(human);
        });
        return JsonObject.of("organization_id", before.id()).with("human_email", human);
    }

    /** Refuses an address whose mail comes to this server: an agent could read the codes. */
    private static void requireOutside(Tx tx, String human) {
        if (AddressDirectory.isOurs(tx, human)) {
            throw Problem.invalid("human", human + " is an address of this server, and no person's");
        }
    }

    private static void claim(Tx tx, String human, UUID organization) {
        if (!OrganizationHumans.claim(tx, human, organization)) {
            throw Problem.invalid("human", human + " is the human of another organization");
        }
    }

    private static JsonObject json(OperatorContext access, Organization organization) {
        View view = View.of(organization.id());
        return access.database.read(tx -> JsonObject.of("organization_id", organization.id())
                .with("type", organization.type().wireName())
                .with("human_email", organization.humanEmail())
                .with("inbox_count", Inboxes.count(tx, view))
                .with("domain_count", Domains.count(tx, view))
                .with(
                        "message_security",
                        Objects.requireNonNullElse(organization.messageSecurity(), access.messageSecurity)
                                .wireName())
                .with("created_at", organization.createdAt()));
    }

    static Organization organization(OperatorContext access, String text) {
        UUID id = id("organization", text);
        return access.database
                .read(tx -> Organizations.find(tx, id))
                .orElseThrow(() -> Problem.notFound("Organization"));
    }

    /**
     * The id of an organization, which may be gone.
     *
     * @throws Problem {@code validation_error} when it is none
     */
    public static UUID organizationId(String text) {
        return id("organization", text);
    }

    private static UUID id(String what, String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException malformed) {
            throw Problem.invalid(what, "The id of the " + what + " is not a UUID: " + text);
        }
    }

    static String required(ParseResult arguments, String option) {
        return String.valueOf(OperatorCommand.value(arguments, option));
    }
}
