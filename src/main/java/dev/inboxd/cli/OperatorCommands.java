package dev.inboxd.cli;

import dev.inboxd.account.signup.HumanAddresses;
import dev.inboxd.config.Settings;
import dev.inboxd.outbound.QueueInspection;
import dev.inboxd.platform.access.Permission;
import dev.inboxd.platform.database.SchemaException;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.database.embedded.EmbeddedPostgresException;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.id.Uuid7;
import dev.inboxd.platform.json.JsonObject;
import dev.inboxd.platform.page.PageRequest;
import dev.inboxd.tenant.apikey.ApiKey;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.tenant.domain.Domains;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.InboxScopeResolver;
import dev.inboxd.tenant.inbox.Inboxes;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.OrganizationHumans;
import dev.inboxd.tenant.organization.Organizations;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** The operator's commands beside the API: {@code inboxd org}, {@code key}, {@code domain} and {@code queue}. */
public final class OperatorCommands {
    private static final int MAX_KEYS = 10_000;

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
                        OperatorCommand.of(
                                        "create",
                                        "Creates an organization with its first API key, which is shown only once.",
                                        OperatorCommands::createOrganization)
                                .option("--human", "The address of the human who may sign in to it."),
                        OperatorCommand.of(
                                        "human",
                                        "Sets the human who may sign in to an organization.",
                                        OperatorCommands::attachHuman)
                                .argument("organization", "Its id.")
                                .argument("email", "The human's address.")));
    }

    public static Subcommand key() {
        return command(
                "key",
                "Lists, creates and deletes API keys.",
                List.of(
                        OperatorCommand.of(
                                        "list",
                                        "Lists the API keys of an organization, the newest first.",
                                        OperatorCommands::listKeys)
                                .required("--organization", "The id of the organization."),
                        OperatorCommand.of(
                                        "create",
                                        "Creates an API key, which is shown only once.",
                                        OperatorCommands::createKey)
                                .required("--organization", "The id of the organization.")
                                .option("--pod", "The id of the pod that the key is bound to.")
                                .option("--inbox", "The address of the inbox that the key is bound to.")
                                .option("--name", "A name for people.")
                                .option("--permissions", "Its permissions, with commas between; all when left out.")
                                .option("--days", "Number of days it is valid; without end when left out.")
                                .flag(
                                        "--provider-connect",
                                        "Adds the permission to sign in to apps, which no other option includes."),
                        OperatorCommand.of("delete", "Deletes an API key; it is refused at once.", (access, given) -> {
                                    UUID organization = organization(access, required(given, "--organization"))
                                            .id();
                                    access.apiKeys.delete(View.of(organization), OperatorCommand.argument(given));
                                    return JsonObject.of("deleted", OperatorCommand.argument(given));
                                })
                                .required("--organization", "The id of the organization.")
                                .argument("key", "The id of the key.")));
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
                                (access, organization, name) -> access.domains.create(organization, name)),
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
                                    return JsonObject.of("deleted", name);
                                })));
    }

    public static Subcommand queue() {
        return command(
                "queue",
                "Shows the delivery queue, and retries queued mail now.",
                List.of(
                        OperatorCommand.of(
                                "list",
                                "Lists the destinations of queued mail, those with the most recipients first.",
                                (access, _) -> new QueueInspection(access.database).domains()),
                        OperatorCommand.of(
                                        "show",
                                        "Lists the queued recipients at a domain, the next due first.",
                                        (access, given) -> new QueueInspection(access.database)
                                                .recipients(OperatorCommand.argument(given)))
                                .argument("domain", "The part of the addresses after @."),
                        OperatorCommand.of(
                                        "retry",
                                        "Retries the queued mail for a domain now.",
                                        (access, given) -> JsonObject.of("domain", OperatorCommand.argument(given))
                                                .with(
                                                        "recipients",
                                                        new QueueInspection(access.database)
                                                                .retry(OperatorCommand.argument(given))))
                                .argument("domain", "The part of the addresses after @.")));
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

    private static Subcommand command(String name, String description, List<OperatorCommand> verbs) {
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
        try (OperatorContext access =
                OperatorContext.open(Settings.read(System.getenv(), SettingOptions.given(wanted)))) {
            CommandOutput.print(
                    commandLine.getOut(), verb.action().apply(access, wanted), wanted.hasMatchedOption("--json"));
            return CommandLine.ExitCode.OK;
        } catch (Problem problem) {
            err.println("inboxd " + given.commandSpec().name() + " " + verb.name() + ": " + problem.message());
            if (problem.fix() != null && problem.faults().isEmpty()) { // else it names members of a body
                err.println(problem.fix());
            }
        } catch (EmbeddedPostgresException | SchemaException unusable) {
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

    /** Names an organization's human; an unverified agent names its own. */
    private static JsonObject attachHuman(OperatorContext access, ParseResult given) {
        UUID organization =
                organization(access, OperatorCommand.argument(given)).id();
        String human = HumanAddresses.normal(OperatorCommand.argument(given, 1));
        return access.database.write(organization, tx -> {
            Organization before =
                    Organizations.find(tx, organization).orElseThrow(() -> Problem.notFound("Organization"));
            if (before.type() != Organization.Type.CONSOLE && before.type() != Organization.Type.AGENT_VERIFIED) {
                throw Problem.invalid(
                        "organization",
                        "An organization of type " + before.type().wireName() + " gets its human by sign-up");
            }
            String former = before.humanEmail();
            if (!human.equals(former)) {
                claim(tx, human, organization);
                if (former != null) {
                    OrganizationHumans.release(tx, former);
                }
                Organizations.attach(tx, organization, human, false, tx.next().at());
            }
            return JsonObject.of("organization_id", organization).with("human_email", human);
        });
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
                .with("created_at", organization.createdAt()));
    }

    private static List<JsonObject> listKeys(OperatorContext access, ParseResult given) {
        UUID organization =
                organization(access, required(given, "--organization")).id();
        return access
                .apiKeys
                .list(View.of(organization), null, new PageRequest(MAX_KEYS, false, null, _ -> ""))
                .items()
                .stream()
                .map(ApiKey::json)
                .toList();
    }

    private static JsonObject createKey(OperatorContext access, ParseResult given) {
        UUID organization =
                organization(access, required(given, "--organization")).id();
        ApiKey.Grant grant =
                grant(OperatorCommand.value(given, "--permissions"), given.hasMatchedOption("--provider-connect"));
        String days = OperatorCommand.value(given, "--days");
        Instant expiresAt = days == null ? null : access.clock.instant().plus(Duration.ofDays(days(days)));
        ApiKey.Owner owner = owner(access, View.of(organization), given);
        return access.database.write(organization, tx -> {
            ApiKeys.IssuedKey issued = ApiKeys.issue(
                    tx,
                    organization,
                    new ApiKeys.KeySpec(OperatorCommand.value(given, "--name"), owner, grant, expiresAt, false),
                    tx.next().at());
            return issued.key().json().with("api_key", issued.secret());
        });
    }

    private static ApiKey.Grant grant(@Nullable String permissions, boolean providerConnect) {
        if (permissions == null) {
            return providerConnect ? ApiKey.Grant.ROOT : ApiKey.Grant.UNRESTRICTED;
        }
        Set<Permission> flags = EnumSet.noneOf(Permission.class);
        for (String name : permissions.split(",", -1)) {
            Permission flag = Permission.ofWire(name.strip());
            if (flag == null) {
                throw Problem.invalid("permissions", "There is no permission " + name.strip());
            }
            flags.add(flag);
        }
        if (providerConnect) {
            flags.add(Permission.PROVIDER_CONNECT);
        }
        return ApiKey.Grant.of(flags);
    }

    private static long days(String text) {
        try {
            long days = Long.parseLong(text);
            if (days >= 1 && days <= 3_652) {
                return days;
            }
        } catch (NumberFormatException noNumber) {
            // refused below
        }
        throw Problem.invalid("days", "--days must be a number from 1 to 3652");
    }

    private static ApiKey.Owner owner(OperatorContext access, View view, ParseResult given) {
        String pod = OperatorCommand.value(given, "--pod");
        String address = OperatorCommand.value(given, "--inbox");
        if (pod != null && address != null) {
            throw Problem.invalid("pod", "A key is bound to a pod or to an inbox: give --pod or --inbox");
        }
        if (address != null) {
            Inbox inbox = access.database
                    .read(tx -> InboxScopeResolver.find(tx, view, address))
                    .orElseThrow(() -> Problem.notFound("Inbox"));
            return new ApiKey.Owner(inbox.pod(), inbox.id(), inbox.address());
        }
        return pod == null
                ? ApiKey.Owner.ORGANIZATION
                : new ApiKey.Owner(
                        access.database
                                .read(tx -> InboxScopeResolver.findPod(tx, view, pod))
                                .orElseThrow(() -> Problem.notFound("Pod")),
                        null,
                        null);
    }

    private static Organization organization(OperatorContext access, String text) {
        UUID id = id("organization", text);
        return access.database
                .read(tx -> Organizations.find(tx, id))
                .orElseThrow(() -> Problem.notFound("Organization"));
    }

    private static UUID id(String what, String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException malformed) {
            throw Problem.invalid(what, "The id of the " + what + " is not a UUID: " + text);
        }
    }

    private static String required(ParseResult given, String option) {
        return String.valueOf(OperatorCommand.value(given, option));
    }
}
