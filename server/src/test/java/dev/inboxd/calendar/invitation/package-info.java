/** Tests of invitations by mail. */
@NullMarked
package dev.inboxd.calendar.invitation;

import org.jspecify.annotations.NullMarked;
