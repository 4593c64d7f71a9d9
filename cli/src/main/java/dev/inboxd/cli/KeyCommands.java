package dev.inboxd.cli;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.View;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.page.PageRequest;
import dev.inboxd.observe.audit.AuditAction;
import dev.inboxd.observe.audit.AuditActor;
import dev.inboxd.observe.audit.AuditChange;
import dev.inboxd.observe.audit.AuditLog;
import dev.inboxd.tenant.apikey.ApiKey;
import dev.inboxd.tenant.apikey.ApiKeys;
import dev.inboxd.tenant.inbox.Inbox;
import dev.inboxd.tenant.inbox.InboxScopeResolver;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** {@code inboxd key}: the API keys of organizations. */
public final class KeyCommands {
    private static final String LISTS = "Lists the API keys of an organization, the newest first.";
    private static final int MAX_KEYS = 10_000;
    private static final Map<String, Permission> NAMED = Map.of(
            "--provider-connect",
            Permission.PROVIDER_CONNECT,
            "--message-release",
            Permission.MESSAGE_RELEASE,
            "--draft-approve",
            Permission.DRAFT_APPROVE,
            "--audit-read",
            Permission.AUDIT_READ);

    private KeyCommands() {}

    public static Subcommand key() {
        return OperatorCommands.command(
                "key",
                "Lists, creates and deletes API keys.",
                List.of(
                        OperatorCommand.of("list", LISTS, KeyCommands::listKeys)
                                .required("--organization", "The id of the organization."),
                        OperatorCommand.of(
                                        "create",
                                        "Creates an API key, which is shown only once.",
                                        KeyCommands::createKey)
                                .required("--organization", "The id of the organization.")
                                .option("--pod", "The id of the pod that the key is bound to.")
                                .option("--inbox", "The address of the inbox that the key is bound to.")
                                .option("--name", "A name for people.")
                                .option("--permissions", "Its permissions, with commas between; all when left out.")
                                .option("--days", "Number of days it is valid; without end when left out.")
                                .flag(
                                        "--provider-connect",
                                        "Adds the permission to sign in to apps, which no other option includes.")
                                .flag(
                                        "--message-release",
                                        "Adds the permission to release held mail, which no other option includes.")
                                .flag(
                                        "--draft-approve",
                                        "Adds the permission to approve mail, which no other option includes.")
                                .flag(
                                        "--audit-read",
                                        "Adds the permission to read the audit log, which no other option includes.")
                                .flag("--send-approval", "Lets nothing leave through the key without approval."),
                        OperatorCommand.of("delete", "Deletes an API key; it is refused at once.", KeyCommands::delete)
                                .required("--organization", "The id of the organization.")
                                .argument("key", "The id of the key.")));
    }

    private static UUID organization(OperatorContext access, ParseResult arguments) {
        return OperatorCommands.organization(access, OperatorCommands.required(arguments, "--organization"))
                .id();
    }

    private static List<JsonObject> listKeys(OperatorContext access, ParseResult arguments) {
        UUID organization = organization(access, arguments);
        return access
                .apiKeys
                .list(View.of(organization), null, new PageRequest(MAX_KEYS, false, null, _ -> ""))
                .items()
                .stream()
                .map(ApiKey::json)
                .toList();
    }

    private static JsonObject createKey(OperatorContext access, ParseResult arguments) {
        UUID organization = organization(access, arguments);
        ApiKey.Grant held = grant(OperatorCommand.value(arguments, "--permissions"), named(arguments));
        ApiKey.Grant grant =
                new ApiKey.Grant(held.permissions(), held.named(), arguments.hasMatchedOption("--send-approval"));
        String days = OperatorCommand.value(arguments, "--days");
        Instant expiresAt = days == null ? null : access.clock.instant().plus(Duration.ofDays(days(days)));
        ApiKey.Owner owner = owner(access, View.of(organization), arguments);
        return access.database.write(organization, tx -> {
            ApiKeys.IssuedKey issued = ApiKeys.issue(
                    tx,
                    organization,
                    new ApiKeys.KeySpec(OperatorCommand.value(arguments, "--name"), owner, grant, expiresAt, false),
                    tx.next().at());
            Map<String, Object> named = new TreeMap<>();
            grant.named().forEach(permission -> named.put(permission.wireName(), true));
            AuditLog.add(
                    tx,
                    organization,
                    AuditActor.OPERATOR,
                    new AuditChange(
                            AuditAction.API_KEY_CREATED,
                            issued.key().id().toString(),
                            named.isEmpty() ? Map.of() : Map.of("permissions", named)));
            return issued.key().json().with("api_key", issued.secret());
        });
    }

    private static JsonObject delete(OperatorContext access, ParseResult arguments) {
        UUID organization = organization(access, arguments);
        ApiKey key = access.apiKeys.delete(View.of(organization), OperatorCommand.argument(arguments));
        access.keep(organization, AuditAction.API_KEY_DELETED, key.id().toString());
        return JsonObject.of("deleted", OperatorCommand.argument(arguments));
    }

    /** The permissions that are given by name alone. */
    private static Set<Permission> named(ParseResult arguments) {
        Set<Permission> named = EnumSet.noneOf(Permission.class);
        NAMED.forEach((option, permission) -> {
            if (arguments.hasMatchedOption(option)) {
                named.add(permission);
            }
        });
        return named;
    }

    private static ApiKey.Grant grant(@Nullable String permissions, Set<Permission> named) {
        if (permissions == null) {
            return new ApiKey.Grant(null, named);
        }
        Set<Permission> flags = EnumSet.noneOf(Permission.class);
        for (String name : permissions.split(",", -1)) {
            Permission flag = Permission.ofWire(name.strip());
            if (flag == null) {
                throw Problem.invalid("permissions", "There is no permission " + name.strip());
            }
            flags.add(flag);
        }
        flags.addAll(named);
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

    private static ApiKey.Owner owner(OperatorContext access, View view, ParseResult arguments) {
        String pod = OperatorCommand.value(arguments, "--pod");
        String address = OperatorCommand.value(arguments, "--inbox");
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
}
