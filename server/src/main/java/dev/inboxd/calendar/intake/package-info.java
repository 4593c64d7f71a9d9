/** What invitations and answers that came by mail change in a calendar. */
@NullMarked
package dev.inboxd.calendar.intake;

import org.jspecify.annotations.NullMarked;
