package dev.inboxd.mail.format;

/**
 * Text whose sender left the width of lines to the reader (RFC 3676, format=flowed): a line that ends with a space goes
 * on in the next one.
 */
public final class FlowedText {
    private static final String SIGNATURE = "-- ";

    private FlowedText() {}

    /**
     * The text with joined lines. A line of the author's own that begins with {@code >} keeps the space before it,
     * which tells it from a quotation; other spaces for stuffing are gone (RFC 3676 §4.4).
     *
     * @param text with LF line ends
     * @param delSp whether the space at which a line is broken is no part of the text (RFC 3676 §4)
     */
    public static String join(String text, boolean delSp) {
        StringBuilder joined = new StringBuilder(text.length());
        int openDepth = -1; // of the paragraph that goes on, or -1
        for (int start = 0; start < text.length(); ) {
            int lineFeed = text.indexOf('\n', start);
            int end = lineFeed < 0 ? text.length() : lineFeed;
            int depth = depth(text, start, end);
            String content = unstuffed(text.substring(start + depth, end));
            boolean isSignature = content.equals(SIGNATURE);
            if (openDepth >= 0 && (openDepth != depth || isSignature)) {
                // RFC 3676 §4.5: a paragraph has one depth; one that is broken there ends all the same.
                joined.append('\n');
                openDepth = -1;
            }
            if (openDepth < 0) {
                joined.append(">".repeat(depth)).append(depth > 0 ? " " : "");
                joined.append(depth == 0 && content.startsWith(">") ? " " : "");
            }
            boolean flows = content.endsWith(" ") && !isSignature && lineFeed >= 0;
            joined.append(content, 0, content.length() - (flows && delSp ? 1 : 0));
            openDepth = flows ? depth : -1;
            if (!flows && lineFeed >= 0) {
                joined.append('\n');
            }
            start = end + 1;
        }
        return joined.toString();
    }

    private static int depth(String text, int start, int end) {
        int i = start;
        while (i < end && text.charAt(i) == '>') {
            i++;
        }
        return i - start;
    }

    private static String unstuffed(String line) {
        return line.startsWith(" ") ? line.substring(1) : line;
    }
}
