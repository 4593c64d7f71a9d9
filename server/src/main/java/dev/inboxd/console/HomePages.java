package dev.inboxd.console;

import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.Role;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.session.ConsoleConfig;
import dev.inboxd.console.session.ConsolePages;
import dev.inboxd.console.session.Visit;
import java.util.List;
import java.util.Map;

/** The first page: how much mail there is, what needs somebody, and what happens now. */
final class HomePages {
    private static final int FEED = 12;

    private final SampleMail sampleMail;
    private final ConsoleConfig config;
    private final Database database;
    private final WebhookStates states;

    HomePages(SampleMail sampleMail, ConsoleConfig config, Database database) {
        this.sampleMail = sampleMail;
        this.config = config;
        this.database = database;
        this.states = new WebhookStates(database);
    }

    void mount(ConsolePages pages) {
        pages.page("", this::home).form("", Role.OWN, this::act).form("/stop", Role.APPROVE, HomePages::stop);
    }

    private Response home(Visit visit) {
        visit.live();
        JsonTree feed = visit.read(LocalCall.get("threads").with("limit", String.valueOf(FEED)));
        List<JsonTree> inboxes = feed.list("threads").isEmpty() ? newest(visit) : List.of(); // only to be written to
        JsonTree organization = visit.readIfAllowed(LocalCall.get("organizations"));
        HomeFigures figures = new HomeFigures(visit);
        HomeNeeds needs = new HomeNeeds(visit, database, states);
        return visit.page(
                "home",
                "home/Home",
                Map.of(
                        "figures", figures.numbers(),
                        "charts", figures.charts(),
                        "needs", needs.all(),
                        "waiting", needs.numbers(),
                        "feed", feed,
                        "inbox", inboxes.stream().findFirst().orElse(JsonTree.EMPTY),
                        "organization", organization,
                        "canStop", visit.has("POST", "organizations", "stop"),
                        "ways", List.of(config.publicUrl() + "/v0", sampleMail.address(), config.domain())));
    }

    private Response act(Visit visit) {
        if (!visit.form().text("do").equals("test")) {
            throw Problem.invalid("do", "This page has no such action");
        }
        sampleMail.send(visit.caller().organization(), inbox(visit));
        return visit.to("sent");
    }

    /** Who decides what leaves stops it, too; an owner lets it go on. */
    private static Response stop(Visit visit) {
        return switch (visit.form().text("do")) {
            case "stop" -> stop(visit, new JsonObject());
            case "stop-everything" -> stop(visit, JsonObject.of("everything", true));
            case "resume" -> {
                visit.change(LocalCall.post(new JsonObject(), "organizations", "resume"));
                yield visit.to("resumed");
            }
            default -> throw Problem.invalid("do", "This page has no such action");
        };
    }

    /** Two steps: the second button is behind a box that somebody ticks. */
    private static Response stop(Visit visit, JsonObject what) {
        if (!visit.form().text("sure").equals("yes")) {
            throw Problem.invalid("sure", "Tick the box “I am sure” first");
        }
        visit.decide(Permission.INBOX_UPDATE, LocalCall.post(what, "organizations", "stop"));
        return visit.to("stopped");
    }

    private static List<JsonTree> newest(Visit visit) {
        return visit.read(LocalCall.get("inboxes").with("limit", "1")).list("inboxes");
    }

    /** The newest inbox; the first one is made here. */
    private static String inbox(Visit visit) {
        List<JsonTree> inboxes = newest(visit);
        if (!inboxes.isEmpty()) {
            return inboxes.getFirst().text("inbox_id");
        }
        try {
            return visit.change(LocalCall.post(JsonObject.of("username", "hello"), "inboxes"))
                    .text("inbox_id");
        } catch (Problem conflict) {
            if (conflict.code() != ErrorCode.RESOURCE_TAKEN) {
                throw conflict;
            }
            return visit.change(LocalCall.post(new JsonObject(), "inboxes")).text("inbox_id");
        }
    }
}
