package dev.inboxd.mail.link;

/**
 * A link of a mail, with what it is for (markdown.md §9).
 *
 * @param number its place among the links of the mail, from 1
 * @param url as it is written
 * @param target where it leads
 * @param host of the target
 * @param text the words that are shown
 * @param confidence from 0 to 1: that this is the link that the mail asks to follow
 * @param mismatch whether the words name another host than that of the target
 */
public record MailLink(
        int number,
        String url,
        String target,
        String host,
        String text,
        LinkKind kind,
        double confidence,
        MailPlace place,
        boolean mismatch) {}
