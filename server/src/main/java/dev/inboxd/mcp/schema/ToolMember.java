package dev.inboxd.mcp.schema;

import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * An argument of a tool, or a member of a result.
 *
 * @param name in camel case
 * @param place where a route takes it, if not in its path
 * @param presence whether it is always there
 * @param form what its value is
 */
public record ToolMember(String name, Place place, Presence presence, MemberForm form) {
    /** Where a route takes an argument that is not in its path. */
    public enum Place {
        /** The query of GET, the body otherwise. */
        USUAL,
        QUERY,
        HEADER,
        /** Nowhere: it says how the result is read. */
        NONE
    }

    /** Whether a member is always there, and what its absence of a value means. */
    public enum Presence {
        REQUIRED,
        OPTIONAL,
        /** It may be left out, and an argument without content clears what is there. */
        CLEARS
    }

    /** Whether it is always there. */
    public boolean required() {
        return presence == Presence.REQUIRED;
    }

    /** Whether this argument clears what is there: null, and an empty string or list, for models that have no null. */
    public boolean clears(@Nullable Object value) {
        return presence == Presence.CLEARS
                && (value == null || value.equals("") || (value instanceof List<?> list && list.isEmpty()));
    }

    /** What it means, for the model; null when there are no words for it. */
    @Nullable
    public String description(SchemaWords words) {
        String meaning = words.meaning(name);
        if (presence != Presence.CLEARS) {
            return meaning;
        }
        String clearing = form instanceof MemberForm.Items ? "An empty list clears it." : "An empty string clears it.";
        return meaning == null ? clearing : meaning + " " + clearing;
    }

    /** Its name in the interface: in snake case. */
    public String routeName() {
        return separated('_');
    }

    /** Its name as a header field, in lower case. */
    public String headerName() {
        return separated('-');
    }

    private String separated(char separator) {
        StringBuilder separated = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (Character.isUpperCase(c)) {
                separated.append(separator);
            }
            separated.append(Character.toLowerCase(c));
        }
        return separated.toString();
    }

    /** A name of the interface in camel case. */
    public static String camelCase(String routeName) {
        int underscore = routeName.indexOf('_');
        if (underscore < 1 || underscore == routeName.length() - 1) {
            return routeName;
        }
        return routeName.substring(0, underscore)
                + routeName.substring(underscore + 1, underscore + 2).toUpperCase(Locale.ROOT)
                + camelCase(routeName.substring(underscore + 2));
    }
}
