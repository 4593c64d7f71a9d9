/** Tests of what is the sender's own. */
@NullMarked
package dev.inboxd.mail.reply;

import org.jspecify.annotations.NullMarked;
