/** Tests of what organizations teach about spam. */
@NullMarked
package dev.inboxd.mailbox.spam;

import org.jspecify.annotations.NullMarked;
