package dev.inboxd.cli;

import dev.inboxd.account.signup.HumanAddresses;
import dev.inboxd.base.database.ConnectionFailure;
import dev.inboxd.base.database.SchemaException;
import dev.inboxd.base.database.Tx;
import dev.inboxd.base.database.View;
import dev.inboxd.base.database.embedded.EmbeddedPostgresException;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.id.Uuid7;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.observe.audit.AuditAction;
import dev.inboxd.observe.audit.AuditLog;
import dev.inboxd.server.InstallationException;
import dev.inboxd.tenant.apikey.ApiKey;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.tenant.domain.Domains;
import dev.inboxd.tenant.inbox.Inboxes;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.OrganizationHumans;
import dev.inboxd.tenant.organization.Organizations;
import dev.inboxd.tenant.organization.SecurityMode;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
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
                                        (access, given) ->
                                                json(access, organization(access, OperatorCommand.argument(given))))
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
                        OperatorCommand.of(
                                        "human",
                                        "Sets the human who may sign in to an organization.",
                                        OperatorPeople::attachHuman)
                                .argument("organization", "Its id.")
                                .argument("email", "The human's address."),
                        OperatorCommand.of(
                                        "people",
                                        "Lists the people of an organization and what each may do.",
                                        OperatorPeople::list)
                                .argument("organization", "Its id."),
                        OperatorCommand.of(
                                        "remove",
                                        "Removes somebody from the people of an organization.",
                                        OperatorPeople::remove)
                                .argument("organization", "Its id.")
                                .argument("email", "The person's address.")));
    }

    public static Subcommand domain() {
        return command(
                "domain",
                "Lists, registers and checks the domains of organizations.",
                List.of(
                        OperatorCommand.of("list", "Lists every domain.", (access, _) -> access.domains.all()),
                        onDomain(
                                "create",
                                "Registers a domain and shows the records it needs.",
                                (access, organization, name) -> {
                                    JsonObject domain = access.domains.create(organization, name);
                                    access.keep(organization, AuditAction.DOMAIN_CREATED, name);
                                    return domain;
                                }),
                        onDomain(
                                "show",
                                "Shows a domain and the results of the last check of its records.",
                                (access, organization, name) -> access.domains.show(organization, name)),
                        onDomain(
                                "verify",
                                "Checks a domain now and shows the results.",
                                (access, organization, name) -> access.domains.verify(organization, name)),
                        onDomain(
                                "zone",
                                "Prints the records of a domain as lines of a zone file.",
                                (access, organization, name) -> access.domains.zoneFile(organization, name)),
                        onDomain(
                                "delete",
                                "Deletes a domain: it receives and sends no more mail.",
                                (access, organization, name) -> {
                                    access.domains.delete(organization, name);
                                    access.keep(organization, AuditAction.DOMAIN_DELETED, name);
                                    return JsonObject.of("deleted", name);
                                })));
    }

    /** An action on one domain. */
    @FunctionalInterface
    private interface DomainAction {
        Object on(OperatorContext access, UUID organization, String name);
    }

    private static OperatorCommand onDomain(String name, String description, DomainAction action) {
        return OperatorCommand.of(
                        name,
                        description,
                        (access, given) -> action.on(
                                access,
                                organization(access, required(given, "--organization"))
                                        .id(),
                                OperatorCommand.argument(given)))
                .required("--organization", "The id of the organization.")
                .argument("domain", "Its name.");
    }

    /** A command with verbs below it, which work on the database. */
    public static Subcommand command(String name, String description, List<OperatorCommand> verbs) {
        return Subcommand.of(name, description, given -> run(verbs, given)).withCommands(verbs);
    }

    private static int run(List<OperatorCommand> verbs, ParseResult given) {
        CommandLine commandLine = given.commandSpec().commandLine();
        if (!given.hasSubcommand()) {
            commandLine.usage(commandLine.getErr());
            return CommandLine.ExitCode.USAGE;
        }
        ParseResult wanted = given.subcommand();
        OperatorCommand verb = verbs.stream()
                .filter(one -> one.name().equals(wanted.commandSpec().name()))
                .findFirst()
                .orElseThrow();
        PrintWriter err = commandLine.getErr();
        try (OperatorContext access = OperatorContext.open(System.getenv(), SettingOptions.given(wanted))) {
            CommandOutput.print(
                    commandLine.getOut(), verb.action().apply(access, wanted), wanted.hasMatchedOption("--json"));
            return CommandLine.ExitCode.OK;
        } catch (Problem problem) {
            err.println("inboxd " + given.commandSpec().name() + " " + verb.name() + ": " + problem.message());
            if (problem.fix() != null && problem.faults().isEmpty()) { // else it names members of a body
                err.println(problem.fix());
            }
        } catch (EmbeddedPostgresException
                | SchemaException
                | ConnectionFailure
                | InstallationException
                | Vault.KeyException unusable) {
            err.println("inboxd " + given.commandSpec().name() + " " + verb.name() + ": " + unusable.getMessage());
        }
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static JsonObject createOrganization(OperatorContext access, ParseResult given) {
        Instant now = access.clock.instant();
        String text = OperatorCommand.value(given, "--human");
        String human = text == null ? null : HumanAddresses.normal(text);
        return access.database.writeGlobal(tx -> {
            UUID organization = Uuid7.next();
            if (human != null) {
                OperatorPeople.requireOutside(tx, human);
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

    private static JsonObject setOrganization(OperatorContext access, ParseResult given) {
        UUID organization =
                organization(access, OperatorCommand.argument(given)).id();
        String wanted = required(given, "--message-security");
        SecurityMode mode = Arrays.stream(SecurityMode.values())
                .filter(each -> each.wireName().equals(wanted))
                .findFirst()
                .orElseThrow(() -> Problem.invalid(
                        "message_security", "--message-security must be off, monitor or hold, and not " + wanted));
        access.database.<@Nullable Void>write(organization, tx -> {
            Organizations.setMessageSecurity(tx, organization, mode, tx.next().at());
            AuditLog.addOperator(tx, organization, AuditAction.ORGANIZATION_UPDATED, null);
            return null;
        });
        return json(access, organization(access, organization.toString()));
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

    static String required(ParseResult given, String option) {
        return String.valueOf(OperatorCommand.value(given, option));
    }
}
