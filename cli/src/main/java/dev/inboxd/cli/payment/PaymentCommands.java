package dev.inboxd.cli.payment;

import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.json.Timestamps;
import dev.inboxd.cli.CommandOutput;
import dev.inboxd.cli.OperatorCommand;
import dev.inboxd.cli.OperatorCommands;
import dev.inboxd.cli.OperatorContext;
import dev.inboxd.cli.Subcommand;
import dev.inboxd.payment.operator.OperatorPayments;
import dev.inboxd.payment.operator.PaymentFilter;
import java.io.Console;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ParseResult;

/** {@code inboxd payment}: lists what was paid, and ends what nobody knows the outcome of. */
public final class PaymentCommands {
    private static final String ORGANIZATION = "--organization";
    private static final String STATUS = "--status";
    private static final String SINCE = "--since";
    private static final String CSV = "--csv";
    private static final String PAID = "--paid";
    private static final String REFUSED = "--refused";
    private static final String TRANSACTION = "--transaction";
    private static final String YES = "--yes";

    private PaymentCommands() {}

    /** The command. */
    public static Subcommand payment() {
        return OperatorCommands.command(
                "payment",
                "Lists what callers without a key paid, and says how a payment ended of which nobody knows it.",
                List.of(
                        OperatorCommand.of("list", "Lists the payments, the newest first.", PaymentCommands::list)
                                .option(ORGANIZATION, "The id of an organization, for its payments alone.")
                                .option(STATUS, "Only those that are pending, settled, refused or owed.")
                                .option(SINCE, "Only those that began then or later: a time of RFC 3339 or a date.")
                                .flag(CSV, "Prints CSV."),
                        OperatorCommand.of(
                                        "show",
                                        "Shows a payment.",
                                        (access, arguments) ->
                                                payments(access).show(OperatorCommand.argument(arguments)))
                                .argument("payment", "Its id."),
                        OperatorCommand.of(
                                        "resolve",
                                        "Says how a payment ended whose outcome nobody knows; the service then carries"
                                                + " out its call, or takes it back. The audit log has an entry of it.",
                                        PaymentCommands::resolve)
                                .flag(PAID, "It was paid: its call is carried out.")
                                .flag(REFUSED, "It was not paid, and cannot be any more: its call is taken back.")
                                .option(TRANSACTION, "What the settlement is called on its network.")
                                .flag(YES, "Does not ask.")
                                .argument("payment", "Its id.")));
    }

    private static OperatorPayments payments(OperatorContext access) {
        return new OperatorPayments(access.database());
    }

    private static Object list(OperatorContext access, ParseResult arguments) {
        String organization = OperatorCommand.value(arguments, ORGANIZATION);
        UUID organizationId = organization == null ? null : OperatorCommands.organizationId(organization);
        PaymentFilter filter =
                new PaymentFilter(organizationId, status(OperatorCommand.value(arguments, STATUS)), since(arguments));
        PaymentList lines =
                new PaymentList(arguments.commandSpec().commandLine().getOut(), form(arguments));
        lines.begin();
        payments(access).forEachPage(filter, lines::add);
        lines.end();
        return CommandOutput.Remainder.NOTHING;
    }

    private static PaymentList.Form form(ParseResult arguments) {
        return arguments.hasMatchedOption(CSV)
                ? PaymentList.Form.CSV
                : arguments.hasMatchedOption("--json") ? PaymentList.Form.JSON : PaymentList.Form.LINES;
    }

    private static @Nullable String status(@Nullable String word) {
        if (word != null && !PaymentFilter.STATUSES.contains(word)) {
            throw Problem.invalid("status", "--status must be pending, settled, refused or owed, and not " + word);
        }
        return word;
    }

    private static @Nullable Instant since(ParseResult arguments) {
        String text = OperatorCommand.value(arguments, SINCE);
        if (text == null) {
            return null;
        }
        return Optional.ofNullable(Timestamps.parse(text.length() == 10 ? text + "T00:00:00Z" : text))
                .orElseThrow(() -> Problem.invalid(
                        "since", "--since must be a time such as 2026-11-01T00:00:00Z, or a date, and not " + text));
    }

    private static Object resolve(OperatorContext access, ParseResult arguments) {
        boolean isPaid = arguments.hasMatchedOption(PAID);
        if (isPaid == arguments.hasMatchedOption(REFUSED)) {
            throw Problem.invalid("outcome", "Give one of --paid and --refused");
        }
        String id = OperatorCommand.argument(arguments);
        if (!arguments.hasMatchedOption(YES)) {
            ask("Payment " + id
                    + (isPaid ? " was paid, and its call is carried out" : " was not paid, and never will be"));
        }
        return payments(access).resolve(id, isPaid, OperatorCommand.value(arguments, TRANSACTION));
    }

    /** Asks once, as nothing of it can be taken back. */
    private static void ask(String what) {
        Console console = Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .orElseThrow(() -> Problem.of(
                        ErrorCode.CONFLICT, "Nobody is there to be asked", "Add --yes when it is so: " + what + "."));
        String answer = console.readLine("%s. Is that so? [y/N] ", what);
        if (answer == null || !answer.strip().equalsIgnoreCase("y")) {
            throw Problem.of(ErrorCode.CONFLICT, "Nothing was changed");
        }
    }
}
