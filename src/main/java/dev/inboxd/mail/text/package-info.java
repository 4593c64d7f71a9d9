/** Plain text from mail for people and agents: HTML as plain text, previews, words. Pure; every package may use it. */
@NullMarked
package dev.inboxd.mail.text;

import org.jspecify.annotations.NullMarked;
