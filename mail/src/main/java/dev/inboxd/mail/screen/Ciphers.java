package dev.inboxd.mail.screen;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Words that orders need, in a simple cipher: each letter moved on in the alphabet, or the word backwards. No such word
 * means anything, so one is enough to read the whole text that way.
 */
final class Ciphers {
    private static final List<String> WORDS = List.of(
            "ignore",
            "disregard",
            "forget",
            "instructions",
            "previous",
            "password",
            "forward",
            "assistant",
            "system",
            "prompt",
            "emails",
            "secret",
            "message",
            "credentials",
            "everything",
            "invoices",
            "contacts");
    private static final int LETTERS = 26;
    private static final int BACKWARDS = -1;
    private static final Map<String, Integer> KEYS = keys();

    private Ciphers() {}

    private static Map<String, Integer> keys() {
        Map<String, Integer> keys = new HashMap<>();
        for (String word : WORDS) {
            for (int by = 1; by < LETTERS; by++) {
                keys.put(Encodings.shifted(word, by), LETTERS - by);
            }
            keys.put(new StringBuilder(word).reverse().toString(), BACKWARDS);
        }
        return keys;
    }

    /** All enciphered words. */
    static Iterable<String> words() {
        return KEYS.keySet();
    }

    /** The text deciphered in each way that its words ask for. */
    static List<String> read(NormalForm text, ConceptMentions mentions, int enciphered) {
        boolean[] done = new boolean[LETTERS + 1];
        List<String> read = new ArrayList<>();
        for (int i = 0; i < mentions.size(); i++) {
            if (!mentions.is(i, enciphered)) {
                continue;
            }
            String word = text.toString(mentions.start(i), mentions.end(i));
            Integer key = KEYS.get(word);
            if (key != null && !done[key + 1]) {
                done[key + 1] = true;
                String ciphertext = text.toString();
                read.add(
                        key == BACKWARDS
                                ? new StringBuilder(ciphertext).reverse().toString()
                                : Encodings.shifted(ciphertext, key));
            }
        }
        return read;
    }
}
