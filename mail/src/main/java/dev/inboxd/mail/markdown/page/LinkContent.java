package dev.inboxd.mail.markdown.page;

/**
 * What a person sees of a link.
 *
 * @param hasWords whether it has words
 * @param hasPicture whether it has a picture
 * @param hasBlocks whether blocks stand in it
 * @param heading the level of the heading in which all its words stand; 0 when there is none
 */
public record LinkContent(boolean hasWords, boolean hasPicture, boolean hasBlocks, int heading) {
    public static LinkContent of(HtmlMail mail, int link) {
        SeenNodes nodes = mail.nodes();
        boolean words = false;
        boolean picture = false;
        boolean blocks = false;
        int heading = 0;
        int headingEnd = 0;
        nodes.work().spend(nodes.end(link) - link);
        for (int i = link + 1; i < nodes.end(link); i++) {
            boolean word = nodes.isWord(i);
            boolean pictured = !word && Pictures.isSeen(nodes, i);
            boolean visible = word || pictured;
            words |= word || !nodes.button(i).isEmpty();
            picture |= pictured;
            blocks |= nodes.is(i, SeenNodes.BLOCK);
            String name = nodes.name(i);
            if (name.length() == 2
                    && name.charAt(0) == 'h'
                    && Character.isDigit(name.charAt(1))
                    && !words
                    && !picture) {
                heading = name.charAt(1) - '0';
                headingEnd = nodes.end(i);
            } else if (visible && i >= headingEnd) {
                heading = 0;
            }
        }
        return new LinkContent(words, picture, blocks, heading);
    }

    public boolean isEmpty() {
        return !hasWords && !hasPicture;
    }

    /** Whether nothing but a picture is seen of it. */
    public boolean isPicture() {
        return hasPicture && !hasWords;
    }

    /** Whether what is seen next behind a link are words with the same target. */
    public static boolean isSaidBehind(HtmlMail mail, int link, String target) {
        SeenNodes nodes = mail.nodes();
        for (int i = nodes.end(link); i < nodes.size(); i++) {
            nodes.work().spend(1);
            if (nodes.name(i).equals("a") && target.equals(mail.target(i))) {
                return of(mail, i).hasWords;
            }
            if (nodes.isWord(i) || Pictures.isSeen(nodes, i)) {
                return false;
            }
        }
        return false;
    }
}
