package dev.inboxd.mail.css;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jsoup.nodes.Element;

/** The elements, classes and ids of a document, whatever their case. */
final class CssNames {
    static final CssNames NONE = new CssNames();

    private final Set<String> elements = new HashSet<>();
    private final Set<String> classes = new HashSet<>();
    private final Set<String> ids = new HashSet<>();

    private CssNames() {}

    static CssNames of(List<Element> document) {
        CssNames names = new CssNames();
        Set<String> written = new HashSet<>();
        for (Element element : document) {
            names.elements.add(element.normalName());
            if (element.attributesSize() > 0) {
                String list = element.attr("class");
                if (!list.isEmpty() && written.add(list)) {
                    CssText.words(list).forEach(each -> names.classes.add(lower(each)));
                }
                if (!element.id().isEmpty()) {
                    names.ids.add(lower(element.id()));
                }
            }
        }
        return names;
    }

    private static String lower(String name) {
        return name.toLowerCase(Locale.ROOT);
    }

    /** @param name in small letters */
    boolean hasElement(String name) {
        return elements.contains(name);
    }

    boolean hasClass(String name) {
        return classes.contains(lower(name));
    }

    boolean hasId(String name) {
        return ids.contains(lower(name));
    }
}
