package dev.inboxd.mcp;

import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Route;
import dev.inboxd.mcp.schema.MemberForm;
import dev.inboxd.mcp.schema.ToolMember;
import dev.inboxd.mcp.schema.ToolShape;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A tool: a route as an agent calls it.
 *
 * @param name its name
 * @param target what it calls
 * @param arguments what it takes
 * @param result the shape of what it gives
 * @param listing how it is listed
 */
record Tool(String name, Target target, ToolShape arguments, ToolShape result, ToolListing listing) {
    /** The argument that names an inbox. */
    static final String INBOX = "inboxId";

    /**
     * What a tool calls.
     *
     * @param route the route
     * @param ofInbox the route instead, where an inbox is named; null when there is only one
     * @param fixed parameters of the query that every call has
     * @param wrapper the member of the result that is the whole answer of the route; null when its members are
     */
    record Target(
            Route route,
            @Nullable Route ofInbox,
            Map<String, String> fixed,
            @Nullable String wrapper) {
        Target {
            fixed = Map.copyOf(fixed);
        }
    }

    /**
     * The route that a call with these arguments is for.
     *
     * @param inbox the inbox that is meant where none is named, or null
     */
    Route route(Map<?, ?> callArguments, @Nullable String inbox) {
        Route inboxRoute = target.ofInbox();
        return inboxRoute != null && (callArguments.get(INBOX) != null || inbox != null) ? inboxRoute : target.route();
    }

    /** Whether the caller of this request may use it; the inbox is the one that is meant where none is named. */
    boolean isOpen(Request request, @Nullable String inbox) {
        return request.opens(route(Map.of(), inbox));
    }

    /** The list of its result that has pages; null when there is none. */
    @Nullable
    String items() {
        return arguments.member("limit") == null
                ? null
                : result.members().stream()
                        .filter(member -> member.form() instanceof MemberForm.Items(MemberForm.Nested _))
                        .map(ToolMember::name)
                        .filter(name -> !name.equals("attachments"))
                        .findFirst()
                        .orElse(null);
    }

    /** The result, from the object that the route answered with; of a deletion, an empty one. */
    Map<String, Object> result(Map<?, ?> answer) {
        String wrapper = target.wrapper();
        Map<String, Object> members = result.fromRoute(wrapper == null ? answer : Map.of(wrapper, answer));
        if (result.member("success") != null) {
            members.put("success", true);
        }
        return members;
    }
}
