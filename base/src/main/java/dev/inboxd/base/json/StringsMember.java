package dev.inboxd.base.json;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Faults;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The rules of a member that is a string or a list of strings; control characters are refused, perhaps but tabs. */
public final class StringsMember {
    private final String name;
    private final @Nullable Object value;
    private final List<Object> path;
    private final Faults faults;
    private int least;
    private int most = Integer.MAX_VALUE;
    private int items = Integer.MAX_VALUE;
    private boolean tabs;

    StringsMember(String name, @Nullable Object value, List<Object> path, Faults faults) {
        this.name = name;
        this.value = value;
        this.path = path;
        this.faults = faults;
    }

    /** Sets the minimum number of characters in each. */
    public StringsMember min(int characters) {
        least = characters;
        return this;
    }

    /** Sets the maximum number of characters in each. */
    public StringsMember max(int characters) {
        most = characters;
        return this;
    }

    /** Sets the maximum number of strings. */
    public StringsMember most(int strings) {
        items = strings;
        return this;
    }

    /** Permits tabs. */
    public StringsMember tabs() {
        tabs = true;
        return this;
    }

    /** The valid strings; empty when absent. */
    public List<String> list() {
        return switch (value) {
            case null -> List.of();
            case String text when text.isEmpty() -> List.of();
            case String text -> valid(text, path) ? List.of(text) : List.of();
            case List<?> several when several.size() <= items -> strings(several);
            case List<?> several ->
                fault(new Fault(path, name + " must have at most " + items + " items, not " + several.size())
                        .as(Fault.Code.TOO_BIG));
            default ->
                fault(new Fault(path, name + " must be a string or a list of strings")
                        .as(Fault.Code.INVALID_TYPE, "a string or a list of strings"));
        };
    }

    /** The strings; an empty list is a fault. */
    public List<String> required() {
        if (value == null || value.equals("") || (value instanceof List<?> several && several.isEmpty())) {
            return fault(new Fault(path, name + " is required").as(Fault.Code.REQUIRED));
        }
        return list();
    }

    private List<String> strings(List<?> several) {
        List<String> strings = new ArrayList<>(several.size());
        for (int i = 0; i < several.size(); i++) {
            List<Object> at = Fault.join(path, i);
            if (!(several.get(i) instanceof String string)) {
                fault(new Fault(at, name + " must hold strings").as(Fault.Code.INVALID_TYPE, "a string"));
            } else if (valid(string, at)) {
                strings.add(string);
            }
        }
        return strings;
    }

    private boolean valid(String string, List<Object> at) {
        StringMember.Wrong wrong = StringMember.Wrong.of(tabs ? string.replace('\t', ' ') : string, least, most, false);
        if (wrong != null) {
            fault(new Fault(at, name + " " + wrong.message()).as(wrong.code()));
        }
        return wrong == null;
    }

    private List<String> fault(Fault fault) {
        faults.add(fault);
        return List.of();
    }
}
