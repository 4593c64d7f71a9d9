package dev.inboxd.cli.mail;

import dev.inboxd.base.json.JsonTree;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * The log of events as it grows (events.md §5.3): a waiting call after the other, each from where the last one ended.
 * A server that restarts, or asks to come again later, is asked again.
 */
final class EventFollower {
    private static final int WAIT = 30;

    private final MailClient client;
    private final boolean asJson;
    private final StringBuilder filter = new StringBuilder();
    private String cursor;
    private long left;

    /** A reader of what the flags of {@link #options} say. */
    EventFollower(Terminal terminal, ParseResult flags) {
        this.client = new MailClient(terminal.environment());
        this.asJson = flags.hasMatchedOption(OperationCommand.JSON);
        this.cursor = Objects.requireNonNullElse(MailVerb.value(flags, "--cursor"), "now");
        this.left = MailVerb.number(flags, "--limit", 0);
        MailVerb.values(flags, MailVerb.INBOX).forEach(inbox -> add("inbox_ids", inbox));
        MailVerb.values(flags, "--event-type").forEach(type -> add("event_types", type));
    }

    private void add(String parameter, String value) {
        filter.append('&').append(parameter).append('=').append(OperationCall.encoded(value));
    }

    static List<OptionSpec> options() {
        return List.of(
                OperationCommand.texts(
                        MailVerb.INBOX, "<inbox-id>", "Only this inbox; all that the key may see otherwise."),
                OperationCommand.texts("--event-type", "<type>", "Only this type, such as message.received."),
                OperationCommand.text("--cursor", "<cursor>", "Begins behind this event_id; now when left out."),
                OperationCommand.text("--limit", "<count>", "Ends after so many events; never when left out."));
    }

    /**
     * Hands out events until there were enough, or for as long as the process runs.
     *
     * @param ready runs when the server knows where to begin: what happens later is not missed
     * @param taker gets each event in its turn
     */
    void run(Runnable ready, Consumer<JsonTree> taker) {
        boolean isBounded = left > 0;
        boolean isReady = false;
        while (!isBounded || left > 0) {
            long page = isBounded ? Math.min(left, 100) : 100;
            ServerAnswer answer = answer("/v0/events?cursor=" + OperationCall.encoded(cursor) + "&limit=" + page
                    + "&wait=" + (isReady ? WAIT : 0) + filter);
            if (answer.isRefusal() && (!isReady || !answer.isTemporary())) {
                throw answer.failure(asJson);
            }
            if (answer.isRefusal()) {
                pause(answer.again());
                continue;
            }
            if (!isReady) {
                ready.run();
                isReady = true;
            }
            JsonTree read = answer.json();
            for (JsonTree event : read.list("events")) {
                taker.accept(event);
                left--;
            }
            cursor = read.text("next_cursor");
        }
    }

    /** The answer; 503 for a server that is away for a while. */
    private ServerAnswer answer(String path) {
        try {
            return client.send(OperationCall.get(path));
        } catch (CommandFailure away) {
            if (away.status() != CommandFailure.SERVER
                    || Thread.currentThread().isInterrupted()
                    || cursor.equals("now")) {
                throw away;
            }
            return new ServerAnswer(503, "", Duration.ofSeconds(2), null, new byte[0]);
        }
    }

    static void pause(Duration duration) {
        try {
            Thread.sleep(duration);
        } catch (InterruptedException ended) {
            Thread.currentThread().interrupt();
            throw new CommandFailure(CommandFailure.SERVER, "interrupted");
        }
    }
}
