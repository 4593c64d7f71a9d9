package dev.inboxd.console;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.session.Visit;
import dev.inboxd.mailbox.thread.ThreadAlerts;
import dev.inboxd.tenant.review.WaitingTotal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** What waits for somebody: words, and the page below the console that helps. */
final class HomeNeeds {
    /** Messages of a conversation with a machine from which it looks like a loop: five in a row stop it (A6). */
    private static final int LOOP = 10;

    private final Visit visit;
    private final WebhookStates states;
    private final List<List<String>> all = new ArrayList<>();
    private String drafts = "0";
    private int delayed;
    private int failing;

    /** Reads all of it. */
    HomeNeeds(Visit visit, Database database, WebhookStates states) {
        this.visit = visit;
        this.states = states;
        Caller caller = visit.caller();
        Instant day = visit.now().minus(Duration.ofDays(1));
        if (caller.holds(Permission.MESSAGE_READ)) {
            WaitingTotal waiting = database.read(tx -> WaitingTotal.of(tx, caller.view()));
            ThreadAlerts alerts = database.read(tx -> ThreadAlerts.of(tx, caller.view(), day, LOOP));
            mail(waiting, alerts, day);
            loops(alerts);
        }
        webhooks();
        domains();
    }

    /** All of it, what is most urgent first. */
    List<List<String>> all() {
        return all;
    }

    /** Drafts that wait for approval, mails that could not leave yet, and webhooks that fail or are disabled. */
    List<String> numbers() {
        return List.of(drafts, most(delayed), String.valueOf(failing));
    }

    private void mail(WaitingTotal waiting, ThreadAlerts alerts, Instant day) {
        if (visit.caller().holds(Permission.DRAFT_READ)) {
            drafts = most(waiting.drafts());
            add(waiting.drafts(), "draft waits for your approval", "drafts wait for your approval", "/approvals");
        }
        add(waiting.held(), "message is held for review", "messages are held for review", "/approvals");
        add(
                alerts.unread(),
                "conversation has been unread for more than a day",
                "conversations have been unread for more than a day",
                "/mail?label=unread&before=" + day);
        delayed = alerts.delayed();
        add(delayed, "message is delayed", "messages are delayed", "/queue");
    }

    /** Conversations of today in which a machine answers an agent again and again. */
    private void loops(ThreadAlerts alerts) {
        alerts.loops()
                .forEach(loop -> all.add(List.of(
                        "Possible mail loop: " + loop.inboxName() + " and an automatic sender, " + loop.messages()
                                + " messages",
                        "/inboxes/" + LocalCall.encoded(loop.inboxName()) + "/threads/" + loop.thread())));
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

    private void add(int count, String singular, String plural, String page) {
        if (count > 0) {
            all.add(List.of(count == 1 ? "1 " + singular : most(count) + " " + plural, page));
        }
    }

    /** A number that is shown no further than to a hundred. */
    private static String most(int count) {
        return count < WaitingTotal.MOST ? String.valueOf(count) : WaitingTotal.MOST + " or more";
    }
}
