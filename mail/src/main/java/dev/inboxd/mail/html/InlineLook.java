package dev.inboxd.mail.html;

import dev.inboxd.mail.css.CssColor;
import dev.inboxd.mail.css.CssDeclaration;
import dev.inboxd.mail.css.CssProperty;
import java.util.List;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.TextNode;

/** Writes what style sheets and attributes say into the {@code style} attributes of elements. */
final class InlineLook implements ShownHtml.Visitor {
    private static final List<Kept> KEPT = List.of(
            new Kept(CssProperty.GROUND, "background-color"),
            new Kept(CssProperty.COLOR, "color"),
            new Kept(CssProperty.FONT_SIZE, "font-size"),
            new Kept(CssProperty.DISPLAY, "display"));

    private final Cascade cascade;

    private record Kept(CssProperty property, String name) {}

    InlineLook(Cascade cascade) {
        this.cascade = cascade;
    }

    @Override
    public boolean open(Element element, Appearance look) {
        StringBuilder style = new StringBuilder();
        for (Kept each : KEPT) {
            CssDeclaration declared = cascade.of(each.property);
            if (declared == null) {
                continue;
            }
            String value = declared.value();
            if (declared.doubtful()) {
                value = each.property == CssProperty.DISPLAY ? "revert" : ""; // in doubt it is shown
            } else if (each.property == CssProperty.COLOR || each.property == CssProperty.GROUND) {
                CssColor color = CssColor.of(value);
                value = color == null || color.alpha() < 1 ? "" : color.hex();
            }
            style.append(value.isEmpty() ? "" : ";" + each.name + ":" + value);
        }
        if (!style.isEmpty()) {
            element.attr("style", element.attr("style") + style);
        }
        return true;
    }

    @Override
    public void text(TextNode text, Appearance look) {
        // elements alone have styles
    }
}
