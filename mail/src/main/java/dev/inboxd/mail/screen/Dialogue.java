package dev.inboxd.mail.screen;

/** Finds turns of a dialogue that run on within a paragraph and end with a question, as given to models to continue. */
final class Dialogue {
    private static final int FEWEST = 2;

    private Dialogue() {}

    /** Whether a paragraph has questions and answers ({@code Q:}, {@code A:}) in running text, the last one open. */
    static boolean isIn(NormalForm text) {
        int questions = 0;
        int running = 0;
        boolean open = false;
        for (int i = 0; i + 1 < text.length(); i++) {
            char c = text.at(i);
            if (c == '\n' && text.at(i + 1) == '\n') {
                if (open) {
                    return true;
                }
                questions = 0;
                running = 0;
                open = false;
            }
            if ((c != 'q' && c != 'a') || text.at(i + 1) != ':' || (i > 0 && NormalForm.isWord(text.at(i - 1)))) {
                continue;
            }
            running += i > 0 && text.at(i - 1) == ' ' ? 1 : 0;
            questions += c == 'q' ? 1 : 0;
            open = c == 'q' ? questions >= FEWEST && running >= FEWEST : false;
        }
        return open;
    }
}
