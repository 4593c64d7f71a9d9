package dev.inboxd.cli.mail;

import dev.inboxd.base.json.JsonTree;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Prints what the server answers.
 *
 * @param asJson whether JSON is wanted, instead of text for people
 * @param fields the members that a text has, in their order; none for what fits
 */
record AnswerOutput(Terminal terminal, boolean asJson, List<String> fields) {
    /** Whether JSON or chosen members are wanted, and no text that is written for people. */
    boolean isData() {
        return asJson || !fields.isEmpty();
    }

    /** Prints an answer, or throws the failure that it is. */
    void print(ServerAnswer answer, String items) {
        if (answer.isRefusal()) {
            throw answer.failure(asJson);
        }
        if (answer.isJson()) {
            value(answer.json().value(), items);
        } else if (answer.location() != null) {
            value(Map.of("location", answer.location()), "");
        } else {
            if (Terminal.isScreen()) { // what mail says must not steer the terminal
                throw CommandFailure.usage("the answer is a file: redirect it, as in > file");
            }
            terminal.out().writeBytes(answer.body()); // a file, or a text of its own kind
            terminal.out().flush();
        }
    }

    /** Prints a value. */
    void value(@Nullable Object value, String items) {
        if (asJson) {
            terminal.json(value);
        } else if (!items.isEmpty() && value instanceof Map<?, ?> page) {
            new TextTable(terminal, fields).print(page.get(items), items);
        } else {
            new TextTable(terminal, fields).print(value, "");
        }
    }

    /**
     * Prints the items of several pages as if they were one.
     *
     * @param client makes the calls
     * @param first asks for the first page
     * @param operation whose answers have the items
     * @param most items that are wanted; 0 for all
     */
    void pages(MailClient client, OperationCall first, MailOperation operation, long most) {
        String items = operation.items();
        long page = operation.mostOfPage();
        List<@Nullable Object> all = new ArrayList<>();
        String token = "";
        do {
            long left = most == 0 ? page : Math.min(page, most - all.size());
            OperationCall call = first.with("limit", String.valueOf(left));
            ServerAnswer answer = client.send(token.isEmpty() ? call : call.with("page_token", token));
            if (answer.isRefusal()) {
                throw answer.failure(asJson);
            }
            JsonTree read = answer.json();
            read.list(items).forEach(item -> all.add(item.value()));
            String next = read.text("next_page_token");
            token = next.equals(token) ? "" : next;
        } while (!token.isEmpty() && (most == 0 || all.size() < most));
        Map<String, @Nullable Object> combined = new LinkedHashMap<>();
        combined.put("count", (long) all.size());
        combined.put(items, all);
        if (!token.isEmpty()) {
            combined.put("next_page_token", token);
        }
        value(combined, items);
    }
}
