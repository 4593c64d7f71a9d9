package dev.inboxd.mailbox.attachment;

import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The file formats whose text is extracted (mail.md §9.4). */
public enum TextFormat {
    /** PDF: the text layer. */
    PDF,
    /** Word. */
    DOCX,
    /** Word until 2003. */
    DOC,
    /** Excel. */
    XLSX,
    /** PowerPoint: the texts of the slides in their order, each with its notes. */
    PPTX,
    /** A mail as a file: what it says of itself, its text, and the names of its files. */
    MAIL,
    /** Plain text, CSV, Markdown, JSON. */
    TEXT,
    /** HTML, without its markup. */
    HTML;

    /** Largest file whose text is extracted, in octets. */
    private static final long LARGEST = 10_000_000;

    private static final Map<String, TextFormat> BY_TYPE = Map.of(
            "application/pdf",
            PDF,
            "application/x-pdf",
            PDF,
            "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            DOCX,
            "application/msword",
            DOC,
            "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
            XLSX,
            "application/vnd.openxmlformats-officedocument.presentationml.presentation",
            PPTX,
            "message/rfc822",
            MAIL,
            "application/json",
            TEXT,
            "text/html",
            HTML,
            "application/xhtml+xml",
            HTML);

    private static final Map<String, TextFormat> BY_EXTENSION = Map.ofEntries(
            Map.entry("pdf", PDF),
            Map.entry("docx", DOCX),
            Map.entry("doc", DOC),
            Map.entry("xlsx", XLSX),
            Map.entry("pptx", PPTX),
            Map.entry("eml", MAIL),
            Map.entry("txt", TEXT),
            Map.entry("csv", TEXT),
            Map.entry("md", TEXT),
            Map.entry("json", TEXT),
            Map.entry("html", HTML),
            Map.entry("htm", HTML));

    /** Types that tell how to treat a file and not what it is: then the file name's extension decides. */
    private static final Set<String> UNSPECIFIC = Set.of(
            "application/octet-stream", "application/force-download", "application/x-download", "application/download");

    private static final Set<String> OTHER_TEXT = Set.of("text/rtf", "text/richtext", "text/calendar", "text/vcard");

    /**
     * The format in which a file's text is read, or null when its text is not extracted.
     *
     * @param size octets of the file
     */
    public static @Nullable TextFormat of(String mediaType, @Nullable String filename, long size) {
        if (size == 0 || size > LARGEST) {
            return null;
        }
        TextFormat format = BY_TYPE.get(mediaType);
        if (format != null) {
            return format;
        }
        if (mediaType.startsWith("text/")) {
            return OTHER_TEXT.contains(mediaType) ? null : TEXT;
        }
        return filename != null && UNSPECIFIC.contains(mediaType)
                ? BY_EXTENSION.get(
                        filename.substring(filename.lastIndexOf('.') + 1).toLowerCase(Locale.ROOT))
                : null;
    }
}
