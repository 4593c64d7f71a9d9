package dev.inboxd.cli.mail;

/** JSON for a terminal: what could steer one is written as an escape, which every reader of JSON undoes. */
final class JsonOutput {
    private JsonOutput() {}

    /**
     * JSON without characters that a terminal or an eye takes for something else.
     *
     * @param json JSON on one line
     */
    static String safe(String json) {
        if (json.chars().noneMatch(JsonOutput::isSteering)) {
            return json;
        }
        StringBuilder safe = new StringBuilder();
        for (int i = 0; i < json.length(); i++) { // outside of strings there are none of them
            char c = json.charAt(i);
            safe.append(isSteering(c) ? String.format("\\u%04x", (int) c) : String.valueOf(c));
        }
        return safe.toString();
    }

    /** Controls of terminals (C0, DEL, C1), line separators, and marks that change the direction of writing. */
    static boolean isSteering(int c) {
        return c < 0x20
                || (c >= 0x7F && c <= 0x9F)
                || c == 0x2028
                || c == 0x2029
                || c == 0x061C
                || c == 0x200E
                || c == 0x200F
                || (c >= 0x202A && c <= 0x202E)
                || (c >= 0x2066 && c <= 0x2069);
    }
}
