package dev.inboxd.console.session;

import dev.inboxd.account.oauth.GrantRequest;
import dev.inboxd.account.oauth.OAuthAccess;
import dev.inboxd.account.oauth.OAuthServer;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.access.Role;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.web.oauth.RedirectError;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The page on which a person lets a program in, or does not. What it asks for stays in the query of the page. */
public final class ConsentPages {
    /** Where clients send browsers, below {@code /console}. */
    static final String PATH = "/authorize";

    private final OAuthServer server;

    public ConsentPages(OAuthServer server) {
        this.server = server;
    }

    public void mount(ConsolePages pages) {
        pages.page(PATH, this::ask).form(PATH, Role.OWN, this::answer);
    }

    private Response ask(Visit visit) {
        visit.caller().require(Role.OWN);
        visit.caller().require(Permission.API_KEY_CREATE); // nobody is let in by whoever cannot make a key
        try {
            return page(visit, server.read(visit.request()));
        } catch (RedirectError fault) {
            return returning(visit, fault);
        }
    }

    /**
     * A page with the fault, from which a person may return to the program. Nobody is led to a place that a stranger
     * wrote down without seeing it (RFC 9700 §4.11.2).
     */
    private static Response returning(Visit visit, RedirectError fault) {
        return visit.formsLeadAway()
                .page(
                        "returning",
                        "/Invalid request",
                        Map.of(
                                "fault",
                                String.valueOf(fault.getMessage()),
                                "place",
                                URI.create(fault.redirectUri()).getAuthority()));
    }

    private static Response page(Visit visit, GrantRequest grantRequest) {
        JsonTree organization = visit.silently(LocalCall.get("organizations"));
        List<String> inboxes = visit.silently(LocalCall.get("inboxes").with("limit", "100")).list("inboxes").stream()
                .map(inbox -> inbox.text("email"))
                .toList();
        String document = grantRequest.client().host();
        return visit.formsLeadAway()
                .page(
                        "consent",
                        "/Allow access",
                        Map.of(
                                "name",
                                grantRequest.client().title(),
                                "host",
                                document == null ? "" : document,
                                "place",
                                grantRequest.redirectUri().place(),
                                "organization",
                                organization.has("human_email")
                                        ? organization.text("human_email")
                                        : organization.text("organization_id"),
                                "inboxes",
                                inboxes,
                                "access",
                                grantRequest.requestedAccess().wireName()));
    }

    private Response answer(Visit visit) {
        PageForm form = visit.form();
        try {
            GrantRequest grantRequest = server.read(visit.request());
            return to(
                    switch (form.text("do")) {
                        case "allow" -> server.allow(visit.caller(), grantRequest, inbox(visit, form), access(form));
                        case "deny" -> server.deny(grantRequest);
                        default -> throw Problem.invalid("do", "This page has no such action");
                    });
        } catch (RedirectError fault) {
            return to(server.location(fault));
        }
    }

    /** The inbox that was chosen, as the API knows it; null for all of them. */
    private static @Nullable String inbox(Visit visit, PageForm form) {
        String chosen = form.text("inbox");
        return chosen.isEmpty()
                ? null
                : visit.silently(LocalCall.get("inboxes", chosen)).text("email");
    }

    private static OAuthAccess access(PageForm form) {
        OAuthAccess access = OAuthAccess.of(form.text("access"));
        if (access == null) {
            throw Problem.invalid("access", "Choose permissions for the program");
        }
        return access;
    }

    private static Response to(String location) {
        return Response.ok().status(303).header("Location", location).header("Cache-Control", "no-store");
    }
}
