package dev.inboxd.mcp.schema;

import dev.inboxd.base.json.JsonObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The members of an object of a tool, in order; there are no others.
 *
 * @param members the members
 */
public record ToolShape(List<ToolMember> members) {
    private static final String COUNT = "...Count";

    public ToolShape {
        members = List.copyOf(members);
    }

    /** The same members, of which the one of this name may be left out. */
    public ToolShape withOptional(String name) {
        return new ToolShape(members.stream()
                .map(member -> member.name().equals(name) && member.required()
                        ? new ToolMember(name, member.place(), ToolMember.Presence.OPTIONAL, member.form())
                        : member)
                .toList());
    }

    /**
     * Its JSON Schema.
     *
     * @param words what each name means
     */
    public JsonObject schema(SchemaWords words) {
        JsonObject properties = new JsonObject();
        List<String> required = new ArrayList<>();
        for (ToolMember member : members) {
            properties.with(member.name(), member.form().schema(words).with("description", member.description(words)));
            if (member.required()) {
                required.add(member.name());
            }
            String count = member.name() + "Count";
            if (words.isResult() && member.form().isCounted() && member(count) == null) {
                properties.with(count, JsonObject.of("type", "integer").with("description", words.meaning(COUNT)));
            }
        }
        return JsonObject.of("type", "object")
                .with("properties", properties)
                .with("required", required.isEmpty() ? null : required)
                .with("additionalProperties", false);
    }

    /** The object of a tool's result, from the object that a route answered with. */
    public Map<String, Object> fromRoute(Map<?, ?> answer) {
        Map<String, Object> result = new LinkedHashMap<>();
        for (ToolMember member : members) {
            Object value = answer.get(member.routeName());
            if (value != null && !(member.form() instanceof MemberForm.Text && isRepeated(member, answer))) {
                result.put(member.name(), member.form().fromRoute(value));
            }
        }
        return result;
    }

    /** Mail says the same up to three times: the text with what is quoted, the text without, and the HTML. */
    private static boolean isRepeated(ToolMember member, Map<?, ?> answer) {
        Object text = answer.get("text");
        Object anew = answer.get("extracted_text");
        return switch (member.name()) {
            case "extractedText" ->
                anew != null
                        && text != null
                        && anew.toString().strip().equals(text.toString().strip());
            case "html" -> answer.containsKey("message_id") && (text != null || anew != null);
            default -> false;
        };
    }

    /** The object that a route takes, from an object of the arguments. Unknown members are left to the route. */
    public Map<String, @Nullable Object> toRoute(Map<?, ?> value) {
        Map<String, @Nullable Object> route = new LinkedHashMap<>();
        value.forEach((name, argument) -> {
            ToolMember member = member(name.toString());
            if (member == null) {
                route.put(name.toString(), argument);
            } else {
                route.put(
                        member.routeName(),
                        argument == null ? null : member.form().toRoute(argument));
            }
        });
        return route;
    }

    /** The member of this name; null when there is none. */
    @Nullable
    public ToolMember member(String name) {
        for (ToolMember member : members) {
            if (member.name().equals(name)) {
                return member;
            }
        }
        return null;
    }
}
