package dev.inboxd.console.view;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What somebody typed into a search: filters such as {@code from:jo}, and free words.
 *
 * @param filters in their order
 * @param words the free words, with blanks between; empty for none
 * @param unknown words that look like filters and are none
 * @param faults why it cannot be searched; empty when it can
 */
public record SearchTokens(List<Filter> filters, String words, List<String> unknown, List<String> faults) {
    /** The filter that names an inbox, which is no parameter of a list. */
    public static final String INBOX = "inbox";

    /** Also curly ones, low ones, guillemets and the wide one. */
    private static final String QUOTES = "\"\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02";

    private static final char WIDE_COLON = '\uff1a';
    private static final int MOST = 20;
    private static final int LONGEST = 256;
    private static final Set<String> FILES = Set.of("file", "files", "attachment", "attachments");
    private static final Set<String> SIDES = Set.of("me", "them");

    public SearchTokens {
        filters = List.copyOf(filters);
        unknown = List.copyOf(unknown);
        faults = List.copyOf(faults);
    }

    /**
     * A filter.
     *
     * @param name the parameter of lists in the API, or {@link #INBOX}
     * @param typed what was typed; empty where a page adds it
     */
    public record Filter(String name, String value, String typed) {}

    /**
     * Reads a text; what is no filter is a word.
     *
     * @param zone the person's own, in which days begin; UTC where it is none
     */
    public static SearchTokens of(String text, String zone) {
        Reading reading = new Reading(zone(zone));
        String plain = plain(text);
        if (plain.chars().filter(c -> c == '"').count() % 2 == 1) {
            reading.faults.add("A quotation mark is not closed");
        }
        pieces(plain).forEach(reading::take);
        return reading.tokens();
    }

    /** These with one more filter, that of a page. */
    public SearchTokens with(String name, String value) {
        List<Filter> more = Stream.concat(filters.stream(), Stream.of(new Filter(name, value, "")))
                .toList();
        return new SearchTokens(more, words, unknown, faults);
    }

    /** The values of the filters with a name. */
    public List<String> values(String name) {
        return filters.stream()
                .filter(filter -> filter.name.equals(name))
                .map(Filter::value)
                .distinct()
                .toList();
    }

    /** Whether a label is asked for. */
    public boolean asksFor(String label) {
        return values("labels").stream()
                .flatMap(list -> Stream.of(list.split(",", -1)))
                .anyMatch(name -> name.strip().equals(label));
    }

    /** Whether what is found has another order than that of its days. */
    public boolean isRanked() {
        return !words.isEmpty() || !values("waiting").isEmpty();
    }

    /** The filters that were typed. */
    public List<Filter> typed() {
        return filters.stream().filter(filter -> !filter.typed.isEmpty()).toList();
    }

    /** What was typed, without a filter. */
    public String without(Filter removed) {
        return Stream.concat(
                        typed().stream()
                                .filter(filter -> !filter.equals(removed))
                                .map(Filter::typed),
                        Stream.of(words))
                .collect(Collectors.joining(" "))
                .strip();
    }

    private static ZoneId zone(String name) {
        try {
            return name.isEmpty() ? ZoneOffset.UTC : ZoneId.of(name);
        } catch (DateTimeException unknown) {
            return ZoneOffset.UTC;
        }
    }

    /** The same with plain quotation marks and colons, as phones and other languages write others. */
    private static String plain(String text) {
        StringBuilder plain = new StringBuilder();
        text.chars().forEach(c -> plain.append(QUOTES.indexOf(c) >= 0 ? '"' : c == WIDE_COLON ? ':' : (char) c));
        return plain.toString();
    }

    /** Without blanks and invisible characters around it, which come with what is pasted. */
    private static String stripped(String text) {
        int from = 0;
        int to = text.length();
        while (from < to && isUnseen(text.charAt(from))) {
            from++;
        }
        while (to > from && isUnseen(text.charAt(to - 1))) {
            to--;
        }
        return text.substring(from, to);
    }

    private static boolean isUnseen(char c) {
        return isBlank(c) || Character.getType(c) == Character.FORMAT;
    }

    private static boolean isBlank(char c) {
        return Character.isWhitespace(c) || Character.isSpaceChar(c);
    }

    /** The parts of a text between blanks; quotation marks hold together what has blanks. */
    private static List<String> pieces(String text) {
        List<String> pieces = new ArrayList<>();
        StringBuilder piece = new StringBuilder();
        boolean quoted = false;
        for (char c : (text + " ").toCharArray()) {
            quoted ^= c == '"';
            if (!quoted && isBlank(c)) {
                pieces.add(piece.toString());
                piece.setLength(0);
            } else {
                piece.append(c);
            }
        }
        pieces.add(piece.toString());
        return pieces.stream()
                .map(SearchTokens::stripped)
                .filter(part -> !part.isEmpty())
                .toList();
    }

    private static final class Reading {
        private final List<Filter> filters = new ArrayList<>();
        private final List<String> words = new ArrayList<>();
        private final List<String> unknown = new ArrayList<>();
        private final List<String> faults = new ArrayList<>();
        private final ZoneId zone;

        Reading(ZoneId zone) {
            this.zone = zone;
        }

        void take(String typed) {
            int colon = typed.indexOf(':');
            String name = colon < 0 ? "" : typed.substring(0, colon).toLowerCase(Locale.ROOT);
            String value = stripped(typed.substring(colon + 1).replace("\"", ""));
            String parameter = parameter(name);
            if (parameter.isEmpty()) {
                words.add(typed);
                if (looksLikeFilter(name, value)) {
                    unknown.add(typed);
                }
                return;
            }
            String parsed = value.isEmpty() ? null : value(name, value);
            if (parsed != null) {
                filters.add(new Filter(parameter, parsed, typed));
            } else {
                faults.add(value.isEmpty() ? "The filter " + name + ": needs a value" : fault(name));
            }
        }

        private static String parameter(String name) {
            return switch (name) {
                case "from" -> "senders";
                case "to" -> "recipients";
                case "label" -> "labels";
                case "has" -> "has_attachments";
                case "in" -> INBOX;
                case "subject", "after", "before", "waiting" -> name;
                default -> "";
            };
        }

        /** Letters alone, or with a minus before them: an address of the web and a time of day are words. */
        private static boolean looksLikeFilter(String name, String value) {
            String letters = name.startsWith("-") ? name.substring(1) : name;
            return !letters.isEmpty()
                    && letters.chars().allMatch(c -> c >= 'a' && c <= 'z')
                    && !value.isEmpty()
                    && !value.startsWith("//");
        }

        /** The value as the API takes it; null for one that the filter does not have. */
        private @Nullable String value(String name, String value) {
            String lower = value.toLowerCase(Locale.ROOT);
            return switch (name) {
                case "has" -> FILES.contains(lower) ? "true" : null;
                case "waiting" -> SIDES.contains(lower) ? lower : null;
                case "after", "before" -> time(value);
                case "label" -> lower;
                default -> value;
            };
        }

        private static String fault(String name) {
            return switch (name) {
                case "has" -> "The filter has: takes file or attachment";
                case "waiting" -> "The filter waiting: takes me or them";
                default -> "The filter " + name + ": needs a date such as 2026-11-30";
            };
        }

        private @Nullable String time(String value) {
            try {
                return value.length() > 10
                        ? OffsetDateTime.parse(value).toInstant().toString()
                        : LocalDate.parse(value).atStartOfDay(zone).toInstant().toString();
            } catch (DateTimeException none) {
                return null;
            }
        }

        SearchTokens tokens() {
            String all = String.join(" ", words);
            if (filters.size() > MOST) {
                faults.add("A search has at most " + MOST + " filters");
            }
            if (all.length() > LONGEST) {
                faults.add("A search has at most " + LONGEST + " characters of words");
            }
            return new SearchTokens(filters, all, unknown, faults);
        }
    }
}
