package dev.inboxd.mail.reply;

/**
 * Lines of a text that quote earlier mail, with the attribution above them.
 *
 * @param start the first line
 * @param end the first line behind them; the number of lines when there is none
 * @param isAnswered whether words of the author's follow them
 * @param isIntroduced whether the author's words introduce them, so that extraction keeps them
 */
public record QuotedPart(int start, int end, boolean isAnswered, boolean isIntroduced) {}
