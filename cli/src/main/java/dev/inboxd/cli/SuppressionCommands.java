package dev.inboxd.cli;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.Timestamps;
import dev.inboxd.observe.audit.AuditAction;
import dev.inboxd.observe.audit.AuditLog;
import dev.inboxd.tenant.list.Suppressions;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** {@code inboxd suppression}: the addresses that delivery blocked. */
public final class SuppressionCommands {
    private static final String ORGANIZATION = "--organization";
    private static final String WHOSE = "The id of the organization; all when left out.";

    private SuppressionCommands() {}

    public static Subcommand suppression() {
        return OperatorCommands.command(
                "suppression",
                "Lists, removes and exports addresses that bounces, complaints and unsubscribing have blocked.",
                List.of(
                        OperatorCommand.of(
                                        "list",
                                        "Lists the blocked addresses, organization by organization.",
                                        (access, arguments) -> written(access, arguments, Form.LINES))
                                .option(ORGANIZATION, WHOSE),
                        OperatorCommand.of(
                                        "remove",
                                        "Lets an address be written to again. The audit log has an entry of it.",
                                        SuppressionCommands::remove)
                                .option(ORGANIZATION, WHOSE)
                                .argument("address", "The address."),
                        OperatorCommand.of(
                                        "export",
                                        "Prints the blocked addresses as CSV; with --json as an object a line.",
                                        (access, arguments) -> written(access, arguments, Form.CSV))
                                .option(ORGANIZATION, WHOSE)));
    }

    private enum Form {
        LINES,
        CSV
    }

    private static Object written(OperatorContext access, ParseResult arguments, Form form) {
        UUID organization = organization(access, arguments);
        PrintWriter out = arguments.commandSpec().commandLine().getOut();
        try (ProgressLine progress = ProgressLine.of(arguments)) {
            EntryWriter writer = new EntryWriter(out, progress, arguments.hasMatchedOption("--json"), form);
            writer.begin();
            new Suppressions(access.database).read(organization, writer);
            writer.end();
        }
        return CommandOutput.Remainder.NOTHING;
    }

    /** Writes entries as they are read, so that any number of them takes no memory. */
    private static final class EntryWriter implements Suppressions.Reader {
        private final PrintWriter out;
        private final ProgressLine progress;
        private final boolean asJson;
        private final Form form;
        private long organizations;
        private long count;

        EntryWriter(PrintWriter out, ProgressLine progress, boolean asJson, Form form) {
            this.out = out;
            this.progress = progress;
            this.asJson = asJson;
            this.form = form;
        }

        void begin() {
            if (form == Form.CSV && !asJson) {
                out.println("organization_id,address,reason,created_at");
            } else if (form == Form.LINES && asJson) {
                out.print("[");
            }
        }

        void end() {
            progress.clear();
            if (form == Form.LINES && asJson) {
                out.println("]");
            }
            out.flush();
        }

        @Override
        public void organization(UUID organization) {
            organizations++;
            progress.show(organizations + " organizations read, " + count + " addresses found");
        }

        @Override
        public void entries(List<Suppressions.Suppression> page) {
            progress.clear();
            for (Suppressions.Suppression entry : page) {
                write(entry);
                count++;
            }
            out.flush();
        }

        private void write(Suppressions.Suppression entry) {
            String since = Timestamps.format(entry.createdAt());
            if (form == Form.CSV) {
                out.println(
                        asJson
                                ? Json.text(entry.json())
                                : entry.organization() + "," + quoted(entry.address()) + "," + entry.reason() + ","
                                        + since);
            } else if (asJson) {
                out.print((count == 0 ? "" : ",\n") + Json.text(entry.json()));
            } else {
                out.println(
                        entry.organization() + "  " + since + "  " + padded(entry.reason()) + "  " + entry.address());
            }
        }

        private static String padded(String reason) {
            return reason + " ".repeat(Math.max(0, "unsubscribed".length() - reason.length()));
        }

        /** RFC 4180 §2: a field with quotes, commas or line ends is quoted. A program that opens it runs no formula. */
        private static String quoted(String address) {
            String text = "=+-@".indexOf(address.charAt(0)) >= 0 ? "'" + address : address;
            boolean plain = text.chars().noneMatch(c -> c == '"' || c == ',' || c == ' ');
            return plain ? text : "\"" + text.replace("\"", "\"\"") + "\"";
        }
    }

    private static Object remove(OperatorContext access, ParseResult arguments) {
        String written = OperatorCommand.argument(arguments);
        String address = Suppressions.key(written);
        if (address == null) {
            throw Problem.invalid("address", written + " is no address");
        }
        List<UUID> from = new ArrayList<>();
        try (ProgressLine progress = ProgressLine.of(arguments)) {
            long[] visited = {0};
            new Suppressions(access.database).forEach(organization(access, arguments), organization -> {
                progress.show(++visited[0] + " organizations looked at");
                if (remove(access, organization, address)) {
                    from.add(organization);
                }
            });
        }
        if (from.isEmpty()) {
            throw Problem.of(
                    ErrorCode.NOT_FOUND,
                    "Delivery has not blocked " + address,
                    "inboxd suppression list has the addresses that it has. Entries that clients made are theirs to"
                            + " delete.");
        }
        return JsonObject.of("address", address).with("removed", from.size()).with("organization_ids", from);
    }

    private static boolean remove(OperatorContext access, UUID organization, String address) {
        // Most organizations have no such entry, and nothing is written in them.
        return access.database
                        .read(tx -> Suppressions.find(tx, organization, address))
                        .isPresent()
                && access.database.write(
                        organization,
                        tx -> Suppressions.find(tx, organization, address)
                                .map(entry -> {
                                    Suppressions.delete(tx, entry);
                                    AuditLog.addOperator(tx, organization, AuditAction.SUPPRESSION_REMOVED, address);
                                    return true;
                                })
                                .orElse(false));
    }

    private static @Nullable UUID organization(OperatorContext access, ParseResult arguments) {
        String id = OperatorCommand.value(arguments, ORGANIZATION);
        return id == null ? null : OperatorCommands.organization(access, id).id();
    }
}
