package dev.inboxd.mail.html;

import dev.inboxd.mail.css.CssColor;
import dev.inboxd.mail.css.CssDeclaration;
import dev.inboxd.mail.css.CssProperty;
import java.util.List;
import org.jsoup.nodes.Element;
import org.jsoup.nodes.TextNode;

/** Writes what style sheets and attributes say into the {@code style} attributes of elements. */
final class InlineLook implements ShownHtml.Visitor {
    private static final List<InlinedProperty> INLINED = List.of(
            new InlinedProperty(CssProperty.GROUND, "background-color"),
            new InlinedProperty(CssProperty.COLOR, "color"),
            new InlinedProperty(CssProperty.FONT_SIZE, "font-size"),
            new InlinedProperty(CssProperty.DISPLAY, "display"));

    private final Cascade cascade;

    private record InlinedProperty(CssProperty property, String name) {}

    InlineLook(Cascade cascade) {
        this.cascade = cascade;
    }

    @Override
    public boolean open(Element element, Appearance appearance) {
        StringBuilder style = new StringBuilder();
        for (InlinedProperty inlined : INLINED) {
            CssDeclaration declared = cascade.of(inlined.property);
            if (declared == null) {
                continue;
            }
            String value = declared.value();
            if (declared.doubtful()) {
                value = inlined.property == CssProperty.DISPLAY ? "revert" : ""; // in doubt it is shown
            } else if (inlined.property == CssProperty.COLOR || inlined.property == CssProperty.GROUND) {
                CssColor color = CssColor.of(value);
                value = color == null || color.alpha() < 1 ? "" : color.hex();
            }
            style.append(value.isEmpty() ? "" : ";" + inlined.name + ":" + value);
        }
        if (!style.isEmpty()) {
            element.attr("style", element.attr("style") + style);
        }
        return true;
    }

    @Override
    public void text(TextNode text, Appearance appearance) {
        // elements alone have styles
    }
}
