package dev.inboxd.cli.mail;

import dev.inboxd.base.json.JsonTree;
import picocli.CommandLine.ParseResult;

/** {@code inboxd mail tail}: a line for each event as it happens. */
final class EventTail {
    private EventTail() {}

    static MailVerb verb() {
        return new MailVerb(
                "tail", "Prints events as they happen, a line for each.", EventFollower.options(), EventTail::run);
    }

    private static void run(Terminal terminal, ParseResult flags) {
        AnswerOutput output = OperationCommand.output(terminal, flags);
        new EventFollower(terminal, flags).run(() -> terminal.err().println("Listening; end with Ctrl-C."), event -> {
            if (output.isData()) {
                output.value(event.value(), "");
            } else {
                terminal.line(line(event));
            }
        });
    }

    /** The type, the inbox and what is said most shortly about it. */
    static String line(JsonTree event) {
        StringBuilder line = new StringBuilder(event.text("event_type"));
        String subject = "";
        for (JsonTree about : event.members().values()) {
            subject = subject.isEmpty() ? about.text("subject") + about.text("title") : subject;
        }
        for (String column : new String[] {
            inner(event, "inbox_id"), inner(event, "from"), subject, event.text("label"), inner(event, "message_id")
        }) {
            line.append(column.isEmpty() ? "" : "  " + column.replace('\n', ' '));
        }
        return TextTable.visible(line.toString());
    }

    /** A member of the event, or of what it is about. */
    private static String inner(JsonTree event, String member) {
        if (event.has(member)) {
            return event.text(member);
        }
        for (JsonTree about : event.members().values()) {
            if (about.has(member)) {
                return about.text(member);
            }
        }
        return "";
    }
}
