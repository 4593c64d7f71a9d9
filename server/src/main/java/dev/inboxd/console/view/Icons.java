package dev.inboxd.console.view;

/** The icons of the console: lines of one width in a square of 16, in the colour of their text. */
public final class Icons {
    private Icons() {}

    /**
     * The lines of an icon, as SVG writes them (SVG 2 §9.3).
     *
     * @param name the word of a place in the navigation, or what the icon says; any other is a sign of warning
     */
    public static String path(String name) {
        return switch (name) {
            case "home" -> "M2 7.5 8 2l6 5.5V14H2z";
            case "inboxes" -> "M2 9l2-6h8l2 6v4H2zm0 0h4l1 2h2l1-2h4";
            case "mail" -> "M7 2a5 5 0 1 0 0 10A5 5 0 0 0 7 2zm4 9 3 3";
            case "approvals" -> "M2 8.5 6 12l8-8";
            case "webhooks" -> "M2 8h11M9 4l4 4-4 4";
            case "domains" -> "M8 2a6 6 0 1 0 0 12A6 6 0 0 0 8 2zm0 3v3l2 2";
            case "apps" -> "M2 2h5v5H2zm7 0h5v5H9zM2 9h5v5H2zm7 0h5v5H9z";
            case "payments" -> "M1 4h14v9H1zm0 3h14";
            case "keys" -> "M10 2a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM7 9l-5 5m2-2 1 1";
            case "people" -> "M8 2a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM2 14c1-4 3-5 6-5s5 1 6 5";
            case "activity" -> "M1 8h3l2-5 4 10 2-5h3";
            case "file" -> "M4 2h5l3 3v9H4zm5 0v3h3";
            default -> "M8 2 15 14H1zm0 4v4m0 2v.5";
        };
    }
}
