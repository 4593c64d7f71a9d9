package dev.inboxd.mail.link;

/**
 * A link of a mail that a person sees, with its number.
 *
 * @param number its place among the links of the mail, from 1
 * @param target where it leads (markdown.md §3): http or https
 * @param occurrence as it stands in its line
 * @param line the line in which it stands
 * @param before the line before; empty for the first one
 */
public record NumberedLink(int number, String target, SeenLink occurrence, SeenLine line, String before) {}
