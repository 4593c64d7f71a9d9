/**
 * Extracts the new text of a message: without quotes of the mail program (RFC 3676 §4.5 and the programs' own forms),
 * and without texts below every mail. Pure, linear in time and bounded; every package may use it. The phrases and
 * markup of mail programs are in the resource files beside these classes.
 */
@NullMarked
package dev.inboxd.mail.reply;

import org.jspecify.annotations.NullMarked;
