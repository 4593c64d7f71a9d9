package dev.inboxd.console.session;

import dev.inboxd.base.access.Gate;
import dev.inboxd.base.database.Database;
import dev.inboxd.base.error.ErrorCode;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.BodyLimit;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Routes;
import dev.inboxd.tenant.review.ReviewReader;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Ends letters to a person who comes by the address in one, without a sign-in. The address alone ends nothing: programs
 * that look at mail open it as well.
 */
public final class LetterPages {
    private static final BodyLimit SMALL = new BodyLimit(4 * 1024, false);
    private static final String PATH = "/console/letters";
    private static final String TOKEN = "of";

    private final ConsolePages pages;
    private final ConsoleGate gate;
    private final Database database;
    private final LetterLinks links;

    public LetterPages(ConsolePages pages, ConsoleGate gate, Database database, LetterLinks links) {
        this.pages = pages;
        this.gate = gate;
        this.database = database;
        this.links = links;
    }

    public void mount(Routes root) {
        root.get(Gate.PUBLIC, PATH, pages.shown(this::ask));
        root.post(Gate.PUBLIC, PATH, SMALL, pages.shown(this::end));
    }

    private Response ask(Request request) {
        LinkHolder holder = find(request.query().text(TOKEN));
        return page(holder.token, holder.reader.isMuted());
    }

    private Response end(Request request) {
        PageForm form = new PageForm(request.octets());
        gate.requireOwn(request, form);
        LinkHolder holder = find(form.text(TOKEN));
        database.run(holder.organization, tx -> {
            holder.reader.mute(tx, holder.organization, true);
        });
        return page(holder.token, true);
    }

    private Response page(String token, boolean isOver) {
        return pages.outside(200, "letters", "Email notifications", Map.of(TOKEN, token, "isOver", isOver))
                .header("Cache-Control", "no-store");
    }

    private record LinkHolder(String token, UUID organization, ReviewReader reader) {}

    private LinkHolder find(@Nullable String token) {
        UUID organization = LetterLinks.organization(token).orElse(null);
        if (token != null && organization != null) {
            for (ReviewReader reader : database.read(tx -> ReviewReader.of(tx, organization))) {
                if (links.isOf(token, organization, reader.humanEmail())) {
                    return new LinkHolder(token, organization, reader);
                }
            }
        }
        throw Problem.of(
                ErrorCode.NOT_FOUND,
                "This link is incomplete, or belongs to a person who has left the organization",
                "Copy the whole link from the last email, or sign in and turn off notifications under Approvals.");
    }
}
