package dev.inboxd.mail.html;

import static dev.inboxd.mail.css.CssProperty.*;

import dev.inboxd.mail.css.CssDeclaration;
import dev.inboxd.mail.css.CssLength;
import dev.inboxd.mail.css.CssProperty;
import dev.inboxd.mail.css.CssText;
import org.jsoup.nodes.Element;
import org.jspecify.annotations.Nullable;

/** Where an element is on the page, and what is cut off of it. Lengths are pixels. */
final class Box {
    private static final double THIN = 1;
    private static final double SMALL_PICTURE = 3;
    private static final double SUSPICIOUS = 300;
    private static final double FAR_RIGHT = 2 * CssLength.PAGE;
    private static final double FAR_BELOW = 4_000;

    private double x;
    private double y;

    /** Where the nearest element lies from which places are counted (CSS 2.2 §10.1, "containing block"). */
    private double fromX;

    private double fromY;
    private double indent;
    private boolean absolute;
    private boolean suspicious;
    private boolean tiny;

    /** Whether it is no higher than its lines, and cuts what is. */
    private boolean clipsLines;

    /** Whether the elements in it are boxes, and whether it is in such a one. */
    private boolean holdsBoxes;

    final boolean within;
    private boolean cut;

    /** Whether an element that is placed absolutely is not cut: what cuts is not placed itself. */
    private boolean escapable;

    Box() {
        within = false;
    }

    Box(Box around) {
        x = around.x;
        y = around.y;
        fromX = around.fromX;
        fromY = around.fromY;
        indent = around.indent;
        cut = around.cut;
        escapable = around.escapable;
        clipsLines = around.clipsLines;
        within = around.holdsBoxes;
    }

    void apply(Element element, Cascade cascade, double font, CssMove move) {
        String position = word(cascade, POSITION);
        absolute = position.equals("absolute") || position.equals("fixed");
        boolean positioned = absolute || position.equals("relative") || position.equals("sticky");
        if (absolute && cut && escapable) {
            cut = false;
        }
        place(cascade, font, position);
        x += move.matrix().e();
        y += move.matrix().f();
        suspicious |= move.isSuspicious() || y > FAR_BELOW || x > FAR_RIGHT || isBehind(cascade, position);
        CssDeclaration indented = cascade.of(TEXT_INDENT);
        if (indented != null && !indented.isWide()) {
            double by = pixels(indented, font);
            indent = Double.isNaN(by) || indented.doubtful() ? 0 : by;
            suspicious |= by <= -SUSPICIOUS || by >= CssLength.PAGE || isUnread(indented, by);
        }
        if (positioned) {
            fromX = x;
            fromY = y;
            escapable = false;
        }
        cut(element, cascade, font, positioned);
        holdsBoxes = isOfBoxes(cascade);
    }

    private void place(Cascade cascade, double font, String position) {
        boolean moved = position.equals("relative") || absolute;
        if (absolute && (cascade.of(LEFT) != null || cascade.of(RIGHT) != null)) {
            x = position.equals("fixed") ? 0 : fromX;
        }
        if (absolute && (cascade.of(TOP) != null || cascade.of(BOTTOM) != null)) {
            y = position.equals("fixed") ? 0 : fromY;
        }
        if (moved) {
            double left = offset(cascade, LEFT, font);
            double right = cascade.of(LEFT) == null ? offset(cascade, RIGHT, font) : 0;
            x += left + (position.equals("relative") ? -right : right > CssLength.PAGE ? CssLength.PAGE - right : 0);
            double top = offset(cascade, TOP, font);
            double bottom = cascade.of(TOP) == null ? offset(cascade, BOTTOM, font) : 0;
            y += top + (position.equals("relative") || bottom > CssLength.PAGE ? -bottom : 0);
        }
        x += offset(cascade, MARGIN_LEFT, font);
        y += offset(cascade, MARGIN_TOP, font);
    }

    /** Whether it may lie behind the element around it. */
    private static boolean isBehind(Cascade cascade, String position) {
        CssDeclaration level = cascade.of(Z_INDEX);
        return level != null && level.value().startsWith("-") && !position.isEmpty() && !position.equals("static");
    }

    /** Whether a declaration may move by any length: what a program adds for the edge of its screen is little. */
    private static boolean isUnread(CssDeclaration declared, double pixels) {
        return Double.isNaN(pixels)
                && declared.value().indexOf('(') >= 0
                && !declared.value().contains("env(");
    }

    /** What a declaration moves by; one in doubt moves nothing, and is suspicious. */
    private double offset(Cascade cascade, CssProperty property, double font) {
        CssDeclaration declared = cascade.of(property);
        if (declared == null) {
            return 0;
        }
        double pixels = pixels(declared, font);
        suspicious |= pixels <= -SUSPICIOUS || isUnread(declared, pixels);
        return Double.isNaN(pixels) || declared.doubtful() ? 0 : pixels;
    }

    private static double pixels(CssDeclaration declared, double font) {
        return CssLength.pixels(declared.value(), font, CssLength.PAGE);
    }

    private static String word(Cascade cascade, CssProperty property) {
        CssDeclaration declared = cascade.of(property);
        return declared == null || declared.doubtful() ? "" : declared.value();
    }

    /** Whether a height and a width apply to it: to words within a line and to parts of tables they do not. */
    private boolean isBox(Element element, Cascade cascade) {
        String display = word(cascade, DISPLAY);
        String floats = word(cascade, FLOAT);
        if (absolute || floats.equals("left") || floats.equals("right")) {
            return !element.nameIs("table");
        }
        if (within && !isCell(element)) {
            return true;
        }
        return switch (display) {
            case "" -> HtmlElements.isBox(element);
            case "block", "inline-block", "flex", "inline-flex", "grid", "inline-grid", "list-item", "flow-root" ->
                !element.nameIs("table");
            default -> false;
        };
    }

    /** Whether the elements in it are boxes, also those that are words elsewhere (CSS Flexbox 1 §4). */
    private static boolean isOfBoxes(Cascade cascade) {
        String display = word(cascade, DISPLAY);
        return display.endsWith("flex") || display.endsWith("grid");
    }

    private void cut(Element element, Cascade cascade, double font, boolean positioned) {
        CssDeclaration overflow = cascade.of(OVERFLOW);
        if (overflow == null || overflow.value().startsWith("visible") || overflow.isWide()) {
            return;
        }
        boolean box = isBox(element, cascade);
        boolean closed = !isOpen(cascade, font, MIN_HEIGHT, PADDING_VERTICAL);
        CssDeclaration height = cascade.of(HEIGHT);
        clipsLines = closed && box && (height == null || height.value().equals("auto") || height.isWide());
        boolean low = isThin(cascade, font, HEIGHT, MAX_HEIGHT) && closed;
        boolean narrow =
                isThin(cascade, font, WIDTH, MAX_WIDTH) && !isOpen(cascade, font, MIN_WIDTH, PADDING_HORIZONTAL);
        boolean sure = box && !overflow.doubtful() && !isDoubtful(cascade);
        if ((low || narrow) && sure && !cut) {
            cut = true;
            escapable = !positioned;
        } else if (low || narrow) {
            // words within a line and parts of tables are as high and wide as their text
            tiny = box || isDoubtful(cascade) || (narrow && isCell(element) && !isWide(element, cascade, font));
        } else if (box && closed) {
            tiny = isThin(cascade.of(HEIGHT), font, font / 2) || isThin(cascade.of(MAX_HEIGHT), font, font / 2);
        }
    }

    private static boolean isCell(Element element) {
        return element.nameIs("td") || element.nameIs("th");
    }

    private static boolean isWide(Element element, Cascade cascade, double font) {
        CssDeclaration width = cascade.of(WIDTH);
        return width == null ? element.hasAttr("width") : !isThin(width, font, THIN);
    }

    private static boolean isDoubtful(Cascade cascade) {
        for (CssProperty property :
                new CssProperty[] {HEIGHT, WIDTH, MAX_HEIGHT, MAX_WIDTH, DISPLAY, POSITION, FLOAT}) {
            CssDeclaration declared = cascade.of(property);
            if (declared != null && declared.doubtful()) {
                return true;
            }
        }
        return false;
    }

    private static boolean isThin(Cascade cascade, double font, CssProperty length, CssProperty most) {
        return isThin(cascade.of(length), font, THIN) || isThin(cascade.of(most), font, THIN);
    }

    private static boolean isThin(@Nullable CssDeclaration declared, double font, double most) {
        CssLength length = declared == null ? null : CssLength.of(declared.value());
        if (declared == null || (length != null && length.unit().equals("%") && length.number() != 0)) {
            return false;
        }
        double pixels = CssLength.pixels(declared.value(), font, Double.NaN);
        return (length != null && length.number() == 0) || (pixels >= 0 && pixels <= most);
    }

    /** Whether a picture is at most three points wide or high by its style; its attributes are not looked at. */
    static boolean isTinyPicture(Element element, Cascade cascade, double font) {
        return (element.nameIs("img") || element.nameIs("input"))
                && (isThin(cascade.of(WIDTH), font, SMALL_PICTURE)
                        || isThin(cascade.of(HEIGHT), font, SMALL_PICTURE)
                        || isThin(cascade.of(MAX_WIDTH), font, SMALL_PICTURE)
                        || isThin(cascade.of(MAX_HEIGHT), font, SMALL_PICTURE));
    }

    /** Whether its box is larger than its height or width say. */
    private static boolean isOpen(Cascade cascade, double font, CssProperty least, CssProperty padding) {
        CssDeclaration declared = cascade.of(least);
        boolean grows = declared != null && !isThin(declared, font, THIN) && !declared.isWide();
        CssDeclaration around = cascade.of(padding);
        boolean padded = around != null
                && !around.isWide()
                && CssText.words(around.value()).stream().anyMatch(word -> {
                    CssLength length = CssLength.of(word);
                    return length == null || length.number() > 0;
                });
        return grows || padded;
    }

    boolean isAbsolute() {
        return absolute;
    }

    boolean isCut() {
        return cut;
    }

    /** Whether it might be cut off. */
    boolean isTiny() {
        return tiny;
    }

    boolean holdsBoxes() {
        return holdsBoxes;
    }

    boolean clipsLines() {
        return clipsLines;
    }

    /** Whether its text lies so far left of or above the page. */
    boolean isOutside(double far) {
        return x <= -far || y <= -far || indent <= -far;
    }

    /** Whether it might be out of sight. */
    boolean isSuspicious() {
        return suspicious;
    }
}
