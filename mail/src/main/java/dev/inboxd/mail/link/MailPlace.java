package dev.inboxd.mail.link;

import java.util.Locale;

/** Where in a mail a code or a link was found. */
public enum MailPlace {
    /** In its subject. */
    SUBJECT,
    /** In its text body. */
    TEXT,
    /** In its HTML body. */
    HTML,
    /** In another field of its header. */
    HEADER;

    /** The word for it in answers. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
