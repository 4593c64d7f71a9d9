package dev.inboxd.console.mail;

import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.session.ConsolePages;
import dev.inboxd.console.session.Visit;
import dev.inboxd.console.view.TraceSteps;
import java.util.Map;

/** What happened to a message, a line a step: from the server that brought it to the program that answered. */
public final class TracePages {
    public void mount(ConsolePages pages) {
        pages.page("/inboxes/{inbox_id}/messages/{message_id}/trace", TracePages::trace);
    }

    private static Response trace(Visit visit) {
        visit.live();
        String inbox = visit.path("inbox_id");
        JsonTree trace = visit.read(LocalCall.get("inboxes", inbox, "messages", visit.path("message_id"), "trace"));
        return visit.page(
                "trace",
                "inboxes/Message trace",
                Map.of("inbox", inbox, "trace", trace, "steps", TraceSteps.of(trace, inbox)));
    }
}
