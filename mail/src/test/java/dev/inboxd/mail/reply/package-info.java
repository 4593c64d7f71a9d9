/** Tests of finding the new text of a reply. */
@NullMarked
package dev.inboxd.mail.reply;

import org.jspecify.annotations.NullMarked;
