import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.CalendarsApi;
import org.openapitools.client.api.DraftsApi;
import org.openapitools.client.api.InboxesApi;
import org.openapitools.client.api.MessagesApi;
import org.openapitools.client.api.SendingApi;
import org.openapitools.client.api.WebhooksApi;
import org.openapitools.client.model.CreateCalendarEvent;
import org.openapitools.client.model.CreateDraft;
import org.openapitools.client.model.CreateInbox;
import org.openapitools.client.model.CreateMessage;
import org.openapitools.client.model.CreateWebhook;
import org.openapitools.client.model.Draft;
import org.openapitools.client.model.Inbox;
import org.openapitools.client.model.Message;
import org.openapitools.client.model.MetadataValue;
import org.openapitools.client.model.Recurrence;
import org.openapitools.client.model.RecurrenceDate;
import org.openapitools.client.model.RecurrencePeriod;
import org.openapitools.client.model.UpdateDraft;
import org.openapitools.client.model.UpdateInbox;

/** Calls routes with the client that openapi-generator makes for Java. */
final class Walk {
    private Walk() {}

    private static <T> T step(String title, T answer) {
        System.out.println("ok " + title);
        return answer;
    }

    private static void same(Object found, Object wanted) {
        if (!String.valueOf(found).equals(String.valueOf(wanted))) {
            throw new IllegalStateException(found + " is not " + wanted);
        }
    }

    public static void main(String[] arguments) throws Exception {
        ApiClient client = new ApiClient();
        client.updateBaseUri(System.getenv("INBOXD_URL"));
        client.setRequestInterceptor(
                request -> request.header("Authorization", "Bearer " + System.getenv("INBOXD_KEY")));
        InboxesApi inboxes = new InboxesApi(client);
        Inbox inbox = step(
                "createInbox",
                inboxes.createInbox(
                        new CreateInbox().displayName("Walk").metadata(Map.of("tier", new MetadataValue("blue")))));
        String id = inbox.getInboxId();
        same(step("getInbox", inboxes.getInbox(id)).getDisplayName(), "Walk");
        step("listInboxes", inboxes.listInboxes(5, null, null));
        same(
                step("updateInbox", inboxes.updateInbox(id, new UpdateInbox().displayName("Other")))
                        .getDisplayName(),
                "Other");
        String sent = step(
                        "sendMessage",
                        new SendingApi(client)
                                .sendMessage(
                                        id,
                                        new CreateMessage()
                                                .to(List.of("a@example.com", "b@example.com"))
                                                .labels(List.of("one", "two"))
                                                .subject("S")
                                                .text("T"),
                                        null))
                .getMessageId();
        MessagesApi messages = new MessagesApi(client);
        Message message = step("getMessage", messages.getMessage(id, sent, null, null, null, null, null));
        same(message.getTo(), List.of("a@example.com", "b@example.com"));
        same(message.getLabels().containsAll(List.of("one", "two")), true);
        step(
                "listMessages",
                messages.listMessages(
                        id,
                        5,
                        null,
                        null,
                        null,
                        null,
                        List.of("one", "two"),
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null,
                        null));
        DraftsApi drafts = new DraftsApi(client);
        Draft draft = step(
                "createDraft",
                drafts.createDraft(
                        id, new CreateDraft().to(List.of("a@example.com")).subject("D")));
        step("updateDraft", drafts.updateDraft(id, draft.getDraftId(), new UpdateDraft().cc(List.of("c@example.com"))));
        step(
                "createWebhook",
                new WebhooksApi(client)
                        .createWebhook(new CreateWebhook()
                                .url("https://shop.example/hook")
                                .eventTypes(List.of("message.received", "message.sent"))));
        List<RecurrenceDate> dates = new ArrayList<>();
        dates.add(new RecurrenceDate("2099-11-01T10:00:00"));
        dates.add(new RecurrenceDate(
                new RecurrencePeriod().start("2099-11-02T10:00:00").duration("PT2H")));
        same(
                step(
                                "createCalendarEvent",
                                new CalendarsApi(client)
                                        .createCalendarEvent(
                                                id,
                                                new CreateCalendarEvent()
                                                        .title("Series")
                                                        .start("2099-10-15T10:00:00")
                                                        .end("2099-10-15T11:00:00")
                                                        .recurrence(new Recurrence()
                                                                .rule("FREQ=DAILY;COUNT=3")
                                                                .rdates(dates))))
                        .getEvent()
                        .getRecurrence()
                        .getRdates()
                        .size(),
                2);
        inboxes.deleteInbox(id);
        step("deleteInbox", id);
    }
}
