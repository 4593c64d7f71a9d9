package dev.inboxd.mcp;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonObject;
import dev.inboxd.base.json.RawJson;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * How {@code tools/list} shows a tool.
 *
 * @param sets the toolsets that it is in
 * @param wide those of them in which a client of one inbox is not shown it
 * @param forms its description by what differs between clients
 */
record ToolListing(Set<Toolset> sets, Set<Toolset> wide, Map<Form, RawJson> forms) {
    ToolListing {
        sets = Set.copyOf(sets);
        wide = Set.copyOf(wide);
        forms = Map.copyOf(forms);
    }

    /**
     * What differs between clients.
     *
     * @param isOfInbox whether calls need not name an inbox
     * @param hasResult whether the schema of the result is shown
     */
    record Form(boolean isOfInbox, boolean hasResult) {}

    /**
     * What is written about a tool.
     *
     * @param name its name
     * @param about what it does
     * @param hints four digits: read-only, destructive, idempotent, open world
     */
    record Summary(String name, String about, String hints) {
        private boolean hint(int index) {
            return hints.charAt(index) == '1';
        }

        /** The tool for clients that are shown the schema of its result, and for those that are not. */
        RawJson definition(JsonObject arguments, JsonObject result, boolean hasResult) {
            return new RawJson(Json.text(JsonObject.of("name", name)
                    .with("title", title())
                    .with("description", about)
                    .with("inputSchema", arguments)
                    .with("outputSchema", hasResult ? result : null)
                    .with(
                            "annotations",
                            JsonObject.of("title", title())
                                    .with("readOnlyHint", hint(0))
                                    .with("destructiveHint", hint(1))
                                    .with("idempotentHint", hint(2))
                                    .with("openWorldHint", hint(3)))
                    .with("execution", JsonObject.of("taskSupport", "forbidden"))));
        }

        private String title() {
            return name.substring(0, 1).toUpperCase(Locale.ROOT)
                    + name.substring(1).replace('_', ' ');
        }
    }

    /** Whether a client with this choice is shown the tool, if its credential may use it. */
    boolean isShown(ToolChoice choice) {
        return choice.shows(sets, wide);
    }

    /** The tool as a client with this choice is shown it. */
    RawJson form(ToolChoice choice) {
        RawJson form = forms.get(new Form(choice.inbox() != null, choice.hasResults()));
        if (form == null) {
            throw new IllegalStateException("a tool without a description");
        }
        return form;
    }
}
