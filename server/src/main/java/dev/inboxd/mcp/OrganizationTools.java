package dev.inboxd.mcp;

import dev.inboxd.base.access.Caller;
import dev.inboxd.base.http.Request;
import dev.inboxd.base.http.Response;
import dev.inboxd.base.http.Route;
import dev.inboxd.base.http.RouteCall;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.JsonTree;
import dev.inboxd.base.json.RawJson;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The two tools that only programs have that a person let in (mcp.md §6): which organizations there are, and the
 * choice of one. A key belongs to one organization, so the list has one entry, and another is chosen by signing in
 * anew.
 */
final class OrganizationTools {
    private static final String LIST = "list_organizations";
    private static final String SELECT = "select_organization";
    private static final JsonObject TEXT = JsonObject.of("type", "string");

    private final Predicate<Caller> isProgramKey;
    private final @Nullable Route route;
    private final ToolListing list;
    private final ToolListing select;

    /**
     * The tools.
     *
     * @param isProgramKey whether a caller's key is one that a person gave to a program
     * @param route reads an organization; null when there is none
     */
    OrganizationTools(Predicate<Caller> isProgramKey, @Nullable Route route) {
        this.isProgramKey = isProgramKey;
        this.route = route;
        JsonObject item =
                object(JsonObject.of("id", TEXT).with("name", TEXT).with("selected", JsonObject.of("type", "boolean")));
        this.list = listing(
                new ToolListing.Summary(LIST, "Lists the organizations of the person who let this program in.", "1010"),
                new JsonObject(),
                JsonObject.of("organizations", JsonObject.of("type", "array").with("items", item)));
        this.select = listing(
                new ToolListing.Summary(
                        SELECT,
                        "Chooses the organization that the other tools use. This program was let into one"
                                + " organization; for another, the person signs in anew.",
                        "0010"),
                JsonObject.of(
                        "organization",
                        JsonObject.of("type", "string")
                                .with("description", "The name of the organization, or its id.")),
                JsonObject.of("organizationId", TEXT).with("organizationName", TEXT));
    }

    private static ToolListing listing(ToolListing.Summary summary, JsonObject arguments, JsonObject result) {
        Map<ToolListing.Form, RawJson> forms = new HashMap<>();
        for (boolean hasResult : List.of(true, false)) {
            RawJson form = summary.definition(object(arguments), object(result), hasResult);
            forms.put(new ToolListing.Form(true, hasResult), form);
            forms.put(new ToolListing.Form(false, hasResult), form);
        }
        return new ToolListing(Set.of(Toolset.ADMIN), Set.of(), forms);
    }

    private static JsonObject object(JsonObject properties) {
        List<String> names =
                JsonTree.of(Json.write(properties)).members().keySet().stream().toList();
        return JsonObject.of("type", "object")
                .with("properties", properties)
                .with("required", names.isEmpty() ? null : names)
                .with("additionalProperties", false);
    }

    /** The tools of this choice that the caller of this request may use, as they are listed. */
    List<RawJson> open(Request request, ToolChoice choice) {
        return isProgramKey.test(request.caller()) && list.isShown(choice)
                ? List.of(list.form(choice), select.form(choice))
                : List.of();
    }

    /** Whether one of the two has this name, and the caller may use it. */
    boolean has(Request request, @Nullable Object name) {
        return (LIST.equals(name) || SELECT.equals(name)) && isProgramKey.test(request.caller());
    }

    /** The result of a call. */
    JsonObject call(Request request, Object name, Map<?, ?> arguments) {
        String id = request.caller().organization().toString();
        String title = name(request, id);
        if (name.equals(LIST)) {
            return ToolAnswer.result(JsonObject.of(
                    "organizations",
                    List.of(JsonObject.of("id", id).with("name", title).with("selected", true))));
        }
        Object requested = arguments.get("organization");
        return id.equals(requested) || title.equals(requested)
                ? ToolAnswer.result(JsonObject.of("organizationId", id).with("organizationName", title))
                : ToolAnswer.refusal("organization must be " + title + " or " + id
                        + ", into which this program was let. For another one, let the person sign in anew.");
    }

    /** The human behind it, where the key may know that; else the id. */
    private String name(Request request, String id) {
        Route organizationRoute = route;
        if (organizationRoute == null || !request.opens(organizationRoute)) {
            return id;
        }
        Response answer = request.call(() -> new RouteCall(organizationRoute, Map.of(), Map.of(), Map.of(), Map.of()));
        JsonTree organization = answer.status() == 200 && answer.body() instanceof Response.Body.Bytes bytes
                ? JsonTree.of(bytes.content())
                : JsonTree.EMPTY;
        return organization.has("human_email") ? organization.text("human_email") : id;
    }
}
