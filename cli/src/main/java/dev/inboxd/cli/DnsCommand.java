package dev.inboxd.cli;

import dev.inboxd.base.database.SchemaException;
import dev.inboxd.base.database.embedded.EmbeddedPostgresException;
import dev.inboxd.base.vault.Vault;
import dev.inboxd.config.SettingTable;
import dev.inboxd.server.InstallationException;
import dev.inboxd.tenant.domain.signing.ServiceZone;
import java.io.PrintWriter;
import java.util.List;
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

    private static int run(ParseResult given) {
        CommandLine commandLine = given.commandSpec().commandLine();
        boolean json = given.hasMatchedOption(JSON);
        try (OperatorContext access = OperatorContext.open(System.getenv(), SettingOptions.given(given))) {
            ServiceZone zone = access.zone();
            if (given.hasMatchedOption(CHECK)) {
                return report(commandLine.getOut(), zone.check(access.dns()), json);
            }
            CommandOutput.print(commandLine.getOut(), zone.text(), json);
            return CommandLine.ExitCode.OK;
        } catch (EmbeddedPostgresException | SchemaException | InstallationException | Vault.KeyException unusable) {
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
            finding.found().forEach(found -> out.println("         found:   " + found));
            out.println("         publish: " + entry.line());
        }
    }
}
