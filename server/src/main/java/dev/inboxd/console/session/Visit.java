package dev.inboxd.console.session;

import dev.inboxd.app.connect.Cookies;
import dev.inboxd.base.access.Caller;
import dev.inboxd.base.access.Permission;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.http.LocalCall;
import dev.inboxd.base.http.LocalCalls;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.job.Marks;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.console.view.MonthGrid;
import dev.inboxd.console.view.PageFrame;
import dev.inboxd.web.Pages;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One request of a visitor: what it reads and changes by calls of the API, and the page that it gets. */
public final class Visit {
    /** What a form may hold: the text of a reply. */
    private static final int MOST_CURLS = 6;

    /** A page of a list with its query, in what a header may hold. */
    private static final Pattern LIST = Pattern.compile("(/mail|/inboxes/[!-~&&[^/?#]]+)(?:\\?([!-~&&[^#]]*))?");

    private final Request request;
    private final ConsoleGate.Visitor visitor;
    private final Services services;
    private final List<String> curls = new ArrayList<>();
    private @Nullable PageForm form;
    private String cursor = "";
    private boolean leadsAway;

    /** The content security policy of pages, the time that they show, and what holds the installation back. */
    public record Style(String policy, InstantSource clock, Supplier<Marks> marks) {}

    /** What every visit needs. */
    public record Services(LocalCalls calls, Pages pages, ConsoleGate gate, ConsoleConfig config, Style style) {
        Instant now() {
            return style.clock.instant();
        }

        /** A page; without a referrer of its own origin, browsers send forms with the origin null (Fetch §3.1). */
        Response render(int status, String template, Map<String, Object> values) {
            return render(status, template, values, false);
        }

        /**
         * The same, whose form may lead anywhere: browsers hold each redirect of a form to the policy (CSP 3 §6.4.1),
         * and the place that it leads to may redirect on, to an application.
         */
        Response render(int status, String template, Map<String, Object> values, boolean leadsAway) {
            String policy = leadsAway ? style.policy.replace(" form-action 'self';", "") : style.policy;
            return pages.page(status, "console/" + template, values, policy)
                    .header("Referrer-Policy", "same-origin")
                    .header("Cross-Origin-Opener-Policy", "same-origin");
        }
    }

    Visit(Request request, ConsoleGate.Visitor visitor, Services services) {
        this.request = request;
        this.visitor = visitor;
        this.services = services;
    }

    public Request request() {
        return request;
    }

    /** The time of the page. */
    public Instant now() {
        return services.now();
    }

    public Caller caller() {
        return visitor.caller();
    }

    /** Whether the visitor has signed in; at an open console nobody does. */
    public boolean isSignedIn() {
        return !services.gate().isOpen();
    }

    /** A parameter of the path. */
    public String path(String name) {
        return request.path(name);
    }

    /** A parameter of the query; empty when absent. */
    public String query(String name) {
        String value = request.query().text(name);
        return value == null ? "" : value;
    }

    /** The time zone of the visitor, as the script of the pages told it; else one by its name. */
    public ZoneId zone(String otherwise) {
        String own = Cookies.read(request, "zone");
        return MonthGrid.zone(own == null || !ZoneId.getAvailableZoneIds().contains(own) ? otherwise : own);
    }

    /** The form of a change, whose origin and token were checked. */
    public PageForm form() {
        PageForm read = form;
        if (read == null) {
            read = new PageForm(request.octets());
            services.gate().requireOwn(request, caller(), read);
            form = read;
        }
        return read;
    }

    /** Reads from the API; the page says by which call. */
    public JsonTree read(LocalCall call) {
        if (curls.size() < MOST_CURLS) {
            curls.add(curl(call));
        }
        return silently(call);
    }

    /** Reads what a page can do without: nothing where the caller has no right to it, or where it is off or gone. */
    public JsonTree readIfAllowed(LocalCall call) {
        if (curls.size() < MOST_CURLS) {
            curls.add(curl(call));
        }
        return silentlyIfAllowed(call);
    }

    /** Changes something by the API. */
    public JsonTree change(LocalCall call) {
        return silently(call);
    }

    /**
     * Changes what belongs to a decision, which the role of whoever decides may not do elsewhere. The caller has made
     * sure of what it is about.
     *
     * @param needed the one right that the call takes beside those of the role
     */
    public JsonTree decide(Permission needed, LocalCall call) {
        return tree(services.calls().call(request, caller().deciding(needed), call));
    }

    /** Reads from the API what the page does not tell how to read. */
    public JsonTree silently(LocalCall call) {
        return tree(services.calls().call(request, caller(), call));
    }

    private static JsonTree tree(Response answer) {
        return answer.body() instanceof Response.Body.Bytes bytes ? JsonTree.of(bytes.content()) : JsonTree.EMPTY;
    }

    /** The answer of the API as it is, such as a file. */
    public Response raw(LocalCall call) {
        return services.calls().call(request, caller(), call);
    }

    /** What a page can do without, and does not tell how to read. */
    public JsonTree silentlyIfAllowed(LocalCall call) {
        try {
            return silently(call);
        } catch (Problem refused) {
            if (refused.code().status() == 403 || refused.code().status() == 404) {
                return JsonTree.EMPTY;
            }
            throw refused;
        }
    }

    /** Whether the API has that route. */
    public boolean has(String method, String... segments) {
        return services.calls().has(method, LocalCall.path(segments));
    }

    private String curl(LocalCall call) {
        return "curl -sS '" + services.config().publicUrl() + call.target().replace("'", "%27")
                + "' -H \"Authorization: Bearer $KEY\"";
    }

    /** Lets the form of the page lead to other places. */
    Visit formsLeadAway() {
        leadsAway = true;
        return this;
    }

    /** Marks the page as one that changes with what happens; call it before its reads, so that nothing is missed. */
    public Visit live() {
        cursor = silently(LocalCall.get("events").with("cursor", "now")).text("next_cursor");
        return this;
    }

    /**
     * A page.
     *
     * @param template below {@code console/}
     * @param title its title, and the entry of the navigation before a slash: {@code inboxes/Support}
     */
    public Response page(String template, String title, Map<String, Object> values) {
        return page(200, template, title, values);
    }

    Response page(int status, String template, String title, Map<String, Object> values) {
        int slash = title.indexOf('/');
        Map<String, Object> all = new HashMap<>(values);
        all.put(
                "f",
                new PageFrame(
                        services.pages().base(),
                        title.substring(slash + 1),
                        title.substring(0, Math.max(0, slash)),
                        new PageFrame.Who(
                                visitor.name(),
                                caller().organization().toString(),
                                caller().role(),
                                isSignedIn(),
                                visitor.several(),
                                services.config().payments()),
                        services.gate().tokens().of(caller()),
                        new PageFrame.Note(
                                NoteWords.of(this::query),
                                query("undo"),
                                HoldWords.of(services.style().marks().get(), caller().organization())),
                        cursor,
                        services.now(),
                        curls));
        return services.render(status, template, all, leadsAway);
    }

    /** Leads back to the page of the form as it was asked for, so that nobody loses the place. */
    public Response back(String done, Map<String, String> more) {
        return at(ConsolePages.path(request), request.rawQuery(), done, more);
    }

    /**
     * Leads to the list from which a page was opened.
     *
     * @param list its path and query, as the script of lists keeps them; anything else leads to the segments
     */
    public Response toList(String list, String done, Map<String, String> more, String... segments) {
        String root = services.pages().base() + "/console";
        Matcher matcher = LIST.matcher(list.startsWith(root) ? list.substring(root.length()) : "");
        return matcher.matches() ? at(matcher.group(1), matcher.group(2), done, more) : to(done, more, segments);
    }

    private Response at(String page, @Nullable String query, String done, Map<String, String> more) {
        return new PageAddress(services.pages().base() + "/console" + page)
                .with("done", done)
                .with(more)
                .withQuery(query)
                .redirect();
    }

    /** Leads to a page after a change, so that a reload repeats nothing. */
    public Response to(String done, String... segments) {
        return to(done, Map.of(), segments);
    }

    /** The same with more words in its query. */
    public Response to(String done, Map<String, String> query, String... segments) {
        StringBuilder path = new StringBuilder(services.pages().base()).append("/console");
        for (String segment : segments) {
            path.append('/').append(LocalCall.encoded(segment));
        }
        PageAddress address = new PageAddress(path.toString());
        return (done.isEmpty() ? address : address.with("done", done).with(query)).redirect();
    }

    /** Leads out of the console, with the reason; the browser forgets the session. */
    public Response out(String reason) {
        return to(reason, "enter").header("Set-Cookie", services.gate().forget());
    }

    /** The host by which a page was opened, with its port. */
    public static String own(Request request) {
        String host = request.header("Host");
        return host == null ? "" : host;
    }

    /** Text of an answer of the API. */
    public static String text(Response answer) {
        return answer.body() instanceof Response.Body.Bytes bytes
                ? new String(bytes.content(), StandardCharsets.UTF_8)
                : "";
    }
}
