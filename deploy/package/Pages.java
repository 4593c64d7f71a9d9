import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The pages for operators, and every page and file that they lead to, as the package holds them. */
final class Pages {
    private static final Pattern LINK = Pattern.compile("\\[([^\\]]*)]\\(([^)\\s#]+)(#[^)\\s]*)?\\)");

    private final Path docs;
    private final Path folder;
    private final Deque<Path> waiting = new ArrayDeque<>();
    private final Set<Path> known = new HashSet<>();

    /**
     * The pages of a checkout.
     *
     * @param docs where they are
     * @param folder where they go, as they lie in {@code docs}
     */
    Pages(Path docs, Path folder) {
        this.docs = docs.normalize();
        this.folder = folder;
    }

    /**
     * Copies a page and what it leads to.
     *
     * @throws IOException also when a link leads nowhere
     */
    void copy(String first) throws IOException {
        add(docs.resolve(first));
        while (!waiting.isEmpty()) {
            Path page = waiting.remove();
            Path copy = folder.resolve(docs.relativize(page));
            Files.createDirectories(copy.getParent());
            if (page.toString().endsWith(".md")) {
                Files.writeString(copy, linked(page));
            } else {
                Files.copy(page, copy);
            }
        }
    }

    private void add(Path page) throws IOException {
        if (!Files.isRegularFile(page)) {
            throw new IOException("A page of the package leads to " + page + ", which is not there");
        }
        if (known.add(page)) {
            waiting.add(page);
        }
    }

    /** The text of a page; a link to what only the sources have is its words alone. */
    private String linked(Path page) throws IOException {
        Matcher link = LINK.matcher(Files.readString(page));
        StringBuilder text = new StringBuilder();
        while (link.find()) {
            String target = link.group(2);
            Path path = page.resolveSibling(target).normalize();
            boolean isPage = !target.contains(":") && path.startsWith(docs);
            if (isPage) {
                add(path);
            }
            link.appendReplacement(
                    text, Matcher.quoteReplacement(isPage || target.contains(":") ? link.group() : link.group(1)));
        }
        return link.appendTail(text).toString();
    }
}
