package dev.inboxd.mail.reply.phrase;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Phrases that mail programs write around quotes, in all languages of {@code phrases.txt} and {@code notices.txt}. */
public final class Phrases {
    private static final String FOLDER = "/dev/inboxd/mail/reply/";

    /** The kinds of header labels, as bits. */
    public static final int FROM = 1;

    public static final int SENT = 2;
    public static final int TO = 4;
    public static final int CC = 8;
    public static final int SUBJECT = 16;

    /** Kinds of the terms of notices, as bits. */
    public static final int SUBSCRIPTION = 1;

    public static final int LAW = 2;
    public static final int SECRET = 4;

    /** What must follow the beginning of a notice; the least of them counts. */
    public static final int ONE_TERM = 1;

    public static final int TWO_TERMS = 2;
    public static final int THREE_OF_LAW = 4;

    /** Words that attributions begin with. */
    public static final PhraseTree ON = new PhraseTree(false);
    /** Words that attributions end with. */
    public static final PhraseTree WROTE = new PhraseTree(true);
    /** The same words, anywhere. */
    public static final PhraseTree WROTE_WITHIN = new PhraseTree(false);
    /** Words between name and date. */
    public static final PhraseTree WROTE_ON = new PhraseTree(false);

    /** Words that attributions end with and people use as well. */
    public static final PhraseTree SAID = new PhraseTree(true);
    /** Words for writing and saying, anywhere. */
    public static final PhraseTree WRITTEN = new PhraseTree(false);

    /** Words that attributions without a date begin with. */
    public static final PhraseTree QUOTING = new PhraseTree(false);
    /** What ticket systems ask for in the line that ends an answer. */
    public static final PhraseTree ABOVE = new PhraseTree(false);

    public static final PhraseTree LABELS = new PhraseTree(false);
    public static final PhraseTree ORIGINAL = new PhraseTree(false);
    public static final PhraseTree FORWARDED = new PhraseTree(false);
    public static final PhraseTree NOTICES = new PhraseTree(false);
    /** What a sentence of a notice says, as beginnings of words. */
    public static final PhraseTree NOTICE_TERMS = new PhraseTree(false);

    static {
        read("phrases.txt").forEach(Phrases::take);
        read("notices.txt").forEach(Phrases::takeNotice);
        int kind = SUBSCRIPTION;
        for (String term : read("notice-terms.txt")) {
            switch (term) {
                case "[law]" -> kind = LAW;
                case "[secret]" -> kind = LAW | SECRET;
                default -> NOTICE_TERMS.add(fold(term), kind);
            }
        }
    }

    private Phrases() {}

    /** Folds a text: lower case, one kind of space and apostrophe; the length stays the same. */
    public static String fold(CharSequence text) {
        char[] folded = new char[text.length()];
        for (int i = 0; i < folded.length; i++) {
            folded[i] = fold(text.charAt(i));
        }
        return new String(folded);
    }

    private static char fold(char c) {
        if (c < 0x80) {
            return c >= 'A' && c <= 'Z' ? (char) (c + 0x20) : c < ' ' ? ' ' : c;
        }
        return c == '\u2019' ? '\'' : Character.isSpaceChar(c) ? ' ' : Character.toLowerCase(c);
    }

    /** The lines of a resource that are neither empty nor comments. */
    public static List<String> read(String resource) {
        try (InputStream in = Phrases.class.getResourceAsStream(FOLDER + resource)) {
            if (in == null) {
                throw new IllegalStateException(resource + " is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .toList();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** A notice with a question mark in front tells little by itself: two terms must follow; with two, three of law. */
    private static void takeNotice(String line) {
        int marks = line.startsWith("?? ") ? 2 : line.startsWith("? ") ? 1 : 0;
        int value = marks == 2 ? THREE_OF_LAW : marks == 1 ? TWO_TERMS : ONE_TERM;
        NOTICES.add(fold(marks == 0 ? line : line.substring(marks + 1)), value);
    }

    private static void take(String line) {
        int colon = line.indexOf(": ");
        if (line.startsWith("[")) {
            return;
        }
        for (String alternative : line.substring(colon + 2).split("\\|", -1)) {
            take(line.substring(0, colon), fold(alternative.strip()));
        }
    }

    private static void take(String key, String phrase) {
        switch (key) {
            case "on" -> ON.add(phrase, 1);
            case "wrote" -> {
                WROTE.add(phrase, 1);
                WROTE_WITHIN.add(phrase, 1);
                WRITTEN.add(phrase, 1);
            }
            case "wrote-on" -> WROTE_ON.add(phrase, 1);
            case "from" -> LABELS.add(phrase, FROM);
            case "sent" -> LABELS.add(phrase, SENT);
            case "to" -> LABELS.add(phrase, TO);
            case "cc" -> LABELS.add(phrase, CC);
            case "subject" -> LABELS.add(phrase, SUBJECT);
            case "original" -> ORIGINAL.add(phrase, 1);
            case "forwarded" -> FORWARDED.add(phrase, 1);
            case "said" -> {
                SAID.add(phrase, 1);
                WRITTEN.add(phrase, 1);
            }
            case "quoting" -> QUOTING.add(phrase, 1);
            case "above" -> ABOVE.add(phrase, 1);
            case "device" -> {} // Devices reads these
            default -> throw new IllegalStateException("phrases.txt: " + key);
        }
    }
}
