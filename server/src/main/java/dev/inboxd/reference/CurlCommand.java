package dev.inboxd.reference;

import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.JsonTree;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A call as a command that somebody can paste: with the examples of the description, and the key in a variable. */
record CurlCommand(SchemaOutline schemas) {
    private static final int MOST_OPTIONAL = 2;

    /**
     * The command for a call.
     *
     * @param parameters those of the path and its own, resolved
     */
    String of(String method, String path, List<JsonTree> parameters, JsonTree operation) {
        StringBuilder command = new StringBuilder("curl ");
        if (!method.equals("GET")) {
            command.append("-X ").append(method).append(' ');
        }
        command.append("\"$INBOXD_URL")
                .append(filled(path, parameters))
                .append(query(parameters))
                .append('"');
        if (!operation.has("security") && !isOpen(operation)) {
            command.append(" \\\n  -H \"Authorization: Bearer $INBOXD_KEY\"");
        }
        operation.get("requestBody").get("content").members().forEach((media, content) -> {
            command.append(" \\\n  -H 'Content-Type: ").append(media).append('\'');
            if (media.equals("application/json")) {
                String body = Json.text(sample(content)).replace("'", "'\\''");
                command.append(" \\\n  -d '").append(body).append('\'');
            }
        });
        return command.toString();
    }

    private static boolean isOpen(JsonTree operation) {
        return operation.text("x-permission").equals("public")
                || operation.text("x-permission").equals("other");
    }

    private String filled(String path, List<JsonTree> parameters) {
        String filled = path;
        for (JsonTree parameter : parameters) {
            if (parameter.text("in").equals("path")) {
                String example = schemas.example(parameter.get("schema")).text();
                String encoded = example.replace("<", "%3C").replace(">", "%3E");
                filled = filled.replace("{" + parameter.text("name") + "}", encoded);
            }
        }
        return filled;
    }

    /** The parameters without which the call is refused. */
    private String query(List<JsonTree> parameters) {
        StringBuilder query = new StringBuilder();
        for (JsonTree parameter : parameters) {
            if (parameter.text("in").equals("query") && parameter.is("required")) {
                String example = schemas.example(parameter.get("schema")).text().replace(" ", "%20");
                query.append(query.isEmpty() ? '?' : '&')
                        .append(parameter.text("name"))
                        .append('=')
                        .append(example);
            }
        }
        return query.toString();
    }

    /** The example of the description for this very call, else one that is made of its schema. */
    private @Nullable Object sample(JsonTree content) {
        return content.has("example") ? content.get("example").value() : body(content.get("schema"));
    }

    /** What has to be there, else the first that may be. */
    private Map<String, @Nullable Object> body(JsonTree schema) {
        Map<String, @Nullable Object> body = new LinkedHashMap<>();
        Map<String, JsonTree> members = schemas.members(schema);
        schemas.required(schema).forEach(name -> body.put(name, value(members.getOrDefault(name, JsonTree.EMPTY))));
        members.forEach((name, member) -> {
            if (schemas.required(schema).isEmpty() && body.size() < MOST_OPTIONAL) {
                Object value = value(member);
                if (!"".equals(value)) {
                    body.put(name, value);
                }
            }
        });
        return body;
    }

    private @Nullable Object value(JsonTree member) {
        JsonTree example = schemas.example(member);
        if (!schemas.members(member).isEmpty() && example.isEmpty()) {
            return body(member);
        }
        return example.value();
    }
}
