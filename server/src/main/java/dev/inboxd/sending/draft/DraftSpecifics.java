package dev.inboxd.sending.draft;

import dev.inboxd.base.error.Faults;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonBody;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.mail.compose.CalendarPart;
import dev.inboxd.mail.compose.CustomHeaderField;
import dev.inboxd.mail.smtp.DsnRequest;
import dev.inboxd.mail.smtp.MailDsn;
import dev.inboxd.mail.smtp.RecipientDsn;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a message that waits for approval has beside what its draft says.
 *
 * @param headers its own header fields
 * @param trackOpens whether its opens are tracked
 * @param inReplyTo the Message-IDs it replies to
 * @param calendar the calendar it carries, or null
 * @param isCharged whether it was counted before
 * @param isAnswer whether a claim binds it
 * @param submission how it was submitted; null for a message that is composed
 */
public record DraftSpecifics(
        List<CustomHeaderField> headers,
        boolean trackOpens,
        List<String> inReplyTo,
        @Nullable CalendarPart calendar,
        boolean isCharged,
        boolean isAnswer,
        @Nullable Submission submission) {
    private static final int MOST = 10_000;

    public DraftSpecifics {
        headers = List.copyOf(headers);
        inReplyTo = List.copyOf(inReplyTo);
    }

    /**
     * The envelope of a submission. Its message is the only file of the draft.
     *
     * @param recipients its recipients
     * @param trace the trace field that tells how it came
     */
    public record Submission(List<String> recipients, DsnRequest dsn, String trace) {
        public Submission {
            recipients = List.copyOf(recipients);
        }

        private JsonObject json() {
            return JsonObject.of("recipients", recipients)
                    .with("ret", dsn.mail().ret())
                    .with("envid", dsn.mail().envid())
                    .with(
                            "dsn",
                            dsn.recipients().stream()
                                    .map(recipient -> JsonObject.of("notify", recipient.conditions())
                                            .with("orcpt", recipient.orcpt()))
                                    .toList())
                    .with("trace", trace);
        }

        private static Submission read(JsonBody json) {
            List<RecipientDsn> recipients = json.objects("dsn", MOST).stream()
                    .map(entry -> new RecipientDsn(text(entry, "notify"), text(entry, "orcpt")))
                    .toList();
            return new Submission(
                    json.strings("recipients").list(),
                    new DsnRequest(new MailDsn(text(json, "ret"), text(json, "envid")), recipients),
                    text(json, "trace"));
        }
    }

    /** The form in the row. */
    String text() {
        List<JsonObject> fields = headers.stream()
                .map(header -> JsonObject.of("name", header.name()).with("value", header.value()))
                .toList();
        return Json.text(JsonObject.of("headers", fields)
                .with("track_opens", trackOpens)
                .with("in_reply_to", inReplyTo)
                .with("method", calendar == null ? null : calendar.method())
                .with("calendar", calendar == null ? null : calendar.text())
                .with("charged", isCharged)
                .with("answer", isAnswer)
                .with("submission", submission == null ? null : submission.json()));
    }

    /** Reads the form in the row. */
    static @Nullable DraftSpecifics ofText(@Nullable String text) {
        if (text == null) {
            return null;
        }
        JsonBody json = JsonBody.of((Map<?, ?>) Objects.requireNonNull(Json.stored(text)), List.of(), new Faults());
        List<CustomHeaderField> headers = new ArrayList<>();
        json.objects("headers", MOST)
                .forEach(entry -> headers.add(new CustomHeaderField(text(entry, "name"), text(entry, "value"))));
        String calendar = json.string("calendar").multiline().optional();
        JsonBody submission = json.object("submission");
        return new DraftSpecifics(
                headers,
                json.flag("track_opens", false),
                json.strings("in_reply_to").list(),
                calendar == null ? null : new CalendarPart(text(json, "method"), calendar),
                json.flag("charged", false),
                json.flag("answer", calendar == null && json.isGiven("in_reply_to")),
                submission == null ? null : Submission.read(submission));
    }

    private static String text(JsonBody json, String name) {
        return Objects.requireNonNullElse(json.string(name).multiline().optional(), "");
    }
}
