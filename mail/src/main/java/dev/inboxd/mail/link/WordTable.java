package dev.inboxd.mail.link;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Lists of words of many languages, all of which are found in one walk over a text. A line of the file is the name of a
 * list, a colon, and words with bars between; a star stands for letters that may go on.
 */
public final class WordTable {
    private static final int BUCKETS = 4_096;
    private static final int PAIRS = 65_536;

    /** Those that begin a word, by their first three characters. */
    private final Buckets words = new Buckets(3);

    /** Those that letters may precede, by their first two. */
    private final Buckets parts = new Buckets(2);

    private record Phrase(String words, boolean openStart, boolean openEnd, String list) {
        boolean isAt(String text, int at) {
            int end = at + words.length();
            return text.startsWith(words, at)
                    && (openStart || at == 0 || !Character.isLetter(text.charAt(at - 1)))
                    && (openEnd || end == text.length() || !Character.isLetter(text.charAt(end)));
        }
    }

    /**
     * Words of a list in a text.
     *
     * @param list its name
     */
    public record Place(int start, int end, String list) {}

    private WordTable() {}

    /** Phrases by the characters with which they begin; one that is shorter is found by what it has. */
    private static final class Buckets {
        private final List<@Nullable List<Phrase>> buckets = new ArrayList<>();
        private final int length;
        /** The first characters of phrases of one, and the first two of longer ones: most places begin none. */
        private final BitSet singles = new BitSet(PAIRS);

        private final BitSet pairs = new BitSet(PAIRS);

        Buckets(int length) {
            this.length = length;
            for (int i = 0; i < BUCKETS; i++) {
                buckets.add(null);
            }
        }

        void add(Phrase phrase) {
            int bucket = bucket(phrase.words, 0, Math.min(length, phrase.words.length()));
            List<Phrase> phrases = buckets.get(bucket);
            if (phrases == null) {
                phrases = new ArrayList<>();
                buckets.set(bucket, phrases);
            }
            phrases.add(phrase);
            if (phrase.words.length() == 1) {
                singles.set(phrase.words.charAt(0));
            } else {
                pairs.set(pair(phrase.words, 0));
            }
        }

        private static int pair(String text, int at) {
            return (text.charAt(at) * 31 + text.charAt(at + 1)) & (PAIRS - 1);
        }

        void find(String folded, int at, List<Place> places) {
            boolean begins =
                    singles.get(folded.charAt(at)) || (at + 1 < folded.length() && pairs.get(pair(folded, at)));
            if (!begins) {
                return;
            }
            for (int count = 1; count <= length && at + count <= folded.length(); count++) {
                List<Phrase> phrases = buckets.get(bucket(folded, at, count));
                if (phrases != null) {
                    for (Phrase phrase : phrases) {
                        if (Math.min(phrase.words.length(), length) == count && phrase.isAt(folded, at)) {
                            places.add(new Place(at, at + phrase.words.length(), phrase.list));
                        }
                    }
                }
            }
        }

        private static int bucket(String text, int at, int count) {
            int hash = count;
            for (int i = at; i < at + count; i++) {
                hash = hash * 31 + text.charAt(i);
            }
            return (hash ^ (hash >>> 12)) & (BUCKETS - 1);
        }
    }

    /** Reads the lists of a file that stands beside a class. */
    public static WordTable of(Class<?> beside, String file) {
        return of(beside, file, "");
    }

    /** Reads one list of such a file; all of them where the name is empty. */
    public static WordTable of(Class<?> beside, String file, String list) {
        try (InputStream in = beside.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException(file + " is missing");
            }
            WordTable table = new WordTable();
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> line.startsWith(list))
                    .forEach(table::read);
            return table;
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    private void read(String line) {
        int colon = line.indexOf(": ");
        if (line.startsWith("#") || colon < 0) {
            return;
        }
        String list = line.substring(0, colon).intern();
        for (String written : line.substring(colon + 2).split("\\|", -1)) {
            String bare = fold(Normalizer.normalize(written.strip(), Normalizer.Form.NFC));
            boolean start = bare.startsWith("*");
            boolean end = bare.endsWith("*");
            String words = bare.substring(start ? 1 : 0, bare.length() - (end ? 1 : 0));
            (start ? parts : this.words).add(new Phrase(words, start, end, list));
        }
    }

    /** Whether a folded text has any of the words. */
    public boolean isIn(String folded) {
        List<Place> places = new ArrayList<>(1);
        find(folded, true, places);
        return !places.isEmpty();
    }

    /** The places of all words in a folded text, by where they begin. */
    public List<Place> in(String folded) {
        List<Place> places = new ArrayList<>();
        find(folded, false, places);
        return places;
    }

    private void find(String folded, boolean first, List<Place> places) {
        boolean letter = false;
        for (int at = 0; at < folded.length() && (!first || places.isEmpty()); at++) {
            char c = folded.charAt(at);
            if (c == ' ') {
                letter = false;
                continue;
            }
            if (!letter) {
                words.find(folded, at, places);
            }
            parts.find(folded, at, places);
            letter = Character.isLetter(c);
        }
    }

    /**
     * A text as the lists have it, of the same length: in small letters without accents, with one kind of space.
     *
     * @param text in NFC
     */
    public static String fold(String text) {
        StringBuilder folded = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            folded.append(c < 0x80 ? plain(c) : foldNonAscii(c));
        }
        return folded.toString();
    }

    private static char plain(char c) {
        return c >= 'A' && c <= 'Z' ? (char) (c + 32) : c < ' ' ? ' ' : c;
    }

    private static char foldNonAscii(char c) {
        return switch (c) {
            case '\u2018', '\u2019' -> '\'';
            case 'ı', 'İ' -> 'i';
            case 'ł', 'Ł' -> 'l';
            case 'ø', 'Ø' -> 'o';
            case 'ё', 'Ё' -> 'е';
            default -> Character.isSpaceChar(c) ? ' ' : withoutAccent(Character.toLowerCase(c));
        };
    }

    private static char withoutAccent(char c) {
        boolean accented = (c >= 0xC0 && c < 0x250) || (c >= 0x386 && c < 0x3D0) || (c >= 0x1E00 && c < 0x2000);
        return accented
                ? Normalizer.normalize(String.valueOf(c), Normalizer.Form.NFD).charAt(0)
                : c;
    }
}
