package dev.inboxd.cli;

import dev.inboxd.base.job.MarkChanges;
import dev.inboxd.base.job.Marks;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.outbound.QueueInspection;
import java.util.List;
import java.util.function.Consumer;

/** {@code inboxd queue}: mail that waits, and the hold of everything that leaves. */
public final class QueueCommands {
    private QueueCommands() {}

    public static Subcommand queue() {
        return OperatorCommands.command(
                "queue",
                "Shows the delivery queue, retries queued mail now, and holds everything that leaves.",
                List.of(
                        OperatorCommand.of(
                                "list",
                                "Lists the destinations of queued mail, those with the most recipients first.",
                                (access, _) -> new QueueInspection(access.database).domains()),
                        OperatorCommand.of(
                                        "show",
                                        "Lists the queued recipients at a domain, the next due first.",
                                        (access, arguments) -> new QueueInspection(access.database)
                                                .recipients(OperatorCommand.argument(arguments)))
                                .argument("domain", "The part of the addresses after @."),
                        OperatorCommand.of(
                                        "retry",
                                        "Retries the queued mail for a domain now.",
                                        (access, arguments) -> JsonObject.of(
                                                        "domain", OperatorCommand.argument(arguments))
                                                .with(
                                                        "recipients",
                                                        new QueueInspection(access.database)
                                                                .retry(OperatorCommand.argument(arguments))))
                                .argument("domain", "The part of the addresses after @."),
                        mark(
                                "status",
                                "Tells whether mail, webhooks, scheduled drafts, and starts and ends are held.",
                                _ -> {}),
                        mark(
                                "hold",
                                "Holds mail, webhooks, scheduled drafts, and starts and ends of calendar events.",
                                marks -> marks.hold("hold")),
                        mark(
                                "resume",
                                "Lets leave what is held, after a hold, a restore or a move.",
                                MarkChanges::resume)));
    }

    /** A command that changes whether anything leaves, and tells it. */
    private static OperatorCommand mark(String name, String description, Consumer<MarkChanges> change) {
        return OperatorCommand.of(name, description, (access, _) -> {
            MarkChanges marks = new MarkChanges(access.database);
            change.accept(marks);
            return status(marks.marks());
        });
    }

    private static JsonObject status(Marks marks) {
        Marks.Hold hold = marks.hold();
        JsonObject status = JsonObject.of("held", marks.isHeld());
        if (hold != null) {
            status = status.with("since", hold.since()).with("reason", hold.reason());
        }
        return status.with("read_only_since", marks.readOnlyAt()).with("moved_to", marks.movedTo());
    }
}
