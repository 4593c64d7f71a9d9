package dev.inboxd.console;

import dev.inboxd.platform.error.ErrorCode;
import dev.inboxd.platform.error.Problem;
import dev.inboxd.platform.http.LocalCall;
import dev.inboxd.platform.http.Response;
import dev.inboxd.platform.json.JsonObject;
import dev.inboxd.platform.json.JsonTree;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The first page: how much mail there is, what needs somebody, and what happens now. */
final class HomePages {
    private static final List<String> COUNTED =
            List.of("message.received", "message.sent", "message.bounced", "message.rejected");
    private static final int FEED = 12;
    private static final String STATUS = "status";

    private final SampleMail sampleMail;
    private final ConsoleConfig config;

    HomePages(SampleMail sampleMail, ConsoleConfig config) {
        this.sampleMail = sampleMail;
        this.config = config;
    }

    void mount(ConsolePages pages) {
        pages.page("", this::home).form("", this::act);
    }

    private Response home(Visit visit) {
        visit.live();
        JsonTree inboxes = visit.read(LocalCall.get("inboxes").with("limit", "1"));
        JsonTree feed = visit.read(LocalCall.get("threads").with("limit", String.valueOf(FEED)));
        JsonTree organization = visit.readIfAllowed(LocalCall.get("organizations"));
        return visit.page(
                "home",
                "home/Home",
                Map.of(
                        "figures", figures(visit),
                        "needs", needs(visit),
                        "feed", feed,
                        "inbox", inboxes.list("inboxes").stream().findFirst().orElse(JsonTree.EMPTY),
                        "organization", organization,
                        "canStop", visit.has("POST", "organizations", "stop"),
                        "server", config.publicUrl() + "/v0",
                        "smtp", sampleMail.address(),
                        "domain", config.domain()));
    }

    /** For each counted type: how often today, and in seven days. */
    private static List<List<String>> figures(Visit visit) {
        Instant now = visit.now();
        JsonTree metrics = visit.readIfAllowed(LocalCall.get("metrics")
                .with("start", now.minus(Duration.ofDays(7)).toString())
                .with("period", "86400")
                .with("event_types", String.join(",", COUNTED)));
        String today = now.atZone(ZoneOffset.UTC).toLocalDate().toString();
        List<List<String>> figures = new ArrayList<>();
        for (String type : COUNTED) {
            long week = 0;
            long day = 0;
            for (JsonTree bucket : metrics.list(type)) {
                week += bucket.number("count");
                day += bucket.text("timestamp").startsWith(today) ? bucket.number("count") : 0;
            }
            figures.add(List.of(type.substring("message.".length()), String.valueOf(day), String.valueOf(week)));
        }
        return figures;
    }

    /** What waits for somebody: words, an address below the console, and how urgent it is. */
    private static List<List<String>> needs(Visit visit) {
        List<List<String>> needs = new ArrayList<>();
        int drafts = visit.has("GET", "audit-log") ? ApprovalPages.drafts(visit).size() : 0;
        if (drafts > 0) {
            needs.add(List.of(plural(drafts, "draft waits", "drafts wait") + " for your approval", "approvals"));
        }
        int held = ApprovalPages.held(visit).list("threads").size();
        if (held > 0) {
            needs.add(List.of(plural(held, "conversation is", "conversations are") + " held for review", "approvals"));
        }
        String before = visit.now().minus(Duration.ofDays(1)).toString();
        int unread = visit.readIfAllowed(LocalCall.get("threads")
                        .with("labels", "unread")
                        .with("before", before)
                        .with("limit", "50"))
                .list("threads")
                .size();
        if (unread > 0) {
            needs.add(List.of(
                    plural(unread, "conversation is", "conversations are") + " unread for more than a day", "inboxes"));
        }
        for (JsonTree webhook : visit.readIfAllowed(LocalCall.get("webhooks")).list("webhooks")) {
            if (!webhook.is("enabled")) {
                needs.add(List.of("A webhook is disabled: " + webhook.text("url"), "webhooks"));
            }
        }
        for (JsonTree domain : visit.readIfAllowed(LocalCall.get("domains")).list("domains")) {
            if (!domain.text(STATUS).equals("VERIFIED")) {
                needs.add(List.of("A domain is not verified: " + domain.text("domain"), "domains"));
            }
        }
        return needs;
    }

    private static String plural(int count, String one, String many) {
        return count == 1 ? "1 " + one : count + " " + many;
    }

    private Response act(Visit visit) {
        return switch (visit.form().text("do")) {
            case "test" -> {
                sampleMail.send(visit.caller().organization(), inbox(visit));
                yield visit.to("sent");
            }
            case "stop" -> stop(visit);
            case "resume" -> {
                visit.change(LocalCall.post(new JsonObject(), "organizations", "resume"));
                yield visit.to("resumed");
            }
            default -> throw Problem.invalid("do", "This page has no such action");
        };
    }

    /** Two steps: the second button is behind a box that somebody ticks. */
    private static Response stop(Visit visit) {
        if (!visit.form().text("sure").equals("yes")) {
            throw Problem.invalid("sure", "Tick the box that says that you are sure");
        }
        visit.change(LocalCall.post(new JsonObject(), "organizations", "stop"));
        return visit.to("stopped");
    }

    /** The newest inbox; the first one is made here. */
    private static String inbox(Visit visit) {
        List<JsonTree> inboxes =
                visit.change(LocalCall.get("inboxes").with("limit", "1")).list("inboxes");
        if (!inboxes.isEmpty()) {
            return inboxes.getFirst().text("inbox_id");
        }
        try {
            return visit.change(LocalCall.post(JsonObject.of("username", "hello"), "inboxes"))
                    .text("inbox_id");
        } catch (Problem taken) {
            if (taken.code() != ErrorCode.RESOURCE_TAKEN) {
                throw taken;
            }
            return visit.change(LocalCall.post(new JsonObject(), "inboxes")).text("inbox_id");
        }
    }
}
