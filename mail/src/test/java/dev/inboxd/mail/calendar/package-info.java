@NullMarked
package dev.inboxd.mail.calendar;

import org.jspecify.annotations.NullMarked;
