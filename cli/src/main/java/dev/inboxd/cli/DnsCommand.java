package dev.inboxd.cli;

import dev.inboxd.base.error.OperatorException;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.config.SettingTable;
import dev.inboxd.observe.audit.AuditAction;
import dev.inboxd.tenant.domain.signing.ServiceZone;
import java.io.PrintWriter;
import java.util.List;
import java.util.UUID;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code inboxd dns}: the records of the service's own domain, and whether they are published. */
public final class DnsCommand {
    private static final String CHECK = "--check";
    private static final String JSON = "--json";

    private DnsCommand() {}

    public static Subcommand dns() {
        Subcommand command = Subcommand.of(
                "dns", "Prints the DNS records of the service's own domain, or compares them.", DnsCommand::run);
        command.spec()
                .addOption(OptionSpec.builder(CHECK)
                        .arity("0")
                        .type(boolean.class)
                        .description("Compares them with what DNS answers; status 1 when one is not as it should be.")
                        .build())
                .addOption(OptionSpec.builder(JSON)
                        .arity("0")
                        .type(boolean.class)
                        .description("Prints JSON instead of lines for people.")
                        .build());
        SettingOptions.add(
                command.spec(), List.of(SettingTable.DATA_DIR, SettingTable.DATABASE_URL, SettingTable.DNS_SERVERS));
        return command;
    }

    private static int run(ParseResult arguments) {
        CommandLine commandLine = arguments.commandSpec().commandLine();
        boolean json = arguments.hasMatchedOption(JSON);
        try (OperatorContext access = OperatorContext.open(System.getenv(), SettingOptions.values(arguments))) {
            ServiceZone zone = access.zone();
            if (arguments.hasMatchedOption(CHECK)) {
                return report(commandLine.getOut(), zone.check(access.dns()), json);
            }
            CommandOutput.print(commandLine.getOut(), zone.text(), json);
            return CommandLine.ExitCode.OK;
        } catch (OperatorException unusable) {
            commandLine.getErr().println("inboxd dns: " + unusable.getMessage());
            return CommandLine.ExitCode.SOFTWARE;
        }
    }

    private static int report(PrintWriter out, List<ServiceZone.Finding> findings, boolean json) {
        if (json) {
            CommandOutput.print(
                    out, findings.stream().map(ServiceZone.Finding::json).toList(), true);
        } else {
            findings.forEach(finding -> print(out, finding));
        }
        out.flush();
        return findings.stream().allMatch(ServiceZone.Finding::isValid)
                ? CommandLine.ExitCode.OK
                : CommandLine.ExitCode.SOFTWARE;
    }

    private static void print(PrintWriter out, ServiceZone.Finding finding) {
        ServiceZone.Entry entry = finding.entry();
        out.printf("%-8s %s of %s%n", finding.status(), entry.type(), entry.name());
        if (!finding.isValid()) {
            finding.answers().forEach(published -> out.println("         found:   " + published));
            out.println("         publish: " + entry.line());
        }
    }

    /** {@code inboxd domain}: the domains of organizations. */
    public static Subcommand domain() {
        return OperatorCommands.command(
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
                        (access, arguments) -> action.on(
                                access,
                                OperatorCommands.organization(
                                                access, OperatorCommands.required(arguments, "--organization"))
                                        .id(),
                                OperatorCommand.argument(arguments)))
                .required("--organization", "The id of the organization.")
                .argument("domain", "Its name.");
    }
}
