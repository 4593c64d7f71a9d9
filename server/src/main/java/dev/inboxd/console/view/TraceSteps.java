package dev.inboxd.console.view;

import dev.inboxd.base.json.JsonTree;
import dev.inboxd.observe.audit.MessageCall;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The steps of a trace in their order, each with the time since the first. */
public final class TraceSteps {
    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss.SS", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final int LONGEST = 300;

    private final List<Step> steps = new ArrayList<>();
    private final String inbox;
    private Instant last = Instant.EPOCH;

    private TraceSteps(String inbox) {
        this.inbox = inbox;
    }

    /**
     * A page that has more.
     *
     * @param segments of its path
     * @param name the words that lead there
     */
    public record Link(List<String> segments, String name) {
        private static final Link NONE = new Link(List.of(), "");

        public Link {
            segments = List.copyOf(segments);
        }
    }

    /**
     * A step.
     *
     * @param at its time; that of the step before where it has none of its own
     * @param timed whether it has a time of its own
     * @param words what happened, up to the link
     * @param link where more is; without segments there is none
     * @param after the words behind the link
     * @param next when it is tried again; empty for never
     * @param failed whether it went wrong
     * @param since the time since the first step, as {@code +41 ms}; empty where it has no time
     */
    public record Step(
            Instant at,
            boolean timed,
            String words,
            Link link,
            String after,
            String next,
            boolean failed,
            String since) {

        /** The time of day (UTC), in hundredths of a second. */
        public String clock() {
            return CLOCK.format(at);
        }

        private Step since(Instant first) {
            String offset = timed ? "+" + words(Duration.between(first, at)) : "";
            return new Step(at, timed, words, link, after, next, failed, offset);
        }

        private Step to(Link page, String more) {
            return new Step(at, timed, words, page, more, next, failed, since);
        }

        private Step again(String time) {
            return new Step(at, timed, words, link, after, time, failed, since);
        }

        private static String words(Duration time) {
            long millis = Math.max(0, time.toMillis());
            if (millis < 1_000) {
                return millis + " ms";
            }
            if (millis < 60_000) {
                return millis / 1_000 + "." + millis % 1_000 / 100 + " s";
            }
            return time.toHours() < 1
                    ? time.toMinutes() + " min"
                    : time.toDays() < 2 ? time.toHours() + " h" : time.toDays() + " days";
        }
    }

    /**
     * The steps of a trace.
     *
     * @param trace as the API has it
     * @param inbox whose message it is
     */
    public static List<Step> of(JsonTree trace, String inbox) {
        TraceSteps all = new TraceSteps(inbox);
        all.arrived(trace);
        all.left(trace);
        trace.list("told").forEach(all::addEvent);
        trace.list("calls").forEach(call -> all.steps.add(all.called(call, trace.text("direction"))));
        trace.list("answers").forEach(answer -> all.answered(answer, trace.text("direction")));
        List<Step> sorted =
                all.steps.stream().sorted(Comparator.comparing(Step::at)).toList();
        return sorted.stream().map(step -> step.since(sorted.getFirst().at())).toList();
    }

    private void arrived(JsonTree trace) {
        JsonTree received = trace.get("received");
        if (!received.isEmpty()) {
            String client = received.has("client") ? received.text("client") : "this server";
            String tls = received.has("client") ? received.is("tls") ? ", with TLS" : ", without TLS" : "";
            String path = received.has("return_path") ? ", return path " + received.text("return_path") : "";
            add(received.text(received.has("began_at") ? "began_at" : "at"), "Received from " + client + tls + path);
            String checks = checks(received.text("authentication_results"));
            if (!checks.isEmpty()) {
                add("", "Checked: " + checks);
            }
        }
        JsonTree stored = trace.get("stored");
        JsonTree judged = trace.get("judged");
        JsonTree security = judged.get("security");
        if (!security.isEmpty()) {
            boolean review = security.text("verdict").equals("review");
            String why = String.join(", ", security.texts("reasons")).replace('_', ' ');
            String words = (review ? "Flagged for review by " : "Cleared by ") + security.text("model");
            add(security.text("completed_at"), words + (why.isEmpty() ? "" : ": " + why), review);
        }
        String labels = String.join(", ", judged.texts("labels"));
        add(
                stored.text("at"),
                "Stored, " + stored.number("size") + " bytes" + (labels.isEmpty() ? "" : ". Labels now: " + labels));
    }

    /** The results of the checks in words, from the field that this server wrote (RFC 8601 §2.2). */
    private static String checks(String results) {
        List<String> checks = new ArrayList<>();
        for (String part : results.split(";", -1)) {
            String result = part.strip().split(" ", 2)[0];
            int equals = result.indexOf('=');
            if (equals > 0) {
                checks.add(result.substring(0, equals).toUpperCase(Locale.ROOT) + " " + result.substring(equals + 1));
            }
        }
        return String.join(", ", checks);
    }

    /** What became of sent mail at those it went to, and who approved it. */
    private void left(JsonTree trace) {
        JsonTree draft = trace.get("draft");
        if (draft.has("approved_at")) {
            JsonTree actor = draft.get("approved_by");
            String who =
                    actor.has("name") ? actor.text("name") : actor.text("type").replace('_', ' ');
            add(draft.text("approved_at"), "Approved by " + who);
        }
        for (JsonTree delivery : trace.list("deliveries")) {
            long attempts = delivery.number("attempt_count");
            String words = delivery.text("recipient") + ": " + delivery.text("status")
                    + (attempts > 0 ? " after " + attempts + (attempts == 1 ? " attempt" : " attempts") : "")
                    + (delivery.has("answer") ? ", " + delivery.text("answer") : "");
            boolean failed = delivery.text("status").equals("bounced")
                    || delivery.text("status").equals("rejected");
            boolean settled = delivery.has("settled_at");
            if (delivery.text("status").equals("sending")) {
                add("", "Being sent now: " + delivery.text("recipient") + ", attempt " + attempts);
                continue;
            }
            add(
                    delivery.text(settled ? "settled_at" : "next_attempt_at"),
                    settled ? words : "Next attempt: " + words,
                    failed);
        }
    }

    private void addEvent(JsonTree event) {
        String labels = String.join(", ", event.texts("labels"));
        String words = "Event " + event.text("event_type") + (labels.isEmpty() ? "" : " (" + labels + ")");
        add(event.text("at"), words + " for sockets and feeds, " + event.text("event_id"));
        for (JsonTree attempt : event.list("attempts")) {
            long status = attempt.number("status");
            boolean done = status >= 200 && status < 300;
            String name = attempt.has("host") ? attempt.text("host") : attempt.text("webhook_id");
            String result = (attempt.has("status") ? String.valueOf(status) : attempt.text("error")) + " in "
                    + attempt.number("duration_ms") + " ms";
            steps.add(step(attempt.text("at"), "Webhook", !done)
                    .to(
                            new Link(List.of("webhooks", attempt.text("webhook_id")), name),
                            ", attempt " + attempt.number("attempt") + ": " + result)
                    .again(attempt.text("next_attempt_at")));
        }
    }

    private Step called(JsonTree call, String direction) {
        boolean sends = direction.equals("sent") && MessageCall.SENDING.stream().anyMatch(call.text("route")::endsWith);
        boolean read = call.text("method").equals("GET");
        String route = sends || read ? "" : " with " + call.text("method") + " " + call.text("route");
        String after = route + ", request " + call.text("request_id");
        String done = read ? "Read by" : sends ? "Sent by" : "Changed by";
        if (!call.has("api_key_id")) {
            return step(call.text("at"), done + " " + call.text("payer") + after, false);
        }
        String name = call.text("name").isEmpty() ? call.text("api_key_id") : call.text("name");
        return step(call.text("at"), done + " the key", false)
                .to(new Link(List.of("keys", call.text("api_key_id")), name), after);
    }

    private void answered(JsonTree answer, String direction) {
        JsonTree call = answer.get("call");
        String who = call.isEmpty()
                ? direction.equals("sent") ? "the other side" : "this inbox"
                : call.has("name") ? "the key " + call.text("name") : "a program";
        List<String> trace = List.of("inboxes", inbox, "messages", answer.text("message_id"), "trace");
        steps.add(step(answer.text("at"), "Answered by " + who + ":", false).to(new Link(trace, "its trace"), ""));
    }

    private void add(String time, String words) {
        add(time, words, false);
    }

    private void add(String time, String words, boolean failed) {
        steps.add(step(time, words, failed));
    }

    private Step step(String time, String words, boolean failed) {
        Instant at = parsed(time);
        last = at == null ? last : at;
        String few = words.length() <= LONGEST ? words : words.substring(0, LONGEST) + "…";
        return new Step(last, at != null, few, Link.NONE, "", "", failed, "");
    }

    private static @Nullable Instant parsed(String time) {
        try {
            return Instant.parse(time);
        } catch (DateTimeParseException none) {
            return null;
        }
    }
}
