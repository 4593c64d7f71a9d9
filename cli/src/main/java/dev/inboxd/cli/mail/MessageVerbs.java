package dev.inboxd.cli.mail;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonTree;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/** {@code inboxd mail wait}, {@code send}, {@code reply} and {@code open}. */
final class MessageVerbs {
    private static final String MESSAGE = "--message-id";
    private static final String THREAD = "--thread";
    private static final String WITH_QUOTES = "--whole";
    private static final String TIMEOUT = "--timeout";
    private static final String SINCE = "--since";
    private static final String CODE = "--code";
    private static final String LINK = "--link";
    private static final String ATTACH = "--attach";
    private static final long USUAL_TIMEOUT = 60;
    private static final long LONGEST_CALL = 300;

    private MessageVerbs() {}

    static MailVerb waiting() {
        return new MailVerb(
                "wait",
                "Waits for a message, and prints it; with --code or --link what was waited for, alone.",
                List.of(
                        inbox(),
                        OperationCommand.text("--from", "<from>", "Only from this sender."),
                        OperationCommand.text("--subject", "<subject>", "Only with this in the subject."),
                        OperationCommand.text("--in-reply-to", "<message-id>", "Only an answer to this message."),
                        OperationCommand.text(
                                SINCE,
                                "<time>",
                                "Also what came since then: a time, or 90s, 5m, 2h ago; now otherwise."),
                        OperationCommand.text(TIMEOUT, "<seconds>", "How long to wait; 60 when left out."),
                        OperationCommand.flag(CODE, "Waits for a one-time code, and prints it."),
                        OperationCommand.flag(LINK, "Waits for a link to confirm or to sign in with, and prints it."),
                        OperationCommand.flag("--include-unauthenticated", "Also mail that nobody vouches for."),
                        OperationCommand.flag(WITH_QUOTES, "Prints what is quoted from earlier mail, too.")),
                MessageVerbs::await);
    }

    static MailVerb sending() {
        List<OptionSpec> options = new ArrayList<>(List.of(
                inbox(),
                OperationCommand.texts("--to", "<address>", "Who gets it."),
                OperationCommand.texts("--cc", "<address>", "Who gets a copy."),
                OperationCommand.texts("--bcc", "<address>", "Who gets a blind copy."),
                OperationCommand.text("--subject", "<subject>", "The subject.")));
        options.addAll(content());
        return new MailVerb("send", "Sends a message.", options, (terminal, flags) -> {
            String path = "/v0/inboxes/" + OperationCall.encoded(MailVerb.required(flags, MailVerb.INBOX));
            Map<String, @Nullable Object> body = body(terminal, flags);
            for (String field : List.of("to", "cc", "bcc")) {
                put(body, field, MailVerb.values(flags, "--" + field));
            }
            put(body, "subject", MailVerb.value(flags, "--subject"));
            post(terminal, flags, path + "/messages/send", body);
        });
    }

    static MailVerb replying() {
        List<OptionSpec> options = new ArrayList<>(List.of(
                inbox(),
                OperationCommand.text(
                        MESSAGE, "<message-id>", "The message that is answered; the newest when left out."),
                OperationCommand.flag("--all", "Answers everybody.")));
        options.addAll(content());
        return new MailVerb("reply", "Answers a message.", options, (terminal, flags) -> {
            String end = flags.hasMatchedOption("--all") ? "/reply-all" : "/reply";
            post(terminal, flags, message(terminal, flags) + end, body(terminal, flags));
        });
    }

    static MailVerb opening() {
        return new MailVerb(
                "open",
                "Prints a message for reading, as Markdown; with --thread a whole thread.",
                List.of(
                        inbox(),
                        OperationCommand.text(MESSAGE, "<message-id>", "The message; the newest when left out."),
                        OperationCommand.text(THREAD, "<thread-id>", "The thread whose messages are printed."),
                        OperationCommand.flag(WITH_QUOTES, "Prints what is quoted from earlier mail, too.")),
                (terminal, flags) -> {
                    if (MailVerb.value(flags, THREAD) != null) {
                        if (MailVerb.value(flags, MESSAGE) != null) {
                            throw CommandFailure.usage("it takes " + THREAD + " or " + MESSAGE + ", not both");
                        }
                        openThread(terminal, flags);
                        return;
                    }
                    boolean isData = OperationCommand.output(terminal, flags).isData();
                    OperationCall call = OperationCall.get(message(terminal, flags) + (isData ? "" : markdown(flags)));
                    show(terminal, flags, answered(terminal, flags, call), flags.hasMatchedOption(WITH_QUOTES));
                });
    }

    /** As JSON, and by members, a message has its bodies. */
    private static String markdown(ParseResult flags) {
        return "?format=markdown" + (flags.hasMatchedOption(WITH_QUOTES) ? "&quotes=full" : "");
    }

    private static void openThread(Terminal terminal, ParseResult flags) {
        String inbox = MailVerb.value(flags, MailVerb.INBOX);
        OperationCall call =
                OperationCall.get("/v0/" + (inbox == null ? "" : "inboxes/" + OperationCall.encoded(inbox) + "/")
                        + "threads/" + OperationCall.encoded(MailVerb.required(flags, THREAD)) + markdown(flags));
        List<JsonTree> pages = new ArrayList<>(List.of(answered(terminal, flags, call)));
        AnswerOutput output = OperationCommand.output(terminal, flags);
        if (output.isData()) {
            output.value(pages.getFirst().value(), "");
            return;
        }
        while (pages.getFirst().has("next_page_token")) {
            String older = pages.getFirst().text("next_page_token");
            pages.addFirst(answered(terminal, flags, call.with("page_token", older)));
        }
        terminal.line(ThreadText.of(pages));
    }

    private static OptionSpec inbox() {
        return OperationCommand.text(MailVerb.INBOX, "<inbox-id>", "The inbox, by its address.");
    }

    private static List<OptionSpec> content() {
        return List.of(
                OperationCommand.text("--text", "<text>", "The text; - reads it from standard input."),
                OperationCommand.text("--html", "<html>", "The same in HTML."),
                OperationCommand.texts(ATTACH, "<file>", "A file that goes with it."));
    }

    private static Map<String, @Nullable Object> body(Terminal terminal, ParseResult flags) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        String text = MailVerb.value(flags, "--text");
        boolean isInput = "-".equals(text);
        put(body, "text", isInput ? new String(TextFile.plain(terminal.read("-")), StandardCharsets.UTF_8) : text);
        put(body, "html", MailVerb.value(flags, "--html"));
        List<Map<String, String>> files = new ArrayList<>();
        for (String file : MailVerb.values(flags, ATTACH)) {
            String content = Base64.getEncoder().encodeToString(terminal.read(file));
            files.add(Map.of("filename", String.valueOf(Path.of(file).getFileName()), "content", content));
        }
        put(body, "attachments", files);
        return body;
    }

    private static void put(Map<String, @Nullable Object> body, String member, @Nullable Object value) {
        if (value != null && !(value instanceof List<?> list && list.isEmpty())) {
            body.put(member, value);
        }
    }

    private static void post(Terminal terminal, ParseResult flags, String path, Map<String, @Nullable Object> body) {
        OperationCall call = new OperationCall("POST", path, Map.of(), "application/json", Json.text(body), false);
        OperationCommand.output(terminal, flags)
                .value(answered(terminal, flags, call).value(), "");
    }

    /** The path of the message that is meant. */
    private static String message(Terminal terminal, ParseResult flags) {
        String messages =
                "/v0/inboxes/" + OperationCall.encoded(MailVerb.required(flags, MailVerb.INBOX)) + "/messages";
        String id = MailVerb.value(flags, MESSAGE);
        if (id == null) {
            JsonTree newest = answered(terminal, flags, OperationCall.get(messages + "?labels=received&limit=1"));
            id = newest.list("messages").stream()
                    .findFirst()
                    .map(message -> message.text("message_id"))
                    .orElseThrow(() -> new CommandFailure(CommandFailure.NOTHING, "no message has arrived there"));
        }
        return messages + "/" + OperationCall.encoded(id);
    }

    private static JsonTree answered(Terminal terminal, ParseResult flags, OperationCall call) {
        ServerAnswer answer = new MailClient(terminal.environment()).send(call);
        if (answer.isRefusal()) {
            throw answer.failure(flags.hasMatchedOption(OperationCommand.JSON));
        }
        return answer.json();
    }

    private static void show(Terminal terminal, ParseResult flags, JsonTree message, boolean isWhole) {
        AnswerOutput output = OperationCommand.output(terminal, flags);
        if (output.isData()) {
            output.value(message.value(), "");
        } else {
            terminal.line(MessageText.of(message, isWhole));
        }
    }

    private static void await(Terminal terminal, ParseResult flags) {
        boolean isCode = flags.hasMatchedOption(CODE);
        boolean isLink = flags.hasMatchedOption(LINK);
        StringBuilder path = new StringBuilder("/v0/inboxes/")
                .append(OperationCall.encoded(MailVerb.required(flags, MailVerb.INBOX)))
                .append("/messages/wait?");
        String since = MailVerb.value(flags, SINCE);
        path.append(
                since == null ? "cursor=now" : "since=" + OperationCall.encoded(time(since, InstantSource.system())));
        for (String criterion : List.of("from", "subject", "in-reply-to")) {
            String value = MailVerb.value(flags, "--" + criterion);
            path.append(value == null ? "" : "&" + criterion.replace('-', '_') + "=" + OperationCall.encoded(value));
        }
        path.append(flags.hasMatchedOption("--include-unauthenticated") ? "&include_unauthenticated=true" : "");
        path.append(isCode ? "&extract=code" : "").append(isLink ? "&extract=link" : "");
        JsonTree message = awaited(terminal, flags, OperationCall.get(path.toString()));
        if ((!isCode && !isLink) || flags.hasMatchedOption(OperationCommand.JSON)) {
            show(terminal, flags, message, flags.hasMatchedOption(WITH_QUOTES));
            return;
        }
        JsonTree extracted = message.get("extracted");
        for (String member : List.of(isCode ? "code" : "", isLink ? "link" : "")) {
            if (extracted.has(member)) {
                terminal.line(TextTable.visible(extracted.text(member)));
            }
        }
    }

    /** The message, from as many calls as the time takes. */
    private static JsonTree awaited(Terminal terminal, ParseResult flags, OperationCall first) {
        long left = MailVerb.number(flags, TIMEOUT, USUAL_TIMEOUT);
        OperationCall call = first;
        while (true) {
            long seconds = Math.min(left, LONGEST_CALL);
            JsonTree answer = answered(terminal, flags, call.with("timeout", String.valueOf(seconds)));
            if (answer.has("message")) {
                return answer.get("message");
            }
            left -= seconds;
            if (left <= 0) {
                throw new CommandFailure(CommandFailure.NOTHING, "nothing that fits came in time");
            }
            call = call.with("cursor", answer.text("next_cursor"));
        }
    }

    /** A time as the API takes it: one of RFC 3339 as it is, or the past by a number and a unit. */
    static String time(String text, InstantSource clock) {
        try {
            if (text.length() > 1 && text.length() < 8 && "smhd".indexOf(text.charAt(text.length() - 1)) >= 0) {
                long count = Long.parseLong(text.substring(0, text.length() - 1));
                Duration unit = switch (text.charAt(text.length() - 1)) {
                    case 's' -> Duration.ofSeconds(1);
                    case 'm' -> Duration.ofMinutes(1);
                    case 'h' -> Duration.ofHours(1);
                    default -> Duration.ofDays(1);
                };
                Instant since = clock.instant().minus(unit.multipliedBy(count));
                return since.toString();
            }
        } catch (NumberFormatException notNumber) {
            // as it is: the server says what is wrong
        }
        return text;
    }
}
