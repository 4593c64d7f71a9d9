package dev.inboxd.mail.screen;

import dev.inboxd.mail.text.TextFolding;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The concepts and rules of {@code concepts.txt} and {@code rules.txt}. */
final class RuleBook {
    static final RuleBook ALL = new RuleBook();

    private final Map<String, Integer> concepts = new HashMap<>();
    private final PhraseTrie phrases = new PhraseTrie();
    private final List<Rule> rules = new ArrayList<>();
    private final List<List<Place>> places = new ArrayList<>();

    /** A slot of a rule. */
    record Place(int rule, int slot) {}

    private RuleBook() {
        lines("concepts.txt").forEach(this::concept);
        Ciphers.words()
                .forEach(word -> phrases.add(word, concepts.computeIfAbsent("enciphered", _ -> concepts.size())));
        phrases.finish();
        lines("rules.txt").forEach(this::rule);
        for (int i = 0; i < concepts.size(); i++) {
            places.add(new ArrayList<>());
        }
        for (int rule = 0; rule < rules.size(); rule++) {
            place(rule);
        }
    }

    PhraseTrie phrases() {
        return phrases;
    }

    List<Rule> rules() {
        return rules;
    }

    /** Where a concept can stand in rules, the last slot of a rule first. */
    List<Place> places(int concept) {
        return places.get(concept);
    }

    /** The number of a concept. */
    int number(String concept) {
        Integer number = concepts.get(concept);
        if (number == null) {
            throw new IllegalStateException("unknown concept " + concept);
        }
        return number;
    }

    private void place(int rule) {
        List<BitSet> slots = rules.get(rule).slots();
        for (int i = slots.size() - 1; i >= 0; i--) {
            int slot = i;
            slots.get(slot).stream().forEach(concept -> places.get(concept).add(new Place(rule, slot)));
        }
    }

    /** A line {@code name, other name: phrase | phrase}. */
    private void concept(String line) {
        int colon = line.indexOf(':');
        List<String> names = split(line.substring(0, colon), ',');
        for (String phrase : line.substring(colon + 1).split(" \\| ", -1)) {
            for (String name : names) {
                int number = concepts.computeIfAbsent(name, _ -> concepts.size());
                phrases.add(fold(phrase.strip()), number);
            }
        }
    }

    /** A line {@code reason points window: a b/c !d}, or with {@code >} between concepts that are ordered. */
    private void rule(String line) {
        int colon = line.indexOf(':');
        List<String> head = split(line.substring(0, colon), ' ');
        List<BitSet> slots = new ArrayList<>();
        BitSet refuting = new BitSet();
        for (String term : split(line.substring(colon + 1).replace('>', ' '), ' ')) {
            boolean refutes = term.startsWith("!");
            BitSet meant = refutes ? refuting : new BitSet();
            for (String name : split(term.substring(refutes ? 1 : 0), '/')) {
                meant.set(number(name));
            }
            if (!refutes) {
                slots.add(meant);
            }
        }
        rules.add(new Rule(
                ScreenReason.valueOf(head.get(0).toUpperCase(Locale.ROOT)),
                Double.parseDouble(head.get(1)),
                line.indexOf('>') > 0,
                Integer.parseInt(head.get(2)),
                slots,
                refuting));
    }

    static String fold(String phrase) {
        StringBuilder folded = new StringBuilder();
        for (char c : TextFolding.composed(phrase).toCharArray()) {
            char mark = Punctuation.of(c);
            if (c < 0x80 || mark != c) {
                folded.append(Character.toLowerCase(mark));
            } else {
                TextFolding.append(c, folded);
            }
        }
        return folded.toString();
    }

    private static List<String> split(String text, char separator) {
        List<String> parts = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || text.charAt(i) == separator) {
                String part = text.substring(start, i).strip();
                start = i + 1;
                if (!part.isEmpty()) {
                    parts.add(part);
                }
            }
        }
        return parts;
    }

    private static List<String> lines(String name) {
        try (InputStream in = RuleBook.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("no " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .map(String::strip)
                    .filter(line -> !line.isEmpty() && !line.startsWith("#") && !line.startsWith("["))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
