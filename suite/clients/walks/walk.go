// Calls routes with the client that openapi-generator makes for Go.
package main

import (
	"context"
	"fmt"
	"os"
	inboxes "walk"
)

func step(title string, err error) {
	if err != nil {
		if told, ok := err.(*inboxes.GenericOpenAPIError); ok {
			err = fmt.Errorf("%w: %s", err, told.Body())
		}
		fmt.Println("FAIL", title, err)
		os.Exit(1)
	}
	fmt.Println("ok", title)
}

func same(found, wanted any) {
	if fmt.Sprint(found) != fmt.Sprint(wanted) {
		fmt.Println("FAIL", found, "is not", wanted)
		os.Exit(1)
	}
}

func main() {
	configuration := inboxes.NewConfiguration()
	configuration.Servers = inboxes.ServerConfigurations{{URL: os.Getenv("INBOXD_URL")}}
	client := inboxes.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), inboxes.ContextAccessToken, os.Getenv("INBOXD_KEY"))

	create := inboxes.NewCreateInbox()
	create.SetDisplayName("Walk")
	inbox, _, err := client.InboxesAPI.CreateInbox(ctx).CreateInbox(*create).Execute()
	step("createInbox", err)
	id := inbox.InboxId
	read, _, err := client.InboxesAPI.GetInbox(ctx, id).Execute()
	step("getInbox", err)
	same(read.GetDisplayName(), "Walk")
	_, _, err = client.InboxesAPI.ListInboxes(ctx).Limit(5).Execute()
	step("listInboxes", err)
	update := inboxes.NewUpdateInbox()
	update.SetDisplayNameNil()
	changed, _, err := client.InboxesAPI.UpdateInbox(ctx, id).UpdateInbox(*update).Execute()
	step("updateInbox", err)
	same(changed.HasDisplayName(), false)
	mail := inboxes.NewCreateMessage()
	mail.To = []string{"a@example.com", "b@example.com"}
	mail.Labels = []string{"one", "two"}
	mail.SetText("T")
	sent, _, err := client.SendingAPI.SendMessage(ctx, id).CreateMessage(*mail).Execute()
	step("sendMessage", err)
	message, _, err := client.MessagesAPI.GetMessage(ctx, id, sent.GetMessageId()).Execute()
	step("getMessage", err)
	same(message.To, mail.To)
	_, _, err = client.MessagesAPI.ListMessages(ctx, id).Labels(mail.Labels).Execute()
	step("listMessages", err)
	writing := inboxes.NewCreateDraft()
	writing.To = mail.To
	draft, _, err := client.DraftsAPI.CreateDraft(ctx, id).CreateDraft(*writing).Execute()
	step("createDraft", err)
	rewriting := inboxes.NewUpdateDraft()
	rewriting.Cc = []string{"c@example.com"}
	_, _, err = client.DraftsAPI.UpdateDraft(ctx, id, draft.DraftId).UpdateDraft(*rewriting).Execute()
	step("updateDraft", err)
	hook := inboxes.NewCreateWebhook("https://shop.example/hook", []string{"message.received", "message.sent"})
	_, _, err = client.WebhooksAPI.CreateWebhook(ctx).CreateWebhook(*hook).Execute()
	step("createWebhook", err)
	period := inboxes.NewRecurrencePeriod("2099-11-02T10:00:00")
	period.SetDuration("PT2H")
	first := "2099-11-01T10:00:00"
	series := inboxes.NewRecurrence("FREQ=DAILY;COUNT=3")
	series.Rdates = []inboxes.RecurrenceDate{{String: &first}, {RecurrencePeriod: period}}
	event := inboxes.NewCreateCalendarEvent("Series", "2099-10-15T10:00:00", "2099-10-15T11:00:00")
	event.SetRecurrence(*series)
	made, _, err := client.CalendarsAPI.CreateCalendarEvent(ctx, id).CreateCalendarEvent(*event).Execute()
	step("createCalendarEvent", err)
	same(len(made.Event.Recurrence.Rdates), 2)
	_, err = client.InboxesAPI.DeleteInbox(ctx, id).Execute()
	step("deleteInbox", err)
}
