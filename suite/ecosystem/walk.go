// One walk with the Go client: what an agent does in its first hour. Prints a line for each step; see walk.js.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/smtp"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/agentmail-to/agentmail-go"
	"github.com/agentmail-to/agentmail-go/option"
)

var (
	word   = os.Getenv("WORD")
	server = []option.RequestOption{
		option.WithBaseURL(os.Getenv("INBOXD_URL")), option.WithAPIKey(os.Getenv("INBOXD_KEY")), option.WithMaxRetries(0)}
	client  = agentmail.NewClient(server...)
	ctx     = context.Background()
	inbox   string
	message agentmail.InboxMessageListResponseMessage
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func done(err error) {
	if err != nil {
		panic(err)
	}
}

func hold(holds bool, said ...any) {
	if !holds {
		panic(fmt.Sprint(said...))
	}
}

// mail sends a mail with an attachment over SMTP.
func mail(subject string) {
	text := strings.Join([]string{"From: Jo <jo@elsewhere.example>", "To: " + inbox, "Subject: " + subject,
		fmt.Sprintf("Message-ID: <%d.%s@elsewhere.example>", time.Now().UnixNano(), word), "MIME-Version: 1.0",
		`Content-Type: multipart/mixed; boundary="b"`, "", "--b", "Content-Type: text/plain", "", "Noon, or one?", "--b",
		`Content-Type: text/csv; name="menu.csv"`, `Content-Disposition: attachment; filename="menu.csv"`, "", "soup,4", "--b--", ""}, "\r\n")
	session := must(smtp.Dial(os.Getenv("INBOXD_SMTP")))
	done(session.Hello("elsewhere.example"))
	done(session.Mail("jo@elsewhere.example"))
	done(session.Rcpt(inbox))
	data := must(session.Data())
	must(data.Write([]byte(text)))
	done(data.Close())
	done(session.Quit())
}

// refused holds that a call fails with the client's own error of a status.
func refused(status int, err error) *agentmail.Error {
	var fault *agentmail.Error
	hold(errors.As(err, &fault), "no error of the client: ", err)
	hold(fault.StatusCode == status, fault.StatusCode, " ", fault.RawJSON())
	return fault
}

func fetched(url string) string {
	answer := must(http.Get(url))
	defer answer.Body.Close()
	return string(must(io.ReadAll(answer.Body)))
}

func anInboxIsMade() {
	made := must(client.Inboxes.New(ctx, agentmail.InboxNewParams{CreateInbox: agentmail.CreateInboxParam{
		Username: agentmail.String(word), DisplayName: agentmail.String("Lunch")}}))
	inbox = made.InboxID
	hold(must(client.Inboxes.Get(ctx, inbox)).DisplayName == "Lunch")
	all := must(client.Inboxes.List(ctx, agentmail.InboxListParams{Limit: agentmail.Int(100)}))
	hold(slices.ContainsFunc(all.Inboxes, func(each agentmail.Inbox) bool { return each.InboxID == inbox }), all.RawJSON())
}

func aMailIsReceivedAndRead() {
	mail("Lunch?")
	for end := time.Now().Add(50 * time.Second); message.MessageID == ""; time.Sleep(50 * time.Millisecond) {
		hold(time.Now().Before(end), "no mail within 50 s")
		for _, each := range must(client.Inboxes.Messages.List(ctx, inbox, agentmail.InboxMessageListParams{})).Messages {
			message = each
		}
	}
	hold(message.Subject == "Lunch?" && slices.Contains(message.Labels, "unread"), message.RawJSON())
	whole := get(message.MessageID)
	hold(strings.TrimSpace(whole.Text) == "Noon, or one?" && whole.From == "Jo <jo@elsewhere.example>", whole.RawJSON())
	hold(whole.Timestamp.Year() >= 2025, whole.Timestamp)
	raw := must(client.Inboxes.Messages.GetRaw(ctx, message.MessageID, agentmail.InboxMessageGetRawParams{InboxID: inbox}))
	hold(strings.Contains(fetched(raw.DownloadURL), "Subject: Lunch?"))
}

func get(id string) *agentmail.Message {
	return must(client.Inboxes.Messages.Get(ctx, id, agentmail.InboxMessageGetParams{InboxID: inbox}))
}

func anAttachmentIsFetched() {
	whole := get(message.MessageID)
	hold(len(whole.Attachments) == 1 && whole.Attachments[0].Filename == "menu.csv", whole.RawJSON())
	found := must(client.Inboxes.Messages.GetAttachment(ctx, whole.Attachments[0].AttachmentID,
		agentmail.InboxMessageGetAttachmentParams{InboxID: inbox, MessageID: message.MessageID}))
	hold(strings.TrimSpace(fetched(found.DownloadURL)) == "soup,4")
}

func itIsAnsweredInItsThread() {
	sent := must(client.Inboxes.Messages.Reply(ctx, message.MessageID, agentmail.InboxMessageReplyParams{
		InboxID: inbox, Text: agentmail.String("One."),
		Attachments: []agentmail.SendAttachmentParam{{Filename: agentmail.String("seat.txt"), Content: agentmail.String("NA==")}}}))
	hold(sent.ThreadID == message.ThreadID, sent.RawJSON())
	thread := must(client.Inboxes.Threads.Get(ctx, sent.ThreadID, agentmail.InboxThreadGetParams{InboxID: inbox}))
	hold(thread.MessageCount == 2 && thread.Messages[1].MessageID == sent.MessageID, thread.RawJSON())
}

func labelsAreChanged() {
	must(client.Inboxes.Messages.Update(ctx, message.MessageID, agentmail.InboxMessageUpdateParams{InboxID: inbox,
		UpdateMessage: agentmail.UpdateMessageParam{
			AddLabels:    agentmail.UpdateMessageAddLabelsUnionParam{OfStringArray: []string{"lunch"}},
			RemoveLabels: agentmail.UpdateMessageRemoveLabelsUnionParam{OfString: agentmail.String("unread")}}}))
	listed := must(client.Inboxes.Messages.List(ctx, inbox, agentmail.InboxMessageListParams{Labels: []string{"lunch"}}))
	hold(len(listed.Messages) == 1 && !slices.Contains(listed.Messages[0].Labels, "unread"), listed.RawJSON())
}

func aDraftIsWrittenAndSent() {
	draft := must(client.Inboxes.Drafts.New(ctx, inbox, agentmail.InboxDraftNewParams{
		To: []string{"jo@elsewhere.example"}, Subject: agentmail.String("Table"), Text: agentmail.String("For two")}))
	got := must(client.Inboxes.Drafts.Get(ctx, draft.DraftID, agentmail.InboxDraftGetParams{InboxID: inbox}))
	hold(got.Text == "For two", got.RawJSON())
	sent := must(client.Inboxes.Drafts.Send(ctx, draft.DraftID, agentmail.InboxDraftSendParams{InboxID: inbox}))
	hold(get(sent.MessageID).Subject == "Table")
}

func aMailIsSentAndFound() {
	sent := must(client.Inboxes.Messages.Send(ctx, inbox, agentmail.InboxMessageSendParams{
		SendMessageRequest: agentmail.SendMessageRequestParam{Subject: agentmail.String("Offer"), Text: agentmail.String("Ten zebras"),
			To: agentmail.AddressesUnionParam{OfString: agentmail.String("jo@elsewhere.example")}, Labels: []string{"offer"}}}))
	for end := time.Now().Add(50 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		hold(time.Now().Before(end), "not found within 50 s")
		found := must(client.Inboxes.Messages.Search(ctx, inbox, agentmail.InboxMessageSearchParams{Q: "zebras"}))
		if len(found.Messages) == 1 && found.Messages[0].MessageID == sent.MessageID {
			return
		}
	}
}

func aWebhookIsMade() {
	made := must(client.Webhooks.New(ctx, agentmail.WebhookNewParams{URL: "http://127.0.0.1:9/hook",
		EventTypes: []agentmail.EventType{agentmail.EventTypeMessageReceived}, ClientID: agentmail.String(word)}))
	hold(strings.HasPrefix(made.Secret, "whsec_"), "no secret")
	done(client.Webhooks.Delete(ctx, made.WebhookID))
	_, err := client.Webhooks.Get(ctx, made.WebhookID)
	refused(404, err)
}

func errorsAreOfItsOwnKind() {
	_, err := client.Inboxes.Get(ctx, "nobody@"+strings.Split(inbox, "@")[1])
	hold(strings.Contains(refused(404, err).RawJSON(), `"code":"not_found"`))
	_, err = client.Inboxes.New(ctx, agentmail.InboxNewParams{CreateInbox: agentmail.CreateInboxParam{Username: agentmail.String(word)}})
	refused(403, err)
	_, err = client.Inboxes.List(ctx, agentmail.InboxListParams{}, option.WithAPIKey("inb_nobody"))
	refused(401, err)
}

func whatWasMadeIsDeleted() {
	done(client.Inboxes.Delete(ctx, inbox))
	_, err := client.Inboxes.Messages.List(ctx, inbox, agentmail.InboxMessageListParams{})
	refused(404, err)
}

func step(title string, check func()) {
	defer func() {
		if fault := recover(); fault != nil {
			fmt.Println("FAIL", title, strings.ReplaceAll(fmt.Sprint(fault), "\n", " "))
			return
		}
		fmt.Println("ok", title)
	}()
	check()
}

func main() {
	step("an inbox is made", anInboxIsMade)
	step("a mail is received and read", aMailIsReceivedAndRead)
	step("an attachment is fetched", anAttachmentIsFetched)
	step("it is answered in its thread", itIsAnsweredInItsThread)
	step("labels are changed", labelsAreChanged)
	step("a draft is written and sent", aDraftIsWrittenAndSent)
	step("a mail is sent and found", aMailIsSentAndFound)
	step("a webhook is made", aWebhookIsMade)
	step("errors are of its own kind", errorsAreOfItsOwnKind)
	step("what was made is deleted", whatWasMadeIsDeleted)
}
