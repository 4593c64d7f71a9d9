package dev.inboxd.mcp;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Faults;
import dev.inboxd.base.http.Route;
import dev.inboxd.base.http.RouteCall;
import dev.inboxd.base.json.Json;
import dev.inboxd.mcp.schema.MemberForm;
import dev.inboxd.mcp.schema.ToolMember;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The arguments of one call of a tool, as its route takes them. */
final class ToolCall {
    /** The most items of a list, where the caller names no number. */
    private static final String USUAL_LIMIT = "10";

    private final Tool tool;
    private final Route route;
    private final @Nullable String ownInbox;
    private final Faults faults = new Faults();
    private final Map<String, String> path = new LinkedHashMap<>();
    private final Map<String, String> query = new LinkedHashMap<>();
    private final Map<String, String> headers = new LinkedHashMap<>();
    private final Map<String, @Nullable Object> body = new LinkedHashMap<>();

    private ToolCall(Tool tool, Route route, @Nullable String ownInbox) {
        this.tool = tool;
        this.route = route;
        this.ownInbox = ownInbox;
    }

    /**
     * Makes the call of the route.
     *
     * @param arguments as the caller sent them
     * @param inbox the inbox that is meant where none is named, or null
     * @throws dev.inboxd.base.error.Problem {@code validation_error} for an argument that the tool does not have,
     *     one that is missing, and one that cannot be written in a path, a query or a header field
     */
    static RouteCall of(Tool tool, Map<?, ?> arguments, @Nullable String inbox) {
        ToolCall call = new ToolCall(tool, tool.route(arguments, inbox), inbox);
        call.read(arguments);
        return new RouteCall(call.route, call.path, call.query, call.headers, call.body);
    }

    private void read(Map<?, ?> arguments) {
        TextArguments reading = new TextArguments(tool, arguments);
        reading.check(faults);
        for (Object name : arguments.keySet()) {
            if (tool.arguments().member(name.toString()) == null) {
                faults.add(Fault.of(
                                cut(name.toString()), "There is no such argument. " + tool.name() + " takes " + names())
                        .as(Fault.Code.UNKNOWN_NAME, names()));
            }
        }
        for (ToolMember member : tool.arguments().members()) {
            if (member.place() == ToolMember.Place.NONE) {
                continue;
            }
            Object value = arguments.get(member.name());
            if (value == null && isInPath(member) && member.name().equals(Tool.INBOX)) {
                value = ownInbox;
            }
            if (arguments.containsKey(member.name()) && member.clears(value)) {
                body.put(member.routeName(), null);
            } else if (value != null) {
                put(member, value);
            } else if (member.required()) {
                faults.add(
                        Fault.of(member.name(), member.name() + " is required").as(Fault.Code.REQUIRED));
            } else if (arguments.containsKey(member.name()) && isBody(member)) {
                body.put(member.routeName(), null);
            }
        }
        if (tool.arguments().member("limit") != null) {
            query.putIfAbsent("limit", USUAL_LIMIT);
        }
        query.putAll(reading.query());
        query.putAll(tool.target().fixed());
        faults.check();
    }

    private static String cut(String name) {
        return name.length() <= 100 ? name : name.substring(0, 100);
    }

    private String names() {
        return tool.arguments().members().isEmpty()
                ? "none"
                : tool.arguments().members().stream().map(ToolMember::name).collect(Collectors.joining(", "));
    }

    private boolean isBody(ToolMember member) {
        return member.place() == ToolMember.Place.USUAL && !route.method().equals("GET");
    }

    private boolean isInPath(ToolMember member) {
        return route.template().contains("{" + member.routeName() + "}");
    }

    private void put(ToolMember member, Object value) {
        if (isInPath(member)) {
            if (value instanceof String text && !text.isEmpty()) {
                path.put(member.routeName(), text);
            } else {
                faults.add(Fault.of(member.name(), member.name() + " must be a string that is not empty")
                        .as(Fault.Code.INVALID_TYPE, "a string"));
            }
        } else if (isBody(member)) {
            body.put(member.routeName(), member.form().toRoute(value));
        } else if (member.place() == ToolMember.Place.HEADER) {
            headers.put(member.headerName(), value.toString());
        } else {
            query.put(member.routeName(), text(member, member.form().toRoute(value)));
        }
    }

    /** A value as a query has it; a list as JSON. */
    private String text(ToolMember member, Object value) {
        if (value instanceof Map || (value instanceof List && !(member.form() instanceof MemberForm.Items))) {
            faults.add(Fault.of(member.name(), member.name() + " must be a single value")
                    .as(Fault.Code.INVALID_TYPE, "a single value"));
            return "";
        }
        return value instanceof List<?> list ? Json.text(list) : value.toString();
    }
}
