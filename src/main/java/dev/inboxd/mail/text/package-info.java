/** Text for people and agents out of what mail holds: HTML as plain text, previews. Pure; everyone may call it. */
@NullMarked
package dev.inboxd.mail.text;

import org.jspecify.annotations.NullMarked;
