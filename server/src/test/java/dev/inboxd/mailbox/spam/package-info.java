/** Tests of spam training. */
@NullMarked
package dev.inboxd.mailbox.spam;

import org.jspecify.annotations.NullMarked;
