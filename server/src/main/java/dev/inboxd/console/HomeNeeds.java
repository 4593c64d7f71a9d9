package dev.inboxd.console;

import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.approval.WaitingQueue;
import dev.inboxd.console.session.Visit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What waits for somebody: words, and the page below the console that helps. */
final class HomeNeeds {
    private static final int MOST_NAMED = 5;
    private static final String MANY = "50";

    /** Messages of a conversation with a machine from which it looks like a loop: five in a row stop it (A6). */
    private static final int LOOP = 10;

    private final Visit visit;
    private final WebhookStates states;
    private final List<List<String>> all = new ArrayList<>();
    private int drafts;
    private int delayed;
    private int failing;

    /** Reads all of it. */
    HomeNeeds(Visit visit, WebhookStates states) {
        this.visit = visit;
        this.states = states;
        mail();
        loops();
        webhooks();
        domains();
    }

    /** All of it, what is most urgent first. */
    List<List<String>> all() {
        return all;
    }

    /** Drafts that wait for approval, mails that could not leave yet, and webhooks that fail or are disabled. */
    List<String> numbers() {
        return List.of(String.valueOf(drafts), String.valueOf(delayed), String.valueOf(failing));
    }

    private void mail() {
        drafts = visit.has("GET", "audit-log") ? WaitingQueue.drafts(visit).size() : 0;
        add(drafts, "draft waits for your approval", "drafts wait for your approval", "/approvals");
        int held = WaitingQueue.heldThreads(visit).size();
        add(held, "conversation is held for review", "conversations are held for review", "/approvals");
        String before = visit.now().minus(Duration.ofDays(1)).toString();
        int unread = threads(LocalCall.get("threads").with("labels", "unread").with("before", before))
                .size();
        add(
                unread,
                "conversation has been unread for more than a day",
                "conversations have been unread for more than a day",
                "/mail?label=unread&before=" + before);
        delayed = threads(LocalCall.get("threads").with("labels", "delayed")).size();
        add(delayed, "message is delayed", "messages are delayed", "/queue");
    }

    private List<JsonTree> threads(LocalCall call) {
        return visit.readIfAllowed(call.with("limit", MANY)).list("threads");
    }

    /** Conversations of today in which a machine answers an agent again and again. */
    private void loops() {
        String after = visit.now().minus(Duration.ofDays(1)).toString();
        threads(LocalCall.get("threads").with("labels", "auto-reply,sent").with("after", after)).stream()
                .filter(each -> each.number("message_count") >= LOOP)
                .limit(MOST_NAMED)
                .forEach(each -> all.add(List.of(
                        "Possible mail loop: " + each.text("inbox_id") + " and an automatic sender, "
                                + each.number("message_count") + " messages",
                        "/inboxes/" + LocalCall.encoded(each.text("inbox_id")) + "/threads/"
                                + LocalCall.encoded(each.text("thread_id")))));
    }

    private void webhooks() {
        List<JsonTree> webhooks = visit.readIfAllowed(LocalCall.get("webhooks")).list("webhooks");
        List<String> words = states.of(visit, webhooks);
        for (int i = 0; i < webhooks.size(); i++) {
            JsonTree webhook = webhooks.get(i);
            String page = "/webhooks/" + LocalCall.encoded(webhook.text("webhook_id"));
            if (!webhook.is("enabled")) {
                failing++;
                all.add(List.of("Webhook disabled: " + webhook.text("url"), page));
            } else if (words.get(i).endsWith("failed")) {
                failing++;
                all.add(List.of("Webhook failing (" + words.get(i) + "): " + webhook.text("url"), page));
            }
        }
    }

    private void domains() {
        for (JsonTree domain : visit.readIfAllowed(LocalCall.get("domains")).list("domains")) {
            if (!domain.text("status").equals("VERIFIED")) {
                all.add(List.of("Domain not verified: " + domain.text("domain"), "/domains"));
            }
        }
    }

    private void add(int count, String one, String many, String page) {
        if (count > 0) {
            all.add(List.of(count == 1 ? "1 " + one : count + " " + many, page));
        }
    }
}
