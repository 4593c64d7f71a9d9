package dev.inboxd.base.database;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node of the tree that PostgreSQL makes of a statement once it knows the tables, columns and functions it names
 * ({@code debug_print_parse}; the forms of nodes are in primnodes.h and parsenodes.h of its source).
 *
 * @param tag the type of the node, in capital letters
 * @param fields by name: a node, a list, a text, or several of these where the server wrote several
 */
record TreeNode(String tag, Map<String, List<Object>> fields) {
    TreeNode {
        fields = Map.copyOf(fields);
    }

    /** Reads the text of a tree. */
    static TreeNode read(String text) {
        return (TreeNode) new Reader(text).value();
    }

    boolean is(String type) {
        return tag.equals(type);
    }

    private @Nullable Object first(String field) {
        List<Object> values = fields.get(field);
        return values == null || values.isEmpty() ? null : values.getFirst();
    }

    /** The text of a field; empty when there is none. */
    String text(String field) {
        return first(field) instanceof String text ? text : "";
    }

    /** The number of a field; 0 when there is none. */
    long number(String field) {
        String text = text(field);
        return text.matches("-?\\d+") ? Long.parseLong(text) : 0;
    }

    /** The node of a field, or null. */
    @Nullable
    TreeNode node(String field) {
        return first(field) instanceof TreeNode node ? node : null;
    }

    /** The nodes in the list of a field. */
    List<TreeNode> nodes(String field) {
        List<TreeNode> nodes = new ArrayList<>();
        if (first(field) instanceof List<?> list) {
            list.forEach(each -> {
                if (each instanceof TreeNode node) {
                    nodes.add(node);
                }
            });
        }
        return nodes;
    }

    /** Shows this node and all below it. */
    void walk(Consumer<TreeNode> look) {
        look.accept(this);
        fields.values().forEach(values -> walk(values, look));
    }

    private static void walk(List<?> values, Consumer<TreeNode> look) {
        for (Object value : values) {
            if (value instanceof TreeNode node) {
                node.walk(look);
            } else if (value instanceof List<?> list) {
                walk(list, look);
            }
        }
    }

    /** The nodes of a type below this one, and this one. */
    List<TreeNode> all(String type) {
        List<TreeNode> found = new ArrayList<>();
        walk(node -> {
            if (node.is(type)) {
                found.add(node);
            }
        });
        return found;
    }

    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        private char next() {
            while (Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            return text.charAt(at);
        }

        Object value() {
            char c = next();
            return switch (c) {
                case '{' -> node();
                case '(' -> list(')');
                case '[' -> list(']');
                default -> word();
            };
        }

        private TreeNode node() {
            at++;
            String tag = word();
            Map<String, List<Object>> fields = new LinkedHashMap<>();
            List<Object> values = new ArrayList<>();
            while (next() != '}') {
                if (text.charAt(at) == ':') {
                    values = new ArrayList<>();
                    fields.put(word().substring(1), values);
                } else {
                    values.add(value());
                }
            }
            at++;
            return new TreeNode(tag, fields);
        }

        private List<Object> list(char end) {
            at++;
            List<Object> values = new ArrayList<>();
            while (next() != end) {
                values.add(value());
            }
            at++;
            return values;
        }

        /** A backslash stands before a character that would end a word. */
        private String word() {
            next();
            StringBuilder word = new StringBuilder();
            boolean quoted = text.charAt(at) == '"';
            at += quoted ? 1 : 0;
            while (quoted ? text.charAt(at) != '"' : " \n\t(){}[]".indexOf(text.charAt(at)) < 0) {
                at += text.charAt(at) == '\\' ? 1 : 0;
                word.append(text.charAt(at++));
            }
            at += quoted ? 1 : 0;
            return word.toString();
        }
    }
}
