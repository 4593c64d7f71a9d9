package dev.inboxd.base.http;

import dev.inboxd.base.error.Fault;
import dev.inboxd.base.error.Faults;
import dev.inboxd.base.error.Problem;
import dev.inboxd.base.error.Quotation;
import dev.inboxd.base.http.syntax.PercentEncoding;
import dev.inboxd.base.json.Json;
import dev.inboxd.base.json.MemberNames;
import dev.inboxd.base.json.Timestamps;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The query of a request (mail.md §1.3). Faults are collected, and thrown by the check together with the faults of the
 * body; until then a faulty parameter reads as absent. Unknown parameters are ignored.
 */
public final class Query {
    private static final Set<String> YES = Set.of("true", "1", "yes", "on", "enabled");
    private static final Set<String> NO = Set.of("false", "0", "no", "off", "disabled");

    private final List<String> pairs = new ArrayList<>();
    private final Map<String, String> filters = new TreeMap<>();
    private final Faults faults;
    private final MemberNames read = new MemberNames();

    /**
     * Parses a query.
     *
     * @param raw the text behind the question mark, or null
     * @param faults collects the faults
     */
    Query(@Nullable String raw, Faults faults) {
        this.faults = faults;
        int start = 0;
        while (raw != null && start < raw.length()) {
            int and = raw.indexOf('&', start);
            int end = and < 0 ? raw.length() : and;
            if (end > start) {
                add(raw.substring(start, end));
            }
            start = end + 1;
        }
        faults.atCheck(this::reviewNames);
    }

    private void add(String pair) {
        int equals = pair.indexOf('=');
        String name = PercentEncoding.decode(equals < 0 ? pair : pair.substring(0, equals), true);
        String value = equals < 0 ? "" : PercentEncoding.decode(pair.substring(equals + 1), true);
        if (name == null) {
            faults.add(new Fault(List.of(), "The query has a parameter name that is not percent-encoded UTF-8"));
        } else if (value == null) {
            faults.add(name, name + " must be percent-encoded UTF-8");
        } else {
            pairs.add(name);
            pairs.add(value);
        }
    }

    /** A text parameter, or null when absent. */
    public @Nullable String text(String name) {
        String text = single(name);
        return remember(name, text, text);
    }

    /**
     * A list of texts: repeated parameters, also with the brackets of PHP and qs ({@code name[]}, {@code name[0]}), one
     * JSON array of strings (the public client sends this), JSON strings, or a mix. An empty text or array counts as
     * absent. Commas separate nothing.
     */
    public List<String> list(String name) {
        read.list(name);
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            if (isElement(pairs.get(i), name)) {
                texts.addAll(listed(pairs.get(i + 1)));
            }
        }
        return remember(name, texts.isEmpty() ? null : Json.text(texts), texts);
    }

    /** A list of words that hold no comma: like {@link #list}, and commas separate too. */
    public List<String> words(String name) {
        List<String> words = list(name).stream()
                .flatMap(text -> Arrays.stream(text.split(",", -1)))
                .map(String::strip)
                .filter(word -> !word.isEmpty())
                .toList();
        return remember(name, words.isEmpty() ? null : Json.text(words), words);
    }

    /** Whether a parameter is the list of this name or an element of it. */
    private static boolean isElement(String parameter, String name) {
        if (!parameter.startsWith(name) || parameter.length() == name.length()) {
            return parameter.equals(name);
        }
        String index = parameter.substring(name.length());
        return index.equals("[]")
                || (index.startsWith("[")
                        && index.endsWith("]")
                        && number(index.substring(1, index.length() - 1)) != null);
    }

    /** Adds a fault for each name that is another spelling of one that the route reads (mail.md §1.3). */
    private void reviewNames() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < pairs.size(); i += 2) {
            String name = pairs.get(i);
            int bracket = name.indexOf('[');
            String base = bracket < 1 ? name : name.substring(0, bracket);
            names.add(base);
            if (bracket > 0 && read.isRead(base) && !(read.isList(base) && isElement(name, base))) {
                faults.add(Fault.of(name, "There is no " + name + " here; write " + base)
                        .as(Fault.Code.UNKNOWN_NAME, base));
            }
        }
        read.review(names, List.of(), faults);
    }

    /**
     * A boolean: true, false, 1, 0, yes, no, on, off, enabled or disabled, in any case.
     *
     * @param otherwise the value when absent
     */
    public boolean flag(String name, boolean otherwise) {
        String text = single(name);
        String word = text == null ? "" : text.toLowerCase(Locale.ROOT);
        boolean yes = YES.contains(word);
        boolean no = NO.contains(word);
        if (text != null && !yes && !no) {
            mismatch(name, text, Fault.Code.INVALID_TYPE, "true or false");
        }
        boolean value = yes || (otherwise && !no);
        return remember(name, Boolean.toString(value), value);
    }

    /** The same, or null when absent. */
    public @Nullable Boolean flag(String name) {
        return has(name) ? flag(name, false) : null;
    }

    /** A whole number in decimal digits within the range, or null when absent. */
    public @Nullable Long integer(String name, long least, long most) {
        String text = single(name);
        Long number = text == null ? null : number(text);
        if (text != null && (number == null || number < least || number > most)) {
            Fault.Code code = number == null
                    ? Fault.Code.INVALID_TYPE
                    : number < least ? Fault.Code.TOO_SMALL : Fault.Code.TOO_BIG;
            mismatch(name, text, code, "a whole number from " + least + " to " + most);
            number = null;
        }
        return remember(name, number == null ? null : number.toString(), number);
    }

    /** A point in time, or null when absent: RFC 3339, a date alone, or a time without an offset, which means UTC. */
    public @Nullable Instant instant(String name) {
        String text = single(name);
        Instant instant = text == null ? null : Timestamps.parseQuery(text);
        if (text != null && instant == null) {
            // A plus that is not encoded has become a space (URL standard, application/x-www-form-urlencoded).
            boolean isPlusLost = Timestamps.parseQuery(text.replace(' ', '+')) != null;
            String expected = "a time like 2026-01-31T12:00:00Z" + (isPlusLost ? ", with + written as %2B" : "");
            mismatch(name, text, Fault.Code.INVALID_FORMAT, expected);
        }
        return remember(name, instant == null ? null : instant.toString(), instant);
    }

    /** One of several words, or null when absent; see {@link dev.inboxd.base.json.JsonBody#choice}. */
    public <T> @Nullable T choice(String name, T[] all, Function<T, String> wire) {
        String word = single(name);
        for (T candidate : all) {
            if (wire.apply(candidate).equals(word)) {
                return remember(name, word, candidate);
            }
        }
        if (word != null) {
            String expected = "one of " + Arrays.stream(all).map(wire).collect(Collectors.joining(", "));
            mismatch(name, word, Fault.Code.INVALID_VALUE, expected);
        }
        return null;
    }

    /** Whether a parameter is there, whatever its value. */
    public boolean has(String name) {
        read.single(name);
        for (int i = 0; i < pairs.size(); i += 2) {
            if (pairs.get(i).equals(name)) {
                return true;
            }
        }
        return false;
    }

    /** Parameters that shape an answer and choose nothing of it: they may differ from page to page, as limit may. */
    public void unbind(Collection<String> names) {
        filters.keySet().removeAll(names);
    }

    /** Adds a fault that the caller has found in a parameter. */
    public void fault(String name, String message) {
        faults.add(name, message);
    }

    /** Adds a fault of this kind that the caller has found in a parameter. */
    public void fault(String name, String message, Fault.Code code, String expected) {
        faults.add(Fault.of(name, message).as(code, expected));
    }

    /** Adds a fault of one item of a list. */
    public void faultOfItem(String name, Fault fault) {
        fault(name, fault.message(), fault.code(), String.valueOf(fault.expected()));
    }

    private void mismatch(String name, String actual, Fault.Code code, String expected) {
        fault(name, name + " must be " + expected + ", not " + Quotation.of(actual), code, expected);
    }

    /**
     * Ends the parsing of the request, its body included.
     *
     * @throws Problem {@code validation_error} with every fault found so far
     */
    public void check() {
        faults.check();
    }

    /** A parameter as received, which does not count as a filter; null when absent. A repeated parameter is a fault. */
    @Nullable
    String single(String name) {
        read.single(name);
        String value = null;
        for (int i = 0; i < pairs.size(); i += 2) {
            if (pairs.get(i).equals(name)) {
                if (value != null) {
                    faults.add(name, name + " must appear only once");
                }
                value = pairs.get(i + 1);
            }
        }
        return value;
    }

    /** The parameters read so far, by name: a page token is bound to these filters. */
    Map<String, String> filters() {
        return filters;
    }

    private <T extends @Nullable Object> T remember(String name, @Nullable String canonical, T value) {
        if (canonical != null) {
            filters.put(name, canonical);
        }
        return value;
    }

    private static List<String> listed(String value) {
        if (value.isEmpty()) {
            return List.of();
        }
        if (value.charAt(0) == '[' || value.charAt(0) == '"') {
            try {
                Object json = Json.parse(value.getBytes(StandardCharsets.UTF_8));
                if (json instanceof String text) {
                    return text.isEmpty() ? List.of() : List.of(text);
                }
                if (json instanceof List<?> items && items.stream().allMatch(String.class::isInstance)) {
                    return items.stream()
                            .map(String.class::cast)
                            .filter(item -> !item.isEmpty())
                            .toList();
                }
            } catch (Problem notJson) {
                return List.of(value); // mail.md §1.3: a value that is not JSON is a literal text
            }
        }
        return List.of(value);
    }

    private static @Nullable Long number(String text) {
        boolean digits = !text.isEmpty() && text.length() <= 18;
        for (int i = 0; i < text.length(); i++) {
            digits &= text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }
        return digits ? Long.valueOf(text) : null;
    }
}
