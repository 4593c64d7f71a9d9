package dev.inboxd.cli;

import dev.inboxd.account.signup.Humans;
import dev.inboxd.config.Settings;
import dev.inboxd.outbound.Backlog;
import dev.inboxd.platform.access.Permission;
import dev.inboxd.platform.database.SchemaException;
import dev.inboxd.platform.database.Tx;
import dev.inboxd.platform.database.View;
import dev.inboxd.platform.database.embedded.EmbeddedPostgresException;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.id.Uuid7;
import dev.inboxd.platform.json.JsonObject;
import dev.inboxd.platform.page.Page;
import dev.inboxd.tenant.apikey.ApiKey;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.tenant.domain.Domains;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.InboxPaths;
import dev.inboxd.tenant.inbox.Inboxes;
import dev.inboxd.tenant.organization.Organization;
import dev.inboxd.tenant.organization.Organizations;
import dev.inboxd.tenant.organization.People;
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

/** {@code inboxd org}, {@code inboxd key}, {@code inboxd domain} and {@code inboxd queue}: what an operator does beside the interface. */
public final class OperatorCommands {
    private static final int MOST_KEYS = 10_000;

    private OperatorCommands() {}

    public static Command org() {
        return command(
                "org",
                "Lists and makes organizations.",
                List.of(
                        Verb.of(
                                "list",
                                "Lists the organizations, the youngest first.",
                                (access, _) -> access.organizations.all().stream()
                                        .map(organization -> json(access, organization))
                                        .toList()),
                        Verb.of(
                                        "show",
                                        "Shows an organization.",
                                        (access, given) -> json(access, organization(access, Verb.argument(given))))
                                .argument("organization", "Its id."),
                        Verb.of(
                                        "create",
                                        "Makes an organization with its first API key, which is shown this once.",
                                        OperatorCommands::createOrganization)
                                .option("--human", "The address of who stands behind it and may sign in to it."),
                        Verb.of(
                                        "human",
                                        "Puts a human behind an organization, who may sign in to it; whoever did before may not.",
                                        OperatorCommands::attachHuman)
                                .argument("organization", "Its id.")
                                .argument("email", "The human's address.")));
    }

    public static Command key() {
        return command(
                "key",
                "Lists, makes and deletes API keys.",
                List.of(
                        Verb.of(
                                        "list",
                                        "Lists the API keys of an organization, the youngest first.",
                                        OperatorCommands::listKeys)
                                .required("--organization", "The id of the organization."),
                        Verb.of("create", "Makes an API key, which is shown this once.", OperatorCommands::createKey)
                                .required("--organization", "The id of the organization.")
                                .option("--pod", "The id of the pod that the key is bound to.")
                                .option("--inbox", "The address of the inbox that the key is bound to.")
                                .option("--name", "A name for people.")
                                .option(
                                        "--permissions",
                                        "The only permissions it holds, with commas between; all without this.")
                                .option("--days", "How many days it is valid; for ever without this.")
                                .flag("--provider-connect", "Lets it sign in to apps, which no other option includes."),
                        Verb.of("delete", "Deletes an API key, which stops at once.", (access, given) -> {
                                    UUID organization = organization(access, required(given, "--organization"))
                                            .id();
                                    access.apiKeys.delete(View.of(organization), Verb.argument(given));
                                    return JsonObject.of("deleted", Verb.argument(given));
                                })
                                .required("--organization", "The id of the organization.")
                                .argument("key", "The id of the key.")));
    }

    public static Command domain() {
        return command(
                "domain",
                "Lists, makes and checks domains of organizations' own.",
                List.of(
                        Verb.of("list", "Lists every domain.", (access, _) -> access.domains.all()),
                        onDomain(
                                "create",
                                "Registers a domain and shows the records it needs.",
                                (access, organization, name) -> access.domains.create(organization, name)),
                        onDomain(
                                "show",
                                "Shows a domain and what the last check found of its records.",
                                (access, organization, name) -> access.domains.show(organization, name)),
                        onDomain(
                                "verify",
                                "Checks a domain now and shows what was found.",
                                (access, organization, name) -> access.domains.verify(organization, name)),
                        onDomain(
                                "zone",
                                "Prints the records of a domain as lines of a zone file.",
                                (access, organization, name) -> access.domains.zoneFile(organization, name)),
                        onDomain(
                                "delete",
                                "Gives a domain up: no mail comes or goes there any more.",
                                (access, organization, name) -> {
                                    access.domains.delete(organization, name);
                                    return JsonObject.of("deleted", name);
                                })));
    }

    public static Command queue() {
        return command(
                "queue",
                "Shows mail that waits to leave, and lets it be tried now.",
                List.of(
                        Verb.of(
                                "list",
                                "Lists the domains that mail waits for, those with the most of it first.",
                                (access, _) -> new Backlog(access.database).domains()),
                        Verb.of(
                                        "show",
                                        "Lists the recipients at a domain that mail waits for, the next ones first.",
                                        (access, given) ->
                                                new Backlog(access.database).recipients(Verb.argument(given)))
                                .argument("domain", "The part of the addresses behind @."),
                        Verb.of(
                                        "retry",
                                        "Lets what waits for a domain be tried now.",
                                        (access, given) -> JsonObject.of("domain", Verb.argument(given))
                                                .with(
                                                        "recipients",
                                                        new Backlog(access.database).retry(Verb.argument(given))))
                                .argument("domain", "The part of the addresses behind @.")));
    }

    /** What is done with one domain. */
    @FunctionalInterface
    private interface DomainAction {
        Object on(OperatorAccess access, UUID organization, String name);
    }

    private static Verb onDomain(String name, String description, DomainAction action) {
        return Verb.of(
                        name,
                        description,
                        (access, given) -> action.on(
                                access,
                                organization(access, required(given, "--organization"))
                                        .id(),
                                Verb.argument(given)))
                .required("--organization", "The id of the organization.")
                .argument("domain", "Its name.");
    }

    private static Command command(String name, String description, List<Verb> verbs) {
        return Command.of(name, description, given -> run(verbs, given)).withCommands(verbs);
    }

    private static int run(List<Verb> verbs, ParseResult given) {
        CommandLine commandLine = given.commandSpec().commandLine();
        if (!given.hasSubcommand()) {
            commandLine.usage(commandLine.getErr());
            return CommandLine.ExitCode.USAGE;
        }
        ParseResult wanted = given.subcommand();
        Verb verb = verbs.stream()
                .filter(one -> one.name().equals(wanted.commandSpec().name()))
                .findFirst()
                .orElseThrow();
        PrintWriter err = commandLine.getErr();
        try (OperatorAccess access = OperatorAccess.open(Settings.read(System.getenv(), SettingFlags.given(wanted)))) {
            Shown.print(commandLine.getOut(), verb.action().apply(access, wanted), wanted.hasMatchedOption("--json"));
            return CommandLine.ExitCode.OK;
        } catch (Problem problem) {
            err.println("inboxd " + given.commandSpec().name() + " " + verb.name() + ": " + problem.message());
            if (problem.fix() != null && problem.faults().isEmpty()) { // that remedy speaks of members
                err.println(problem.fix());
            }
        } catch (EmbeddedPostgresException | SchemaException unusable) {
            err.println("inboxd " + given.commandSpec().name() + " " + verb.name() + ": " + unusable.getMessage());
        }
        return CommandLine.ExitCode.SOFTWARE;
    }

    private static JsonObject createOrganization(OperatorAccess access, ParseResult given) {
        Instant now = Instant.now();
        String text = Verb.value(given, "--human");
        String human = text == null ? null : Humans.normal(text);
        return access.database.writeGlobal(tx -> {
            UUID organization = Uuid7.next();
            if (human != null) {
                claim(tx, human, organization);
            }
            Organizations.Founded founded =
                    access.organizations.found(tx, organization, Organization.Type.CONSOLE, human);
            String secret = ApiKeys.issue(
                            tx,
                            organization,
                            new ApiKeys.Order("First key", ApiKey.Owner.ORGANIZATION, ApiKey.Grant.ROOT, null, false),
                            now)
                    .secret();
            return JsonObject.of("organization_id", organization)
                    .with("pod_id", founded.pod())
                    .with("api_key", secret);
        });
    }

    /** An agent that nobody has verified names its human itself, who gets a code for it. */
    private static JsonObject attachHuman(OperatorAccess access, ParseResult given) {
        UUID organization = organization(access, Verb.argument(given)).id();
        String human = Humans.normal(Verb.argument(given, 1));
        return access.database.write(organization, tx -> {
            Organization before =
                    Organizations.find(tx, organization).orElseThrow(() -> Problem.notFound("Organization"));
            if (before.type() != Organization.Type.CONSOLE && before.type() != Organization.Type.AGENT_VERIFIED) {
                throw Problem.invalid(
                        "organization",
                        "An organization of type " + before.type().wire() + " is given no human by command");
            }
            String former = before.humanEmail();
            if (!human.equals(former)) {
                claim(tx, human, organization);
                if (former != null) {
                    People.release(tx, former);
                }
                Organizations.attach(tx, organization, human, false, tx.next().at());
            }
            return JsonObject.of("organization_id", organization).with("human_email", human);
        });
    }

    private static void claim(Tx tx, String human, UUID organization) {
        if (!People.claim(tx, human, organization)) {
            throw Problem.invalid("human", human + " stands behind another organization already");
        }
    }

    private static JsonObject json(OperatorAccess access, Organization organization) {
        View view = View.of(organization.id());
        return access.database.read(tx -> JsonObject.of("organization_id", organization.id())
                .with("type", organization.type().wire())
                .with("human_email", organization.humanEmail())
                .with("inbox_count", Inboxes.count(tx, view))
                .with("domain_count", Domains.count(tx, view))
                .with("created_at", organization.createdAt()));
    }

    private static List<JsonObject> listKeys(OperatorAccess access, ParseResult given) {
        UUID organization =
                organization(access, required(given, "--organization")).id();
        return access
                .apiKeys
                .list(View.of(organization), null, new Page(MOST_KEYS, false, null, _ -> ""))
                .items()
                .stream()
                .map(ApiKey::json)
                .toList();
    }

    private static JsonObject createKey(OperatorAccess access, ParseResult given) {
        UUID organization =
                organization(access, required(given, "--organization")).id();
        ApiKey.Grant grant = grant(Verb.value(given, "--permissions"), given.hasMatchedOption("--provider-connect"));
        String days = Verb.value(given, "--days");
        Instant expiresAt = days == null ? null : Instant.now().plus(Duration.ofDays(days(days)));
        ApiKey.Owner owner = owner(access, View.of(organization), given);
        return access.database.write(organization, tx -> {
            ApiKeys.Issued issued = ApiKeys.issue(
                    tx,
                    organization,
                    new ApiKeys.Order(Verb.value(given, "--name"), owner, grant, expiresAt, false),
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
            // told below
        }
        throw Problem.invalid("days", "--days must be a number from 1 to 3652");
    }

    private static ApiKey.Owner owner(OperatorAccess access, View view, ParseResult given) {
        String pod = Verb.value(given, "--pod");
        String address = Verb.value(given, "--inbox");
        if (pod != null && address != null) {
            throw Problem.invalid("pod", "A key is bound to a pod or to an inbox: give --pod or --inbox");
        }
        if (address != null) {
            Inbox inbox = access.database
                    .read(tx -> InboxPaths.find(tx, view, address))
                    .orElseThrow(() -> Problem.notFound("Inbox"));
            return new ApiKey.Owner(inbox.pod(), inbox.id(), inbox.address());
        }
        return pod == null
                ? ApiKey.Owner.ORGANIZATION
                : new ApiKey.Owner(
                        access.database
                                .read(tx -> InboxPaths.findPod(tx, view, pod))
                                .orElseThrow(() -> Problem.notFound("Pod")),
                        null,
                        null);
    }

    private static Organization organization(OperatorAccess access, String text) {
        UUID id = id("organization", text);
        return access.database
                .read(tx -> Organizations.find(tx, id))
                .orElseThrow(() -> Problem.notFound("Organization"));
    }

    private static UUID id(String what, String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException malformed) {
            throw Problem.invalid(what, "The id of the " + what + " is not in the form of one: " + text);
        }
    }

    private static String required(ParseResult given, String option) {
        return String.valueOf(Verb.value(given, option));
    }
}
