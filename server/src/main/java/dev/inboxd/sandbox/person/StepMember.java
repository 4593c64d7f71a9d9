package dev.inboxd.sandbox.person;

import dev.inboxd.base.error.Faults;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.calendar.content.IsoDuration;
import dev.inboxd.mail.address.AddressSyntaxException;
import dev.inboxd.mail.address.MailAddress;
import dev.inboxd.mail.smtp.EnhancedStatus;
import dev.inboxd.mail.smtp.SmtpReply;
import dev.inboxd.sandbox.mail.AuthenticationMember;
import dev.inboxd.sending.compose.AttachmentMembers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads the steps of a script. Each fault has the path of its step. */
final class StepMember {
    static final int MOST_STEPS = 50;
    static final int MOST_REACTIONS = 10;
    private static final int LONGEST_REPLY = 400;
    private static final int LONGEST_BODY = 100_000;
    private static final Duration LONGEST = Duration.ofDays(400);
    private static final Duration USUAL = Duration.ofMinutes(1);

    private enum Answer {
        ACCEPT,
        BOUNCE,
        DELAY,
        DROP;

        SmtpReply usual() {
            return switch (this) {
                case ACCEPT, DROP -> SmtpReply.OK;
                case BOUNCE -> SmtpReply.of(550, "5.1.1", "No such person");
                case DELAY -> SmtpReply.of(450, "4.2.0", "Try again later");
            };
        }

        String wireName() {
            return name().toLowerCase(Locale.ROOT);
        }

        boolean takes() {
            return usual().isPositive();
        }
    }

    private StepMember() {}

    /** The steps of the member {@code script}; faults are collected in the body. */
    static List<Step> read(JsonBody body) {
        List<JsonBody> bodies = body.objects("script", MOST_STEPS);
        List<Step> steps = bodies.stream().map(StepMember::step).toList();
        if (bodies.isEmpty()) {
            body.fault("script", "script must be a list of 1 to " + MOST_STEPS + " steps");
        }
        return steps;
    }

    /** A step as it was stored, or as this program writes it. */
    static Step of(String json) {
        Faults faults = new Faults();
        Step step = step(JsonBody.of((Map<?, ?>) Objects.requireNonNull(Json.stored(json)), List.of(), faults));
        faults.check();
        return step;
    }

    private static Step step(JsonBody step) {
        Answer answer =
                Objects.requireNonNullElse(step.choice("answer", Answer.values(), Answer::wireName), Answer.ACCEPT);
        SmtpReply reply = reply(step, answer);
        Duration lasting = step.string("for").as(StepMember::duration, "a duration like PT4H, of 400 days at most");
        if (lasting != null && answer != Answer.DELAY) {
            step.fault("for", "for says how long a delay lasts, and answer is " + answer.wireName());
        }
        List<Reaction> then = step.objects("then", MOST_REACTIONS).stream()
                .map(StepMember::reaction)
                .toList();
        if (!then.isEmpty() && (answer == Answer.BOUNCE || answer == Answer.DROP)) {
            step.fault("then", "then is done with mail that is taken, and answer is " + answer.wireName());
        }
        return new Step(reply, lasting, then, step.canonical());
    }

    private static SmtpReply reply(JsonBody step, Answer answer) {
        int first = answer == Answer.BOUNCE ? 500 : 400;
        Long code = step.integer("code", first, first + 99L);
        String status = step.string("enhanced").max(12).optional();
        String text = step.string("text").max(LONGEST_REPLY).optional();
        if (answer.takes() && (code != null || status != null || text != null)) {
            step.fault(
                    "code", "code, enhanced and text are of a bounce or a delay, and answer is " + answer.wireName());
            return answer.usual();
        }
        EnhancedStatus enhanced = status == null ? answer.usual().status() : status(status);
        if (status != null && (enhanced == null || status.charAt(0) - '0' != first / 100)) {
            step.fault(
                    "enhanced",
                    "enhanced must be a status code like " + answer.usual().status());
        }
        return new SmtpReply(
                code == null ? answer.usual().code() : code.intValue(),
                enhanced,
                Objects.requireNonNullElse(text, answer.usual().text()));
    }

    private static @Nullable EnhancedStatus status(String text) {
        try {
            return EnhancedStatus.parse(text);
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }

    private static Reaction reaction(JsonBody reaction) {
        ReactionKind kind = reaction.choice("do", ReactionKind.values(), ReactionKind::wireName);
        if (kind == null && !reaction.isGiven("do")) {
            reaction.missing("do");
        }
        Duration after = reaction.string("after").as(StepMember::duration, "a duration like PT1M, of 400 days at most");
        readMail(reaction);
        return new Reaction(
                Objects.requireNonNullElse(kind, ReactionKind.REPLY),
                Objects.requireNonNullElse(after, USUAL),
                reaction.canonical());
    }

    private static void readMail(JsonBody reaction) {
        reaction.string("text").max(LONGEST_BODY).multiline().optional();
        reaction.string("html").max(LONGEST_BODY).multiline().optional();
        reaction.string("subject").max(998).optional();
        reaction.string("link").max(200).optional();
        reaction.string("from").as(StepMember::address, "an address like Kim <kim@example.com>");
        reaction.flag("quote");
        AttachmentMembers.read(reaction, "attachments");
        AuthenticationMember.read(reaction);
    }

    static @Nullable MailAddress address(String text) {
        try {
            return MailAddress.parse(text).mailbox();
        } catch (AddressSyntaxException malformed) {
            return null;
        }
    }

    private static @Nullable Duration duration(String text) {
        Duration length = text.equals("PT0S") ? Duration.ZERO : IsoDuration.parse(text);
        return length == null || length.compareTo(LONGEST) > 0 ? null : length;
    }

    /** The texts of steps, as a list in JSON. */
    static String stored(List<Step> steps) {
        return "[" + String.join(",", steps.stream().map(Step::json).toList()) + "]";
    }

    /** The steps of such a list. */
    static List<Step> all(String json) {
        List<Step> steps = new ArrayList<>();
        if (Json.stored(json) instanceof List<?> list) {
            list.forEach(entry -> steps.add(of(Json.text(entry))));
        }
        return steps;
    }
}
